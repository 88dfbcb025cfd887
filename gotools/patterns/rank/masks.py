"""The points at which conditions hold, in which frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gotools.patterns.clauses.clauses import Compiler
from gotools.patterns.clauses.facts import Intervals, facts_of, shapes_named
from gotools.patterns.clauses.points import Points
from gotools.patterns.rank.candidates import Condition, body_of
from gotools.patterns.rank.kernels import boost as _boost


def masks_of(points: Points, conditions: Sequence[Condition]) -> NDArray[np.uint8]:
    """Return uint8[conditions, points]: the frames in which a condition holds of a point, a bit each.

    Takes some 2 KB a point.
    """
    out = np.empty((len(conditions), len(points)), np.uint8)
    literals = [literal for condition in conditions for literal in condition]
    predicates, shapes = {literal.predicate for literal in literals}, shapes_named(literals)
    table = facts_of(points, Intervals.start(), predicates=predicates, shapes=shapes)
    masks = table.masks(np.arange(len(points), dtype=np.int32))
    for row, condition in enumerate(conditions):
        compiler = Compiler(table)
        ops = np.array([compiler.operation(literal) for literal in body_of([condition])], np.int32).reshape(-1, 4)
        low, high = table.intervals.low, table.intervals.high
        out[row] = _boost.frames(table.facts, masks, low, high, ops, len(compiler.number))
    return out
