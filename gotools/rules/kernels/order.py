"""Score the moves of a search by rules: `order` of kernels/seams.py for Go.

numbers[0] is the address of a C function with the signature of gotools_rules_score (see gotools_rules.h): that of a
compiled library, or one that calls back into Python. The position is passed as the C struct

    | board (8 bytes) | size, to_play | ko, last | last2, - |      four words of 8 bytes
"""

import numpy as np

from gotools.games.go.kernels.constants import NONE
from gotools.games.go.kernels.game import PASS_MOVE, key
from gotools.games.go.kernels.rules import KO, KO_COLOUR, LAST, LAST2, SIZE, TO_PLAY, cells_of, unpad
from gotools.jit import seam
from gotools.jit.kernels.intrinsics import call_with_pointers
from gotools.jit.kernels.seams import KEY, ORDER

_ODD = np.int64(-7046029254386353131)  # an odd number of 64 random bits: spreads the last moves over the hash
PASS_SCORE = -8.0
"""The score of a pass: below nearly all moves at which a rule fires."""


@seam(ORDER)
def order_by_rules(state, moves, n, scores, numbers):
    """Score each move by the sum of the weights of the rules that fire there."""
    size = state[SIZE]
    cells = np.empty(361, np.uint8)
    cells_of(state, cells)
    words = np.zeros(4, np.int64)
    words[0] = cells.ctypes.data
    fields = words[1:].view(np.int32)
    fields[0] = size
    fields[1] = state[TO_PLAY]
    bound = state[KO] != NONE and state[KO_COLOUR] == state[TO_PLAY]
    fields[2] = unpad(state[KO], size) if bound else NONE
    fields[3] = unpad(state[LAST], size)
    fields[4] = unpad(state[LAST2], size)
    by_point = np.zeros(361, np.float64)
    call_with_pointers(numbers[0], words.ctypes.data, by_point.ctypes.data)
    for i in range(n):
        scores[i] = PASS_SCORE if moves[i] == PASS_MOVE else by_point[unpad(moves[i], size)]


@seam(KEY)
def key_with_last_moves(state):
    """Mix all that rules depend on: the position and the last two moves."""
    return (key(state) ^ np.int64(1000 * state[LAST] + state[LAST2])) * _ODD
