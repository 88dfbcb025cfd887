"""Stones of tic-tac-toe and Connect-4 as inputs of a network over pieces (jit/kernels/pieces.py).

    inputs:  | one's own stone on cell 0 | on cell 1 | ... | the other side's on cell 0 | ... |

Cells are numbered as in kernels/inputs.py.
"""

import numpy as np

from gotools.games.connect4.kernels import rules as c
from gotools.games.tictactoe.kernels import rules as t
from gotools.jit import inner, seam
from gotools.jit.kernels.pieces import pieces_value
from gotools.jit.kernels.seams import EVALUATE, PIECES, TO_PLAY

_NEXT = c.ROWS + 1


@inner
def _add(inputs, n, cell, cells, own):
    """Add a stone to the inputs of both sides; own -- whether the side to play has it."""
    inputs[0, n] = cell if own else cells + cell
    inputs[1, n] = cells + cell if own else cell


@seam(PIECES)
def tictactoe_stones(state, inputs):
    """List the stones of tic-tac-toe."""
    n = 0
    for cell in range(t.POINTS):
        stone = state[t.CELLS + cell]
        if stone != 0:
            _add(inputs, n, cell, t.POINTS, stone == state[TO_PLAY])
            n += 1
    return n


@seam(PIECES)
def connect4_stones(state, inputs):
    """List the stones of Connect-4."""
    mine, other = c.stones_of(state, state[TO_PLAY]), c.stones_of(state, 3 - state[TO_PLAY])
    n = 0
    for column in range(c.COLUMNS):
        for row in range(c.ROWS):
            bit = np.int64(1) << (_NEXT * column + row)
            if (mine | other) & bit != 0:
                _add(inputs, n, c.ROWS * column + row, c.POINTS, mine & bit != 0)
                n += 1
    return n


@seam(EVALUATE)
def tictactoe_pieces_value(state, numbers):
    """Value a position of tic-tac-toe by a network over its stones."""
    inputs = np.empty((2, t.POINTS), np.int32)
    n = tictactoe_stones(state, inputs)
    return pieces_value(inputs, n, numbers)


@seam(EVALUATE)
def connect4_pieces_value(state, numbers):
    """Value a position of Connect-4 by a network over its stones."""
    inputs = np.empty((2, c.POINTS), np.int32)
    n = connect4_stones(state, inputs)
    return pieces_value(inputs, n, numbers)
