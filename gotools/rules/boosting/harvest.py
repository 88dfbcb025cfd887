"""Harvest the shapes that good players play often, and find those that say more than the rules so far.

A shape counts once for each move played in it, whatever its image. Which shapes help is seen on a large sample of
moves: all that were harvested are weighed together with the rules so far, and those that are worth most become rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.games.go.examples.examples import PackedGo
from gotools.games.go.kernels.shapes import SIZES, SMALLEST, names_of_images, shapes_around
from gotools.games.go.shapes import Shape, names_table, shape_at
from gotools.rules.clauses.points import Points
from gotools.rules.weigh.weights import Block

AT_ONCE = 20_000
"""Positions that are unpacked together."""

MOST_SHAPES = 12_000
"""Shapes that are harvested at most: the most frequent ones."""


@dataclass(frozen=True, slots=True)
class Harvest:
    """Shapes that are played often, the most frequent first: a position where each is played, its size, its names."""

    row: NDArray[np.int64]
    size: NDArray[np.int64]
    names: NDArray[np.uint64]  # [n, 8]: of its images

    def __len__(self) -> int:
        return len(self.row)

    def shape(self, data: PackedGo, number: int) -> Shape:
        """Return a shape, in the image with the least text; data -- what it was harvested from."""
        at = data.take(self.row[number : number + 1])
        side, me, point = int(at.size[0]), int(at.to_play[0]), int(at.move[0])
        return shape_at(at.board[0], side, me, point, int(self.size[number])).least()

    def blocks(self, drawn: Sequence[tuple[Block, Points]], pool: Executor) -> list[Block]:
        """Return blocks with the shapes as further rules; drawn -- the blocks and the points of their rows."""
        largest = int(self.size.max(initial=SMALLEST - 1))
        table = names_table(self.names, np.arange(len(self), dtype=np.int32), largest)

        def one(given: tuple[Block, Points]) -> Block:
            block, of = given
            around = np.empty((len(of), SIZES), np.int32)
            shapes_around(of.board, of.size, of.to_play, of.position, of.point, table, around)
            row, column = np.nonzero(around >= 0)
            number = around[row, column]
            order = np.lexsort((row, number))
            ends = np.cumsum(np.bincount(number, minlength=len(self)))
            return block.with_rules(np.split(row[order].astype(np.uint16), ends[:-1]))

        return list(pool.map(one, drawn))


def harvest(data: PackedGo, least: int, pool: Executor) -> Harvest:
    """Return the shapes in which at least `least` moves of `data` are played.

    A shape that is always played in a larger one of the harvest is left out for that one's sake: both say the same.
    """
    parts = [np.arange(begin, min(begin + AT_ONCE, len(data))) for begin in range(0, len(data), AT_ONCE)]

    def names_in(rows: NDArray[np.int64]) -> NDArray[np.uint64]:
        some = data.take(rows)
        out = np.empty((8, SIZES, len(rows)), np.uint64)
        names_of_images(some.board, some.size, some.to_play, some.move, out)
        return out

    found: list[tuple[int, int, int]] = []  # count, row, size
    larger: set[tuple[int, int]] = set()
    for some in (slice(SIZES // 2, SIZES), slice(0, SIZES // 2)):  # half of the sizes at once: 40 bytes a move
        each = pool.map(lambda rows, some=some: names_in(rows)[:, some].min(axis=0), parts)
        names = np.concatenate(list(each), axis=1)
        for k in range(some.stop - 1, some.start - 1, -1):
            _, first, counts = np.unique(names[k - some.start], return_index=True, return_counts=True)
            often = np.flatnonzero(counts >= least)
            pairs = list(zip(counts[often].tolist(), first[often].tolist(), strict=True))
            found += [(count, row, k + SMALLEST) for count, row in pairs if (count, row) not in larger]
            larger = set(pairs)
    found.sort(key=lambda shape: (-shape[0], shape[2], shape[1]))
    _, row, size = np.array(found[:MOST_SHAPES], np.int64).reshape(-1, 3).T
    images = np.empty((len(row), 8), np.uint64)
    for begin in range(0, len(row), AT_ONCE):
        some = slice(begin, begin + AT_ONCE)
        of_rows = names_in(row[some])
        images[some] = of_rows[:, size[some] - SMALLEST, np.arange(of_rows.shape[2])].T
    return Harvest(row, size, images)
