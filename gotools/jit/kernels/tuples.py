"""N-tuples: sets of cells of a board, and what a table says about the pattern on each.

    numbers:  | WINDOWS | GROUPS | STATES | parts, int32 in pairs | table, float32 in pairs |

    window    a tuple, or its image under a symmetry of the board; images share the patterns of their tuple
    parts     int32[GROUPS, STATES, WINDOWS]: what each group of cells in each of its states adds to the place of the
              pattern that is on a window; groups that a window does not touch add 0
    table     the patterns of all tuples where side 1 is to play, then those where side 2 is

The value for side 1 is the tanh of the entries of all windows, one each. The states of groups do not depend on the side
to play. Sources: Lucas 2008, learning to play Othello with n-tuple systems; Thill, Koch and Konen 2012, reinforcement
learning with n-tuples on the game Connect-4. Groups are our own: they leave out patterns that cannot occur.
"""

import numpy as np

from gotools.jit import inner
from gotools.jit.kernels.elementary import tanh

WINDOWS, GROUPS, STATES = range(3)
HEADER = 3


def new_numbers(parts, entries):
    """Return numbers with an empty table, and the table as a view: float32[2, entries].

    parts -- int32[groups, states, windows]; entries -- of one side
    """
    groups, states, windows = parts.shape
    table = HEADER + (parts.size + 1) // 2
    numbers = np.zeros(table + entries)
    numbers[:HEADER] = windows, groups, states
    numbers[HEADER:table].view(np.int32)[: parts.size] = parts.ravel()
    return numbers, numbers[table:].view(np.float32).reshape(2, entries)


@inner
def tuples_value(states, to_play, numbers):
    """Return the value for the side to play of uint8[groups]."""
    windows, groups, most = np.int64(numbers[WINDOWS]), np.int64(numbers[GROUPS]), np.int64(numbers[STATES])
    begin = HEADER + (groups * most * windows + 1) // 2
    parts, table = numbers[HEADER:begin].view(np.int32), numbers[begin:].view(np.float32)
    first = 0 if to_play == 1 else len(table) // 2
    total = 0.0
    for window in range(windows):
        place = first
        for group in range(groups):
            place += parts[(group * most + states[group]) * windows + window]
        total += table[place]
    return tanh(total if to_play == 1 else -total)
