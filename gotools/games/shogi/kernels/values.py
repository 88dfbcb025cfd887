"""Fixed evaluations and orders of moves of shogi, by the pieces of kernels/shogi.py.

    numbers of `material`:  worth of each kind on the board | of each kind in hand | the worth at which the value is 1/2

Sums are whole numbers of worth, so that their order does not matter.
"""

import numpy as np

from gotools.games.shogi.kernels import shogi as k
from gotools.jit import inner, seam
from gotools.kernels.seams import EVALUATE, ORDER, TO_PLAY

WORTH = np.array([0, 1, 3, 4, 5, 6, 8, 10, 15, 7, 6, 6, 6, 0, 10, 12], np.int64)
"""int64[16]: of each kind; that of the king, which is never taken, only orders moves."""
HANDS = k.OTHER
HALF = HANDS + k.HAND + 1


@inner
def lead(state, numbers):
    """Return the material that the side to play is ahead."""
    total, side = 0.0, state[TO_PLAY]
    for square in range(k.SQUARES):
        piece = state[k.BOARD + k.CELL_OF[square]]
        if piece != 0:
            worth = numbers[piece & (k.OTHER - 1)]
            total += worth if piece < k.OTHER else -worth
    for kind in range(k.HAND):
        total += numbers[HANDS + 1 + kind] * (state[k.HANDS + kind] - state[k.HANDS + k.HAND + kind])
    return total if side == 1 else -total


@seam(EVALUATE)
def material(state, numbers):
    """Value a position by the material that the side to play is ahead."""
    ahead = lead(state, numbers)
    return ahead / (numbers[HALF] + abs(ahead))


@seam(ORDER)
def captures_first(state, moves, n, scores, numbers):
    """Score a move by the worth of the piece that it captures; of equal captures the smaller piece first."""
    for i in range(n):
        scores[i] = 0.0
        if moves[i] == k.DECLARE:
            scores[i] = 1000.0
            continue
        squares = moves[i] >> 1
        origin, to = squares // k.SQUARES, squares % k.SQUARES
        if origin >= k.SQUARES:
            continue
        taken = WORTH[state[k.BOARD + k.CELL_OF[to]] & (k.OTHER - 1)]
        piece = state[k.BOARD + k.CELL_OF[origin]] & (k.OTHER - 1)
        gained = WORTH[piece + k.PROMOTED] - WORTH[piece] if moves[i] & 1 else 0
        scores[i] = 16.0 * (taken + gained) - (WORTH[piece] if taken > 0 else 0)
