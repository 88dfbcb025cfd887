"""Moves of games other than Go from text: legal, or refused in words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gotools.game import Game
from gotools.kernels.seams import ONGOING, TO_PLAY


def legal_move(game: Game, state: NDArray[np.int32], size: int, colour: int, text: str) -> int:
    """Return the move that a text names.

    colour -- the side that makes it, 1 or 2

    Raises ValueError, with the reason, for what is not a move, after the end of the game, out of turn, or illegal.
    """
    move = game.parse_move(text, size)
    if game.outcome(state) != ONGOING:
        raise ValueError("the game is over")
    if colour != state[TO_PLAY]:
        raise ValueError(f"it is the turn of {'bw'[int(state[TO_PLAY]) - 1]}")
    if move not in game.moves_of(state):
        raise ValueError(game.why_illegal(state, move) or "not a legal move here")
    return move
