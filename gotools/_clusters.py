"""Score moves by the centres of clusters of good and bad moves, in whole numbers.

    numbers:  | METRIC, STAGES, FEATURES, LANES, UNIT | words ... |          int64[]; the words are pairs of int32
    words:    | first stage | second stage | ...
    a stage:  | features x VALUES: standardised | features x LANES: centres | LANES: biases | good, bad |

The value v of feature f stands, standardised, at f * VALUES + v: to standardise is to look up. Column c of the centres
is one centre; the first `good` are of good moves, the next `bad` of bad ones, and zeros fill the lanes, so that the
loop over centres runs in vector instructions. The score of a move is the distance to the nearest bad centre less that
to the nearest good one, in units of UNIT.

    MANHATTAN   distance: sum of |z - c|
    LINEAR      distance, less what it has in common for all centres: bias - sum of w z. So squared Euclid (w = 2 c,
                bias = |c|^2) and Mahalanobis (w = 2 S c, bias = c S c; S inverts the covariance) take a product each
    COSINE      distance less 1, times |z|: - sum of w z, where w = c / |c|; the difference is divided by |z|

Source: an article on ordering shogi moves by clusters, whose weak point was real arithmetic (docs/move-order.md).
"""

import numpy as np

from gotools.jit import kernel

METRIC, STAGES, FEATURES, LANES, UNIT = range(5)
"""Entries of `numbers`; the words begin behind them."""
WORDS = 5
MANHATTAN, LINEAR, COSINE = range(3)
VALUES = 32
"""More than the largest value of any feature."""


@kernel
def stage_words(features, lanes):
    """Return how many words one stage takes, an even number."""
    return features * VALUES + features * lanes + lanes + 2


@kernel
def score_by_clusters(features, n, stage, numbers, scores):
    """Fill scores float64[>= n] for the first n rows of features int32[:, features]; one stage may stand for all."""
    count, lanes = numbers[FEATURES], numbers[LANES]
    room = stage_words(count, lanes)
    words = numbers[WORDS:].view(np.int32)[min(stage, numbers[STAGES] - 1) * room :]
    centres = words[count * VALUES :]
    biases = centres[count * lanes :]
    good = biases[lanes]
    both = good + biases[lanes + 1]
    total = np.empty(lanes, np.int32)
    for i in range(n):
        for c in range(lanes):
            total[c] = biases[c]
        length = 0
        for f in range(count):
            z = words[f * VALUES + features[i, f]]
            row = centres[f * lanes : f * lanes + lanes]
            if numbers[METRIC] == MANHATTAN:
                for c in range(lanes):
                    total[c] += abs(z - row[c])
            else:
                length += z * z
                for c in range(lanes):
                    total[c] -= z * row[c]
        gap = np.int64(_least(total, good, both)) - np.int64(_least(total, 0, good))
        if numbers[METRIC] == COSINE:
            scores[i] = gap / (numbers[UNIT] * np.sqrt(max(length, 1)))
        else:
            scores[i] = gap / numbers[UNIT]


@kernel
def _least(total, begin, end):
    least = total[begin]
    for c in range(begin + 1, end):
        least = min(least, total[c])
    return least
