"""The stones themselves as the inputs of a network.

    x:  | point 0 | point 1 | ... | point size * size - 1 |    1 own stone, -1 the opponent's, 0 empty

Points as in points.py: row after row from the bottom.
"""

import numpy as np

from gotools.go.kernels.rules import COLOUR, SIZE, STRIDE, TO_PLAY
from gotools.jit import seam
from gotools.kernels.network import network_value
from gotools.kernels.seams import EVALUATE, INPUTS


@seam(INPUTS)
def inputs_raw(state, x):
    """Fill float64[size * size]."""
    size = state[SIZE]
    mine = 3.0 - 2.0 * state[TO_PLAY]
    for row in range(size):
        first = COLOUR + (row + 1) * STRIDE + 1
        for column in range(size):
            colour = state[first + column]
            x[row * size + column] = 0.0 if colour == 0 else (mine if colour == 1 else -mine)


@seam(EVALUATE)
def value_raw(state, numbers):
    """Value a position by a network over its stones."""
    x = np.empty(state[SIZE] * state[SIZE], np.float64)
    inputs_raw(state, x)
    return network_value(x, numbers)
