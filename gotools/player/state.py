"""Positions of Go for the searches: one way to make them, from a board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gotools.go.board import Board
from gotools.go.kernels import game as g
from gotools.go.kernels import rules as k
from gotools.go.points import NONE, PASS


def search_state(board: Board, colour: int, komi: float) -> NDArray[np.int32]:
    """Return a board as a position for a search, `colour` to play: never a finished game, as a move is wanted."""
    state = board.state.copy()
    state[k.TO_PLAY] = colour
    state[g.KOMI2] = round(2 * komi)
    if state[k.LAST] == PASS and state[k.LAST2] == PASS:
        state[k.LAST2] = NONE
    return state
