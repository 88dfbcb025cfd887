"""Draw the board of a game as SVG: what lies on it, and marks on its places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.game.traits import Picture
from gotools.views.svg import element, number, picture, text

STEP: Final = 20.0
"""Units between neighbouring places."""
MARGIN: Final = 24.0
"""Units from the outermost places to the edge of the drawing, where the coordinates stand."""
RADIUS: Final = 9.4
LINE: Final = 14.0
"""Units between lines of text."""
_COLOURS: Final = {"X": "black", "O": "white"}
_PIECE: Final = "M0 -9L6 -6L8 8H-8L-6 -6Z"
"""The outline of a piece of the side whose direction is up."""
_LEAST: Final = 0.01
"""Shares below are not drawn."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something on a place.

    kind  -- move (a ring on what is played), last (a dot on what was played last), heat (a share as a patch)
    share -- of a patch: 0 to 1; its percentage is written on it
    """

    point: int
    kind: str
    share: float = 0.0


def position_svg(game: Game, state: NDArray[np.int32], size: int, title: str, marks: Iterable[Mark] = ()) -> str:
    """Return a drawing of a position; of a game without pictures as the lines of its text, without marks.

    title -- what the drawing shows, for those who do not see it
    """
    board = game.find(Picture)
    if board is not None:
        return board_svg(board, size, board.signs(state), title, marks, board.below(state))
    lines = game.draw(state).split("\n")
    rows = [text(line.replace(" ", "\N{NO-BREAK SPACE}"), 10, 20 + 18 * at) for at, line in enumerate(lines)]
    return picture(9.0 * max(map(len, lines)) + 20, 18.0 * len(lines) + 20, title, "text", *rows)


def board_svg(
    board: Picture, size: int, signs: Sequence[str], title: str, marks: Iterable[Mark] = (), below: Sequence[str] = ()
) -> str:
    """Return a drawing of a board; signs and lines below it as the game's `Picture` says."""
    places = places_of(board, size)
    wide, high = _extent(places)
    drawn = [_empty(board, size, wide, high + LINE * len(below)), _lying(places, signs)]
    drawn += [_mark(mark, *places[mark.point], signs) for mark in marks if mark.kind != "heat" or mark.share >= _LEAST]
    drawn += [text(line, MARGIN / 2, high + LINE * at + 8) for at, line in enumerate(below)]
    return picture(wide, high + LINE * len(below), title, "board", *drawn)


def places_of(board: Picture, size: int) -> list[tuple[float, float]]:
    """Return where the places lie in the drawing."""
    return [(MARGIN + x * STEP, MARGIN + y * STEP) for x, y in board.places(size)]


def sign_svg(sign: str) -> str:
    """Return what a sign stands for, drawn around the origin: a stone, or a piece with its letters."""
    if colour := _COLOURS.get(sign):
        return element("circle", r=RADIUS, class_=colour)
    turned = "rotate(180)" if sign[-1].islower() else None
    return element("path", d=_PIECE, class_="line", transform=turned) + text(sign, 0, 4.5, "sign", "middle")


def _extent(places: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return width and height of a board."""
    return max(x for x, _ in places) + MARGIN, max(y for _, y in places) + MARGIN


def _empty(board: Picture, size: int, wide: float, high: float) -> str:
    """Return wood, lines, dots and coordinates."""
    places = places_of(board, size)
    ground = element("g", *(element("circle", cx=x, cy=y, r=RADIUS) for x, y in places), class_="outside")
    if board.ground != "holes":
        aside = STEP / 2 if board.ground == "squares" else 0.0
        columns, rows = (
            sorted({place[axis] + side for place in places for side in (-aside, aside)}) for axis in (0, 1)
        )
        across = [f"M{number(columns[0])} {number(at)}H{number(columns[-1])}" for at in rows]
        along = [f"M{number(at)} {number(rows[0])}V{number(rows[-1])}" for at in columns]
        ground = element("path", d="".join(map("".join, zip_longest(across, along, fillvalue=""))), class_="line")
    dots = [element("circle", cx=MARGIN + x * STEP, cy=MARGIN + y * STEP, r=2.0) for x, y in board.stars(size)]
    names = [
        text(name, MARGIN + x * STEP, MARGIN + y * STEP + 3.2, anchor="end" if x < 0 else "middle")
        for x, y, name in board.names(size)
    ]
    return (
        element("rect", width=wide, height=high, rx=3.0, class_="wood")
        + ground
        + (element("g", *dots, class_="dot") if dots else "")
        + element("g", *names, class_="coordinate")
    )


def _lying(places: Sequence[tuple[float, float]], signs: Sequence[str]) -> str:
    """Return what lies on the board: the plain stones of a colour together, then all else."""
    groups = []
    for plain, colour in _COLOURS.items():
        at = [place for place, sign in zip(places, signs, strict=True) if sign == plain]
        if at:
            groups.append(element("g", *(element("circle", cx=x, cy=y, r=RADIUS) for x, y in at), class_=colour))
    for (x, y), sign in zip(places, signs, strict=True):
        if sign != "." and sign not in _COLOURS:
            groups.append(element("g", sign_svg(sign), transform=f"translate({number(x)} {number(y)})"))
    return "".join(groups)


def _mark(mark: Mark, x: float, y: float, signs: Sequence[str]) -> str:
    if mark.kind == "last":
        on = _COLOURS.get(signs[mark.point], "")
        return element(
            "circle", cx=x, cy=y, r=3.2 if on or signs[mark.point] == "." else RADIUS, class_=f"last on-{on}"
        )
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
