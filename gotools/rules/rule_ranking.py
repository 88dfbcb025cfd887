"""The legal moves of positions of Go, ranked by rules or learned values, and the rules that fire in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gotools.base.screen_text import TEXT_WIDTH, wrapped
from gotools.games.go.examples.table import Examples
from gotools.games.go.points import CELLS, COLUMN_LETTERS, vertex
from gotools.rules.explain.sentences import sentence
from gotools.rules.matching import Matcher
from gotools.rules.ranking import Ranking, RankingTally, order_of, scores_of_values, softmax, value_lines
from gotools.rules.weigh.accuracy import BASELINES, NO_ROW, Choices, choices_of, one_choice
from gotools.rules.weigh.firing import FiringTable

POSITIONS = 500
"""Positions ranked together."""


class Judge(Protocol):
    """Learned values of the positions after moves, in [-1, 1] for the side that makes them; a policy, if it has one."""

    @property
    def orders(self) -> bool:
        """Return whether moves are ranked by this judge, not by rules."""

    def scores(self, choices: Choices) -> NDArray[np.float64] | None:
        """Return the policy's score of each move; None without a policy."""

    @property
    def about(self) -> str:
        """Return a line on the origin of the values."""

    def values(self, choices: Choices, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the value of each move, nan for those that are not in `rows`."""

    def why(self, choices: Choices, row: int) -> list[tuple[float, str]]:
        """List the reasons for a move (above 0) and against it, in words."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleRanking(Ranking):
    """A ranking of positions of Go: their moves, and the rules that fire at each."""

    choices: Choices
    firing: FiringTable


def stretches(examples: Examples) -> Iterator[Examples]:
    """Cut the decisions of label 1 into stretches that are ranked together."""
    played = examples.take(examples.label == 1)
    for begin in range(0, len(played), POSITIONS):
        yield played.take(np.arange(begin, min(begin + POSITIONS, len(played))))


def rank_together(some: Examples, matcher: Matcher, judge: Judge | None = None, top: int | None = None) -> RuleRanking:
    """Return the legal moves of some decisions in order.

    top -- how many moves of a position need a value, besides the one played; None: all

    A judge that orders replaces the rules' scores by its policy's; without a policy the score of a move is the inverse
    tanh of its value.
    """
    choices = choices_of(some, legal_only=False)
    firing = matcher.match(choices)
    scores = firing.scores([rule.weight for rule in matcher.rules.rules])
    value = policy = None
    if judge is not None:
        policy = judge.scores(choices) if judge.orders else None
        if judge.orders and policy is None:
            value = judge.values(choices, np.arange(len(scores)))
            scores = scores_of_values(value)
        scores = scores if policy is None else policy
    order = order_of(scores, choices.first)
    if judge is not None and value is None:
        shown = np.union1d(_first_of_each(order, choices.first, top), choices.played[choices.played != NO_ROW])
        value = judge.values(choices, shown)
    return RuleRanking(
        ids=some.take(choices.decision).id,
        first=choices.first,
        played=choices.played,
        scores=scores,
        probability=softmax(scores, choices.first),
        order=order,
        value=value,
        sizes=choices.points.size,
        moves=choices.points.point,
        choices=choices,
        firing=firing,
    )


def _first_of_each(order: NDArray[np.int64], first: NDArray[np.int64], top: int | None) -> NDArray[np.int64]:
    """Return the rows of the first `top` moves of each position."""
    if top is None:
        return order
    place = np.arange(len(order)) - np.repeat(first[:-1], np.diff(first))
    return order[place < top]


def measured(ranking: RuleRanking) -> RankingTally:
    """Return how well a ranking predicts the moves played; positions whose move is not legal do not count."""
    if not len(ranking.choices):
        return RankingTally()
    fired = np.logical_or.reduceat(np.diff(ranking.firing.at) > 0, ranking.first[:-1])
    return tally_of(ranking.scores, ranking.choices, fired)


def tally_of(scores: NDArray[np.float64], choices: Choices, fired: NDArray[np.bool_]) -> RankingTally:
    """Return how well scores predict the moves played, where these are legal.

    fired -- bool[positions]: whether a rule fires at a legal point
    """
    tally = RankingTally()
    kept = choices.played != NO_ROW
    if not kept.any():
        return tally
    if not kept.all():
        scores = scores[np.repeat(kept, np.diff(choices.first))]
        choices, fired = choices.take(np.flatnonzero(kept)), fired[kept]
    baselines = {name: order(choices) for name, order in BASELINES.items()}
    tally.add(scores, choices, baselines, int((~fired).sum()))
    return tally


# ---- in words ----


class RuleWords:
    """Writes the moves of a ranking with the rules that fire there; width -- columns, sentences are wrapped."""

    def __init__(
        self, ranking: RuleRanking, matcher: Matcher, judge: Judge | None = None, width: int = TEXT_WIDTH
    ) -> None:
        self._ranking, self._matcher, self._judge, self._width = ranking, matcher, judge, width
        self._points = ranking.choices.points
        self._names = [rule.id for rule in matcher.rules.rules]

    def side(self, position: int) -> int:
        """Return the colour to play."""
        return int(self._points.to_play[position])

    def move(self, row: int) -> str:
        """Return a move as "D4"."""
        return vertex(int(self._points.point[row]), self._size(row))

    def fired(self, row: int) -> Sequence[str]:
        """Return the ids of the rules that fire, in the order of the file."""
        return [self._names[rule] for rule in self._fired(row)]

    def drawing(self, position: int, first: list[int]) -> list[str]:
        """Draw as people do: X black, O white, the last move in brackets, the first moves numbered."""
        points = self._points
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

    def reasons(self, row: int) -> list[str]:
        """Return the sentences of the rules that fire, the largest weight first, then what the values say."""
        rules = self._matcher.rules.rules
        weighty = sorted(self._fired(row), key=lambda rule: -abs(rules[rule].weight))
        lines = [_reason(self._matcher, rule, self._size(row), self._width) for rule in weighty]
        if self._judge is not None and self._ranking.value is not None:
            lines += value_lines(self._ranking.value[row], self._judge.why(self._ranking.choices, row))
        return lines

    def _fired(self, row: int) -> list[int]:
        firing = self._ranking.firing
        return [int(rule) for rule in firing.rule[firing.at[row] : firing.at[row + 1]]]

    def _size(self, row: int) -> int:
        return int(self._points.size[self._points.position[row]])


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


def _reason(matcher: Matcher, number: int, size: int, width: int = TEXT_WIDTH) -> str:
    rule = matcher.rules.rules[number]
    head = f"       {rule.weight:+7.3f}  {rule.id:6} "
    return wrapped(head + sentence(rule, size), width, len(head))
