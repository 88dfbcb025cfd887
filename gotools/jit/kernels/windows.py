"""Local patterns: every 1x1, 2x2 and 3x3 window of a board in rows of cells, and what a table says about each.

    cells, 3 rows of 4:    8  9 10 11      window (row, column) of a size covers rows row.., columns column..
                           4  5  6  7      its code: the cell in its lower left corner, + 3 * the next to the right, ...
                           0  1  2  3      row after row; cells are 0 empty, 1 and 2 a stone of that side

    numbers:  | rows | columns | TURN | TILT | table, float32 in pairs |
    table:    1x1 windows, 3 entries each | 2x2, 81 each | 3x3, 19,683 each;  within a size by row, then column

The value for side 1 is the tanh of the entries of all windows, one each, + TURN where it is to play (else - TURN)
+ TILT times what the rules give it besides (in Go the komi). Source: Silver, Sutton and Mueller 2012, local shapes.
"""

import numpy as np

from gotools.jit import inner, kernel
from gotools.jit.kernels.elementary import tanh

ROWS, COLUMNS, TURN, TILT = range(4)
TABLE = 4
SIZES = (1, 2, 3)
CODES = (3, 81, 19683)
"""Windows of each size hold this many patterns."""


@kernel
def windows_of(rows, columns, size):
    """Count the windows of a size."""
    return max(rows - size + 1, 0) * max(columns - size + 1, 0)


@inner
def windows_value(cells, to_play, tilt, numbers):
    """Return the value for the side to play.

    cells -- uint8[>= rows * columns]; tilt -- what the rules give side 1 besides
    """
    rows, columns = np.int64(numbers[ROWS]), np.int64(numbers[COLUMNS])
    table = numbers[TABLE:].view(np.float32)
    total = 0.0  # float64: sums of float32 in it are exact, as good as always, so that symmetry is
    two = 3 * rows * columns
    three = two + 81 * windows_of(rows, columns, 2)
    for i in range(rows * columns):
        total += table[3 * i + cells[i]]
    for y in range(rows - 1):
        a = np.int64(cells[y * columns]) + 9 * np.int64(cells[(y + 1) * columns])
        for x in range(columns - 1):
            b = np.int64(cells[y * columns + x + 1]) + 9 * np.int64(cells[(y + 1) * columns + x + 1])
            total += table[two + a + 3 * b]
            two += 81
            a = b
    for y in range(rows - 2):
        a = _upright(cells, y * columns, columns)
        b = _upright(cells, y * columns + 1, columns)
        for x in range(columns - 2):
            c = _upright(cells, y * columns + x + 2, columns)
            total += table[three + a + 3 * b + 9 * c]
            three += 19683
            a, b = b, c
    value = total + (numbers[TURN] if to_play == 1 else -numbers[TURN]) + numbers[TILT] * tilt
    return tanh(value if to_play == 1 else -value)


@inner
def _upright(cells, at, columns):
    """Return the part that three cells above each other have in the code of a 3x3 window, as if in its first column."""
    return np.int64(cells[at]) + 27 * np.int64(cells[at + columns]) + 729 * np.int64(cells[at + 2 * columns])
