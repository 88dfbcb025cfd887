"""Inputs of networks for tic-tac-toe and Connect-4, for the side to play.

    raw:    | cell 0 | cell 1 | ... |    1 own stone, -1 the opponent's, 0 empty
            tic-tac-toe: as tictactoe.py numbers the cells; Connect-4: column after column, each from its lowest cell
    lines:  | 1 stone | 2 stones | 3 stones |    own open lines with that number of stones, less the opponent's
            a line is where the game is won (tic-tac-toe 8, Connect-4 69); open: without a stone of the other side.
            tic-tac-toe has the first two: a line of three is the end

Connect-4 counts the lines of all cells of a direction at once, on the bits of connect4.py: bit i of a word stands for
the line that begins at cell i, and four shifts of a side's stones are added bit by bit.
"""

import numpy as np

from gotools.games.connect4.kernels import rules as c
from gotools.games.tictactoe.kernels import rules as t
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.elementary import tanh
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import CELLS, EVALUATE, INPUTS, TO_PLAY
from gotools.jit.kernels.tuples import tuples_value

_NEXT = c.ROWS + 1
_COLUMN = (1 << c.ROWS) - 1
BOARD = sum(_COLUMN << (_NEXT * x) for x in range(c.COLUMNS))
BOTTOM = sum(1 << (_NEXT * x) for x in range(c.COLUMNS))
LINE_STEPS = np.array([1, _NEXT, _NEXT - 1, _NEXT + 1], np.int64)
"""Bits from a cell to the next of a line: vertical, horizontal, diagonal downwards and upwards to the right."""
_WHOLE = (1 << _NEXT) - 1
BEGINNINGS = np.array([BOARD & BOARD >> d & BOARD >> 2 * d & BOARD >> 3 * d for d in LINE_STEPS.tolist()], np.int64)
"""The cells where a line of four in each direction begins."""
C4_LINES, T3_LINES = 3, 2
"""Numbers of inputs from the lines of the two games."""


@inner
def _stones(state):
    """Return the stones of the side to play of Connect-4, and of the other side."""
    return c.stones_of(state, state[TO_PLAY]), c.stones_of(state, 3 - state[TO_PLAY])


@seam(INPUTS)
def connect4_raw(state, x):
    """Fill float64[42] with the stones, column after column."""
    mine, other = _stones(state)
    for column in range(c.COLUMNS):
        for row in range(c.ROWS):
            bit = _NEXT * column + row
            x[c.ROWS * column + row] = (mine >> bit & 1) - (other >> bit & 1)


@inner
def _add_open_lines(mine, other, sign, x):
    """Add the open lines of a side, times a sign, to float64[3]."""
    for i in range(4):
        d = LINE_STEPS[i]
        blocked = other | other >> d
        free = BEGINNINGS[i] & ~(blocked | blocked >> 2 * d)
        a, b = mine, mine >> d
        low, high = (a ^ b), (a & b)  # stones of the first two cells of each line, in binary
        low2, high2 = low >> 2 * d, high >> 2 * d
        odd = low ^ low2
        carry = low & low2
        x[0] += sign * count_bits(free & odd & ~(high | high2))
        x[1] += sign * count_bits(free & ~odd & (high ^ high2 ^ carry))
        x[2] += sign * count_bits(free & odd & (high | high2))


@seam(INPUTS)
def connect4_lines(state, x):
    """Fill float64[3] with the open lines of one, two and three stones."""
    x[:] = 0.0
    mine, other = _stones(state)
    _add_open_lines(mine, other, 1.0, x)
    _add_open_lines(other, mine, -1.0, x)


@seam(INPUTS)
def tictactoe_raw(state, x):
    """Fill float64[9] with the stones."""
    mine = state[TO_PLAY]
    for cell in range(t.POINTS):
        stone = state[t.CELLS + cell]
        x[cell] = 0.0 if stone == 0 else (1.0 if stone == mine else -1.0)


@inner
def _add_open_rows(state, side, sign, x):
    """Add the open lines of a side of tic-tac-toe, times a sign, to float64[2]."""
    for line in t.LINES:
        own, others = 0, 0
        for cell in line:
            own += state[t.CELLS + cell] == side
            others += state[t.CELLS + cell] == 3 - side
        if others == 0 and 0 < own <= T3_LINES:
            x[own - 1] += sign


@seam(INPUTS)
def tictactoe_lines(state, x):
    """Fill float64[2] with the open lines of one and two stones."""
    x[:] = 0.0
    _add_open_rows(state, state[TO_PLAY], 1.0, x)
    _add_open_rows(state, 3 - state[TO_PLAY], -1.0, x)


@seam(EVALUATE)
def connect4_raw_value(state, numbers):
    """Value a position by a network over the stones."""
    x = np.empty(c.POINTS, np.float64)
    connect4_raw(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def connect4_lines_value(state, numbers):
    """Value a position by a network over the open lines."""
    x = np.empty(C4_LINES, np.float64)
    connect4_lines(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def tictactoe_raw_value(state, numbers):
    """Value a position by a network over the stones."""
    x = np.empty(t.POINTS, np.float64)
    tictactoe_raw(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def tictactoe_lines_value(state, numbers):
    """Value a position by a network over the open lines."""
    x = np.empty(T3_LINES, np.float64)
    tictactoe_lines(state, x)
    return network_value(x, numbers)


@seam(CELLS)
def connect4_columns(state, columns):
    """Write uint8[7]: of each column 2**stones - 1, and the stones of side 2 as bits, the lowest cell first."""
    second = c.stones_of(state, 2)
    total = c.stones_of(state, 1) + 2 * second
    for column in range(c.COLUMNS):
        columns[column] = total >> _NEXT * column & _WHOLE
    return 0.0


@seam(EVALUATE)
def connect4_tuples_value(state, numbers):
    """Value a position by a table of n-tuples."""
    columns = np.empty(c.COLUMNS, np.uint8)
    connect4_columns(state, columns)
    return tuples_value(columns, state[TO_PLAY], numbers)


@seam(CELLS)
def tictactoe_cells(state, cells):
    """Write uint8[9]: the stones."""
    for cell in range(t.POINTS):
        cells[cell] = state[t.CELLS + cell]
    return 0.0


@seam(EVALUATE)
def tictactoe_tuples_value(state, numbers):
    """Value a position by a table of n-tuples."""
    cells = np.empty(t.POINTS, np.uint8)
    tictactoe_cells(state, cells)
    return tuples_value(cells, state[TO_PLAY], numbers)


@inner
def _weigh(own, others, weights):
    """Return the tanh of the weighted open lines of the side to play less those of the other side."""
    total = 0.0
    for i in range(len(own)):
        total += weights[i] * own[i] - weights[len(own) + i] * others[i]
    return tanh(total)


@seam(EVALUATE)
def weigh_connect4(state, weights):
    """Value a position by float64[6]: weights of the open lines of the side to play, then of the other side."""
    own, others = np.zeros(C4_LINES, np.float64), np.zeros(C4_LINES, np.float64)
    mine, other = _stones(state)
    _add_open_lines(mine, other, 1.0, own)
    _add_open_lines(other, mine, 1.0, others)
    return _weigh(own, others, weights)


@seam(EVALUATE)
def weigh_tictactoe(state, weights):
    """Value a position by float64[4]: weights of the open lines of the side to play, then of the other side."""
    own, others = np.zeros(T3_LINES, np.float64), np.zeros(T3_LINES, np.float64)
    _add_open_rows(state, state[TO_PLAY], 1.0, own)
    _add_open_rows(state, 3 - state[TO_PLAY], 1.0, others)
    return _weigh(own, others, weights)
