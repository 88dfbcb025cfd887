"""N-tuples as features: sets of cells found by random walks over a board, and where their patterns stand in a table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, quoted
from gotools.game.game import Game
from gotools.game.learning import TupleBoard
from gotools.jit.kernels import tuples as k
from gotools.values.td.kernels.table_games import TupleLayout

TUPLES: Final = "tuples"
"""The name of these features in options and files."""
MOST_TUPLES: Final = 1000
LONGEST: Final = 12
MOST_ENTRIES: Final = 1 << 28
"""Limit of the table of one side: 1 GB."""
_TRIES: Final = 1000
"""Walks in a row that find nothing new, after which the board counts as having no more tuples."""

Cells = NDArray[np.int32]
_Factor = tuple[int, NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64]]


@dataclass(frozen=True, slots=True, eq=False)
class Tuples:
    """The tuples of a board, and their table.

    cells   -- int32[tuples, length], ascending in each
    windows -- int32[n, length]: the tuples, then their images under each symmetry of the board
    first   -- int64[tuples], where the patterns of each tuple begin in the table of a side
    entries -- number of patterns of all tuples: the length of the table of one side
    layout  -- what the kernels work with:
        parts -- int32[groups, states, windows], what a group in a state adds to the place of a window's pattern
        holders -- int32[groups, most], the windows that hold cells of a group; -1 fills
    """

    cells: Cells
    windows: Cells
    first: NDArray[np.int64]
    entries: int
    layout: TupleLayout

    def numbers(self) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
        """Return numbers for `tuples_value` with an empty table, and the table as a view: float32[2, entries]."""
        numbers, table = k.new_numbers(self.layout.parts, self.entries)
        return numbers, table

    def pattern(self, place: int, board: TupleBoard) -> tuple[int, NDArray[np.uint8]]:
        """Return the pattern at a place of a side's table: the number of its tuple, and the states of the cells."""
        number = int(np.searchsorted(self.first, place, side="right")) - 1
        tuple_cells = self.cells[number]
        states = np.zeros(len(tuple_cells), np.uint8)
        left = place - int(self.first[number])
        for _, at, projections, _ in _factors(tuple_cells, board):
            left, which = divmod(left, len(projections))
            states[at] = projections[which]
        return number, states


def parse_tuples(text: str) -> tuple[int, int]:
    """Read "150x8": the number of tuples, and their length. Raises GotoolsError."""
    count, _, length = text.partition("x")
    if not (count.isdecimal() and length.isdecimal() and len(text) < 12 and text.isascii()):
        raise GotoolsError(f"--tuples is a number of tuples and their length, such as 150x8, not {quoted(text)}")
    if not (1 <= int(count) <= MOST_TUPLES and 1 <= int(length) <= LONGEST):
        raise GotoolsError(f"--tuples: 1 to {MOST_TUPLES} tuples of 1 to {LONGEST} cells, not {quoted(text)}")
    return int(count), int(length)


def random_tuples(game: Game, size: int, count: int, length: int, seed: int) -> Cells:
    """Return tuples of cells, int32[count, length], each the cells of a random walk in eight directions.

    No two are equal or images of each other. Raises GotoolsError if the board has too few.
    """
    board = game.need(TupleBoard)
    rows, columns = board.shape(size)
    images = symmetries_of(rows, columns, board.symmetries)
    if length > rows * columns:
        raise GotoolsError(f"{game.name} has {rows * columns} cells: a tuple cannot hold {length}")
    rng = np.random.default_rng([seed, count, length])
    found: dict[tuple[int, ...], list[int]] = {}
    misses = 0
    while len(found) < count:
        walk = _walk(rows, columns, length, rng)
        key = min(tuple(sorted(image[walk].tolist())) for image in images)
        misses = misses + 1 if key in found else 0
        if misses > _TRIES:
            raise GotoolsError(f"{game.name} has no {count} different tuples of {length} cells")
        found.setdefault(key, sorted(walk))
    return np.array(list(found.values()), np.int32)


