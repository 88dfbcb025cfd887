"""The result of a position by plain minimax, of any game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.jit.kernels.seams import ONGOING


def result(game: Game, state: NDArray[np.int32], known: dict[bytes, int]) -> int:
    """Return 1 if the side to play wins, 0 if neither does, -1 if it loses; known -- the results so far."""
    key = state.tobytes()
    if key not in known:
        value = float(game.outcome(state))
        if value == ONGOING:
            value = max(-result(game, game.play(state, move), known) for move in game.moves_of(state))
        known[key] = int(np.sign(value))
    return known[key]
