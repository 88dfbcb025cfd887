"""Points and positions turned by the eight symmetries, one at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gotools.games.go.points import symmetry_tables


def inverse_symmetry(symmetry: int) -> int:
    """Return the symmetry that undoes this one: only the quarter turns p2 and p4 change places."""
    return {1: 3, 3: 1}.get(symmetry, symmetry)


def transform_point(point: int, size: int, symmetry: int) -> int:
    """Return where a point goes when the board is turned about its centre; NONE and PASS stay."""
    return point if point < 0 else int(symmetry_tables(size)[symmetry, point])


def transform_cells(cells: NDArray[np.uint8], size: int, symmetry: int) -> NDArray[np.uint8]:
    """Return uint8[size*size], the position turned about its centre."""
    turned = np.empty(size * size, np.uint8)
    turned[symmetry_tables(size)[symmetry]] = cells[: size * size]
    return turned
