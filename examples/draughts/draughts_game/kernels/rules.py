"""Rules of English draughts: the functions that gotools/jit/kernels/seams.py describes.

    state:  | SIZE | TO_PLAY | QUIET | SQUARES: 32 |     QUIET is the number of moves since a man moved or was captured

    squares, as in PDN less 1, and what stands on one: 0 nothing, 1 a black man, 2 a white man, 3 and 4 their kings

         0   1   2   3      Black begins and moves down the board.
       4   5   6   7
         8   9  10  11      directions:   3  2
      12  13  14  15                        x
        16  17  18  19                    1  0
      20  21  22  23
        24  25  26  27
      28  29  30  31

    a move is a number in PATHS, the squares that a piece visits: (8, 13) a step, (8, 17, 24) two jumps

PATHS holds all paths on the board, whatever stands there. There are only 98 steps and 1328 ways to jump, since jumps
from a square reach seven others, over nine squares in between, and no piece is jumped twice. The first 32 are the
squares themselves, no moves but the roots of the jumps, each of which is a shorter one with a jump more.
"""

import numpy as np

from gotools.jit import inner, seam
from gotools.jit.kernels.basics import below, copy_to, spread
from gotools.jit.kernels.seams import AFTER, KEY, LEGAL, ONGOING, OUTCOME, PLAYOUT, SIZE, START, TO_PLAY

QUIET, SQUARES = 2, 3
COUNT, ROWS, SIDE_MEN = 32, 8, 12
STATE = SQUARES + COUNT
KING = 2
"""A king is the man of its side, and this more."""
QUIET_LIMIT = 80
"""Moves in a row, of both sides together, by kings and without a capture that make a game a draw."""
LONGEST = 16 * SIDE_MEN
"""Bound of the moves of a position: whatever stands on the board, a piece has at most 16 ways to jump."""

