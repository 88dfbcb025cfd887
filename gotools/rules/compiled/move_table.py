"""Rules of a game with measures and a window as the numbers that its searches score moves by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import find_game, vocabulary_of
from gotools.jit.kernels import rule_table as table
from gotools.rules.clauses.facts import Intervals
from gotools.rules.clauses.kernels import conditions as kind
from gotools.rules.clauses.moves import facts_of_moves
from gotools.rules.clauses.points import StateMoves
from gotools.rules.clauses.rules import UNITS, RuleSet
from gotools.rules.compiled.plan import at_line, tests_of

Condition = tuple[int, int, int, int]
"""See jit/kernels/rule_table.py."""


def conditions_of_rules(rules: RuleSet, path: str) -> list[tuple[Condition, ...] | None]:
    """Return the conditions of each rule, None for one that never holds.

    path -- of the rules, for errors

    Raises FileFormatError with the line of the first clause that has no meaning.
    """
    game, intervals = find_game(rules.game), Intervals.start()
    nothing = np.zeros((0, game.cells), np.int32), np.zeros(0, np.uint8), np.zeros(0, np.int32), np.zeros(0, np.int16)
    facts = facts_of_moves(StateMoves(game, *nothing), intervals)
    window = vocabulary_of(rules.game).window
    classes = 0 if window is None else len(window.classes)
    found: list[tuple[Condition, ...] | None] = []
    for rule in rules.rules:
        with at_line(rule, path):
            tests = tests_of(rule, facts)
        never, conditions = False, dict[Condition, None]()
        for what, a, b, *_ in tests:
            if what == kind.STAGE:
                conditions[table.AT_STAGE, a, 0, 0] = None
            elif what == kind.MEASURE:
                conditions[table.WITHIN, a, int(intervals.low[b]), int(intervals.high[b])] = None
            elif what == kind.GIVEN:
                conditions[table.HELD, a // classes, a % classes, 0] = None
            never |= what == kind.NEVER
        found.append(None if never else tuple(conditions))
    return found


def packed_rules(rules: RuleSet, path: str) -> NDArray[np.int64]:
    """Return the numbers of `score_by_rules`. Raises FileFormatError as `conditions_of_rules` does."""
    parts = [
        (rule, conditions)
        for rule, conditions in zip(rules.rules, conditions_of_rules(rules, path), strict=True)
        if conditions is not None
    ]
    number = {c: k for k, c in enumerate(dict.fromkeys(c for _, some in parts for c in some))}
    starts = np.cumsum([0, *(len(some) for _, some in parts)])
    looks = any(c[0] == table.HELD for c in number)
    of_rules = [(round(rule.weight * UNITS), start) for (rule, _), start in zip(parts, starts.tolist(), strict=False)]
    return np.array(
        [
            int(looks), len(number), len(parts), starts[-1],
            *(value for condition in number for value in condition),
            *(value for one in of_rules for value in one),
            *(number[c] for _, some in parts for c in some),
        ],
        np.int64,
    )  # fmt: skip
