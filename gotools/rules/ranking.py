"""Legal moves in the order of their scores, of any game: as rows of a table, or explained to people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gotools.files.cells import cell
from gotools.files.json_text import json_text
from gotools.files.kinds import Kind
from gotools.files.tables import header
from gotools.game.examples.examples import Examples
from gotools.game.examples.legal import NO_ROW, LegalMoves
from gotools.game.sides import side_letter
from gotools.jit.kernels import exact
from gotools.rules.clauses.rules import RuleSet
from gotools.rules.weigh.accuracy import Alternatives, Scores, measure, softmax

KIND, VERSION = Kind.ranking.word, Kind.ranking.version
RANKING_COLUMNS = ("id", "rank", "point", "score", "probability", "played", "rules")
POSITIONS: Final = 500
"""Positions ranked together."""
Kept = TypeVar("Kept", bound=Examples)
_NEARLY_WON: Final = 1.0 - 1e-12
_DIGITS: Final = 9
"""Of scores from values: equal but for the order of a sum, they stay equal."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Positions whose legal moves are in order.

    legal       -- the positions and the moves; arrays "by row" have an entry for each move
    scores      -- float64[moves], by row
    order       -- int64[moves]: rows, position by position, best first; equal scores in the order of the moves
    probability -- float64[moves], by row: the softmax of the scores of a position
    value       -- float64[moves], by row: of the positions after the moves, -1 to 1; None without learned values
    """

    legal: LegalMoves
    scores: NDArray[np.float64]
    probability: NDArray[np.float64]
    order: NDArray[np.int64]
    value: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.legal.played)

    @property
    def first(self) -> NDArray[np.int64]:
        """See `LegalMoves`."""
        return self.legal.first

    @property
    def played(self) -> NDArray[np.int64]:
        """See `LegalMoves`."""
        return self.legal.played

    def rows(self, position: int, top: int | None = None) -> list[int]:
        """Return the rows of a position's first moves, or of all, best first."""
        begin, end = int(self.first[position]), int(self.first[position + 1])
        return [int(row) for row in self.order[begin : end if top is None else min(end, begin + top)]]

    def score(self, row: int, digits: int) -> float:
        """Return the score of a move, rounded."""
        return _rounded(self.scores[row], digits)


