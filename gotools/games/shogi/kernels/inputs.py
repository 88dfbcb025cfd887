"""Inputs of networks for shogi, for the side to play: own pieces less those of the other side.

    material:  | on the board: P L N S G B R +P +L +N +S +B +R | in hand: P L N S G B R |
    kings:     | pawns 1, 2 .. 8 squares from their own king | lances | ... | +R | the same from the other king |
               | in hand: P L N S G B R |
    raw:       | pawns on squares 0 to 80 | lances | ... | +R | kings | in hand: P L N S G B R |

Squares are numbered as each side sees its own pieces: the other side's are turned by 180 degrees. A piece is as many
squares from a king as a king has to go.
"""

import numpy as np

from gotools.games.shogi.kernels import pieces as p
from gotools.jit import inner, seam
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import EVALUATE, INPUTS, TO_PLAY

KINDS = (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 8)
"""In the order of the inputs, the king last."""
_PLACE = np.zeros(p.OTHER, np.int64)
_PLACE[list(KINDS)] = np.arange(len(KINDS))
ON_BOARD = len(KINDS) - 1
MATERIAL = ON_BOARD + p.HAND
FARTHEST = 8
KINGS = 2 * ON_BOARD * FARTHEST + p.HAND
RAW = len(KINDS) * p.SQUARES + p.HAND


@inner
def _add_hands(state, x, at):
    side = state[TO_PLAY]
    own, other = p.HANDS + p.HAND * (side - 1), p.HANDS + p.HAND * (2 - side)
    for i in range(p.HAND):
        x[at + i] = state[own + i] - state[other + i]


@seam(INPUTS)
def material(state, x):
    """Fill float64[20] with the numbers of pieces."""
    x[:] = 0.0
    side = state[TO_PLAY]
    for square in range(p.SQUARES):
        piece = state[p.BOARD + p.CELL_OF[square]]
        kind = piece & (p.OTHER - 1)
        if piece != 0 and kind != p.KING:
            x[_PLACE[kind]] += 1.0 if (piece > p.OTHER) == (side == 2) else -1.0
    _add_hands(state, x, ON_BOARD)


@seam(INPUTS)
def raw(state, x):
    """Fill float64[1141] with the pieces on their squares."""
    x[:] = 0.0
    side = state[TO_PLAY]
    for square in range(p.SQUARES):
        piece = state[p.BOARD + p.CELL_OF[square]]
        if piece != 0:
            at = p.SQUARES * _PLACE[piece & (p.OTHER - 1)] + (square if piece < p.OTHER else p.SQUARES - 1 - square)
            x[at] += 1.0 if (piece > p.OTHER) == (side == 2) else -1.0
    _add_hands(state, x, len(KINDS) * p.SQUARES)


@inner
def _squares_between(a, b):
    return max(abs(a // p.ROWS - b // p.ROWS), abs(a % p.ROWS - b % p.ROWS))


@seam(INPUTS)
def kings(state, x):
    """Fill float64[215] with the pieces by their distance to either king."""
    x[:] = 0.0
    side = state[TO_PLAY]
    first, second = p.SQUARE_OF[state[p.KINGS]], p.SQUARE_OF[state[p.KINGS + 1]]
    for square in range(p.SQUARES):
        piece = state[p.BOARD + p.CELL_OF[square]]
        kind = piece & (p.OTHER - 1)
        if piece != 0 and kind != p.KING:
            own, other = (second, first) if piece > p.OTHER else (first, second)
            one = 1.0 if (piece > p.OTHER) == (side == 2) else -1.0
            at = FARTHEST * _PLACE[kind] - 1
            x[at + _squares_between(square, own)] += one
            x[FARTHEST * ON_BOARD + at + _squares_between(square, other)] += one
    _add_hands(state, x, 2 * ON_BOARD * FARTHEST)


@seam(EVALUATE)
def kings_value(state, numbers):
    """Value a position by a network over the pieces by their distance to either king."""
    x = np.empty(KINGS, np.float64)
    kings(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def material_value(state, numbers):
    """Value a position by a network over the numbers of pieces."""
    x = np.empty(MATERIAL, np.float64)
    material(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def raw_value(state, numbers):
    """Value a position by a network over the pieces on their squares."""
    x = np.empty(RAW, np.float64)
    raw(state, x)
    return network_value(x, numbers)
