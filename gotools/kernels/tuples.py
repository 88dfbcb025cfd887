"""N-tuples: sets of cells of a board, and what a table says about the pattern on each.

    numbers:  | WINDOWS | LENGTH | STATES | windows, int32 in pairs | places, int32 in pairs | table, float32 in pairs |

    windows   the cells of each window, LENGTH numbers each; a window is a tuple, or its image under a symmetry
    places    where the patterns of each window begin in the table of a side: images share those of their tuple
    code      of a window: the state of its first cell, + STATES * that of the second, ...
    table     the patterns of all tuples where side 1 is to play, then those where side 2 is

The value for side 1 is the tanh of the entries of all windows, one each. Cells have states from 0 to STATES - 1, which
do not depend on the side to play. Sources: Lucas 2008, learning to play Othello with n-tuple systems; Thill, Koch and
Konen 2012, reinforcement learning with n-tuples on the game Connect-4.
"""

import numpy as np

from gotools.jit import inner
from gotools.kernels.elementary import tanh

WINDOWS, LENGTH, STATES = range(3)
HEADER = 3


def new_numbers(windows, places, states, entries):
    """Return numbers with an empty table, and the table as a view: float32[2, entries].

    windows -- int32[n, length]; places -- int32[n]; entries -- of one side
    """
    n, length = windows.shape
    begins, table = _begins(n, length)
    numbers = np.zeros(table + entries)
    numbers[:HEADER] = n, length, states
    numbers[HEADER:begins].view(np.int32)[: n * length] = windows.ravel()
    numbers[begins:table].view(np.int32)[:n] = places
    return numbers, numbers[table:].view(np.float32).reshape(2, entries)


def _begins(n, length):
    """Return where the places and the table begin."""
    places = HEADER + (n * length + 1) // 2
    return places, places + (n + 1) // 2


@inner
def tuples_value(cells, to_play, numbers):
    """Return the value for the side to play of uint8[cells]."""
    n, length, states = np.int64(numbers[WINDOWS]), np.int64(numbers[LENGTH]), np.int64(numbers[STATES])
    begins = HEADER + (n * length + 1) // 2
    table_begins = begins + (n + 1) // 2
    windows, places = numbers[HEADER:begins].view(np.int32), numbers[begins:table_begins].view(np.int32)
    table = numbers[table_begins:].view(np.float32)
    first = 0 if to_play == 1 else len(table) // 2
    total = 0.0
    at = 0
    for window in range(n):
        code, power = 0, 1
        for _ in range(length):
            code += power * cells[windows[at]]
            power *= states
            at += 1
        total += table[first + places[window] + code]
    return tanh(total if to_play == 1 else -total)
