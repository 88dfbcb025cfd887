"""Tic-tac-toe: the functions of kernels/seams.py.

    state:  | SIZE | TO_PLAY | STONES | WON | CELLS (9) |

    cells:  6 7 8     a move is the number of a cell
            3 4 5     0 empty, 1 and 2 a stone of that side
            0 1 2

STONES  how many are on the board
WON     the side that has three in a row, or 0
"""

import numpy as np

from gotools.jit import inner, seam
from gotools.jit.kernels.basics import below, copy_to, spread
from gotools.jit.kernels.seams import AFTER, KEY, LEGAL, ONGOING, OUTCOME, PLAYOUT, REACHED, START, TO_PLAY, TRIES

SIZE, STONES, WON, CELLS = 0, 2, 3, 4
POINTS = 9
STATE = CELLS + POINTS

LINES = np.array(
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]], np.int64
)  # fmt: skip


@seam(START)
def start(state, size):
    """Make the empty board."""
    state[:] = 0
    state[SIZE] = size
    state[TO_PLAY] = 1


@inner
def _put(state, cell):
    """Put a stone of the side to play on an empty cell."""
    side = state[TO_PLAY]
    state[CELLS + cell] = side
    state[STONES] += 1
    state[TO_PLAY] = 3 - side
    for line in LINES:
        if state[CELLS + line[0]] == side and state[CELLS + line[1]] == side and state[CELLS + line[2]] == side:
            state[WON] = side


@seam(LEGAL)
def legal(state, moves):
    """List the empty cells; none after a victory."""
    n = 0
    if state[WON] == 0:
        for cell in range(POINTS):
            if state[CELLS + cell] == 0:
                moves[n] = cell
                n += 1
    return n


@seam(LEGAL)
def noisy(state, moves):
    """List nothing: the game is searched to its end."""
    return 0


@seam(AFTER)
def after(state, move, target):
    """Write the position after a legal move."""
    copy_to(target, state)
    _put(target, move)


@seam(OUTCOME)
def outcome(state):
    """Value the finished game: -1 for the side to play when the other has won, 0 for a draw; ONGOING before."""
    if state[WON] != 0:
        return -1.0
    return 0.0 if state[STONES] == POINTS else ONGOING


@seam(KEY)
def key(state):
    """Mix the cells, which determine the side to play; different positions have different keys."""
    number = 0
    for cell in range(POINTS):
        number = 3 * number + state[CELLS + cell]
    return spread(number)


@seam(PLAYOUT)
def playout(state, random, played):
    """Play to the end, all legal moves equally likely; 0 if `played` is full before."""
    mine = state[TO_PLAY]
    n = 0
    while n + 1 < len(played) and outcome(state) == ONGOING:
        cell = below(random, POINTS)
        if state[CELLS + cell] == 0:
            n += 1
            played[n] = cell
            _put(state, cell)
    played[0] = n
    value = outcome(state)
    if value == ONGOING:
        return 0.0
    return value if state[TO_PLAY] == mine else -value


@seam(TRIES)
def tries(state, goal, moves):
    """List the legal moves while the game goes on; see kernels/seams.py."""
    value = outcome(state)
    if value == ONGOING:
        return legal(state, moves)
    return REACHED if value != 0.0 and (value > 0.0) == (state[TO_PLAY] == goal[0]) else 0
