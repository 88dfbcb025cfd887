"""Score moves by the centres of clusters of good and bad moves, in whole numbers.

    numbers:  | METRIC, STAGES, FEATURES, GOOD, BOTH, LANES, ROWS, UNIT | words ... |   int64[]; words: pairs of int32
    words:    | FEATURES (one more where odd): first row of each feature | first stage | second stage | ...
    a stage:  | ROWS x LANES |

A distance is a sum over features, and a feature has few values: row (first row of f) + v says what value v of feature f
adds to the distance to each centre, so that a move costs one addition a feature and centre, in vector instructions.
Lanes 0 to GOOD - 1 are centres of good moves, those up to BOTH - 1 of bad ones; lanes without a centre are far from
everything. The score of a move is the distance to the nearest bad centre less that to the nearest good one, in UNITs.

    SUMS      the sums are distances, less what may be common to all centres
    COSINE    they are - z c / |c|, where z is the move, and lane BOTH is |z|^2: the difference is divided by |z|

Source: Machine learning for a shogi program, Habr 208580 (docs/decisions.md); its weak point was real arithmetic.
"""

import numpy as np

from gotools.jit import inner, kernel

METRIC, STAGES, FEATURES, GOOD, BOTH, LANES, ROWS, UNIT = range(8)
"""Entries of `numbers`; the words begin behind them."""
WORDS = 8
SUMS, COSINE = range(2)
VECTOR = 8
"""GOOD, BOTH and LANES are multiples of this."""


@kernel
def score_by_clusters(features, n, stage, numbers, scores):
    """Fill scores float64[>= n] for the first n rows of features int32[:, features]; one stage may stand for all."""
    count, lanes, unit = numbers[FEATURES], numbers[LANES], numbers[UNIT]
    good, both = numbers[GOOD], numbers[BOTH]
    words = numbers[WORDS:].view(np.int32)
    table = words[count + count % 2 + min(stage, numbers[STAGES] - 1) * numbers[ROWS] * lanes :]
    total = np.empty(lanes, np.int32)
    fours = count - count % 4
    for i in range(n):
        total[:] = 0
        for f in range(0, fours, 4):  # a quarter of the loads and stores of `total`
            a, b = _row(table, words, lanes, features, i, f), _row(table, words, lanes, features, i, f + 1)
            c, d = _row(table, words, lanes, features, i, f + 2), _row(table, words, lanes, features, i, f + 3)
            for lane in range(lanes):
                total[lane] += a[lane] + b[lane] + c[lane] + d[lane]
        for f in range(fours, count):
            a = _row(table, words, lanes, features, i, f)
            for lane in range(lanes):
                total[lane] += a[lane]
        gap = np.int64(_least(total[good:both])) - np.int64(_least(total[:good]))
        if numbers[METRIC] == COSINE:
            scores[i] = gap / (unit * np.sqrt(max(total[both], 1)))
        else:
            scores[i] = gap / unit


@inner
def _row(table, words, lanes, features, i, f):
    at = (words[f] + features[i, f]) * lanes
    return table[at : at + lanes]


@inner
def _least(total):
    least = total[0]
    for lane in range(len(total)):
        least = min(least, total[lane])
    return least
