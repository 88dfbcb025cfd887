"""Positions that the tests of more than one file look at; X is black, O is white."""

from __future__ import annotations

from support.position_text import parse_position

from gotools.games.go.board import Board

CORNER = """
....O..
.X..O..
....O..
OOOOO..
.......
XXXXXXX
.X...X."""

TWO_EYES = """
.O.OX..
OOOOX..
XXXXX..
.......
..X.X..
.......
......."""

SEKI = """
XOX.OX.
XOXXOX.
XOXXOX.
XOX.OX.
XOOOOX.
XXXXXX.
......."""

DAME = """
.X.O.
XX.OO
.X.O.
XX.OO
.X.O."""


def board_of(text: str) -> Board:
    """Return the position of a diagram."""
    return Board.from_cells(*parse_position("/".join(text.split())))
