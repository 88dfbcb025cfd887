"""Shogi: the moves of a search for mate: checks, and all answers to a check."""

from gotools.games.shogi.kernels.moves import ALL, list_moves
from gotools.games.shogi.kernels.pieces import (
    ALIGNED,
    BOARD,
    CELL_OF,
    DECLARED,
    DELTAS,
    KINGS,
    KNIGHT,
    KNIGHT_JUMPS,
    LIMIT,
    OTHER,
    PLIES,
    PROMOTED,
    SLIDES,
    SQUARES,
    STEPS,
    is_of,
)
from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.seams import REACHED, TO_PLAY, TRIES


@inner
def _attacks_from(state, piece, cell, king, side, origin):
    """Return whether a piece that comes to a cell from another (0: the hand) attacks a king."""
    if piece == KNIGHT + OTHER * (side - 1):
        jump = king - cell
        return jump == KNIGHT_JUMPS[side, 0] or jump == KNIGHT_JUMPS[side, 1]
    d = ALIGNED[cell, king]
    if d < 0:
        return False
    at = cell + DELTAS[d]
    if at == king:
        return (STEPS[piece] | SLIDES[piece]) >> d & 1 != 0
    if SLIDES[piece] >> d & 1 == 0:
        return False
    while at != king:
        if state[BOARD + at] != 0 and at != origin:
            return False
        at += DELTAS[d]
    return True


@inner
def _opens_line(state, origin, to, king, side):
    """Return whether a move off a cell lets another piece of the side, which slides, attack a king."""
    d = ALIGNED[king, origin]
    if d < 0 or ALIGNED[king, to] == d:
        return False
    at = king + DELTAS[d]
    while state[BOARD + at] == 0 or at == origin:
        at += DELTAS[d]
    piece = state[BOARD + at]
    return ALIGNED[king, at] == d and is_of(piece, side) and SLIDES[piece] >> ((d + 4) & 7) & 1 != 0


@kernel
def gives_check(state, move):
    """Return whether a legal move, no declaration, attacks the king of the other side."""
    side = state[TO_PLAY]
    king = state[KINGS + 2 - side]
    squares = move >> 1
    source, to = squares // SQUARES, CELL_OF[squares % SQUARES]
    if king == 0:
        return False
    if source >= SQUARES:
        return _attacks_from(state, OTHER * (side - 1) + source - SQUARES + 1, to, king, side, 0)
    origin = CELL_OF[source]
    piece = state[BOARD + origin] + PROMOTED * (move & 1)
    return _attacks_from(state, piece, to, king, side, origin) or _opens_line(state, origin, to, king, side)


@seam(TRIES)
def mate_tries(state, goal, moves):
    """List the checks of the side goal[0], and all legal moves of the other; see kernels/seams.py.

    A game that has reached its limit of plies is drawn unless the last move mates.
    """
    attacks = state[TO_PLAY] == goal[0]
    over = state[PLIES] >= state[LIMIT] or state[DECLARED] != 0
    if attacks and over:
        return 0
    n = list_moves(state, ALL, moves)
    if not attacks:
        return REACHED if n == 0 else 0 if over else n
    checks = 0
    for i in range(n):
        if gives_check(state, moves[i]):
            moves[checks] = moves[i]
            checks += 1
    return checks
