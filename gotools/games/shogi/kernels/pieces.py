"""Shogi's positions and moves as numbers, and how its pieces move.

    state:  | SIZE | TO_PLAY | PLIES | LIMIT | DECLARED | kings of 1, 2 | hand of 1: P L N S G B R | of 2 | board |

    board, with walls around it:  two rows of walls above and below, where knights would land, one column on each side
                                  cell 24 is 9a, the corner on side 2's left; cell 118 is 1i
    a cell:  0 empty, kind for a piece of side 1, OTHER + kind for one of side 2, WALL
    kinds:   P L N S G B R K = 1 to 8; promoted ones 8 more: +P 9, +L 10, +N 11, +S 12, +B 14, +R 15

    squares of moves:  0 is 9a, 8 is 1a, 80 is 1i           directions, for side 1:   7 0 1
    a move:  2 * (81 * from + to) + promotes                                          6   2
             `from` of a drop is 80 + kind                                            5 4 3
             DECLARE: the declaration of victory

PLIES -- moves made; LIMIT -- moves after which the game is a draw; DECLARED -- the side that has declared, 0: none

steps and slides of a piece are bits, one for each direction; those of side 2 are turned by 180 degrees.
"""

import numpy as np

from gotools.jit import inner

SIZE, PLIES, LIMIT, DECLARED, KINGS, HANDS, BOARD = 0, 2, 3, 4, 5, 7, 21
ROWS, WIDTH, FIRST = 9, 11, 22
"""Rows of the board, cells of a row with its walls, the cell before the first: jumps from any corner end on a wall."""
CELLS = WIDTH * (ROWS + 4)
STATE = BOARD + CELLS
SQUARES = ROWS * ROWS
PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, KING = range(1, 9)
PROMOTED = 8
OTHER = 16
WALL = 32
HAND = 7
"""Kinds that can be in hand."""
DECLARE = 2 * SQUARES * (SQUARES + HAND)
MOVES = DECLARE + 1
SKIP = MOVES
"""No move: the other side plays, as searches try it."""
LONGEST = 600
"""Bound of the moves of a position: 593 and the declaration."""
LONGEST_GAME = 512
"""Plies after which a game is a draw, unless its start says otherwise."""
NEAR_THE_LIMIT = 64
"""Plies before the limit from which on keys differ by the plies left: as deep as searches look."""
ZONE = 3
"""Rows where pieces promote."""

DELTAS = np.array([-WIDTH, 1 - WIDTH, 1, WIDTH + 1, WIDTH, WIDTH - 1, -1, -WIDTH - 1], np.int64)
CELL_OF = np.array([FIRST + 1 + WIDTH * (s // ROWS) + s % ROWS for s in range(SQUARES)], np.int64)
"""int64[81]: the cell of a square."""
SQUARE_OF = np.full(CELLS, -1, np.int64)
SQUARE_OF[CELL_OF] = np.arange(SQUARES)
_GOLDEN = (0, 1, 2, 4, 6, 7)
_STRAIGHT, _SLANTING = (0, 2, 4, 6), (1, 3, 5, 7)
_STEPS_OF = {
    PAWN: (0,),
    SILVER: (0, 1, 3, 5, 7),
    GOLD: _GOLDEN,
    KING: tuple(range(8)),
    PAWN + PROMOTED: _GOLDEN,
    LANCE + PROMOTED: _GOLDEN,
    KNIGHT + PROMOTED: _GOLDEN,
    SILVER + PROMOTED: _GOLDEN,
    BISHOP + PROMOTED: _STRAIGHT,
    ROOK + PROMOTED: _SLANTING,
}
_SLIDES_OF = {
    LANCE: (0,),
    BISHOP: _SLANTING,
    ROOK: _STRAIGHT,
    BISHOP + PROMOTED: _SLANTING,
    ROOK + PROMOTED: _STRAIGHT,
}


def _by_piece(directions_of):
    """Return int64[33]: the directions of each piece, as bits; those of side 2 are turned by 180 degrees."""
    found = np.zeros(WALL + 1, np.int64)
    for kind, directions in directions_of.items():
        for d in directions:
            found[kind] |= 1 << d
            found[OTHER + kind] |= 1 << (d + 4) % 8
    return found


STEPS, SLIDES = _by_piece(_STEPS_OF), _by_piece(_SLIDES_OF)
DIRECTIONS = np.array(
    [[d for d in range(8) if bits >> d & 1] + [0] * (8 - bin(bits).count("1")) for bits in range(256)]
)
COUNT = np.array([bin(bits).count("1") for bits in range(256)])


def _aligned():
    """Return int8[cells, cells]: the direction from one square to another on its line, -1 where there is none."""
    found = np.full((CELLS, CELLS), -1, np.int8)
    for cell in CELL_OF:
        for d in range(8):
            to = cell + DELTAS[d]
            while SQUARE_OF[to] >= 0:
                found[cell, to] = d
                to += DELTAS[d]
    return found


ALIGNED = _aligned()
KNIGHT_JUMPS = np.array([[0, 0], [-2 * WIDTH - 1, -2 * WIDTH + 1], [2 * WIDTH + 1, 2 * WIDTH - 1]], np.int64)
"""Of each side, the one to its left first."""
ROW = np.array([SQUARE_OF[cell] // ROWS if SQUARE_OF[cell] >= 0 else -1 for cell in range(CELLS)], np.int64)
COLUMN = np.array([SQUARE_OF[cell] % ROWS if SQUARE_OF[cell] >= 0 else -1 for cell in range(CELLS)], np.int64)


@inner
def is_of(piece, side):
    """Return whether a piece, not a wall, is one of a side."""
    return 0 < piece < WALL and (piece > OTHER) == (side == 2)


@inner
def row_of(side, cell):
    """Return how many rows are ahead of a cell for a side."""
    return ROW[cell] if side == 1 else ROWS - 1 - ROW[cell]


@inner
def steps_between(one, other):
    """Return the steps of a king from one cell to another on an empty board."""
    return max(abs(COLUMN[one] - COLUMN[other]), abs(ROW[one] - ROW[other]))


@inner
def rows_needed(kind):
    """Return how many rows a piece needs ahead, so that it can move again."""
    return 2 if kind == KNIGHT else 1 if kind <= LANCE else 0


@inner
def forward(side):
    """Return the step to the next row."""
    return -WIDTH if side == 1 else WIDTH
