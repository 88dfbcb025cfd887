"""Measure the moves of tic-tac-toe and Connect-4 for an ordering by clusters, by the open lines through a cell.

    of:  int64[2, 4]   lines through a cell that hold no stone of the other side, by their stones: own, the opponent's

A line without any stone counts for both sides.
"""

import numpy as np

from gotools.games.connect4.kernels import rules as c
from gotools.games.kernels.inputs import BEGINNINGS, LINE_STEPS
from gotools.games.tictactoe.kernels import rules as t
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.clusters import score_by_clusters
from gotools.jit.kernels.seams import MEASURE, ORDER, TO_PLAY

C4_FEATURES, T3_FEATURES = 14, 6
_NEXT = c.ROWS + 1
_LINES = np.array([1 | 1 << d | 1 << 2 * d | 1 << 3 * d for d in LINE_STEPS.tolist()], np.int64)
C4_STAGES, T3_STAGES = (12, 24), (2, 5)
"""Stones up to which a game is in its first stage, and in its second."""


@inner
def _note(own, others, of):
    """Count a line by its stones."""
    if others == 0:
        of[0, own] += 1
    if own == 0:
        of[1, others] += 1


@inner
def _stage(stones, limits):
    return (stones > limits[0]) + (stones > limits[1])


@inner
def _count_lines(mine, other, cell, of):
    """Count the open lines of Connect-4 through an empty cell, a number of a bit."""
    of[:] = 0
    for i in range(4):
        for back in range(4):
            first = cell - back * LINE_STEPS[i]
            if first >= 0 and BEGINNINGS[i] >> first & 1 != 0:
                line = _LINES[i] << first
                _note(count_bits(line & mine), count_bits(line & other), of)


@inner
def _landing(taken, column):
    """Return the cell where a stone would come to rest; the one above the column if that is full."""
    cell = _NEXT * column
    while taken >> cell & 1 != 0:
        cell += 1
    return cell


@inner
def _count_threats(mine, other, of):
    """Return in how many columns each side could make four with its next stone."""
    own, others = 0, 0
    for column in range(c.COLUMNS):
        cell = _landing(mine | other, column)
        if cell < _NEXT * column + c.ROWS:
            _count_lines(mine, other, cell, of)
            own += of[0, 3] > 0
            others += of[1, 3] > 0
    return own, others


@seam(MEASURE)
def measure_connect4(state, moves, n, features):
    """Fill the features of moves; returns the stage."""
    mine, other = c.stones_of(state, state[TO_PLAY]), c.stones_of(state, 3 - state[TO_PLAY])
    of = np.empty((2, 4), np.int64)
    for i in range(n):
        f, column = features[i], moves[i]
        cell = _landing(mine | other, column)
        after = mine | np.int64(1) << cell
        row = cell - _NEXT * column
        f[0], f[1], f[2] = abs(column - c.COLUMNS // 2), row, row & 1
        _count_lines(mine, other, cell, of)
        f[3], f[4], f[5], f[6] = of[0, 0], of[0, 1], of[0, 2], min(of[0, 3], 1)
        f[7], f[8], f[9] = of[1, 1], of[1, 2], min(of[1, 3], 1)
        of[:] = 0
        if row + 1 < c.ROWS:
            _count_lines(after, other, cell + 1, of)
        f[10], f[11] = min(of[0, 3], 1), min(of[1, 3], 1)
        f[12], f[13] = _count_threats(after, other, of)
    return _stage(state[c.STONES], C4_STAGES)


@seam(ORDER)
def order_connect4_by_clusters(state, moves, n, scores, numbers):
    """Score moves by clusters: see jit/kernels/clusters.py for `numbers`."""
    features = np.empty((n, C4_FEATURES), np.int32)
    stage = measure_connect4(state, moves, n, features)
    score_by_clusters(features, n, stage, numbers, scores)


@seam(MEASURE)
def measure_tictactoe(state, moves, n, features):
    """Fill the features of moves; returns the stage."""
    side = state[TO_PLAY]
    of = np.empty((2, 4), np.int64)
    for i in range(n):
        of[:] = 0
        lines = 0
        for line in t.LINES:
            own, others, through = 0, 0, False
            for cell in line:
                own += state[t.CELLS + cell] == side
                others += state[t.CELLS + cell] == 3 - side
                through |= cell == moves[i]
            if through:
                lines += 1
                _note(own, others, of)
        f = features[i]
        f[0], f[1], f[2], f[3] = lines, of[0, 0], of[0, 1], min(of[0, 2], 1)
        f[4], f[5] = of[1, 1], min(of[1, 2], 1)
    return _stage(state[t.STONES], T3_STAGES)


@seam(ORDER)
def order_tictactoe_by_clusters(state, moves, n, scores, numbers):
    """Score moves by clusters: see jit/kernels/clusters.py for `numbers`."""
    features = np.empty((n, T3_FEATURES), np.int32)
    stage = measure_tictactoe(state, moves, n, features)
    score_by_clusters(features, n, stage, numbers, scores)
