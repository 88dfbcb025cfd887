"""Go for local patterns: the functions CELLS and CHANGES of kernels/seams.py, and the value by a table of patterns."""

import numpy as np

from gotools.games.go.kernels.game import KOMI2, PASS_MOVE
from gotools.games.go.kernels.rules import COLOUR, HEAD, LIBS, NEXT, SIZE, STRIDE, TO_PLAY, cells_of, unpad
from gotools.jit import inner, seam
from gotools.jit.kernels.seams import CELLS, CHANGES, EVALUATE
from gotools.jit.kernels.windows import ROWS, windows_value

KOMI_UNIT = 10.0
"""Points of komi that tilt the board by 1."""


@inner
def _tilt(state):
    """Return the tilt by komi, from black's side."""
    return -0.5 * state[KOMI2] / KOMI_UNIT


@seam(CELLS)
def cells(state, cells):
    """Write the colours by point number; returns the komi, negative, in units of KOMI_UNIT points."""
    cells_of(state, cells)
    return _tilt(state)


@seam(CHANGES)
def changes(state, move, where):
    """List the point of a move, then those of the stones that it captures."""
    if move == PASS_MOVE:
        return 0
    size = state[SIZE]
    other = 3 - state[TO_PLAY]
    where[0] = unpad(move, size)
    n = 1
    for d in (-STRIDE, -1, 1, STRIDE):
        if state[COLOUR + move + d] != other:
            continue
        head = state[HEAD + move + d]
        touching, first = 0, 0
        for e in (-STRIDE, -1, 1, STRIDE):
            if state[COLOUR + move + e] == other and state[HEAD + move + e] == head:
                touching += 1
                first = e if first == 0 else first
        if first != d or state[LIBS + head] != touching:  # it lives if it has pseudo-liberties besides this point
            continue
        q = head
        while True:
            where[n] = unpad(q, size)
            n += 1
            q = state[NEXT + q]
            if q == head:
                break
    return n


@seam(EVALUATE)
def value_of_shapes(state, numbers):
    """Value a position by its local patterns; 0 on a board of another size than that of the table."""
    if state[SIZE] != np.int64(numbers[ROWS]):
        return 0.0
    board = np.empty(361, np.uint8)
    cells_of(state, board)
    return windows_value(board, state[TO_PLAY], _tilt(state), numbers)
