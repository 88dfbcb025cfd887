"""Shogi: the lists of moves, legal without another look: pins and checks are found once for a position.

Either side has them in the order of the board as it sees it, the foremost pieces first: searches look at the first of
equal moves, and less at the last.
"""

import numpy as np

from gotools.games.shogi.kernels.attacks import is_attacked, is_free, is_pawn_mate, threats
from gotools.games.shogi.kernels.pieces import (
    ALIGNED,
    BISHOP,
    BOARD,
    CELL_OF,
    COLUMN,
    COUNT,
    DELTAS,
    DIRECTIONS,
    GOLD,
    HAND,
    HANDS,
    KING,
    KINGS,
    KNIGHT,
    KNIGHT_JUMPS,
    LANCE,
    LONGEST,
    OTHER,
    PAWN,
    ROOK,
    SLIDES,
    SQUARE_OF,
    SQUARES,
    STEPS,
    WALL,
    ZONE,
    is_of,
    row_of,
    rows_needed,
)
from gotools.jit import inner
from gotools.jit.kernels.seams import TO_PLAY

ALL, WORTHY, NOISY = 0, 1, 2
"""Legal moves; those worth searching: pieces promote that lose nothing by it; captures and promotions among these."""


@inner
def _list_step(side, kind, origin, to, captures, how, moves, n):
    """Append a move of a piece to a cell, with promotion and without; returns how many moves there are now.

    captures -- whether there is a piece; how -- ALL, WORTHY, NOISY
    """
    move = 2 * (SQUARES * SQUARE_OF[origin] + SQUARE_OF[to])
    ahead = row_of(side, to)
    if kind <= ROOK and kind != GOLD and (ahead < ZONE or row_of(side, origin) < ZONE):
        moves[n] = move + 1
        n += 1
        if how == ALL:
            needed = rows_needed(kind)
        elif kind == PAWN or kind >= BISHOP:
            return n
        else:
            needed = 2 if kind == LANCE else rows_needed(kind)
        if ahead < needed or (how == NOISY and not captures):
            return n
    elif how == NOISY and not captures:
        return n
    moves[n] = move
    return n + 1


@inner
def _list_king(state, side, king, how, moves, n):
    """Append the moves of the king."""
    own = state[BOARD + king]
    state[BOARD + king] = 0
    for d in range(8):
        to = king + (DELTAS[d] if side == 1 else -DELTAS[d])
        piece = state[BOARD + to]
        if piece == WALL or is_of(piece, side) or (how == NOISY and piece == 0):
            continue
        if not is_attacked(state, to, 3 - side):
            moves[n] = 2 * (SQUARES * SQUARE_OF[king] + SQUARE_OF[to])
            n += 1
    state[BOARD + king] = own
    return n


@inner
def _list_drops(state, side, king, checks, checker, line, pawns, empty, n_empty, moves, n):
    """Append the drops.

    pawns -- bits of the columns with an own pawn; empty -- the empty cells
    """
    hand = HANDS + HAND * (side - 1)
    kinds = 0
    for kind in range(1, HAND + 1):
        kinds += state[hand + kind - 1]
    if kinds == 0 or checks > 1 or (checks == 1 and line < 0):
        return n
    for kind in range(1, HAND + 1):
        if state[hand + kind - 1] == 0:
            continue
        needed = rows_needed(kind)
        first = 2 * SQUARES * (SQUARES - 1 + kind)
        for i in range(n_empty):
            cell = empty[i]
            if needed > 0 and row_of(side, cell) < needed:
                continue
            if checks > 0 and not is_free(king, cell, -1, checks, checker, line):
                continue
            if kind == PAWN and (pawns >> COLUMN[cell] & 1 or is_pawn_mate(state, side, cell)):
                continue
            moves[n] = first + 2 * SQUARE_OF[cell]
            n += 1
    return n


@inner
def list_moves(state, how, moves):
    """List the moves without a declaration; returns how many."""
    side = state[TO_PLAY]
    king, way = state[KINGS + side - 1], 1 if side == 1 else -1
    n, checks, checker, line, pinned = 0, 0, 0, -1, np.uint64(0)
    if king > 0:
        checks, checker, line, pinned = threats(state, side, king)
        if checks > 1:
            return _list_king(state, side, king, how, moves, n)
    mine, pawns, n_empty = OTHER * (side - 1), 0, 0
    empty = np.empty(SQUARES, np.int16)
    for i in range(SQUARES):
        cell = CELL_OF[i if side == 1 else SQUARES - 1 - i]
        piece = state[BOARD + cell]
        if piece == 0:
            empty[n_empty] = cell
            n_empty += 1
            continue
        if not is_of(piece, side):
            continue
        kind = piece - mine
        if kind == KING:
            n = _list_king(state, side, king, how, moves, n)
            continue
        d = ALIGNED[king, cell]
        pin = d if pinned != 0 and d >= 0 and np.int64(pinned >> np.uint64(8 * d)) & 0xFF == cell else -1
        bound = pin >= 0 or checks > 0
        if kind == PAWN:
            pawns |= 1 << COLUMN[cell]
        elif kind == KNIGHT:
            for j in range(2):
                to = cell + KNIGHT_JUMPS[side, j]
                taken = state[BOARD + to]
                if taken == WALL or is_of(taken, side):
                    continue
                if not bound or is_free(king, to, pin, checks, checker, line):
                    n = _list_step(side, kind, cell, to, taken != 0, how, moves, n)
            continue
        bits = STEPS[kind]
        for j in range(COUNT[bits]):
            to = cell + way * DELTAS[DIRECTIONS[bits, j]]
            taken = state[BOARD + to]
            if taken == WALL or is_of(taken, side):
                continue
            if not bound or is_free(king, to, pin, checks, checker, line):
                n = _list_step(side, kind, cell, to, taken != 0, how, moves, n)
        bits = SLIDES[kind]
        for j in range(COUNT[bits]):
            delta = way * DELTAS[DIRECTIONS[bits, j]]
            to = cell + delta
            taken = state[BOARD + to]
            while taken != WALL and not is_of(taken, side):
                if not bound or is_free(king, to, pin, checks, checker, line):
                    n = _list_step(side, kind, cell, to, taken != 0, how, moves, n)
                if taken != 0:
                    break
                to += delta
                taken = state[BOARD + to]
    return n if how == NOISY else _list_drops(state, side, king, checks, checker, line, pawns, empty, n_empty, moves, n)


@inner
def has_move(state):
    """Return whether there is a legal move: quickly where a step of a free piece is one."""
    side = state[TO_PLAY]
    king = state[KINGS + side - 1]
    if king > 0:
        checks, _, _, pinned = threats(state, side, king)
        if checks == 0:
            mine = OTHER * (side - 1)
            for square in range(SQUARES):
                cell = CELL_OF[square]
                piece = state[BOARD + cell]
                if not is_of(piece, side) or piece - mine == KING or STEPS[piece] == 0:
                    continue
                if pinned != 0 and ALIGNED[king, cell] >= 0:
                    continue
                bits = STEPS[piece]
                for i in range(COUNT[bits]):
                    taken = state[BOARD + cell + DELTAS[DIRECTIONS[bits, i]]]
                    if taken != WALL and not is_of(taken, side):
                        return True
    return list_moves(state, ALL, np.empty(LONGEST, np.int32)) > 0