WAYS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
"""Each direction as steps of row and column, those of Black's men first."""
PLACES = tuple((square // 4, square % 4 * 2 + 1 - square // 4 % 2) for square in range(COUNT))
"""Row and column of each square."""


def square_at(row, column):
    """Return the dark square of a row and a column, -1 off the board."""
    return PLACES.index((row, column)) if (row, column) in PLACES else -1


NEXT = np.array([[square_at(r + dr, c + dc) for dr, dc in WAYS] for r, c in PLACES], np.int32)
"""int32[32, 4]: the next square in each direction, -1 off the board."""


def _list_moves():
    """Return (path, the move without its last square, the square jumped last, all jumped) of each; jumps; steps."""
    rows = [((square,), -1, -1, frozenset()) for square in range(COUNT)]
    jumps, steps = {}, {}
    for number, (path, _, _, jumped) in enumerate(rows):  # which grow on the way
        for direction, over in enumerate(NEXT[path[-1]].tolist()):
            to = int(NEXT[over, direction])
            if over >= 0 and to >= 0 and over not in jumped:
                jumps[number, direction] = len(rows)
                rows.append(((*path, to), number, over, jumped | {over}))
    for square in range(COUNT):
        for direction, to in enumerate(NEXT[square].tolist()):
            if to >= 0:
                steps[square, direction] = len(rows)
                rows.append(((square, to), square, -1, frozenset()))
    return rows, jumps, steps


def _table(numbers):
    """Return int32[moves, 4] of numbers by move and direction, -1 where there is none."""
    table = np.full((MOVES, 4), -1, np.int32)
    for place, number in numbers.items():
        table[place] = number
    return table


_ROWS, _JUMPS, _STEPS = _list_moves()
PATHS = [row[0] for row in _ROWS]
MOVES = len(PATHS)
TO = np.array([path[-1] for path in PATHS], np.int32)
SHORTER = np.array([row[1] for row in _ROWS], np.int32)
"""A path without its last square."""
OVER = np.array([row[2] for row in _ROWS], np.int32)
"""The square that the last jump of a path goes over, -1 for a step."""
LONGER, STEP = _table(_JUMPS), _table(_STEPS)
"""A path with a jump more in a direction, and the step from a square in a direction."""


@seam(START)
def start(state, size):
    """Put twelve men a side on the board; Black is to play."""
    state[SIZE], state[TO_PLAY], state[QUIET] = size, 1, 0
    for square in range(COUNT):
        state[SQUARES + square] = 1 if square < SIDE_MEN else 2 if square >= COUNT - SIDE_MEN else 0


@inner
def owner(piece):
    """Return the side of a piece, 0 for none."""
    return piece - KING if piece > KING else piece


@inner
def directions(piece):
    """Return the first direction of a piece, and the one behind its last."""
    return (0, 4) if piece > KING else (0, 2) if piece == 1 else (2, 4)


@inner
def _jump(state, path, direction, origin):
    """Return the path with one jump more, -1 where there is nothing to capture or no place to land.

    origin -- the square that the piece has left
    """
    longer = LONGER[path, direction]
    if longer < 0 or owner(state[SQUARES + OVER[longer]]) != 3 - state[TO_PLAY]:
        return -1
    free = state[SQUARES + TO[longer]] == 0 or TO[longer] == origin
    return longer if free else -1


@inner
def step(state, square, direction):
    """Return the step in a direction, -1 where there is no place."""
    free = STEP[square, direction] >= 0 and state[SQUARES + NEXT[square, direction]] == 0
    return STEP[square, direction] if free else -1


@seam(LEGAL)
def captures(state, moves):
    """List the captures; each goes on while it can. A man that is crowned stops: ahead of it the board ends."""
    n = 0
    if state[QUIET] >= QUIET_LIMIT:
        return n
    for square in range(COUNT):
        if owner(state[SQUARES + square]) != state[TO_PLAY]:
            continue
        first, end = directions(state[SQUARES + square])
        moves[n] = square
        at, n = n, n + 1
        while at < n:  # replace each path by the longer ones; one that has none is a move
            path, kept = moves[at], moves[at]
            for direction in range(first, end):
                longer = _jump(state, path, direction, square)
                if longer >= 0 and kept == path:
                    moves[at] = kept = longer
                elif longer >= 0:
                    moves[n] = longer
                    n += 1
            at += kept == path
        if moves[n - 1] == square:
            n -= 1  # it does not jump at all
    return n


@seam(LEGAL)
def legal(state, moves):
    """List the captures; where there is none, the steps."""
    n = captures(state, moves)
    if n > 0 or state[QUIET] >= QUIET_LIMIT:
        return n
    for square in range(COUNT):
        if owner(state[SQUARES + square]) == state[TO_PLAY]:
            first, end = directions(state[SQUARES + square])
            for direction in range(first, end):
                moves[n] = step(state, square, direction)
                n += moves[n] >= 0
    return n


@inner
def _make(state, move):
    """Make a legal move: take off what it jumps over, back to the square where it began."""
    square = move
    while square >= COUNT:
        if OVER[square] >= 0:
            state[SQUARES + OVER[square]] = 0
        square = SHORTER[square]
    piece = state[SQUARES + square]
    state[SQUARES + square] = 0
    quiet = piece > KING and OVER[move] < 0
    state[QUIET] = state[QUIET] + 1 if quiet else 0
    if piece <= KING and TO[move] // 4 == (ROWS - 1 if piece == 1 else 0):
        piece += KING
    state[SQUARES + TO[move]] = piece
    state[TO_PLAY] = 3 - state[TO_PLAY]


@seam(AFTER)
def after(state, move, target):
    """Write the position after a legal move."""
    copy_to(target, state)
    _make(target, move)


@seam(OUTCOME)
def outcome(state):
    """Value the finished game: 0 after too many quiet moves, -1 for the side to play that cannot move."""
    if state[QUIET] >= QUIET_LIMIT:
        return 0.0
    return ONGOING if legal(state, np.empty(LONGEST, np.int32)) > 0 else -1.0


@seam(KEY)
def key(state):
    """Mix the two halves of the board, the side to play and the quiet moves."""
    word = np.int64(3 * state[QUIET] + state[TO_PLAY])
    for square in range(COUNT):
        if square % (COUNT // 2) == 0:
            word = spread(word)
        word = 5 * word + state[SQUARES + square]
    return spread(word)


@seam(PLAYOUT)
def playout(state, random, played):
    """Play to the end, all legal moves equally likely; 0 if `played` is full."""
    mine = state[TO_PLAY]
    moves = np.empty(LONGEST, np.int32)
    n = 0
    while n + 1 < len(played) and outcome(state) == ONGOING:
        n += 1
        played[n] = moves[below(random, legal(state, moves))]
        _make(state, played[n])
    played[0] = n
    value = outcome(state)
    if value == ONGOING:
        return 0.0
    return value if state[TO_PLAY] == mine else -value
