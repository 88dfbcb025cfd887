"""Which rules fire at which points: the table behind scores, weights and rankings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gotools.rules.clauses.facts import Intervals, shapes_named
from gotools.rules.clauses.meaning import facts_of, holds
from gotools.rules.clauses.points import Moves, chunks
from gotools.rules.clauses.rules import UNITS, Rule

if TYPE_CHECKING:
    from gotools.rules.clauses.background import Background

CHUNK = 10_000
"""Points processed together: bounds the memory at some 20 MB on 9x9, 100 MB on 19x19."""


MOST_IN_16_BITS = 32_767

_ROOM = 1.25
"""Spare room of a growing table, as a factor."""


@dataclass(frozen=True, slots=True)
class FiringTable:
    """Which rules fire at each of some moves: rule[at[r] : at[r+1]] at row r; in int32 where there are many rules."""

    at: NDArray[np.int64]  # int64[rows+1]
    rule: NDArray[np.integer]

    def __len__(self) -> int:
        return len(self.at) - 1

    @staticmethod
    def of(rows: Sequence[NDArray[np.signedinteger]], total: int) -> FiringTable:
        """Return the table for rules that cover the given rows, each in order, of `total` rows."""
        counts = [len(some) for some in rows]
        covered = np.concatenate([*rows, np.zeros(0, np.int64)])
        numbers = np.arange(len(rows)).astype(np.int16 if len(rows) <= MOST_IN_16_BITS else np.int32)
        rule = np.repeat(numbers, counts)
        at = np.concatenate([[0], np.cumsum(np.bincount(covered, minlength=total))]).astype(np.int64)
        return FiringTable(at, rule[np.argsort(covered, kind="stable")])

    @staticmethod
    def concat(parts: Iterable[FiringTable]) -> FiringTable:
        """Return the rows of all parts, one part after the other; parts of an iterator are not kept."""
        ends: list[NDArray[np.int64]] = [np.zeros(1, np.int64)]
        rule: NDArray[np.signedinteger] = np.zeros(0, np.int16)
        done = 0
        for part in parts:
            ends.append(part.at[1:] + done)
            new = done + len(part.rule)
            if part.rule.itemsize > rule.itemsize:
                rule = rule.astype(part.rule.dtype)
            if new > len(rule):
                rule.resize(round(_ROOM * new), refcheck=False)  # untouched pages cost nothing
            rule[done:new] = part.rule
            done = new
        rule.resize(done, refcheck=False)
        return FiringTable(np.concatenate(ends), rule)

    def take(self, rows: NDArray[np.int64]) -> FiringTable:
        """Return some of the rows, in that order."""
        counts = np.diff(self.at)[rows]
        at = np.concatenate([[0], np.cumsum(counts)])
        return FiringTable(at, self.rule[np.arange(at[-1]) + np.repeat(self.at[rows] - at[:-1], counts)])

    def scores(self, weights: Sequence[float]) -> NDArray[np.float64]:
        """Return at every row the sum of the weights of the rules that fire there, exact to 1 / UNITS."""
        units = np.array([round(weight * UNITS) for weight in weights], np.int64)
        before = np.concatenate([[0], np.cumsum(units[self.rule])])
        sums: NDArray[np.float64] = (before[self.at[1:]] - before[self.at[:-1]]) / UNITS
        return sums


def firing_of(rules: Sequence[Rule], points: Moves, background: Background | None = None) -> FiringTable:
    """Return which rules fire at each of the points, by the kernels that evaluate clauses.

    Raises GotoolsError for a clause without a meaning (see clauses.Compiler).
    """
    return FiringTable.concat(firings(rules, points, background))


def firings(
    rules: Sequence[Rule], points: Moves, background: Background | None = None, pool: Executor | None = None
) -> Iterator[FiringTable]:
    """Yield the same table chunk by chunk, in order.

    pool -- of threads that work ahead; not used with a user's predicates, which a single Prolog evaluates
    """

    if not rules:
        return iter([FiringTable.of([], len(points))])
    literals = [literal for rule in rules for literal in rule.body]
    predicates, shapes = {literal.predicate for literal in literals}, shapes_named(literals)

    def one(some: slice) -> FiringTable:
        part = points.take(some)
        table = facts_of(part, Intervals.start(), background, predicates=predicates, shapes=shapes)
        masks = table.masks(np.arange(len(part), dtype=np.int32))
        return FiringTable.of([np.flatnonzero(holds(table, masks, rule.body)) for rule in rules], len(part))

    each = map if pool is None or background is not None else pool.map
    return iter(each(one, chunks(points, CHUNK)))
