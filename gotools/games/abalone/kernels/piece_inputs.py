"""Marbles of Abalone as inputs of a network over pieces (jit/kernels/pieces.py).

    inputs:  | one's own marble on cell 0 | on cell 1 | ... | the other side's on cell 0 | ... |

Side 2 sees the board turned by 180 degrees.
"""

import numpy as np

from gotools.games.abalone.kernels.rules import CELLS, EACH, PLACES, ROWS, marbles_of
from gotools.jit import seam
from gotools.jit.kernels.pieces import pieces_value
from gotools.jit.kernels.seams import EVALUATE, PIECES, TO_PLAY

MOST = 2 * EACH
_CELL_AT = {(x, y): cell for cell, x, y in PLACES}
SEEN = np.array(
    [list(range(CELLS)), [_CELL_AT[ROWS - 1 - x, ROWS - 1 - y] for _, x, y in PLACES]],
    np.int64,
)
"""int64[2, 61]: the cell that either side sees in the place of each cell."""


@seam(PIECES)
def piece_inputs(state, inputs):
    """List the marbles."""
    side = np.int64(state[TO_PLAY])
    mine, other = marbles_of(state, side), marbles_of(state, 3 - side)
    n = 0
    for cell in range(CELLS):
        if (mine | other) >> cell & 1 != 0:
            own = mine >> cell & 1 != 0
            inputs[0, n] = SEEN[side - 1, cell] + (0 if own else CELLS)
            inputs[1, n] = SEEN[2 - side, cell] + (CELLS if own else 0)
            n += 1
    return n


@seam(EVALUATE)
def piece_value(state, numbers):
    """Value a position by a network over its marbles."""
    inputs = np.empty((2, MOST), np.int32)
    n = piece_inputs(state, inputs)
    return pieces_value(inputs, n, numbers)
