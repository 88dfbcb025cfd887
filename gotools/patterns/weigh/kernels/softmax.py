"""Kernels of conditional logistic regression: the softmax of scores over the moves of each position.

first    int64[m+1]      rows (moves) of position k: first[k] .. first[k+1]-1
played   int64[m]        the row that was played
at       int64[rows+1]   rules that fire at row r: rule[at[r] : at[r+1]], int16 or int32
offset   float32[rows]   added to a row's score: minus the logarithm of its share in a sample, 0 if it holds all moves
"""

import numpy as np

from gotools.jit import inner, kernel
from gotools.kernels.elementary import exp, log


@inner
def add_scores(at, rule, offset, weight, begin, end, out):
    """Write into out float64[...] the scores of rows begin .. end-1: offset and the weights of what fires."""
    for r in range(begin, end):
        total = np.float64(offset[r])
        for k in range(at[r], at[r + 1]):
            total += weight[rule[k]]
        out[r - begin] = total


@inner
def softmax(scores, out):
    """Write the probabilities of moves with these scores; returns the logarithm of their sum, and the top score."""
    top = -np.inf
    for s in scores:
        top = max(top, s)
    total = 0.0
    for r in range(scores.shape[0]):
        out[r] = exp(scores[r] - top)
        total += out[r]
    for r in range(scores.shape[0]):
        out[r] /= total
    return log(total) + top


@kernel
def probabilities(first, at, rule, offset, weight, out):
    """Fill out float64[rows] with the probability of each move of its position."""
    for k in range(first.shape[0] - 1):
        mine = out[first[k] : first[k + 1]]
        add_scores(at, rule, offset, weight, first[k], first[k + 1], mine)
        softmax(mine, mine)


@kernel
def likelihood(first, played, at, rule, offset, weight, begin, end, gradient):
    """Return the sum of the log-probabilities of the moves played in positions begin .. end-1.

    gradient -- float64[rules]; the derivatives by the weights are added to it
    """
    total = 0.0
    room = 0
    for k in range(begin, end):
        room = max(room, first[k + 1] - first[k])
    scores, share = np.empty(room), np.empty(room)
    for k in range(begin, end):
        n = first[k + 1] - first[k]
        add_scores(at, rule, offset, weight, first[k], first[k + 1], scores)
        norm = softmax(scores[:n], share[:n])
        total += scores[played[k] - first[k]] - norm
        share[played[k] - first[k]] -= 1.0
        for r in range(n):
            if abs(share[r]) > 1e-9:  # the other rows, most of them, change no digit
                for j in range(at[first[k] + r], at[first[k] + r + 1]):
                    gradient[rule[j]] -= share[r]
    return total
