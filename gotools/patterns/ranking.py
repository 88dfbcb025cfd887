"""Legal moves in the order of their scores: as rows of a table, or explained to people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from gotools import exact
from gotools.files.tables import cell, header
from gotools.go.examples.table import Examples
from gotools.go.points import CELLS, COLUMN_LETTERS, colour_letter, vertex
from gotools.patterns.explain.sentences import sentence
from gotools.patterns.matching import Matcher
from gotools.patterns.weigh.accuracy import (
    BASELINES,
    NO_ROW,
    TOPS,
    Choices,
    choices_of,
    log_likelihood,
    measure,
    one_choice,
)
from gotools.patterns.weigh.firing import FiringTable
from gotools.screen_text import TEXT_WIDTH, wrapped

KIND, VERSION = "ranking", 2
RANKING_COLUMNS = ("id", "rank", "point", "score", "probability", "played", "rules")
POSITIONS = 500
"""Positions ranked together."""
_NEARLY_WON: Final = 1.0 - 1e-12
_DIGITS: Final = 9
"""Of scores from values: equal but for the order of a sum, they stay equal."""


class Judge(Protocol):
    """Learned values of the positions after moves, in [-1, 1] for the side that makes them."""

    @property
    def orders(self) -> bool:
        """Return whether moves are ranked by their values, not by rules."""

    @property
    def about(self) -> str:
        """Return a line on the origin of the values."""

    def values(self, choices: Choices) -> NDArray[np.float64]:
        """Return the value of each move."""

    def why(self, choices: Choices, row: int) -> list[tuple[float, str]]:
        """List the reasons for a move (above 0) and against it, in words."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Positions whose legal moves are in order.

    ids -- of the decisions; order -- int64[moves]: rows of `choices`, position by position, best first; equal scores in
    the order of the points. probability -- float64[moves], by row: the softmax of the scores of a position
    value -- float64[moves], by row: the judge's values; None without a judge
    """

    ids: list[str]
    choices: Choices
    firing: FiringTable
    scores: NDArray[np.float64]
    probability: NDArray[np.float64]
    order: NDArray[np.int64]
    value: NDArray[np.float64] | None = None


def stretches(examples: Examples) -> Iterator[Examples]:
    """Cut the decisions of label 1 into stretches that are ranked together."""
    played = examples.take(examples.label == 1)
    for begin in range(0, len(played), POSITIONS):
        yield played.take(np.arange(begin, min(begin + POSITIONS, len(played))))


def rank_together(some: Examples, matcher: Matcher, judge: Judge | None = None) -> Ranking:
    """Return the legal moves of some decisions in order.

    A judge that orders replaces the rules' scores: the score of a move is the inverse tanh of its value.
    """
    choices = choices_of(some, legal_only=False)
    firing = matcher.match(choices)
    scores = firing.scores([rule.weight for rule in matcher.rules.rules])
    value = None if judge is None else judge.values(choices)
    if value is not None and judge is not None and judge.orders:
        scores = _before_tanh(value)
    position = np.repeat(np.arange(len(choices)), np.diff(choices.first))
    order = np.lexsort((choices.points.point, -scores, position))
    return Ranking(
        ids=some.take(choices.decision).id,
        choices=choices,
        firing=firing,
        scores=scores,
        probability=_softmax(scores, choices),
        order=order,
        value=value,
    )


def _before_tanh(value: NDArray[np.float64]) -> NDArray[np.float64]:
    value = np.clip(value, -_NEARLY_WON, _NEARLY_WON)
    sums = 0.5 * exact.log((1.0 + value) / (1.0 - value))
    return sums.round(_DIGITS) + 0.0  # no -0.0


def _softmax(scores: NDArray[np.float64], choices: Choices) -> NDArray[np.float64]:
    if not len(choices):
        return scores
    counts = np.diff(choices.first)
    power = exact.exp(scores - np.repeat(np.maximum.reduceat(scores, choices.first[:-1]), counts))
    share: NDArray[np.float64] = power / np.repeat(np.add.reduceat(power, choices.first[:-1]), counts)
    return share


def table_header(matcher: Matcher, judge: Judge | None = None) -> bytes:
    """Return the lines that begin a table of moves in order."""
    settings = {"game": "go", "rules": str(len(matcher.rules.rules)), "digest": matcher.rules.digest}
    if judge is None:
        return header(KIND, VERSION, settings, RANKING_COLUMNS)
    return header(KIND, VERSION, {**settings, "eval": judge.about}, (*RANKING_COLUMNS, "value"))


def table_rows(ranking: Ranking, matcher: Matcher, top: int | None) -> bytes:
    """Return a line for every move, or for the first `top` of every position."""
    names = [rule.id for rule in matcher.rules.rules]
    lines = []
    for k, name in enumerate(map(cell, ranking.ids)):
        for place, row in enumerate(_first(ranking, k, top), 1):
            fired = ",".join(names[rule] for rule in _fired(ranking, row)) or "-"
            point = vertex(int(ranking.choices.points.point[row]), int(ranking.choices.points.size[k]))
            figures = f"{_rounded(ranking, row, 4):.4f}\t{ranking.probability[row]:.4f}"
            value = "" if ranking.value is None else f"\t{round(float(ranking.value[row]), 4) + 0.0:.4f}"
            played = int(row == ranking.choices.played[k])
            lines.append(f"{name}\t{place}\t{point}\t{figures}\t{played}\t{fired}{value}\n")
    return "".join(lines).encode("utf-8", "replace")


def _first(ranking: Ranking, position: int, top: int | None) -> list[int]:
    """Return the rows of a position's first moves."""
    begin, end = int(ranking.choices.first[position]), int(ranking.choices.first[position + 1])
    return [int(row) for row in ranking.order[begin : end if top is None else min(end, begin + top)]]


