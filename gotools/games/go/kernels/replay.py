"""Many games replayed in one call. All games stand one after the other:

moves   int16[m, 2]   colour, point; game g has moves[first[g]:first[g + 1]]
setup   int16[s, 3]   after, colour, point; game g has setup[setup_first[g]:setup_first[g + 1]], ordered by `after`
rows    the positions before each move, written without gaps; game g gets rows[start[g]:start[g + 1]]
"""

import numpy as np

from gotools.games.go.kernels.constants import NONE
from gotools.games.go.kernels.rules import (
    BAD_SETUP,
    KO,
    KO_COLOUR,
    LAST,
    LAST2,
    STATE,
    cells_of,
    load,
    pad,
    play,
    start,
    unpad,
)
from gotools.jit import inner, kernel


@inner
def _set_up(state, setup, i, end, ply, size, cells):
    """Apply the setup stones that stand before move number `ply`, from number i on.

    Returns the number of the next one, negative (-1 - number) when a chain is left without liberties.
    """
    cells_of(state, cells)
    while i < end and setup[i, 0] <= ply:
        cells[setup[i, 2]] = setup[i, 1]
        i += 1
    return -1 - i if load(state, cells, size) else i


@kernel
def replay_games(moves, first, setup, setup_first, size, suicide, board, columns):
    """Replay games until their first illegal move.

    size, suicide -- uint8[g], bool[g]
    board -- uint8[m, c] of zeros, written: the position before each move, by point number
    columns -- int16[5, m], written: ko, last, last2, colour of the mover, move

    Returns int64[g + 1], where the rows of each game start, and int8[g], why each stopped (0: it did not).
    """
    games = len(size)
    begin = np.zeros(games + 1, np.int64)
    why = np.zeros(games, np.int8)
    state = np.empty(STATE, np.int32)
    cells = np.empty(361, np.uint8)
    row = 0
    for g in range(games):
        side = int(size[g])
        start(state, side)
        i, end = setup_first[g], setup_first[g + 1]
        for ply in range(first[g + 1] - first[g] + 1):
            if i < end and setup[i, 0] <= ply:
                i = _set_up(state, setup, i, end, ply, side, cells)
                if i < 0:
                    why[g] = BAD_SETUP
                    break
            if ply == first[g + 1] - first[g]:
                break
            colour, point = int(moves[first[g] + ply, 0]), int(moves[first[g] + ply, 1])
            cells_of(state, board[row])
            blocked = state[KO] != NONE and state[KO_COLOUR] == colour
            columns[0, row] = unpad(state[KO], side) if blocked else NONE
            columns[1, row] = unpad(state[LAST], side)
            columns[2, row] = unpad(state[LAST2], side)
            columns[3, row] = colour
            columns[4, row] = point
            why[g] = play(state, pad(point, side), colour, suicide[g])
            if why[g] != 0:
                board[row] = 0  # the next game writes its first row here, and may be smaller
                break
            row += 1
        begin[g + 1] = row
    return begin, why
