"""Which rules fire at which points: the table that scores, weights and rankings are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gotools.patterns.clauses import holds
from gotools.patterns.facts import Intervals, asks_surroundings, facts_of
from gotools.patterns.points import Points
from gotools.patterns.rules import UNITS, Rule

if TYPE_CHECKING:
    from gotools.patterns.background import Background

CHUNK = 10_000
"""Points looked at together: bounds the memory at some 20 MB on 9x9, 100 MB on 19x19."""


MOST_IN_16_BITS = 32_767


@dataclass(frozen=True, slots=True)
class Firing:
    """Which rules fire at each of some moves: rule[at[r] : at[r+1]] at row r; in int32 where there are many rules."""

    at: NDArray[np.int64]  # int64[rows+1]
    rule: NDArray[np.signedinteger]

    def __len__(self) -> int:
        return len(self.at) - 1

    @staticmethod
    def of(rows: Sequence[NDArray[np.int64]], total: int) -> Firing:
        """Return the table for rules that cover the given rows, each in order, of `total` rows."""
        counts = [len(some) for some in rows]
        covered = np.concatenate([*rows, np.zeros(0, np.int64)])
        numbers = np.arange(len(rows)).astype(np.int16 if len(rows) <= MOST_IN_16_BITS else np.int32)
        rule = np.repeat(numbers, counts)
        at = np.concatenate([[0], np.cumsum(np.bincount(covered, minlength=total))]).astype(np.int64)
        return Firing(at, rule[np.argsort(covered, kind="stable")])

    @staticmethod
    def concat(parts: Iterable[Firing]) -> Firing:
        """Return the rows of all parts, one part after the other."""
        ends: list[NDArray[np.int64]] = [np.zeros(1, np.int64)]
        rules: list[NDArray[np.signedinteger]] = [np.zeros(0, np.int16)]
        done = 0
        for part in parts:
            ends.append(part.at[1:] + done)
            rules.append(part.rule)
            done += len(part.rule)
        return Firing(np.concatenate(ends), np.concatenate(rules))

    def only(self, kept: NDArray[np.int64]) -> Firing:
        """Return the table of some rules, which are numbered anew in the order of `kept`."""
        new = np.full(int(max(self.rule.max(initial=0), kept.max(initial=0))) + 1, -1, self.rule.dtype)
        new[kept] = np.arange(len(kept))
        renamed = new[self.rule]
        before = np.concatenate([[0], np.cumsum(renamed >= 0)])
        return Firing(before[self.at], renamed[renamed >= 0])

    def scores(self, weights: Sequence[float]) -> NDArray[np.float64]:
        """Return at every row the sum of the weights of the rules that fire there, exact to 1 / UNITS."""
        units = np.array([round(weight * UNITS) for weight in weights], np.int64)
        before = np.concatenate([[0], np.cumsum(units[self.rule])])
        sums: NDArray[np.float64] = (before[self.at[1:]] - before[self.at[:-1]]) / UNITS
        return sums


def firing_of(rules: Sequence[Rule], points: Points, background: Background | None = None) -> Firing:
    """Return which rules fire at each of the points, by the kernels that give clauses their meaning.

    Raises GotoolsError for a clause that has none (see clauses.Compiler).
    """

    surroundings = asks_surroundings(literal.predicate for rule in rules for literal in rule.body)

    def one(some: slice) -> Firing:
        part = points.take(some)
        table = facts_of(part, Intervals.start(), background, surroundings=surroundings)
        masks = table.masks(np.arange(len(part), dtype=np.int32))
        return Firing.of([np.flatnonzero(holds(table, masks, rule.body)) for rule in rules], len(part))

    return Firing.concat(one(some) for some in _chunks(points))


def _chunks(points: Points) -> Iterator[slice]:
    """Cut the points into slices of about CHUNK, between positions."""
    ends = np.flatnonzero(np.diff(points.position, append=-1)) + 1
    begin = 0
    while begin < len(points):
        last = int(np.searchsorted(ends, begin + CHUNK))
        end = int(ends[min(last, len(ends) - 1)])
        yield slice(begin, end)
        begin = end