def _fired(ranking: Ranking, row: int) -> list[int]:
    return [int(rule) for rule in ranking.firing.rule[ranking.firing.at[row] : ranking.firing.at[row + 1]]]


# ---- for people ----


def explained(ranking: Ranking, matcher: Matcher, top: int, judge: Judge | None = None, width: int = TEXT_WIDTH) -> str:
    """Return the first moves of every position, and the one played, with the reasons for and against them.

    width -- columns; sentences are wrapped at words
    """
    blocks = []
    for k, name in enumerate(ranking.ids):
        points, played = ranking.choices.points, int(ranking.choices.played[k])
        size = int(points.size[k])
        move = f", played {vertex(int(points.point[played]), size)}" if played != NO_ROW else ""
        every = _first(ranking, k, None)
        lines = [f"{name}  {colour_letter(int(points.to_play[k]))} to play{move}", *_board(ranking, k, every[:top]), ""]
        for place, row in enumerate(every, 1):
            if place > top and row != played:
                continue
            mark = "  (played)" if row == played else ""
            share = f"{100 * ranking.probability[row]:.1f} %"
            point = vertex(int(points.point[row]), size)
            lines.append(f"{place:3}. {point:4} score {_rounded(ranking, row, 3):7.3f}   {share:>7}{mark}")
            lines += [_reason(matcher, rule, size, width) for rule in _weighty(ranking, row, matcher)]
            lines += [] if judge is None else _judged(ranking, row, judge)
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks) + "\n" if blocks else ""


def reasons(
    matcher: Matcher, cells: NDArray[np.uint8], size: int, to_play: int, last: tuple[int, int, int], point: int
) -> list[str]:
    """Return a text for each rule that fires at a point, the largest weight first, wrapped at TEXT_WIDTH columns.

    last -- ko, the last move, the one before
    """
    choices = one_choice(cells, size, to_play, last, np.array([point], np.int16))
    fired = [int(rule) for rule in matcher.match(choices).rule]
    rules = matcher.rules.rules
    return [_reason(matcher, rule, size) for rule in sorted(fired, key=lambda rule: -abs(rules[rule].weight))]


def _rounded(ranking: Ranking, row: int, digits: int) -> float:
    return round(float(ranking.scores[row]), digits) + 0.0  # no -0.0


