"""The planes of tic-tac-toe and Connect-4 for residual networks; kernels/planes.py defines them."""

from __future__ import annotations

from typing import Final

from gotools.game import Planes
from gotools.games.kernels import connect4 as c
from gotools.games.kernels import planes as k

_NAMES: Final = ("board", "own stones", "opponent's stones", "points of moves", "strength")

TICTACTOE_PLANES: Final = Planes(
    names=_NAMES,
    shape=lambda size: (3, 3),
    symmetries=8,
    fill=k.fill_tictactoe,
    place=k.place_tictactoe,
    owners=k.nobody,
    judge=k.judge_tictactoe,
    order=k.order_tictactoe,
    evaluate=k.value_tictactoe,
)
CONNECT4_PLANES: Final = Planes(
    names=_NAMES,
    shape=lambda size: (c.ROWS, c.COLUMNS),
    symmetries=2,
    fill=k.fill_connect4,
    place=k.place_connect4,
    owners=k.nobody,
    judge=k.judge_connect4,
    order=k.order_connect4,
    evaluate=k.value_connect4,
)
