"""Residual networks over a board of any size: from planes to a policy, a value, the score, who owns each point.

    weights:  | stem | block 1 | block 2 | ... | policy | pass | value | ownership |, float32
    numbers:  | PLANES | CHANNELS | BLOCKS | STRENGTH | the weights in pairs, those of blocks as winograd.py has them |

    stem       filter 3x3 from the planes, bias             x = relu(...)
    block      filter 3x3, bias; filter 3x3, bias; context  h = relu(filter(x)); x = relu(x + filter(h) + context(h))
    policy     filter 1x1, bias; context; weights           h = relu(filter(x) + context(x)); a logit of each point
    pass       weights of what is pooled, bias              a logit
    value      weights to 2 * channels units, bias; to 2 outputs, bias: units are relu of what is pooled;
               the value is the tanh of the first, the score SCORE times the second
    ownership  weights, bias                                     the tanh, for each point
    context    weights from 2 * channels: the mean of each channel over the points, then its largest value

Source: the blocks are those of He, Zhang, Ren and Sun 2016 (Deep Residual Learning), pooled context and the heads as
Wu 2019 (Accelerating Self-Play Learning in Go) has them, in a smaller form.
"""

import numpy as np

from gotools.jit import inner, kernel
from gotools.jit.kernels.convolution import convolve, sum_points
from gotools.jit.kernels.elementary import tanh
from gotools.jit.kernels.vectors import LANES, relu_and_pool, relu_of_sum, weighted_relu
from gotools.jit.kernels.winograd import convolve_in_tiles, size_of_factors

PLANES, CHANNELS, BLOCKS, STRENGTH = range(4)
HEADER = 4
"""STRENGTH is for the game: how strong a player to predict, where its planes say."""
SCORE = 20.0
"""Points of the score for an output of 1."""
_ZERO = np.float32(0.0)


@inner
def _pool(x, n, rows, columns, pooled):
    """Write the mean and the largest value of each channel of relu(x); x itself becomes relu(x)."""
    for c in range(2 * n):
        pooled[c] = _ZERO
    for row in range(rows):
        first = ((row + 1) * (columns + 2) + 1) * n
        for at in range(first, first + columns * n, n):
            for c in range(0, n, LANES):
                relu_and_pool(x, at + c, pooled, c, n + c)
    share = np.float32(1.0 / (rows * columns))
    for c in range(n):
        pooled[c] *= share


@inner
def _add(x, y, context, n, rows, columns):
    """Write relu(x + y + context) to x, point by point."""
    for row in range(rows):
        first = ((row + 1) * (columns + 2) + 1) * n
        for at in range(first, first + columns * n, n):
            for c in range(0, n, LANES):
                relu_of_sum(x, at + c, y, at + c, context, c)


@kernel
def residual_network(planes, numbers, rows, columns, policy, owned, out):
    """Evaluate a network.

    planes -- float32[(rows + 2) * (columns + 2) * number of planes], with the border of convolution.py
    policy -- float32[>= points + 1]: filled with the logits of the points and of a pass
    owned  -- float32[>= points]: filled with the ownership, 1 of the side to play; empty: not computed
    out    -- float64[2]: filled with value and score
    """
    n_in, n, blocks = int(numbers[PLANES]), int(numbers[CHANNELS]), int(numbers[BLOCKS])
    w = numbers[HEADER:].view(np.float32)
    width, points = columns + 2, rows * columns
    x = np.zeros((rows + 2) * width * n, np.float32)
    h = np.zeros((rows + 2) * width * n, np.float32)
    y = np.empty((rows + 2) * width * n, np.float32)
    pooled, context = np.empty(2 * n, np.float32), np.empty(n, np.float32)
    factors, filter_1 = size_of_factors(n), n * n
    at = 9 * n_in * n
    convolve(planes, n_in, w, 0, at, 3, n, rows, columns, x)
    at += n
    zeros = at + factors - 2 * n  # of the first factors, which end with zeros and biases
    _pool(x, n, rows, columns, pooled)
    for _ in range(blocks):
        convolve_in_tiles(x, n, w, at, rows, columns, h)
        at += factors
        _pool(h, n, rows, columns, pooled)
        convolve_in_tiles(h, n, w, at, rows, columns, y)
        at += factors
        sum_points(1, pooled, 0, 2 * n, 0, 1, w, at, zeros, n, context, 0)
        at += 2 * filter_1
        _add(x, y, context, n, rows, columns)
    _pool(x, n, rows, columns, pooled)
    convolve(x, n, w, at, at + filter_1, 1, n, rows, columns, y)
    at += filter_1 + n
    sum_points(1, pooled, 0, 2 * n, 0, 1, w, at, zeros, n, context, 0)
    at += 2 * filter_1
    for row in range(rows):
        for column in range(columns):
            first, logit = ((row + 1) * width + column + 1) * n, _ZERO
            for c in range(0, n, LANES):
                logit += weighted_relu(y, first + c, context, c, w, at + c)
            policy[row * columns + column] = logit
    at += n
    logit = w[at + 2 * n]
    for c in range(2 * n):
        logit += pooled[c] * w[at + c]
    policy[points] = logit
    at += 2 * n + 1
    units = np.empty(2 * n, np.float32)
    sum_points(1, pooled, 0, 2 * n, 0, 1, w, at, at + 4 * filter_1, 2 * n, units, 0)
    at += 4 * filter_1 + 2 * n
    value, score = w[at + 4 * n], w[at + 4 * n + 1]
    for c in range(2 * n):
        unit = max(units[c], _ZERO)
        value += unit * w[at + 2 * c]
        score += unit * w[at + 2 * c + 1]
    out[0], out[1] = tanh(np.float64(value)), SCORE * np.float64(score)
    if len(owned) > 0:
        _own(x, n, w, at + 4 * n + 2, rows, columns, owned)


@inner
def _own(x, n, w, at, rows, columns, owned):
    """Fill the ownership of the points from the last features; the weights begin at `at`."""
    for row in range(rows):
        for column in range(columns):
            first = ((row + 1) * (columns + 2) + column + 1) * n
            total = w[at + n]
            for c in range(n):
                total += x[first + c] * w[at + c]
            owned[row * columns + column] = np.float32(tanh(np.float64(total)))
