"""The legal moves of positions of Go, ranked by rules or learned values, and the rules that fire in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.base.screen_text import TEXT_WIDTH, wrapped
from gotools.game.examples.examples import Examples
from gotools.game.examples.legal import NO_ROW, LegalMoves
from gotools.game.game import Game
from gotools.rules.explain.sentences import sentence
from gotools.rules.matching import Matcher
from gotools.rules.ranking import Judge, Ranking, RankingTally, Words, ranked
from gotools.rules.weigh.accuracy import Choices, baselines_of, choices_of
from gotools.rules.weigh.firing import FiringTable


@dataclass(frozen=True, slots=True, eq=False)
class RuleRanking(Ranking):
    """A ranking of positions of Go: their moves, and the rules that fire at each."""

    choices: Choices
    firing: FiringTable


def rank_together(some: Examples, matcher: Matcher, judge: Judge | None = None, top: int | None = None) -> RuleRanking:
    """Return the legal moves of some decisions in order; judge, top -- see `ranked`."""
    choices = choices_of(some, legal_only=False)
    legal = LegalMoves(some.take(choices.decision), choices.first, choices.points.place, choices.played, choices.also)
    firing = matcher.match(choices)
    found = ranked(legal, firing.scores([rule.weight for rule in matcher.rules.rules]), judge, top)
    return RuleRanking(legal, found.scores, found.probability, found.order, found.value, choices, firing)


def measured(ranking: RuleRanking) -> RankingTally:
    """Return how well a ranking predicts the moves played; positions whose move is not legal do not count."""
    if not len(ranking.choices):
        return RankingTally()
    fired = np.logical_or.reduceat(np.diff(ranking.firing.at) > 0, ranking.first[:-1])
    return tally_of(ranking.scores, ranking.choices, fired, ranking.legal.examples.of)


def tally_of(scores: NDArray[np.float64], choices: Choices, fired: NDArray[np.bool_], game: Game) -> RankingTally:
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
    baselines = {name: order(choices) for name, order in baselines_of(game).items()}
    tally.add(scores, choices, baselines, int((~fired).sum()))
    return tally


# ---- in words ----


class RuleWords(Words):
    """Writes the moves of a ranking with the rules that fire there; width -- columns, sentences are wrapped."""

    ranking: RuleRanking

    def __init__(
        self, ranking: RuleRanking, matcher: Matcher, judge: Judge | None = None, width: int = TEXT_WIDTH
    ) -> None:
        super().__init__(ranking, judge)
        self._matcher, self._width = matcher, width
        self._names = [rule.id for rule in matcher.rules.rules]

    def fired(self, row: int) -> Sequence[str]:
        return [self._names[rule] for rule in self._fired(row)]

    def reasons(self, row: int) -> list[str]:
        """Return the sentences of the rules that fire, the largest weight first, then what the values say."""
        size = self._size(row)
        said = (_reason(self._matcher, rule, size, self._width) for rule in self._weighty(row))
        return [*said, *super().reasons(row)]

    def rules(self, row: int) -> list[dict[str, object]]:
        """See `Words`."""
        size, weighty = self._size(row), (self._matcher.rules.rules[number] for number in self._weighty(row))
        return [{"id": rule.id, "weight": round(rule.weight, 6), "sentence": sentence(rule, size)} for rule in weighty]

    def _weighty(self, row: int) -> list[int]:
        rules = self._matcher.rules.rules
        return sorted(self._fired(row), key=lambda rule: -abs(rules[rule].weight))

    def _size(self, row: int) -> int:
        points = self.ranking.choices.points
        return int(points.size[points.position[row]])

    def _fired(self, row: int) -> list[int]:
        firing = self.ranking.firing
        return [int(rule) for rule in firing.rule[firing.at[row] : firing.at[row + 1]]]


def reasons(matcher: Matcher, choices: Choices, size: int) -> list[str]:
    """Return a text for each rule that fires at a move, the largest weight first, wrapped at TEXT_WIDTH columns.

    choices -- the move alone; size -- of the board
    """
    fired = [int(rule) for rule in matcher.match(choices).rule]
    rules = matcher.rules.rules
    return [_reason(matcher, rule, size) for rule in sorted(fired, key=lambda rule: -abs(rules[rule].weight))]


def _reason(matcher: Matcher, number: int, size: int, width: int = TEXT_WIDTH) -> str:
    rule = matcher.rules.rules[number]
    head = f"       {rule.weight:+7.3f}  {rule.id:6} "
    return wrapped(head + sentence(rule, size), width, len(head))