def _weighty(ranking: Ranking, row: int, matcher: Matcher) -> list[int]:
    rules = matcher.rules.rules
    return sorted(_fired(ranking, row), key=lambda rule: -abs(rules[rule].weight))


def _reason(matcher: Matcher, number: int, size: int, width: int = TEXT_WIDTH) -> str:
    rule = matcher.rules.rules[number]
    head = f"       {rule.weight:+7.3f}  {rule.id:6} "
    return wrapped(head + sentence(rule, size), width, len(head))


def _judged(ranking: Ranking, row: int, judge: Judge) -> list[str]:
    assert ranking.value is not None
    value = f"       {round(float(ranking.value[row]), 3) + 0.0:+7.3f}  value"
    return [value, *(f"       {share:+7.3f}    {what}" for share, what in judge.why(ranking.choices, row))]


def _board(ranking: Ranking, position: int, first: list[int]) -> list[str]:
    """Return the position as people draw it: X black, O white, the last move in brackets, the first moves numbered."""
    points = ranking.choices.points
    size, last = int(points.size[position]), int(points.last[position])
    cells = [CELLS[cell] for cell in points.board[position, : size * size]]
    for place, row in enumerate(first[:9], 1):
        cells[points.point[row]] = str(place)
    lines = []
    for y in range(size - 1, -1, -1):
        line = list(" " + " ".join(cells[y * size : (y + 1) * size]) + " ")
        if last >= 0 and last // size == y:
            line[2 * (last % size)], line[2 * (last % size) + 2] = "()"
        lines.append(f"{y + 1:4} {''.join(line)}".rstrip())
    return [*lines, f"      {' '.join(COLUMN_LETTERS[:size])}"]


# ---- how good ----


@dataclass(slots=True)
class RankingTally:
    """Adds up how well rankings predict the moves played, batch by batch: the measures of accuracy.measure."""

    positions: int = 0
    silent: int = 0
    test: dict[str, float] = field(default_factory=dict)
    baselines: dict[str, dict[str, float]] = field(default_factory=dict)

    def add(self, ranking: Ranking) -> None:
        """Add positions; those whose move is not legal do not count."""
        kept = np.flatnonzero(ranking.choices.played != NO_ROW)
        if not len(kept):
            return
        choices = ranking.choices.take(kept)
        rows = np.isin(np.repeat(np.arange(len(ranking.choices)), np.diff(ranking.choices.first)), kept)
        _add(self.test, measure(ranking.scores[rows], choices), len(kept))
        fired = (np.diff(ranking.firing.at) > 0)[rows]
        self.silent += int((~np.logical_or.reduceat(fired, choices.first[:-1])).sum())
        self.positions += len(kept)
        for name, order in BASELINES.items():
            scores = order(choices)
            measured = measure(scores, choices)
            shares = {f"top{k}": measured[f"top{k}"] for k in TOPS}
            if name == "chance":
                shares["log_likelihood"] = log_likelihood(scores, choices)
            _add(self.baselines.setdefault(name, {}), shares, len(kept))

    def join(self, other: RankingTally) -> None:
        """Add another tally; for single rankings, in their order, the sums are those of `add`."""
        self.positions += other.positions
        self.silent += other.silent
        _add(self.test, other.test, 1)
        for name, sums in other.baselines.items():
            _add(self.baselines.setdefault(name, {}), sums, 1)

    def metrics(self, matcher: Matcher) -> dict[str, Any]:
        """Return the content of --metrics; see docs/formats.md."""
        of = max(self.positions, 1)
        baselines = {
            name: {"positions": self.positions, **{key: value / of for key, value in row.items()}}
            for name, row in self.baselines.items()
        }
        test = {"positions": self.positions, **{key: value / of for key, value in self.test.items()}}
        return {
            "test": {**test, "no_rule_fired": self.silent / of},
            "baselines": baselines,
            "rules": len(matcher.rules.rules),
            "digest": matcher.rules.digest,
        }


def _add(sums: dict[str, float], means: dict[str, float], count: int) -> None:
    for key, value in means.items():
        sums[key] = sums.get(key, 0.0) + value * count
