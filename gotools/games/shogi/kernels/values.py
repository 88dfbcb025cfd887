"""Fixed evaluations and orders of moves of shogi, by the pieces of kernels/pieces.py.

    numbers of `material`:  worth of each kind on the board | of each kind in hand | the worth at which the value is 1/2

Sums are whole numbers of worth, so that their order does not matter.
"""

import numpy as np

from gotools.games.shogi.kernels import pieces as p
from gotools.jit import inner, seam
from gotools.jit.kernels.seams import EVALUATE, ORDER, TO_PLAY

WORTH = np.array([0, 1, 3, 4, 5, 6, 8, 10, 15, 7, 6, 6, 6, 0, 10, 12], np.int64)
"""int64[16]: of each kind; that of the king, which is never taken, only orders moves."""
HANDS = p.OTHER
HALF = HANDS + p.HAND + 1


@inner
def lead(state, numbers):
    """Return the material that the side to play is ahead."""
    total, side = 0.0, state[TO_PLAY]
    for square in range(p.SQUARES):
        piece = state[p.BOARD + p.CELL_OF[square]]
        if piece != 0:
            worth = numbers[piece & (p.OTHER - 1)]
            total += worth if piece < p.OTHER else -worth
    for kind in range(p.HAND):
        total += numbers[HANDS + 1 + kind] * (state[p.HANDS + kind] - state[p.HANDS + p.HAND + kind])
    return total if side == 1 else -total


@seam(EVALUATE)
def material(state, numbers):
    """Value a position by the material that the side to play is ahead."""
    ahead = lead(state, numbers)
    return ahead / (numbers[HALF] + abs(ahead))


@inner
def gain(state, move):
    """Return 16 times what a move takes and promotes, less the worth of a piece that takes; 0 of a drop."""
    squares = move >> 1
    origin, to = squares // p.SQUARES, squares % p.SQUARES
    if origin >= p.SQUARES:
        return np.int64(0)
    taken = WORTH[state[p.BOARD + p.CELL_OF[to]] & (p.OTHER - 1)]
    piece = state[p.BOARD + p.CELL_OF[origin]] & (p.OTHER - 1)
    gained = WORTH[piece + p.PROMOTED] - WORTH[piece] if move & 1 else 0
    return 16 * (taken + gained) - (WORTH[piece] if taken > 0 else 0)


@seam(ORDER)
def captures_first(state, moves, n, scores, numbers):
    """Score a move by the worth of the piece that it captures; of equal captures the smaller piece first."""
    for i in range(n):
        scores[i] = 1000.0 if moves[i] == p.DECLARE else np.float64(gain(state, np.int64(moves[i])))
