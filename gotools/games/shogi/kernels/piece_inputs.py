"""Pieces of shogi as inputs of a network (jit/kernels/pieces.py): by their square and that of the own king.

    inputs:  | a king on square 0: each kind of piece on each square | a king on square 1 | ... | pieces in hand |
    kinds:   one's own 0 to 13, those of the other side 14 to 27, in the order of kernels/inputs.py, kings last
    in hand: one's own P: 0 to 18 of them | L | ... | the other side's P | ... ; 19 inputs for each

Each side sees the board from its own end. A side without a king, as in problems, counts as having it in the centre.
"""

import numpy as np

from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels.inputs import KINDS
from gotools.jit import seam
from gotools.jit.kernels.pieces import pieces_value
from gotools.jit.kernels.seams import EVALUATE, PIECES, TO_PLAY

SIDES = 2
OWN_KING = len(KINDS) - 1
ROW = SIDES * len(KINDS) * p.SQUARES
COUNTS = 19
"""Pieces of a kind in hand are at most 18."""
BOARD_INPUTS = p.SQUARES * ROW
INPUTS = BOARD_INPUTS + SIDES * p.HAND * COUNTS
MOST = 40
"""Pieces of a game; those of a kind in hand are one input."""
_CENTRE = 40
_FIRST_OF = np.zeros((SIDES, p.WALL), np.int64)
"""The input of each piece of side 1 and 2 on square 0, as either side sees it, with its king there."""
for _number, _kind in enumerate(KINDS):
    for _side in range(SIDES):
        for _view in range(SIDES):
            _kinds_before = _number + (0 if _side == _view else len(KINDS))
            _FIRST_OF[_view, _kind + p.OTHER * _side] = p.SQUARES * _kinds_before


@seam(PIECES)
def piece_inputs(state, inputs):
    """List the inputs of a position for the side to play, and for the other side; return their number."""
    side = state[TO_PLAY]
    of_first, of_second = side - 1, 2 - side  # the rows that the sides have
    first = p.SQUARE_OF[state[p.KINGS]] if state[p.KINGS] > 0 else _CENTRE
    second = p.SQUARES - 1 - p.SQUARE_OF[state[p.KINGS + 1]] if state[p.KINGS + 1] > 0 else _CENTRE
    n, square, first, second = 0, 0, first * ROW, second * ROW + p.SQUARES - 1
    for row in range(p.ROWS):
        cell = p.BOARD + p.CELL_OF[p.ROWS * row]
        for column in range(p.ROWS):
            piece = state[cell + column]
            if piece != 0:
                inputs[of_first, n] = first + _FIRST_OF[0, piece] + square
                inputs[of_second, n] = second + _FIRST_OF[1, piece] - square
                n += 1
            square += 1
    for holder in range(SIDES):
        for kind in range(p.HAND):
            count = state[p.HANDS + p.HAND * holder + kind]
            if count > 0:
                inputs[of_first, n] = BOARD_INPUTS + (p.HAND * holder + kind) * COUNTS + count
                inputs[of_second, n] = BOARD_INPUTS + (p.HAND * (1 - holder) + kind) * COUNTS + count
                n += 1
    return n


@seam(EVALUATE)
def piece_value(state, numbers):
    """Value a position by a network over its pieces."""
    inputs = np.empty((SIDES, MOST), np.int32)
    n = piece_inputs(state, inputs)
    return pieces_value(inputs, n, numbers)
