"""What a diagram in SGF marks before the first move: points, and who plays first. What is no point is passed over."""

from __future__ import annotations

from typing import Final

from gotools.game.records.mainline import Node
from gotools.game.sides import BLACK, WHITE
from gotools.games.go.points import PASS
from gotools.games.go.records.stones import coordinates

_MARKS: Final = {b"TR": "TR", b"MA": "MA", b"SQ": "SQ"}
_FIRST: Final = {b"b": BLACK, b"w": WHITE, b"black": BLACK, b"white": WHITE}


def marks_of(nodes: list[Node], size: int) -> tuple[tuple[str, int], ...]:
    """Return the marks of the nodes before the first move, each with its place; "aa:cc" is a rectangle.

    ("PL", side) says who plays first.
    """
    found = dict[tuple[str, int], None]()
    for node in nodes:
        for key, values, _ in node:
            for raw in values if key in _MARKS else ():
                found |= dict.fromkeys((_MARKS[key], place) for place in _places(raw, size))
            if key == b"PL" and (side := _FIRST.get(values[0].strip().lower())):
                found["PL", side] = None
    return tuple(found)


def _places(raw: bytes, size: int) -> list[int]:
    """Return the places of a point or a rectangle; none where it is neither."""
    points, _ = coordinates(size)
    corners = [points.get(part.strip(), PASS) for part in raw.split(b":")]
    if len(corners) > 2 or min(corners) < 0:
        return []
    rows, columns = zip(*(divmod(point, size) for point in corners), strict=True)
    return [
        row * size + column
        for row in range(min(rows), max(rows) + 1)
        for column in range(min(columns), max(columns) + 1)
    ]
