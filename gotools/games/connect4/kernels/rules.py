"""Connect-4: the functions of kernels/seams.py.

    state:  | SIZE | TO_PLAY | STONES | WON | STONES_OF 1: low, high | STONES_OF 2: low, high |

    bits of a side's stones:         6 13 20 27 | 34 41 48      this row stays empty: it keeps
                                     5 12 19 26 | 33 40 47      lines from running on into the
                                     4 11 18 25 | 32 39 46      next column
                                     3 10 17 24 | 31 38 45
                                     2  9 16 23 | 30 37 44
                                     1  8 15 22 | 29 36 43
                                     0  7 14 21 | 28 35 42
                                        low     |   high
    a move is a column:              0  1  2  3    4  5  6

STONES  how many are on the board
WON     the side that has four in a line, or 0

A finished game is worth (22 + its score) / 44 to the winner: more than 0.5, and the more the earlier. The score is 22
less the stones that the winner has played, as in Pascal Pons' solver; a draw is worth 0.
"""

import numpy as np

from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.basics import below, copy_to, spread
from gotools.jit.kernels.seams import (
    AFTER,
    KEY,
    LEGAL,
    ONGOING,
    ORDER,
    OUTCOME,
    PLAYOUT,
    REACHED,
    START,
    TO_PLAY,
    TRIES,
)

SIZE, STONES, WON, STONES_OF = 0, 2, 3, 4
STATE = STONES_OF + 4
COLUMNS, ROWS = 7, 6
POINTS = COLUMNS * ROWS
WORTH = 22
"""Score of a victory without any stone: scores are below it."""
DECIDED = 0.5
"""Victories are worth more."""

_NEXT = ROWS + 1
"""Bits from a cell to the same row of the next column."""
_HALF = 4 * _NEXT
_LOW = (1 << _HALF) - 1
_COLUMN = (1 << _NEXT) - 1
BOTTOM = sum(1 << _NEXT * x for x in range(COLUMNS))
"""The cells of the lowest row."""
BOARD = BOTTOM * ((1 << ROWS) - 1)


@seam(START)
def start(state, size):
    """Make the empty board."""
    state[:] = 0
    state[SIZE] = size
    state[TO_PLAY] = 1


@kernel
def stones_of(state, side):
    """Return the stones of a side as 49 bits."""
    at = STONES_OF + 2 * (side - 1)
    return np.int64(state[at]) | (np.int64(state[at + 1]) << _HALF)


@inner
def _has_line(stones):
    """Return whether four of the stones are in a line: vertical, horizontal or diagonal."""
    for step in (1, _NEXT, _NEXT - 1, _NEXT + 1):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> 2 * step) != 0:
            return True
    return False


@inner
def fours(stones):
    """Return the cells that complete four in a line of the stones, taken or not; bits outside the board may be set."""
    found = (stones << 1) & (stones << 2) & (stones << 3)
    for step in (_NEXT - 1, _NEXT, _NEXT + 1):
        pairs = (stones << step) & (stones << 2 * step)
        found |= pairs & (stones << 3 * step)
        found |= pairs & (stones >> step)
        pairs = (stones >> step) & (stones >> 2 * step)
        found |= pairs & (stones << step)
        found |= pairs & (stones >> 3 * step)
    return found


@inner
def _drop(state, column):
    """Drop a stone of the side to play into a column that has room."""
    side = state[TO_PLAY]
    mine = stones_of(state, side)
    taken = mine | stones_of(state, 3 - side)
    mine |= (taken + (1 << _NEXT * column)) & (_COLUMN << _NEXT * column)
    at = STONES_OF + 2 * (side - 1)
    state[at] = mine & _LOW
    state[at + 1] = mine >> _HALF
    state[STONES] += 1
    state[TO_PLAY] = 3 - side
    if _has_line(mine):
        state[WON] = side


@inner
def _has_room(state, column):
    """Return whether the top cell of a column is empty."""
    taken = stones_of(state, 1) | stones_of(state, 2)
    return taken >> (_NEXT * column + ROWS - 1) & 1 == 0


@seam(LEGAL)
def legal(state, moves):
    """List the columns with room from the left; none after a victory."""
    n = 0
    if state[WON] == 0:
        for column in range(COLUMNS):
            if _has_room(state, column):
                moves[n] = column
                n += 1
    return n


@seam(LEGAL)
def noisy(state, moves):
    """List nothing."""
    return 0


@seam(AFTER)
def after(state, move, target):
    """Write the position after a legal move."""
    copy_to(target, state)
    _drop(target, move)


@seam(OUTCOME)
def outcome(state):
    """Value the finished game for the side to play, which is the loser unless it is a draw; ONGOING before."""
    if state[WON] != 0:
        return ((state[STONES] + 1) // 2 - 2 * WORTH) / (2 * WORTH)
    return 0.0 if state[STONES] == POINTS else ONGOING


@seam(KEY)
def key(state):
    """Mix the stones, which determine the side to play; different positions have different keys.

    In each column, own stones + all stones is a number of its own: n stones give 2**n - 1 to 2**(n+1) - 2.
    """
    mine = stones_of(state, state[TO_PLAY])
    return spread(2 * mine + stones_of(state, 3 - state[TO_PLAY]))


@seam(PLAYOUT)
def playout(state, random, played):
    """Play to the end, all legal moves equally likely; 0 if `played` is full before."""
    mine = state[TO_PLAY]
    n = 0
    while n + 1 < len(played) and outcome(state) == ONGOING:
        column = below(random, COLUMNS)
        if _has_room(state, column):
            n += 1
            played[n] = column
            _drop(state, column)
    played[0] = n
    value = outcome(state)
    if value == ONGOING:
        return 0.0
    return value if state[TO_PLAY] == mine else -value


@seam(ORDER)
def centre_first(state, moves, n, scores, numbers):
    """Score columns by their distance from the middle one: more lines go through the middle."""
    for i in range(n):
        scores[i] = -abs(moves[i] - COLUMNS // 2)


@seam(TRIES)
def tries(state, goal, moves):
    """List the legal moves while the game goes on; see kernels/seams.py."""
    value = outcome(state)
    if value == ONGOING:
        return legal(state, moves)
    return REACHED if value != 0.0 and (value > 0.0) == (state[TO_PLAY] == goal[0]) else 0
