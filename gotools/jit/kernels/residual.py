"""Residual networks over a board of any size: from planes to a policy, a value, the score, who owns each point.

    numbers:  | PLANES | CHANNELS | BLOCKS | STRENGTH | float32 in pairs: |
    float32:  | stem | block 1 | block 2 | ... | policy | pass | value | ownership |

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
from gotools.jit.kernels.convolution import convolve
from gotools.jit.kernels.elementary import tanh

PLANES, CHANNELS, BLOCKS, STRENGTH = range(4)
HEADER = 4
"""STRENGTH is for the game: how strong a player to predict, where its planes say."""
SCORE = 20.0
"""Points of the score for an output of 1."""
_ZERO = np.float32(0.0)


@inner
def _relu(number):
    """Return the number, 0 where it is less; written so that LLVM makes vectors of loops over it."""
    return number if number > _ZERO else _ZERO


@inner
def _sum_of_relu(x, at, context, n, weights, w_at):
    """Return the sum of relu(x[at:] + context), weighted by weights[w_at:]: four sums, each of every fourth channel."""
    a = b = c = d = _ZERO
    for i in range(0, n, 4):
        a += _relu(x[at + i] + context[i]) * weights[w_at + i]
        b += _relu(x[at + i + 1] + context[i + 1]) * weights[w_at + i + 1]
        c += _relu(x[at + i + 2] + context[i + 2]) * weights[w_at + i + 2]
        d += _relu(x[at + i + 3] + context[i + 3]) * weights[w_at + i + 3]
    return (a + b) + (c + d)


@inner
def _pool(x, n, rows, columns, pooled):
    """Write the mean and the largest value of each channel of relu(x); x itself becomes relu(x)."""
    width = columns + 2
    for c in range(n):
        pooled[c] = _ZERO
        pooled[n + c] = _ZERO
    for row in range(rows):
        for column in range(columns):
            at = ((row + 1) * width + column + 1) * n
            for c in range(n):
                value = _relu(x[at + c])
                x[at + c] = value
                pooled[c] += value
                most = pooled[n + c]
                pooled[n + c] = value if value > most else most
    share = np.float32(1.0 / (rows * columns))
    for c in range(n):
        pooled[c] *= share


@inner
def _dense(x, n_in, weights, at, n_out, y):
    """Add to y the sums of x, weighted by weights[at:], [input][output]."""
    for i in range(n_in):
        value = x[i]
        row = at + i * n_out
        for j in range(n_out):
            y[j] += value * weights[row + j]


@inner
def _add(x, y, context, n, rows, columns):
    """Write relu(x + y + context) to x, point by point."""
    width = columns + 2
    for row in range(rows):
        for column in range(columns):
            at = ((row + 1) * width + column + 1) * n
            for c in range(n):
                x[at + c] = _relu(x[at + c] + (y[at + c] + context[c]))


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
    filter_3, filter_1 = 9 * n * n, n * n
    at = 9 * n_in * n
    convolve(planes, n_in, w, 0, at, 3, n, rows, columns, x)
    at += n
    _pool(x, n, rows, columns, pooled)
    for _ in range(blocks):
        convolve(x, n, w, at, at + filter_3, 3, n, rows, columns, h)
        at += filter_3 + n
        _pool(h, n, rows, columns, pooled)
        convolve(h, n, w, at, at + filter_3, 3, n, rows, columns, y)
        at += filter_3 + n
        context[:] = _ZERO
        _dense(pooled, 2 * n, w, at, n, context)
        at += 2 * filter_1
        _add(x, y, context, n, rows, columns)
    _pool(x, n, rows, columns, pooled)
    convolve(x, n, w, at, at + filter_1, 1, n, rows, columns, y)
    at += filter_1 + n
    context[:] = _ZERO
    _dense(pooled, 2 * n, w, at, n, context)
    at += 2 * filter_1
    for row in range(rows):
        for column in range(columns):
            first = ((row + 1) * width + column + 1) * n
            policy[row * columns + column] = _sum_of_relu(y, first, context, n, w, at)
    at += n
    logit = w[at + 2 * n]
    for c in range(2 * n):
        logit += pooled[c] * w[at + c]
    policy[points] = logit
    at += 2 * n + 1
    units = np.empty(2 * n, np.float32)
    for c in range(2 * n):
        units[c] = w[at + 4 * filter_1 + c]
    _dense(pooled, 2 * n, w, at, 2 * n, units)
    at += 4 * filter_1 + 2 * n
    value, score = w[at + 4 * n], w[at + 4 * n + 1]
    for c in range(2 * n):
        unit = _relu(units[c])
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
