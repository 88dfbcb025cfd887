"""Shogi: which cells are attacked, who checks and who is pinned, whether a pawn's drop mates."""

import numpy as np

from gotools.games.shogi.kernels.pieces import (
    ALIGNED,
    BOARD,
    CELL_OF,
    DELTAS,
    KING,
    KINGS,
    KNIGHT,
    KNIGHT_JUMPS,
    OTHER,
    PAWN,
    SLIDES,
    SQUARES,
    STEPS,
    WALL,
    forward,
    is_of,
)
from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.seams import THREATENED, TO_PLAY


@inner
def is_attacked(state, cell, side):
    """Return whether pieces of a side attack a cell, whatever stands there."""
    for d in range(8):
        delta = DELTAS[d]
        at = cell + delta
        piece = state[BOARD + at]
        back = (d + 4) & 7
        if is_of(piece, side):
            if (STEPS[piece] | SLIDES[piece]) >> back & 1:
                return True
            continue
        while piece == 0:
            at += delta
            piece = state[BOARD + at]
        if is_of(piece, side) and SLIDES[piece] >> back & 1:
            return True
    knight = KNIGHT if side == 1 else OTHER + KNIGHT
    for i in range(2):
        if state[BOARD + cell - KNIGHT_JUMPS[side, i]] == knight:
            return True
    return False


@seam(THREATENED)
def in_check(state):
    """Return whether the king of the side to play is attacked."""
    side = state[TO_PLAY]
    king = state[KINGS + side - 1]
    return king > 0 and is_attacked(state, king, 3 - side)


@inner
def threats(state, side, king):
    """Find who checks a king and who is pinned before it.

    Returns how many check it, the cell of one that does, the direction to it (-1: a knight), and the cells of the
    pinned, eight bits for each direction, from 0 upwards.
    """
    checks, checker, line, pinned = 0, 0, -1, np.uint64(0)
    for d in range(8):
        delta, back = DELTAS[d], (d + 4) & 7
        at = king + delta
        piece = state[BOARD + at]
        own = 0
        near = True
        while True:
            if piece == 0:
                near = False
            elif piece == WALL:
                break
            elif is_of(piece, side):
                if own:
                    break
                own, near = at, False
            else:
                if SLIDES[piece] >> back & 1 or (near and STEPS[piece] >> back & 1):
                    if own:
                        pinned |= np.uint64(own) << np.uint64(8 * d)
                    else:
                        checks += 1
                        checker, line = at, d
                break
            at += delta
            piece = state[BOARD + at]
    knight = KNIGHT if side == 2 else OTHER + KNIGHT
    for i in range(2):
        at = king - KNIGHT_JUMPS[3 - side, i]
        if state[BOARD + at] == knight:
            checks += 1
            checker, line = at, -1
    return checks, checker, line, pinned


@inner
def reaches(state, side, at, cell):
    """Return whether a side's piece on `at` attacks a cell."""
    piece = state[BOARD + at]
    if piece == KNIGHT + OTHER * (side - 1):
        return cell - at == KNIGHT_JUMPS[side, 0] or cell - at == KNIGHT_JUMPS[side, 1]
    d = ALIGNED[at, cell]
    if d < 0:
        return False
    if at + DELTAS[d] == cell:
        return (STEPS[piece] | SLIDES[piece]) >> d & 1 != 0
    if SLIDES[piece] >> d & 1 == 0:
        return False
    between = at + DELTAS[d]
    while between != cell:
        if state[BOARD + between] != 0:
            return False
        between += DELTAS[d]
    return True


@kernel
def moves_like(state, origin, to):
    """Return whether the piece of the side to play on a square moves to another, leaving checks out of account."""
    return reaches(state, state[TO_PLAY], CELL_OF[origin], CELL_OF[to])


@inner
def flights(state, side, king):
    """Return to how many squares a side's king could go."""
    piece, number = state[BOARD + king], 0
    state[BOARD + king] = 0
    for d in range(8):
        found = state[BOARD + king + DELTAS[d]]
        free = found != WALL and not is_of(found, side)
        number += free and not is_attacked(state, king + DELTAS[d], 3 - side)
    state[BOARD + king] = piece
    return number


@inner
def _can_answer(state, side, cell):
    """Return whether a side whose king is checked by a pawn on a cell can take it or move the king."""
    king = state[KINGS + side - 1]
    mine = OTHER * (side - 1)
    if flights(state, side, king) > 0:
        return True
    pawn = state[BOARD + cell]
    for square in range(SQUARES):
        at = CELL_OF[square]
        piece = state[BOARD + at]
        if piece == mine + KING or not is_of(piece, side) or not reaches(state, side, at, cell):
            continue
        state[BOARD + at], state[BOARD + cell] = 0, piece
        safe = not is_attacked(state, king, 3 - side)
        state[BOARD + at], state[BOARD + cell] = piece, pawn
        if safe:
            return True
    return False


@kernel
def is_pawn_mate(state, side, cell):
    """Return whether a pawn that a side drops on an empty cell would mate."""
    if cell + forward(side) != state[KINGS + 2 - side]:
        return False
    state[BOARD + cell] = OTHER * (side - 1) + PAWN
    mated = not _can_answer(state, 3 - side, cell)
    state[BOARD + cell] = 0
    return mated


@inner
def is_free(king, to, pin, checks, checker, line):
    """Return whether a piece other than the king may go to a cell: it stays pinned, and ends a check.

    pin -- the direction from the king in which it is pinned, -1: it is not
    """
    if pin >= 0 and ALIGNED[king, to] != pin:
        return False
    if checks == 0 or to == checker:
        return True
    return line >= 0 and ALIGNED[king, to] == line and (to - king) // DELTAS[line] < (checker - king) // DELTAS[line]
