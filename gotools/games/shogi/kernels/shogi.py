"""Shogi: the functions of kernels/seams.py.

    pieces     positions and moves as numbers: the state is drawn there
    attacks    checks, pins, and a pawn's drop that mates
    exchanges  what captures on a square win and lose
    moves      the lists of moves

Side 1 (sente) moves up the board. Who cannot move has lost. A pawn's drop that mates, two pawns of a side on a file and
pieces that could never move again are not legal. A side may have no king, as in problems. Who has entered with the
king, is not in check and has 10 other pieces in the last three rows may declare, given 28 points (sente) or 27, a rook
or bishop counted 5, others there or in hand 1: the 27-point rule. Repetition is left to the callers, which know the
game (`Game.repetition`).
"""

import numpy as np

from gotools.games.shogi.kernels.attacks import is_attacked
from gotools.games.shogi.kernels.exchanges import DEEPEST, loses
from gotools.games.shogi.kernels.moves import ALL, NOISY, WORTHY, has_move, list_moves
from gotools.games.shogi.kernels.pieces import (
    BISHOP,
    BOARD,
    CELL_OF,
    CELLS,
    DECLARE,
    DECLARED,
    HAND,
    HANDS,
    KING,
    KINGS,
    LIMIT,
    LONGEST,
    LONGEST_GAME,
    NEAR_THE_LIMIT,
    OTHER,
    PLIES,
    PROMOTED,
    ROOK,
    ROWS,
    SIZE,
    SKIP,
    SQUARE_OF,
    SQUARES,
    WALL,
    ZONE,
    is_of,
    row_of,
)
from gotools.games.shogi.kernels.values import gain
from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.basics import below, copy_to, spread
from gotools.jit.kernels.seams import AFTER, KEY, LEGAL, ONGOING, OUTCOME, PLAYOUT, START, TO_PLAY

_ENTERED, _POINTS, _BIG = 10, 28, 5
"""For a declaration: pieces beside the king in the last three rows; sente's points, gote needs one less; of R and B."""

_MOVE_BITS, _MOST_GAINED = 14, 1 << 12
"""To sort noisy moves: the bits of a move, and more than `gain` says of any."""

_START = (
    (0, (2, 3, 4, 5, 8, 5, 4, 3, 2)),
    (1, (0, 7, 0, 0, 0, 0, 0, 6, 0)),
    (2, (1, 1, 1, 1, 1, 1, 1, 1, 1)),
)
_PLACED = np.zeros(CELLS, np.int32)
_PLACED[SQUARE_OF < 0] = WALL
for _row, _kinds in _START:
    for _column, _kind in enumerate(_kinds):
        if _kind:
            _PLACED[CELL_OF[9 * _row + _column]] = OTHER + _kind
            _PLACED[CELL_OF[80 - 9 * _row - _column]] = _kind
_RANDOM = np.random.default_rng(20).integers(-(1 << 62), 1 << 62, (CELLS + 2 * HAND, OTHER * 2))
"""Random numbers for keys: of a piece on a cell, of the count of a kind in hand."""


@seam(START)
def start(state, size):
    """Make the usual position."""
    state[:] = 0
    state[SIZE] = size
    state[TO_PLAY] = 1
    state[LIMIT] = LONGEST_GAME
    for cell in range(CELLS):
        state[BOARD + cell] = _PLACED[cell]
    state[KINGS], state[KINGS + 1] = CELL_OF[76], CELL_OF[4]


@kernel
def can_declare(state):
    """Return whether the side to play may declare victory."""
    side = state[TO_PLAY]
    king = state[KINGS + side - 1]
    if king == 0 or row_of(side, king) >= ZONE:
        return False
    entered, points = 0, 0
    for row in range(ZONE):
        for column in range(ROWS):
            cell = CELL_OF[ROWS * (row if side == 1 else ROWS - 1 - row) + column]
            piece = state[BOARD + cell]
            if is_of(piece, side) and cell != king:
                entered += 1
                points += _BIG if _is_big(piece & (OTHER - 1)) else 1
    if entered < _ENTERED:
        return False
    hand = HANDS + HAND * (side - 1)
    for kind in range(1, HAND + 1):
        points += state[hand + kind - 1] * (_BIG if _is_big(kind) else 1)
    return points >= _POINTS + 1 - side and not is_attacked(state, king, 3 - side)


@inner
def _is_big(kind):
    return kind == BISHOP or kind == ROOK or kind == BISHOP + PROMOTED or kind == ROOK + PROMOTED


@inner
def _is_over(state):
    return state[DECLARED] != 0 or state[PLIES] >= state[LIMIT]


