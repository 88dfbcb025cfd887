"""The points at which conditions, and sets of them, hold: chunk by chunk, on all cores."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from gotools.patterns.clauses.clauses import Compiler
from gotools.patterns.clauses.facts import Intervals, facts_of, needs_surroundings
from gotools.patterns.clauses.points import Points
from gotools.patterns.rank.candidates import Condition, body_of
from gotools.patterns.rank.kernels import boost as _boost
from gotools.patterns.weigh.firing import FiringTable

CHUNK = 50_000
"""Points processed together: some 60 MB with all conditions."""


def masks_of(points: Points, conditions: Sequence[Condition], pool: Executor) -> NDArray[np.uint8]:
    """Return uint8[conditions, points]: the frames in which a condition holds of a point, a bit each."""
    out = np.empty((len(conditions), len(points)), np.uint8)
    list(pool.map(lambda some: _fill(points.take(some), conditions, out[:, some]), points.chunks(CHUNK)))
    return out


def sets_firing(
    points: Points, conditions: Sequence[Condition], sets: Sequence[Sequence[int]], pool: Executor
) -> FiringTable:
    """Return which sets of conditions (indices) cover each of the points."""
    used = sorted({c for some in sets for c in some})
    row_of = {c: row for row, c in enumerate(used)}
    rows = [np.array([row_of[c] for c in some], np.int32) for some in sets]

    def one(some: slice) -> FiringTable:
        part = points.take(some)
        masks = np.empty((len(used), len(part)), np.uint8)
        _fill(part, [conditions[c] for c in used], masks)
        return FiringTable.of([_boost.rows_covered(masks, chosen) for chosen in rows], len(part))

    return FiringTable.concat(pool.map(one, points.chunks(CHUNK)))


def _fill(points: Points, conditions: Sequence[Condition], out: NDArray[np.uint8]) -> None:
    """Write the masks of some points."""
    surroundings = needs_surroundings(literal.predicate for condition in conditions for literal in condition)
    table = facts_of(points, Intervals.start(), surroundings=surroundings)
    masks = table.masks(np.arange(len(points), dtype=np.int32))
    for row, condition in enumerate(conditions):
        compiler = Compiler(table)
        ops = np.array([compiler.operation(literal) for literal in body_of([condition])], np.int32).reshape(-1, 4)
        low, high = table.intervals.low, table.intervals.high
        out[row] = _boost.frames(table.facts, masks, low, high, ops, len(compiler.number))
