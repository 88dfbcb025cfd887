"""Describe good and bad moves of a record for clusters: replayed by the functions of its game.

moves:  m0 m1 m2 m3 ...    kinds:  PASSED_OVER, GOOD, BAD, or GOOD_AND_ANOTHER, which draws a bad one beside it
rows:   in the order of the plies; a drawn move stands behind the good one of its position
"""

import numpy as np
from numba import types

from gotools.jit import seam
from gotools.jit.kernels.basics import below, copy_to
from gotools.jit.kernels.seams import LEGAL, MEASURE, ONGOING, RANDOM, RULES

PASSED_OVER, GOOD, BAD, GOOD_AND_ANOTHER = range(4)


@seam(
    types.int64(
        RULES, types.FunctionType(LEGAL), types.FunctionType(MEASURE), types.int32[::1], types.int32[::1],
        types.uint8[::1], RANDOM, types.int32[:, ::1], types.int16[:, ::1], types.uint8[::1], types.uint8[::1],
        types.int32[:, ::1],
    )
)  # fmt: skip
def describe_game(rules, legal, measure, state, moves, kinds, random, row, features, stages, good, chosen):
    """Fill a row for each move that counts; returns how many there are, or -1 - ply of a move that is not legal.

    state -- the start; it becomes the end
    row   -- int32[1, features], room for one move
    features, stages, good -- [>= 2 * moves, ...]; chosen -- int32[>= 2 * moves, 2]: the ply and the move of each row
    """
    spare, options, one = np.empty(len(state), np.int32), np.empty(rules.longest, np.int32), np.empty(1, np.int32)
    rows = 0
    for ply in range(len(moves)):
        if rules.outcome(state) != ONGOING:
            return -1 - ply
        n = legal(state, options)
        at = -1
        for i in range(n):
            if options[i] == moves[ply]:
                at = i
        if at < 0:
            return -1 - ply
        for other in range(2):
            if kinds[ply] == PASSED_OVER or (other == 1 and (kinds[ply] != GOOD_AND_ANOTHER or n < 2)):
                continue
            one[0] = options[at] if other == 0 else options[(at + 1 + below(random, n - 1)) % n]
            stages[rows] = measure(state, one, 1, row)
            features[rows, :] = row[0]
            good[rows] = kinds[ply] != BAD and other == 0
            chosen[rows, 0], chosen[rows, 1] = ply, one[0]
            rows += 1
        rules.after(state, moves[ply], spare)
        copy_to(state, spare)
    return rows
