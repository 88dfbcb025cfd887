"""How rules do on games: how often each fires, how often at the move played, and where that move was likeliest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.rules.clauses.rules import Rule, RuleSet
from gotools.rules.rule_ranking import RuleRanking

STRONGEST: Final = 20
"""Rules that are drawn."""
EXAMPLES: Final = 3
"""Positions of each."""


@dataclass(frozen=True, slots=True)
class ExamplePosition:
    """A position in which a rule fired at the move that was played.

    share -- that the rules give to the move; game, place -- numbers of the game and of the move, from 0
    """

    share: float
    game: int
    place: int


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """Figures of a rule on games.

    coverage -- share of the positions in which it fires at the move played
    lift     -- how many times likelier a move is played where it fires than any legal move
    """

    coverage: float
    lift: float | None


def importance(rule: Rule) -> tuple[float, int]:
    """Return what rules are sorted by: the weightiest first."""
    return -abs(rule.weight), rule.negatives - rule.positives


class RuleStudy:
    """Counts batch by batch."""

    def __init__(self, rules: RuleSet) -> None:
        count = len(rules.rules)
        self.rules = rules
        self.strongest = sorted(range(count), key=lambda at: importance(rules.rules[at]))[:STRONGEST]
        self.positions = self.moves = 0
        self._fires = np.zeros(count, np.int64)
        self._hits = np.zeros(count, np.int64)
        self._best: dict[int, list[ExamplePosition]] = {at: [] for at in self.strongest if rules.rules[at].weight > 0}

    def add(self, ranking: RuleRanking, games: NDArray[np.integer], places: NDArray[np.integer]) -> None:
        """Add positions whose moves are ranked; games, places -- of each position."""
        count = len(self.rules.rules)
        known = np.flatnonzero(ranking.played >= 0)
        at_played = ranking.firing.take(ranking.played[known])
        self.positions += len(known)
        self.moves += len(ranking.firing)
        self._fires += np.bincount(ranking.firing.rule, minlength=count)
        self._hits += np.bincount(at_played.rule, minlength=count)
        position = np.repeat(known, np.diff(at_played.at))
        share = ranking.probability[ranking.played]
        for rule, best in self._best.items():
            mine = position[at_played.rule == rule]
            first = mine[np.argsort(-share[mine], kind="stable")][: 4 * EXAMPLES]
            found = [ExamplePosition(float(share[k]), int(games[k]), int(places[k])) for k in first]
            best[:] = _apart([*best, *found])

    def figures(self, number: int) -> RuleFigures:
        """Return the figures of a rule by its number."""
        coverage = float(self._hits[number]) / max(self.positions, 1)
        if not self._fires[number]:
            return RuleFigures(coverage, None)
        return RuleFigures(coverage, float(self._hits[number] / self._fires[number]) * self.moves / self.positions)

    def examples(self, number: int) -> list[ExamplePosition]:
        """Return the best positions of a strong rule, each from another game; none of one that speaks against moves."""
        return self._best.get(number, [])


def _apart(found: list[ExamplePosition]) -> list[ExamplePosition]:
    """Return the best example of each game, the best first, at most EXAMPLES."""
    best: dict[int, ExamplePosition] = {}
    for one in sorted(found, key=lambda one: (-one.share, one.game, one.place)):
        best.setdefault(one.game, one)
    return list(best.values())[:EXAMPLES]
