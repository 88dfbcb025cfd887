"""The scores that rules give to all legal moves: by boards where the rules allow it, else by the kernels of clauses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gotools.patterns.clauses.rules import UNITS, RuleSet
from gotools.patterns.rank.boards import board_rules, positions_of
from gotools.patterns.rank.kernels import sets as _sets
from gotools.patterns.weigh.accuracy import Choices, Scores, rule_scores

if TYPE_CHECKING:
    from gotools.patterns.clauses.background import Background

Scorer = Callable[[Choices], tuple[Scores, NDArray[np.bool_]]]
"""Returns every legal move's score, and whether a rule fires there."""


def scorer_of(rules: RuleSet, background: Background | None = None) -> Scorer:
    """Return a function that scores moves: the sum of the weights of the rules that fire, exact to 1 / UNITS.

    background -- a user's predicates, which rules may name
    """
    known = None if background is not None else board_rules(rules)
    if known is None:
        return lambda choices: rule_scores(rules, choices, background)
    conditions, sets, weights = known
    table, given = conditions.sets(sets)
    units = np.round(weights * UNITS)  # whole numbers: their sums are exact in any order

    def score(choices: Choices) -> tuple[Scores, NDArray[np.bool_]]:
        total, fired = np.zeros(len(choices.points)), np.zeros(len(choices.points), np.bool_)
        _sets.scores(positions_of(choices), table, given, units, total, fired)
        return total / UNITS, fired

    return score
