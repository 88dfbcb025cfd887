"""The board of Go as a drawing: the trait Picture."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.traits import Picture
from gotools.games.go.kernels import rules as k
from gotools.games.go.points import CELLS, COLUMN_LETTERS


def _places(size: int) -> list[tuple[float, float]]:
    """Return column and row of each point, whose numbers count rows from the bottom."""
    return [(float(x), float(size - 1 - y)) for y in range(size) for x in range(size)]


def _names(size: int) -> list[tuple[float, float, str]]:
    """Return the letters below the board, and the numbers to its left."""
    letters = [(float(x), size - 0.21, COLUMN_LETTERS[x]) for x in range(size)]
    return [*letters, *((-0.575, float(size - 1 - y), str(y + 1)) for y in range(size))]


def _stars(size: int) -> list[tuple[int, int]]:
    """Return the usual dots of a board."""
    if size < 7:
        return []
    near = 2 if size < 13 else 3
    ends, middle = (near, size - 1 - near), size // 2
    corners = [(x, y) for x in ends for y in ends]
    centre = [(middle, middle)] if size % 2 else []
    sides = [(middle, y) for y in ends] + [(x, middle) for x in ends] if size % 2 and size >= 15 else []
    return corners + centre + sides


def _signs(state: NDArray[np.int32]) -> str:
    cells = np.empty(int(state[k.SIZE]) ** 2, np.uint8)
    k.cells_of(state, cells)
    return "".join(CELLS[cell] for cell in cells)


PICTURE: Final = Picture(_places, "lines", _names, _signs, _stars, script=True)