class Judge(Protocol):
    """Learned values of the positions after moves, in [-1, 1] for the side that makes them; a policy, if it has one."""

    @property
    def orders(self) -> bool:
        """Return whether moves are ranked by this judge, not by rules."""

    @property
    def about(self) -> str:
        """Return a line on the origin of the values."""

    def scores(self, legal: LegalMoves) -> NDArray[np.float64] | None:
        """Return the policy's score of each move; None without a policy."""

    def values(self, legal: LegalMoves, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the value of each move, nan for those that are not in `rows`."""

    def why(self, legal: LegalMoves, row: int) -> list[tuple[float, str]]:
        """List the reasons for a move (above 0) and against it, in words."""


def ranked(legal: LegalMoves, scores: NDArray[np.float64] | None, judge: Judge | None, top: int | None) -> Ranking:
    """Return moves in order.

    scores -- by rules; None: there are none
    top    -- how many moves of a position need a value, besides the right ones; None: all

    A judge that orders replaces the scores by its policy's; without a policy the score of a move is the inverse tanh
    of its value.
    """
    value = policy = None
    if judge is not None and judge.orders:
        policy = judge.scores(legal)
        if policy is None:
            value = judge.values(legal, np.arange(len(legal.place)))
            policy = scores_of_values(value)
    scores = scores if policy is None else policy
    assert scores is not None  # moves are ranked by rules or by the judge
    order = order_of(scores, legal.first)
    if judge is not None and value is None:
        shown = np.union1d(_first_of_each(order, legal.first, top), np.flatnonzero(legal.right))
        value = judge.values(legal, shown)
    return Ranking(legal, scores, softmax(scores, legal.first), order, value)


def _first_of_each(order: NDArray[np.int64], first: NDArray[np.int64], top: int | None) -> NDArray[np.int64]:
    """Return the rows of the first `top` moves of each position."""
    if top is None:
        return order
    place = np.arange(len(order)) - np.repeat(first[:-1], np.diff(first))
    return order[place < top]


class Words:
    """How the moves of a ranking are written; without rules none fire."""

    def __init__(self, ranking: Ranking, judge: Judge | None = None) -> None:
        self.ranking, self.judge = ranking, judge
        self._game = ranking.legal.examples.of

    def side(self, position: int) -> int:
        """Return the side to play."""
        return int(self.ranking.legal.examples.to_play[position])

    def move(self, row: int) -> str:
        """Return a move as players write it."""
        legal = self.ranking.legal
        return self._game.move_text(legal.move(row), int(legal.examples.size[legal.position_of(row)]))

    def fired(self, row: int) -> Sequence[str]:
        """Return the ids of the rules that fire at a move, in the order of the file."""
        return ()

    def rules(self, row: int) -> list[dict[str, object]]:
        """Return the rules that fire at a move, the largest weight first: id, weight and sentence of each."""
        return []

    def drawing(self, position: int, first: list[int]) -> list[str]:
        """Draw a position; first -- the rows of its first moves."""
        legal = self.ranking.legal
        return legal.examples.drawing(position, legal.place[first].tolist())

    def reasons(self, row: int) -> list[str]:
        """Return lines that say what speaks for a move and against it."""
        if self.judge is None or self.ranking.value is None:
            return []
        return value_lines(self.ranking.value[row], self.judge.why(self.ranking.legal, row))


def stretches(examples: Kept) -> Iterator[Kept]:
    """Cut the rows of label 1 into stretches of whole decisions that are ranked together."""
    rows = examples.take(examples.label == 1)
    cuts = [*np.flatnonzero(rows.begins())[::POSITIONS].tolist(), len(rows)]
    for begin, end in pairwise(cuts):
        yield rows.take(np.arange(begin, end))


def order_of(scores: NDArray[np.float64], first: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rows of moves in the order of their scores, position by position; equal ones by their rows."""
    position = np.repeat(np.arange(len(first) - 1), np.diff(first))
    return np.lexsort((-scores, position))


def scores_of_values(value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what values are the tanh of."""
    value = np.clip(value, -_NEARLY_WON, _NEARLY_WON)
    sums = 0.5 * exact.log((1.0 + value) / (1.0 - value))
    return sums.round(_DIGITS) + 0.0  # no -0.0


def table_header(game: str, rules: RuleSet, about: str | None = None) -> bytes:
    """Return the lines that begin a table of moves in order; about -- the learned values, if there are any."""
    settings = {"game": game, "rules": str(len(rules.rules)), "digest": rules.digest}
    if about is None:
        return header(KIND, VERSION, settings, RANKING_COLUMNS)
    return header(KIND, VERSION, {**settings, "eval": about}, (*RANKING_COLUMNS, "value"))


def table_rows(ranking: Ranking, words: Words, top: int | None) -> bytes:
    """Return a line for every move, or for the first `top` of every position."""
    lines, right = [], ranking.legal.right
    for k, name in enumerate(map(cell, ranking.legal.examples.id)):
        for place, row in enumerate(ranking.rows(k, top), 1):
            fired = ",".join(words.fired(row)) or "-"
            figures = f"{ranking.score(row, 4):.4f}\t{ranking.probability[row]:.4f}"
            value = "" if ranking.value is None else f"\t{_rounded(ranking.value[row], 4):.4f}"
            lines.append(f"{name}\t{place}\t{words.move(row)}\t{figures}\t{right[row]:d}\t{fired}{value}\n")
    return "".join(lines).encode("utf-8", "replace")


def explained(ranking: Ranking, words: Words, top: int) -> str:
    """Return for people the first moves of every position, and the right ones, with the reasons for and against."""
    blocks, is_right = [], ranking.legal.right
    for k, name in enumerate(ranking.legal.examples.id):
        every = ranking.rows(k)
        right = [row for row in every if is_right[row]]
        word = "right" if len(right) > 1 else "played"
        moves = f", {word} {', '.join(words.move(row) for row in right)}" if right else ""
        lines = [f"{name}  {side_letter(words.side(k))} to play{moves}", *words.drawing(k, every[:top]), ""]
        for place, row in enumerate(every, 1):
            if place > top and not is_right[row]:
                continue
            mark = f"  ({word})" if is_right[row] else ""
            share = f"{100 * ranking.probability[row]:.1f} %"
            lines.append(f"{place:3}. {words.move(row):4} score {ranking.score(row, 3):7.3f}   {share:>7}{mark}")
            lines += words.reasons(row)
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks) + "\n" if blocks else ""


def as_json_lines(ranking: Ranking, words: Words, top: int | None) -> str:
    """Return an object of JSON for every position, with its first moves and what speaks for each."""
    lines, right = [], ranking.legal.right
    for k, name in enumerate(ranking.legal.examples.id):
        moves = [
            {
                "rank": place,
                "move": words.move(row),
                "score": ranking.score(row, 4),
                "probability": _rounded(ranking.probability[row], 4),
                **({} if ranking.value is None else {"value": _rounded(ranking.value[row], 4)}),
                "played": bool(right[row]),
                "rules": words.rules(row),
            }
            for place, row in enumerate(ranking.rows(k, top), 1)
        ]
        move = next((words.move(row) for row in ranking.rows(k) if right[row]), None)
        said = {"id": name, "to_play": side_letter(words.side(k)), "played": move, "moves": moves}
        lines.append(json_text(said) + "\n")
    return "".join(lines)


def value_lines(value: float, why: Sequence[tuple[float, str]]) -> list[str]:
    """Return lines for people: the value after a move, and the shares of what it is made of."""
    head = f"       {_rounded(value, 3):+7.3f}  value"
    return [head, *(f"       {share:+7.3f}    {what}" for share, what in why)]


def _rounded(number: float, digits: int) -> float:
    return round(float(number), digits) + 0.0  # no -0.0


# ---- how good ----


@dataclass(slots=True)
class RankingTally:
    """Adds up how well rankings predict the moves played, batch by batch: the measures of accuracy.measure."""

    positions: int = 0
    silent: int = 0
    test: dict[str, float] = field(default_factory=dict)
    baselines: dict[str, dict[str, float]] = field(default_factory=dict)

    def add(
        self, scores: Scores, moves: Alternatives, baselines: Mapping[str, Scores], silent: int, scaled: bool = False
    ) -> None:
        """Add positions, in all of which the move played is legal.

        baselines -- scores of the same moves without knowledge, by name; silent -- positions where no rule fires
        scaled -- the baselines are log-odds; else only chance has a log-likelihood
        """
        count = len(moves.played)
        _add(self.test, measure(scores, moves), count)
        self.silent += silent
        self.positions += count
        for name, plain in baselines.items():
            measured = measure(plain, moves)
            if not scaled and name != "chance":
                del measured["log_likelihood"]
            _add(self.baselines.setdefault(name, {}), measured, count)

    def add_beside_chance(self, ranking: Ranking) -> None:
        """Add a ranking without rules; its moves have no order without knowledge but chance."""
        known = np.flatnonzero(ranking.played != NO_ROW)
        if len(known):
            moves, rows = ranking.legal.only(known)
            self.add(ranking.scores[rows], moves, {"chance": np.zeros(len(rows))}, len(known))

    def join(self, other: RankingTally) -> None:
        """Add another tally; for single rankings, in their order, the sums are those of `add`."""
        self.positions += other.positions
        self.silent += other.silent
        _add(self.test, other.test, 1)
        for name, sums in other.baselines.items():
            _add(self.baselines.setdefault(name, {}), sums, 1)

    def metrics(self, rules: RuleSet) -> dict[str, Any]:
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
            "rules": len(rules.rules),
            "digest": rules.digest,
        }


def _add(sums: dict[str, float], means: dict[str, float], count: int) -> None:
    for key, value in means.items():
        sums[key] = sums.get(key, 0.0) + value * count
