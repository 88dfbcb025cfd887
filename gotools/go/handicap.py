"""The fixed places of handicap stones (GTP version 2, section 4.1.1)."""

from __future__ import annotations

from typing import Final

from gotools.errors import GotoolsError

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
"""(column, row) of the stones, in the order of the standard: 0 near the left or lower edge, 1 middle, 2 the other."""


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
