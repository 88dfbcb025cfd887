"""Measure Abalone's moves for an ordering by clusters: columns of the vocabulary, up to a largest value each."""

import numpy as np

from gotools.games.abalone.kernels import vocabulary as v
from gotools.jit import inner, seam
from gotools.jit.kernels.clusters import score_by_clusters
from gotools.jit.kernels.seams import MEASURE, ORDER

_PLAIN = ((v.MARBLES, 3), (v.BROADSIDE, 1), (v.PUSHED, 2), (v.EJECTS, 1), (v.WEDGE, 1), (v.DISTANCE, 4))
_OF_SIDES = (
    (v.TOUCHES, 5),
    *((v.CHANGES + 4 * number + turn, most) for number, most in enumerate((3, 2, 5, 4, 2, 5, 2)) for turn in (0, 2)),
    (v.AFTER, 4),
    (v.AFTER + 2, 9),
)
"""Columns of a side with their largest values: contact, changes, marbles in danger and pushes after the move."""
_CHOSEN = (*_PLAIN, *((column + side, most) for column, most in _OF_SIDES for side in range(2)))
COLUMNS = np.array([column for column, _ in _CHOSEN], np.int64)
MOST = np.array([most for _, most in _CHOSEN], np.int64)


@inner
def _choose(columns, n, features):
    """Copy the columns chosen."""
    for i in range(n):
        for f in range(len(COLUMNS)):
            features[i, f] = min(columns[i, COLUMNS[f]], MOST[f])


@seam(MEASURE)
def measure_moves(state, moves, n, features):
    """Fill the features of moves; returns the stage."""
    columns = np.empty((n, v.COLUMNS), np.int32)
    stage = v.measure(state, moves, n, columns)
    _choose(columns, n, features)
    return stage


@seam(ORDER)
def order_by_clusters(state, moves, n, scores, numbers):
    """Score moves by clusters: see jit/kernels/clusters.py for `numbers`."""
    features = np.empty((n, len(COLUMNS)), np.int32)
    stage = measure_moves(state, moves, n, features)
    score_by_clusters(features, n, stage, numbers, scores)
