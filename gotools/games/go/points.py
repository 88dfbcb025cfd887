"""Points of the board as numbers and as text, the eight symmetries, and the fixed places of handicap stones.

A point is `y * size + x`: x counts columns from the left, y rows from the bottom, both from 0. NONE and PASS are the
two values of a move or ko that are not points. Colours are 0 (empty), 1 (black), 2 (white), as in game/sides.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.traits import Symmetry, Texts
from gotools.games.go.kernels import constants

NONE: Final = constants.NONE
PASS: Final = constants.PASS
EMPTY: Final = 0
MIN_SIZE: Final = 2
MAX_SIZE: Final = 19

COLUMN_LETTERS: Final = "ABCDEFGHJKLMNOPQRST"
"""Letters of the columns as GTP has them: no I."""
CELLS: Final = ".XO"
"""Text of the cells in positions and diagrams: empty, black, white."""
SYMMETRIES: Final = ("p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8")


def vertex(point: int, size: int) -> str:
    """Return the text of a point as in GTP ("D4"), "pass" for PASS, "-" for NONE."""
    if point == PASS:
        return "pass"
    if point == NONE:
        return "-"
    y, x = divmod(point, size)
    return f"{COLUMN_LETTERS[x]}{y + 1}"


def parse_vertex(text: str, size: int) -> int:
    """Read what `vertex` writes, in any case.

    Raises ValueError with a message for the user, also for points off the board.
    """
    if text == "-":
        return NONE
    upper = text.upper()
    if upper == "PASS":
        return PASS
    x = COLUMN_LETTERS.find(upper[:1]) if upper else -1
    rest = upper[1:]
    y = int(rest) - 1 if rest.isascii() and rest.isdigit() and len(rest) <= 2 else -1
    if not (0 <= x < size and 0 <= y < size):
        raise ValueError(f"{text!r} is not a point of a board of size {size}")
    return y * size + x


def transform_offset(dx: int, dy: int, symmetry: int) -> tuple[int, int]:
    """Turn an offset by one of the eight symmetries (0..7 for p1..p8)."""
    a, b, c, d = constants.SYMMETRIES[symmetry]
    return a * dx + b * dy, c * dx + d * dy


@cache
def symmetry_tables(size: int) -> NDArray[np.int16]:
    """Return int16[8, size*size]: where each point goes when the board is turned about its centre (read-only)."""
    centre = size - 1  # twice the coordinate of the centre, so that even sizes need no fractions
    tables = np.empty((8, size * size), np.int16)
    for symmetry in range(8):
        for point in range(size * size):
            y, x = divmod(point, size)
            u, v = transform_offset(2 * x - centre, 2 * y - centre, symmetry)
            tables[symmetry, point] = (v + centre) // 2 * size + (u + centre) // 2
    tables.flags.writeable = False
    return tables


_CORNERS: Final = ((0, 0), (2, 2), (0, 2), (2, 0))
_SIDES: Final = ((0, 1), (2, 1), (1, 0), (1, 2))
_CENTRE: Final = ((1, 1),)
_PLACES: Final = {
    2: _CORNERS[:2],
    3: _CORNERS[:3],
    4: _CORNERS,
    5: _CORNERS + _CENTRE,
    6: _CORNERS + _SIDES[:2],
    7: _CORNERS + _SIDES[:2] + _CENTRE,
    8: _CORNERS + _SIDES,
    9: _CORNERS + _SIDES + _CENTRE,
}
"""(column, row) of the stones: 0 near the left or lower edge, 1 middle, 2 the other (GTP version 2, section 4.1.1)."""


def most_fixed(size: int) -> int:
    """Return the largest fixed handicap of a board, 0 if it has none."""
    if size < 7:
        return 0
    return 4 if size == 7 or size % 2 == 0 else 9


def fixed_points(size: int, count: int) -> list[int]:
    """Return the points of a fixed handicap. Raises GotoolsError for a number without places on this board."""
    if not 2 <= count <= most_fixed(size):
        raise GotoolsError("invalid number of stones")
    edge = 2 if size < 13 else 3
    lines = (edge, size // 2, size - 1 - edge)
    return [lines[row] * size + lines[column] for column, row in _PLACES[count]]


# for any game ---------------------------------------------------------------------------------------------------------


@cache
def _moves(size: int) -> re.Pattern[str]:
    """Return an expression for the moves of a game as `vertex` writes them."""
    one = f"(?:pass|[{COLUMN_LETTERS[:size]}](?:{'|'.join(map(str, range(size, 0, -1)))}))"
    return re.compile(f"(?:{one}(?: {one})*)?")


def place_of_text(text: str, size: int) -> int:
    """Read a move: a point, or PASS. Raises ValueError with a message for the user."""
    point = parse_vertex(text, size)
    if point == NONE:
        raise ValueError(f"{text!r} is not a point")
    return point


def _images(point: int, size: int) -> Sequence[int]:
    tables = symmetry_tables(size)
    images: list[int] = [PASS] * len(tables) if point == PASS else tables[:, point].tolist()
    return images


SYMMETRY: Final = Symmetry(_images)
TEXTS: Final = Texts(_moves, place_of_text)
