"""Convolutions of a board with a border of zeros: the numbers of one point side by side, row after row.

x, 2 rows of 3, n numbers a point:    0 0 0 0 0
                                      0 a b c 0     x[((row + 1) * (columns + 2) + column + 1) * n + channel]
                                      0 d e f 0
                                      0 0 0 0 0

weights of a filter:    [down][across][input][output], float32; then or elsewhere a bias for each output
"""

from gotools.jit import inner, kernel
from gotools.jit.kernels.tile import (
    five_by_16,
    five_by_32,
    nine_by_16,
    nine_by_32,
    one_by_16,
    one_by_32,
)
from gotools.jit.kernels.vectors import LANES

BLOCK = LANES
"""Outputs of a convolution come in multiples of this."""


@inner
def _points_at_once(columns):
    """Return how many points of a row to compute together; the last group of a row may overlap the one before."""
    if columns % 9 == 0:
        return 9
    return 5 if columns >= 5 else 1


@inner
def sum_points(together, x, x_at, n_in, x_row, taps, weights, w_at, bias_at, n_out, y, y_at):
    """Compute all outputs of a few points side by side: 1, 5 or 9; see `convolve` for the other arguments."""
    output = 0
    while output < n_out:
        w, b, to = w_at + output, bias_at + output, y_at + output
        if n_out - output >= 2 * BLOCK:
            if together == 9:
                nine_by_32(x, x_at, n_in, x_row, taps, weights, w, b, n_out, y, to)
            elif together == 5:
                five_by_32(x, x_at, n_in, x_row, taps, weights, w, b, n_out, y, to)
            else:
                one_by_32(x, x_at, n_in, x_row, taps, weights, w, b, n_out, y, to)
            output += 2 * BLOCK
        else:
            if together == 9:
                nine_by_16(x, x_at, n_in, x_row, taps, weights, w, b, n_out, y, to)
            elif together == 5:
                five_by_16(x, x_at, n_in, x_row, taps, weights, w, b, n_out, y, to)
            else:
                one_by_16(x, x_at, n_in, x_row, taps, weights, w, b, n_out, y, to)
            output += BLOCK


@kernel
def convolve(x, n_in, weights, w_at, bias_at, taps, n_out, rows, columns, y):
    """Fill the points of y; its border is left as it is.

    x       -- float32[(rows + 2) * (columns + 2) * n_in]; y -- as x, with n_out
    weights -- float32: the filter from w_at on, the biases from bias_at on
    taps    -- 3: of 3x3 points, 1: of the point alone
    n_out   -- a multiple of BLOCK
    """
    width = columns + 2
    together = _points_at_once(columns)
    inset = 0 if taps == 3 else width + 1
    for row in range(rows):
        column = 0
        while column < columns:
            at = row * width + min(column, columns - together)
            x_at, y_at = (at + inset) * n_in, (at + width + 1) * n_out
            sum_points(together, x, x_at, n_in, width * n_in, taps, weights, w_at, bias_at, n_out, y, y_at)
            column += together
