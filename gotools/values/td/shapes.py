"""Local shapes as features: the windows of a board, and the weights behind the patterns on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.game.learning import Grid
from gotools.jit.kernels import windows as w
from gotools.values.td.kernels import shape_weights as t
from gotools.values.td.kernels.table_games import ShapeLayout

SHAPES: Final = "shapes"
"""The name of these features in options and files."""


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """The windows of a board of rows and columns, and the weights behind their patterns.

    weights -- their number; weight 0 is always 0
    layout  -- what the kernels work with:
        placed      -- int32[entries], the weight by place of each entry of the table (kernels/shape_weights.py)
        free        -- int32[3 + 81 + 19683], the weight of each code wherever it stands
        begins      -- int32[windows], where the entries of each window begin
        free_begins -- int32[windows], where the codes of the window's size begin in `free`
        touched     -- int32[cells, 14], the windows that hold a cell, -1 fills
        powers      -- int32[cells, 14], what a stone of side 1 there adds to the window's code
        near        -- int32[cells, 25], the cells that share a window with a cell, and the cell itself, -1 fills
        turn, tilt  -- the numbers of the weights of the side to play, and of the komi
    """

    rows: int
    columns: int
    weights: int
    layout: ShapeLayout

    def numbers(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the numbers of `windows_value`: one for each pattern at each place."""
        entries = len(self.layout.placed)
        numbers = np.zeros(w.TABLE + (entries + 1) // 2)
        numbers[w.ROWS], numbers[w.COLUMNS] = self.rows, self.columns
        self.fill(weights, numbers)
        return numbers

    def fill(self, weights: NDArray[np.float64], numbers: NDArray[np.float64]) -> None:
        """Write other weights into an array that `numbers` returned."""
        numbers[w.TURN], numbers[w.TILT] = weights[self.layout.turn], weights[self.layout.tilt]
        table = numbers[w.TABLE :].view(np.float32)
        t.expand(self.rows, self.columns, weights, self.layout.placed, self.layout.free, table)


def shapes_of(game: Game, size: int) -> Shapes:
    """Return the local patterns of a game on a board of a size.

    Raises GotoolsError if the game has no grid.
    """
    grid = game.need(Grid)
    rows, columns = grid.shape(size)
    return find_shapes(rows, columns, grid.symmetries)


@cache
def find_shapes(rows: int, columns: int, symmetries: int) -> Shapes:
    """Return the local patterns of a board.

    symmetries -- the number under which the rules stay the same: 8 on a square, 2 (left and right), 1
    """
    counts = [int(w.windows_of(rows, columns, size)) for size in w.SIZES]
    placed = np.zeros(int(np.dot(counts, w.CODES)), np.int32)
    free = np.zeros(sum(w.CODES), np.int32)
    number = 1
    turned = [_turned(size, codes) for size, codes in zip(w.SIZES, w.CODES, strict=True)]
    of_sizes = np.split(placed, np.cumsum(np.multiply(counts, w.CODES))[:-1])
    for size, table, entries in zip(w.SIZES, turned, of_sizes, strict=True):
        number = int(t.share_by_place(rows, columns, size, symmetries, table, number, entries))
    for size, table, entries in zip(w.SIZES, turned, np.split(free, np.cumsum(w.CODES)[:-1]), strict=True):
        number = int(t.share_by_place(size, size, size, symmetries, table, number, entries))
    begins, codes = _window_starts(counts)
    touched, powers = _touches(rows, columns)
    layout = ShapeLayout(
        placed=placed,
        free=free,
        begins=begins,
        free_begins=codes,
        touched=touched,
        powers=powers,
        near=_cells_near(rows, columns),
        turn=number,
        tilt=number + 1,
    )
    return Shapes(rows, columns, number + 2, layout)


def _turned(size: int, codes: int) -> NDArray[np.int32]:
    turned = np.empty((16, codes), np.int32)
    t.turned_codes(size, turned)
    return turned


def _window_starts(counts: list[int]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """List where each window's entries begin in the table, and its codes in `free`."""
    sizes = np.repeat(w.CODES, counts)
    free = np.repeat(np.cumsum([0, *w.CODES[:-1]]), counts)
    begins = np.concatenate([[0], np.cumsum(sizes)[:-1]]) if len(sizes) else sizes
    return begins.astype(np.int32), free.astype(np.int32)


def _touches(rows: int, columns: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """List for each cell the windows that hold it, and the power of 3 by which it enters their codes."""
    most = sum(size * size for size in w.SIZES)
    touched, powers = np.full((rows * columns, most), -1, np.int32), np.zeros((rows * columns, most), np.int32)
    held = np.zeros(rows * columns, np.int64)
    window = 0
    for size in w.SIZES:
        for y in range(rows - size + 1):
            for x in range(columns - size + 1):
                for i in range(size * size):
                    cell = (y + i // size) * columns + x + i % size
                    touched[cell, held[cell]], powers[cell, held[cell]] = window, 3**i
                    held[cell] += 1
                window += 1
    return touched, powers


def _cells_near(rows: int, columns: int) -> NDArray[np.int32]:
    """List for each cell the cells that the largest window can hold together with it."""
    far = max(w.SIZES) - 1
    near = np.full((rows * columns, (2 * far + 1) ** 2), -1, np.int32)
    for cell in range(rows * columns):
        y, x = divmod(cell, columns)
        ys, xs = range(max(0, y - far), min(rows, y + far + 1)), range(max(0, x - far), min(columns, x + far + 1))
        around = [v * columns + u for v in ys for u in xs]
        near[cell, : len(around)] = around
    return near
