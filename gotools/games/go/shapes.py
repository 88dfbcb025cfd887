"""Shapes: what stands on all points within a distance of a point, turned and mirrored as one likes.

A shape is written row by row from the top, as the Prolog atom of shape/5 in background.pl:

    '../.x./o.*../.../..'      . . .
                               . x .       * the point, x an own stone, o the opponent's, . empty, # off the board
                             o . * . .     (rows are centred; a row has as many points as its distance allows)
                               . . .
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, shown
from gotools.games.go.kernels import shapes as _shapes
from gotools.games.go.kernels.constants import SYMMETRIES
from gotools.games.go.kernels.shapes import ShapeTable

SMALLEST, LARGEST = _shapes.SMALLEST, _shapes.LARGEST
SIGNS = ".xo#"
"""Signs of what may stand on a point, by number."""
POINT = "*"

Cells = tuple[int, ...]
"""What stands on the points of a shape, in the order of `offsets_of`: the numbers of SIGNS."""

Offset = tuple[int, int]

_OFFSETS: tuple[Offset, ...] = tuple((int(dx), int(dy)) for dx, dy in _shapes.POINTS)


class Shape(NamedTuple):
    """A shape in one of its images; size -- the largest distance of a point of it."""

    size: int
    cells: Cells

    @property
    def text(self) -> str:
        """The shape as shape/5 names it."""
        signs = {(0, 0): POINT, **self.points()}
        return "/".join("".join(signs[x, y] for x in row) for y, row in _rows(self.size))

    def images(self) -> list[Shape]:
        """Return the shape turned and mirrored in the eight ways."""
        at = dict(zip(offsets_of(self.size), self.cells, strict=True))
        return [
            Shape(self.size, tuple(at[a * x + b * y, c * x + d * y] for x, y in offsets_of(self.size)))
            for a, b, c, d in SYMMETRIES
        ]

    def least(self) -> Shape:
        """Return the image that comes first as a text: the same for all images."""
        return min(self.images(), key=lambda image: image.text)

    def points(self) -> dict[Offset, str]:
        """Return the sign of what stands on each of its points, by offset."""
        return {offset: SIGNS[cell] for offset, cell in zip(offsets_of(self.size), self.cells, strict=True)}


def offsets_of(size: int) -> tuple[Offset, ...]:
    """Return the offsets (dx, dy) of the points of a size, nearest first."""
    return _OFFSETS[: int(_shapes.COUNTS[size - SMALLEST])]


def _rows(size: int) -> list[tuple[int, range]]:
    """Return each row of a size from the top: dy, and the columns dx."""
    inside = {(0, 0), *offsets_of(size)}
    heights = sorted({y for _, y in inside}, reverse=True)
    return [(y, range(min(x for x, v in inside if v == y), 1 + max(x for x, v in inside if v == y))) for y in heights]


_LAYOUTS = {
    tuple(len(row) for _, row in _rows(size)): (size, [(x, y) for y, row in _rows(size) for x in row])
    for size in range(SMALLEST, LARGEST + 1)
}
"""The size and the offsets of a text, by the lengths of its rows."""


def parse_shape(text: str) -> Shape:
    """Read a shape. Raises GotoolsError for any other text."""
    rows = text.split("/")
    signs = "".join(rows)
    size, offsets = _LAYOUTS.get(tuple(map(len, rows)), (0, []))
    at = dict(zip(offsets, signs, strict=False))
    if at.pop((0, 0), "") != POINT or not set(at.values()) <= set(SIGNS):
        raise GotoolsError(f"`{shown(text)}` is not a shape: rows of {SIGNS} with {POINT} in the middle")
    return Shape(size, tuple(SIGNS.index(at[offset]) for offset in offsets_of(size)))


@cache
def image_names(shape: Shape) -> NDArray[np.uint64]:
    """Return the names of the images of a shape, uint64[8], by which the kernels know them."""
    cells = np.array([image.cells for image in shape.images()])
    words = _shapes.WORDS[np.arange(cells.shape[1]), cells]
    return np.asarray(np.bitwise_xor.reduce(words, axis=1) ^ _shapes.SIZE_WORDS[shape.size - SMALLEST], np.uint64)


def shape_table(shapes: Sequence[Shape], numbers: Sequence[int]) -> ShapeTable:
    """Return the table by which the kernels find the number of a shape, whatever its image."""
    names = np.array([image_names(shape) for shape in shapes], np.uint64).reshape(-1, 8)
    return names_table(names, np.array(numbers, np.int32), max((shape.size for shape in shapes), default=SMALLEST - 1))


def names_table(names: NDArray[np.uint64], numbers: NDArray[np.int32], largest: int) -> ShapeTable:
    """Return the table of shapes given by the names of their images, uint64[n, 8]; largest -- their largest size."""
    slots = 1 << (16 * len(names)).bit_length()
    table = ShapeTable(np.zeros(slots, np.uint64), np.full(slots, -1, np.int32), largest - SMALLEST + 1)
    _shapes.add_shapes(table, names.reshape(-1), np.repeat(numbers, 8))
    return table


def shape_at(board: NDArray[np.uint8], side: int, to_play: int, point: int, size: int) -> Shape:
    """Return the shape of a size around a point of a board of `side` lines, with the stones of `to_play` as own."""
    x, y = point % side, point // side
    cells = []
    for dx, dy in offsets_of(size):
        inside = 0 <= x + dx < side and 0 <= y + dy < side
        stone = int(board[(y + dy) * side + x + dx]) if inside else 0
        cells.append((1 if stone == to_play else 2) if stone else 0 if inside else _shapes.OFF_BOARD)
    return Shape(size, tuple(cells))
