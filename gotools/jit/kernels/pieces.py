"""Networks over the pieces of a position: sums of weights over the pieces, and a few hidden units above the sums.

    numbers:  | WIDTH | INPUTS | head | table: WIDTH weights for each input, float32 in pairs |
    head:     | tempo | WIDTH - 1 biases | weights of the WIDTH - 1 units of the side to play | of the other side |

The value for the side to play is the tanh of

    tempo + own[0] - other[0] + the sum of weight * min(max(sum + bias, 0), 1) over the units of both sides

own and other are WIDTH sums each, over the inputs of the position from the view of the side to play and of the other
side. They are computed anew for each position: in shogi with WIDTH 8 in 0.6 us.

Source: Nasu 2018, Efficiently updatable neural-network-based evaluation functions for computer shogi.
"""

import numpy as np

from gotools.jit import inner, kernel
from gotools.jit.kernels.elementary import tanh

WIDTH, INPUTS, HEADER = 0, 1, 2
LANES = 8
"""A width is 1 or a multiple of this number."""


def head_size(width):
    """Return the number of weights of a head."""
    return 1 + 3 * (width - 1)


def new_numbers(width, inputs):
    """Return numbers that value all positions as 0, and views of the head and of the table: float32[inputs, width]."""
    table = HEADER + head_size(width)
    numbers = np.zeros(table + (inputs * width + 1) // 2)
    numbers[:HEADER] = width, inputs
    return numbers, numbers[HEADER:table], numbers[table:].view(np.float32)[: inputs * width].reshape(inputs, width)


@inner
def add_rows(inputs, n, width, table, sums):
    """Add the rows of n inputs to the sums; table -- float32[]."""
    if width == 1:
        for i in range(n):
            sums[0] += table[inputs[i]]
        return
    for i in range(n):
        for block in range(width // LANES):
            at = inputs[i] * width + LANES * block
            for lane in range(LANES):
                sums[LANES * block + lane] += table[at + lane]


@inner
def weigh_sums(own, other, width, head):
    """Return the number whose tanh is the value; head -- float64[], from the tempo on."""
    units = width - 1
    total = head[0] + own[0] - other[0]
    for i in range(units):
        total += head[1 + units + i] * min(max(own[i + 1] + head[1 + i], 0.0), 1.0)
        total += head[1 + 2 * units + i] * min(max(other[i + 1] + head[1 + i], 0.0), 1.0)
    return total


@kernel
def pieces_total(inputs, n, numbers):
    """Return the number whose tanh is the value of a position.

    inputs -- int32[2, most]: the first n as the side to play sees it, as the other side does
    """
    width = np.int64(numbers[WIDTH])
    end = HEADER + 1 + 3 * (width - 1)
    table, sums = numbers[end:].view(np.float32), np.zeros((2, width), np.float32)
    add_rows(inputs[0], n, width, table, sums[0])
    add_rows(inputs[1], n, width, table, sums[1])
    return weigh_sums(sums[0], sums[1], width, numbers[HEADER:end])


@inner
def pieces_value(inputs, n, numbers):
    """Return the value of a position; see `pieces_total`."""
    return tanh(pieces_total(inputs, n, numbers))