def find_tuples(game: Game, size: int, cells: Cells) -> Tuples:
    """Return tuples of cells with the layout of their table.

    Raises GotoolsError for cells that the board does not have, and for more patterns than memory should hold.
    """
    board = game.need(TupleBoard)
    rows, columns = board.shape(size)
    if cells.ndim != 2 or not cells.size or cells.min() < 0 or cells.max() >= rows * columns:
        raise GotoolsError(f"tuples of cells that {game.name} does not have on a board of size {size}")
    images = symmetries_of(rows, columns, board.symmetries)
    windows = np.concatenate([image[cells] for image in images]).astype(np.int32)
    sizes = [math.prod(len(factor[2]) for factor in _factors(row, board)) for row in cells]
    entries = sum(sizes)
    if entries > MOST_ENTRIES:
        raise GotoolsError(f"{len(cells)} tuples of {cells.shape[1]} cells have {entries:,} patterns: too many")
    first = np.cumsum([0, *sizes[:-1]])
    return Tuples(cells, windows, first, entries, _layout(windows, np.tile(first, len(images)), board))


def symmetries_of(rows: int, columns: int, symmetries: int) -> list[NDArray[np.int32]]:
    """Return for each symmetry of a board where it moves each cell; the first moves none.

    symmetries -- 1, 2 (left and right), or 8 on a square
    """
    cells = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    if symmetries == 1:
        return [cells.ravel()]
    if symmetries == 2:
        return [cells.ravel(), cells[:, ::-1].ravel()]
    turned = [np.rot90(cells, k) for k in range(4)]
    return [image.ravel() for image in (*turned, *(image.T for image in turned))]


def _walk(rows: int, columns: int, length: int, rng: np.random.Generator) -> list[int]:
    """Return the cells of a walk from a random cell; steps back to known cells are allowed and not counted."""
    y, x = int(rng.integers(rows)), int(rng.integers(columns))
    cells = {y * columns + x: None}
    while len(cells) < length:
        v, u = y + int(rng.integers(-1, 2)), x + int(rng.integers(-1, 2))
        if 0 <= v < rows and 0 <= u < columns:
            y, x = v, u
            cells[y * columns + x] = None
    return list(cells)


def _factors(cells: NDArray[np.int32], board: TupleBoard) -> Iterator[_Factor]:
    """Split a tuple into the groups that it touches, in the order of their first cells in the tuple.

    Yields the group, which cells of the tuple are in it, the patterns that these may show, uint8[n, cells], and the
    number of the pattern that is shown in each state of the group.
    """
    group_of = np.empty(board.groups.size, np.int64)
    place_of = np.empty(board.groups.size, np.int64)
    group_of[board.groups] = np.arange(len(board.groups))[:, None]
    place_of[board.groups] = np.arange(board.groups.shape[1])[None, :]
    for group in dict.fromkeys(group_of[cells].tolist()):
        at = np.flatnonzero(group_of[cells] == group)
        shown, number = np.unique(board.patterns[:, place_of[cells[at]]], axis=0, return_inverse=True)
        yield group, at, shown, number.ravel()


def _layout(windows: Cells, first: NDArray[np.int64], board: TupleBoard) -> TupleLayout:
    """Return the layout of windows whose patterns begin at the given places of the table."""
    parts = np.zeros((len(board.groups), len(board.patterns), len(windows)), np.int32)
    held: list[list[int]] = [[] for _ in board.groups]
    parts[0] = first
    for window, cells in enumerate(windows):
        step = 1
        for group, _, shown, number in _factors(cells, board):
            parts[group, :, window] += (step * number).astype(np.int32)
            held[group].append(window)
            step *= len(shown)
    holders = np.full((len(held), max(map(len, held))), -1, np.int32)
    for group, found in enumerate(held):
        holders[group, : len(found)] = found
    return TupleLayout(parts, holders)
