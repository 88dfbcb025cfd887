"""Kernels of conditional logistic regression: the softmax of scores over the moves of each position.

first    int64[m+1]      rows (moves) of position k: first[k] .. first[k+1]-1
played   int64[m]        the row that was played
also     int64[...]      rows of further right moves, in ascending order
start    int64[rules+1]  rows where rule k fires: row[start[k] : start[k+1]], uint16
"""

import numpy as np

from gotools.jit import inner, kernel
from gotools.jit.kernels.elementary import exp, log

LEAST = 1e-300
"""Probability of right moves that is taken for 0."""


@inner
def add_scores(start, row, weight, out):
    """Add to out float64[rows] the weights of the rules that fire."""
    for k in range(start.shape[0] - 1):
        w = weight[k]
        if w != 0.0:
            for j in range(start[k], start[k + 1]):
                out[row[j]] += w


@inner
def softmax(scores):
    """Replace scores of moves by their probabilities; returns the logarithm of the sum of their exponentials."""
    top = -np.inf
    for s in scores:
        top = max(top, s)
    total = 0.0
    for r in range(scores.shape[0]):
        scores[r] = exp(scores[r] - top)
        total += scores[r]
    for r in range(scores.shape[0]):
        scores[r] /= total
    return log(total) + top


@kernel
def probabilities(first, start, row, weight, out):
    """Fill out float64[rows], which holds the offsets, with the probability of each move of its position."""
    add_scores(start, row, weight, out)
    for k in range(first.shape[0] - 1):
        softmax(out[first[k] : first[k + 1]])


@kernel
def likelihood(first, played, also, start, row, weight, share, gradient):
    """Return the sum of the log-probabilities of the moves played, or of any right move where there are several.

    share -- float64[rows] with the offsets, used as room
    gradient -- float64[rules]; the derivatives by the weights are added to it
    """
    total, done = 0.0, 0
    add_scores(start, row, weight, share)
    for k in range(first.shape[0] - 1):
        score = share[played[k]]
        norm = softmax(share[first[k] : first[k + 1]])
        begin = done
        while done < also.shape[0] and also[done] < first[k + 1]:
            done += 1
        if done == begin:
            total += score - norm
            share[played[k]] -= 1.0
            continue
        right = LEAST + share[played[k]]
        for j in range(begin, done):
            right += share[also[j]]
        total += log(right)
        share[played[k]] -= share[played[k]] / right
        for j in range(begin, done):
            share[also[j]] -= share[also[j]] / right
    for k in range(start.shape[0] - 1):
        slope = 0.0
        for j in range(start[k], start[k + 1]):
            slope += share[row[j]]
        gradient[k] -= slope
    return total


@kernel
def sums(start, row, of_row, out):
    """Fill out float64[rules] with the sum of `of_row` over the rows where each rule fires."""
    for k in range(start.shape[0] - 1):
        total = 0.0
        for j in range(start[k], start[k + 1]):
            total += of_row[row[j]]
        out[k] = total