@inner
def _list(state, how, moves):
    if _is_over(state):
        return 0
    n = list_moves(state, how, moves)
    if can_declare(state):
        moves[n] = DECLARE
        n += 1
    return n


@seam(LEGAL)
def legal(state, moves):
    """List the legal moves, square by square from the far left of the side to play, the drops, the declaration."""
    return _list(state, ALL, moves)


@seam(LEGAL)
def worthy(state, moves):
    """List the legal moves; pawns, bishops, rooks, and lances on the last two rows promote where they can."""
    return _list(state, WORTHY, moves)


@seam(LEGAL)
def noisy(state, moves):
    """List the captures and promotions that lose nothing by exchanges on their squares.

    Those that gain most come first, and of these the smaller piece's; equal ones keep the order of `legal`.
    """
    if _is_over(state):
        return 0
    n, deep = 0, np.empty(DEEPEST, np.int64)
    for i in range(list_moves(state, NOISY, moves)):  # sorted with what they gain in their upper bits
        if loses(state, moves[i], deep):
            continue
        packed = (_MOST_GAINED - gain(state, moves[i])) << _MOVE_BITS | moves[i]
        j, n = n, n + 1
        while j > 0 and moves[j - 1] >> _MOVE_BITS > packed >> _MOVE_BITS:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = packed
    for i in range(n):
        moves[i] &= (1 << _MOVE_BITS) - 1
    return n


@seam(OUTCOME)
def outcome(state):
    """Value the finished game: -1 for the side to play that cannot move, or after a declaration; 0 at the limit."""
    if state[DECLARED] != 0:
        return -1.0
    if not has_move(state):
        return -1.0
    return 0.0 if state[PLIES] >= state[LIMIT] else ONGOING


@inner
def _make(state, move):
    """Make a legal move, or SKIP."""
    side = state[TO_PLAY]
    state[TO_PLAY] = 3 - side
    state[PLIES] += 1
    if move == SKIP:
        return
    if move == DECLARE:
        state[DECLARED] = side
        return
    mine = OTHER * (side - 1)
    squares = move >> 1
    origin, to = squares // SQUARES, CELL_OF[squares % SQUARES]
    hand = HANDS + HAND * (side - 1)
    if origin >= SQUARES:
        kind = origin - SQUARES + 1
        state[hand + kind - 1] -= 1
        state[BOARD + to] = mine + kind
        return
    cell = CELL_OF[origin]
    piece, taken = state[BOARD + cell], state[BOARD + to]
    if taken != 0:
        kind = taken & (OTHER - 1)
        if kind == KING:  # only where a problem has no king to be checked
            state[KINGS + 2 - side] = 0
        else:
            state[hand + (kind - PROMOTED if kind > PROMOTED else kind) - 1] += 1
    state[BOARD + cell] = 0
    state[BOARD + to] = piece + PROMOTED * (move & 1)
    if piece - mine == KING:
        state[KINGS + side - 1] = to


@seam(AFTER)
def after(state, move, target):
    """Write the position after a legal move."""
    copy_to(target, state)
    _make(target, move)


@seam(KEY)
def key(state):
    """Mix the pieces, the hands, the side to play, a declaration and, near the limit, the plies left."""
    word = np.int64(state[TO_PLAY] + 2 * state[DECLARED])
    for square in range(SQUARES):
        cell = CELL_OF[square]
        piece = state[BOARD + cell]
        if piece != 0:
            word ^= _RANDOM[cell, piece]
    for i in range(2 * HAND):
        word ^= _RANDOM[CELLS + i, state[HANDS + i]]
    late = state[PLIES] + NEAR_THE_LIMIT - state[LIMIT]
    if late > 0:
        word ^= spread(np.int64(late))
    return word


@seam(PLAYOUT)
def playout(state, random, played):
    """Play to the end, all worthy moves equally likely; 0 if `played` is full."""
    mine = state[TO_PLAY]
    moves = np.empty(LONGEST, np.int32)
    n = 0
    while n + 1 < len(played):
        count = worthy(state, moves)
        if count == 0:
            break
        move = moves[below(random, count)]
        n += 1
        played[n] = move
        _make(state, move)
    played[0] = n
    value = outcome(state)
    if value == ONGOING:
        return 0.0
    return value if state[TO_PLAY] == mine else -value


@kernel
def count_leaves(state, depth):
    """Return the number of sequences of `depth` legal moves, declarations left out: perft."""
    moves = np.empty(LONGEST, np.int32)
    n = list_moves(state, ALL, moves)
    if depth == 1:
        return n
    total, target = 0, np.empty(len(state), np.int32)
    for i in range(n):
        after(state, moves[i], target)
        total += count_leaves(target, depth - 1)
    return total
