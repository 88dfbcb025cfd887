"""Draw a board of Go as SVG: stones, and marks on its points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gotools.game.sides import BLACK
from gotools.games.go.points import COLUMN_LETTERS
from gotools.views.svg import element, number, picture, text

STEP: Final = 20.0
"""Units between neighbouring lines."""
MARGIN: Final = 24.0
"""Units from the outermost lines to the edge of the drawing, where the coordinates stand."""
RADIUS: Final = 9.4
_LEAST: Final = 0.01
"""Shares below are not drawn."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something on a point.

    kind  -- move (a ring on the point played), last (a dot on the last stone), heat (a share as a patch)
    share -- of a patch: 0 to 1; its percentage is written on it
    """

    point: int
    kind: str
    share: float = 0.0


def star_points(size: int) -> list[tuple[int, int]]:
    """Return the usual dots of a board, as column and row from 0."""
    if size < 7:
        return []
    near = 2 if size < 13 else 3
    ends, middle = (near, size - 1 - near), size // 2
    corners = [(x, y) for x in ends for y in ends]
    centre = [(middle, middle)] if size % 2 else []
    sides = [(middle, y) for y in ends] + [(x, middle) for x in ends] if size % 2 and size >= 15 else []
    return corners + centre + sides


def board_svg(size: int, cells: Sequence[int], title: str, marks: Iterable[Mark] = ()) -> str:
    """Return a drawing of a position.

    cells -- 0 empty, 1 black, 2 white by point number: rows from the bottom
    title -- what the drawing shows, for those who do not see it
    """
    side = 2 * MARGIN + (size - 1) * STEP
    drawn = [empty_board(size), stones(size, cells)]
    drawn += [_mark(mark, size, cells) for mark in marks if mark.kind != "heat" or mark.share >= _LEAST]
    return picture(side, side, title, "board", *drawn)


def place(point: int, size: int) -> tuple[float, float]:
    """Return where a point lies in the drawing."""
    y, x = divmod(int(point), size)
    return MARGIN + x * STEP, MARGIN + (size - 1 - y) * STEP


def empty_board(size: int) -> str:
    """Return wood, lines, dots and coordinates."""
    low, high = MARGIN, MARGIN + (size - 1) * STEP
    side = low + high
    lines = "".join(
        f"M{number(low)} {number(at)}H{number(high)}M{number(at)} {number(low)}V{number(high)}"
        for at in (low + i * STEP for i in range(size))
    )
    dots = [element("circle", cx=low + x * STEP, cy=low + y * STEP, r=2.0) for x, y in star_points(size)]
    names = [text(COLUMN_LETTERS[i], low + i * STEP, high + 19, anchor="middle") for i in range(size)]
    names += [text(str(i + 1), low - 11.5, high - i * STEP + 3.2, anchor="end") for i in range(size)]
    return (
        element("rect", width=side, height=side, rx=3.0, class_="wood")
        + element("path", d=lines, class_="line")
        + (element("g", *dots, class_="dot") if dots else "")
        + element("g", *names, class_="coordinate")
    )


def stones(size: int, cells: Sequence[int]) -> str:
    """Return the stones of a position."""
    groups = []
    for colour, name in ((BLACK, "black"), (3 - BLACK, "white")):
        at = [place(point, size) for point in range(size * size) if cells[point] == colour]
        if at:
            groups.append(element("g", *(element("circle", cx=x, cy=y, r=RADIUS) for x, y in at), class_=name))
    return "".join(groups)


def _mark(mark: Mark, size: int, cells: Sequence[int]) -> str:
    x, y = place(mark.point, size)
    if mark.kind == "last":
        return element("circle", cx=x, cy=y, r=3.2, class_="last on" + ("-", "-black", "-white")[cells[mark.point]])
    if mark.kind == "move":
        return element("circle", cx=x, cy=y, r=8.2, class_="move")
    half = STEP / 2 - 0.5
    patch = element(
        "rect",
        x=x - half,
        y=y - half,
        width=2 * half,
        height=2 * half,
        rx=3.0,
        class_="heat",
        fill_opacity=min(0.25 + 0.75 * mark.share, 1.0),
    )
    return patch + text(f"{100 * mark.share:.0f}", x, y + 3, "share", "middle")
