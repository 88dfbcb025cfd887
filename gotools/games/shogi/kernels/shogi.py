"""Shogi: the functions of kernels/seams.py.

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

Side 1 (sente) moves up the board. Who cannot move has lost. A pawn's drop that mates, two pawns of a side on a file and
pieces that could never move again are not legal. A side may have no king, as in problems. Who has entered with the
king, is not in check and has 10 other pieces in the last three rows may declare, given 28 points (sente) or 27, a rook
or bishop counted 5, others there or in hand 1: the 27-point rule. Repetition is left to the callers, which know the
game (`Game.repetition`).
"""

import numpy as np

from gotools.games.kernels.keys import spread
from gotools.jit import inner, kernel, seam
from gotools.kernels.arrays import copy_to
from gotools.kernels.random_numbers import below
from gotools.kernels.seams import AFTER, KEY, LEGAL, ONGOING, OUTCOME, PLAYOUT, START, THREATENED, TO_PLAY

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
LONGEST = 600
"""Bound of the moves of a position: 593 and the declaration."""
LONGEST_GAME = 512
"""Plies after which a game is a draw, unless its start says otherwise."""
NEAR_THE_LIMIT = 64
"""Plies before the limit from which on keys differ by the plies left: as deep as searches look."""
_ZONE = 3
"""Rows where pieces promote."""
_ENTERED, _POINTS, _BIG = 10, 28, 5
"""For a declaration: pieces beside the king in the last three rows; sente's points, gote needs one less; of R and B."""

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
_DIRECTIONS = np.array(
    [[d for d in range(8) if bits >> d & 1] + [0] * (8 - bin(bits).count("1")) for bits in range(256)]
)
_COUNT = np.array([bin(bits).count("1") for bits in range(256)])


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
KNIGHT_JUMPS = np.array([[0, 0], [-2 * WIDTH - 1, -2 * WIDTH + 1], [2 * WIDTH - 1, 2 * WIDTH + 1]], np.int64)
"""Of each side."""
ROW = np.array([SQUARE_OF[cell] // ROWS if SQUARE_OF[cell] >= 0 else -1 for cell in range(CELLS)], np.int64)
COLUMN = np.array([SQUARE_OF[cell] % ROWS if SQUARE_OF[cell] >= 0 else -1 for cell in range(CELLS)], np.int64)
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


@inner
def _is_of(piece, side):
    """Return whether a piece, not a wall, is one of a side."""
    return 0 < piece < WALL and (piece > OTHER) == (side == 2)


@inner
def is_attacked(state, cell, side):
    """Return whether pieces of a side attack a cell, whatever stands there."""
    for d in range(8):
        delta = DELTAS[d]
        at = cell + delta
        piece = state[BOARD + at]
        back = (d + 4) & 7
        if _is_of(piece, side):
            if (STEPS[piece] | SLIDES[piece]) >> back & 1:
                return True
            continue
        while piece == 0:
            at += delta
            piece = state[BOARD + at]
        if _is_of(piece, side) and SLIDES[piece] >> back & 1:
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
def _threats(state, side, king):
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
            elif _is_of(piece, side):
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
def _row_of(side, cell):
    """Return how many rows are ahead of a cell for a side."""
    return ROW[cell] if side == 1 else ROWS - 1 - ROW[cell]


@inner
def _rows_needed(kind):
    """Return how many rows a piece needs ahead, so that it can move again."""
    return 2 if kind == KNIGHT else 1 if kind <= LANCE else 0


@inner
def _list_step(side, kind, origin, to, captures, how, moves, n):
    """Append a move of a piece to a cell, with promotion and without; returns how many moves there are now.

    captures -- whether there is a piece; how -- ALL, WORTHY, NOISY
    """
    move = 2 * (SQUARES * SQUARE_OF[origin] + SQUARE_OF[to])
    ahead = _row_of(side, to)
    if kind <= ROOK and kind != GOLD and (ahead < _ZONE or _row_of(side, origin) < _ZONE):
        moves[n] = move + 1
        n += 1
        if how == _ALL:
            needed = _rows_needed(kind)
        elif kind == PAWN or kind >= BISHOP:
            return n
        else:
            needed = 2 if kind == LANCE else _rows_needed(kind)
        if ahead < needed or (how == _NOISY and not captures):
            return n
    elif how == _NOISY and not captures:
        return n
    moves[n] = move
    return n + 1


_ALL, _WORTHY, _NOISY = 0, 1, 2
"""Legal moves; those worth searching: pieces promote that lose nothing by it; captures and promotions among these."""


@inner
def _is_free(king, to, pin, checks, checker, line):
    """Return whether a piece other than the king may go to a cell: it stays pinned, and ends a check.

    pin -- the direction from the king in which it is pinned, -1: it is not
    """
    if pin >= 0 and ALIGNED[king, to] != pin:
        return False
    if checks == 0 or to == checker:
        return True
    return line >= 0 and ALIGNED[king, to] == line and (to - king) // DELTAS[line] < (checker - king) // DELTAS[line]


@inner
def _can_answer(state, side, cell):
    """Return whether a side whose king is checked by a pawn on a cell can take it or move the king."""
    king = state[KINGS + side - 1]
    mine = OTHER * (side - 1)
    state[BOARD + king] = 0
    for d in range(8):
        to = king + DELTAS[d]
        piece = state[BOARD + to]
        if piece != WALL and not _is_of(piece, side) and not is_attacked(state, to, 3 - side):
            state[BOARD + king] = mine + KING
            return True
    state[BOARD + king] = mine + KING
    pawn = state[BOARD + cell]
    for square in range(SQUARES):
        at = CELL_OF[square]
        piece = state[BOARD + at]
        if piece == mine + KING or not _is_of(piece, side) or not _reaches(state, side, at, cell):
            continue
        state[BOARD + at], state[BOARD + cell] = 0, piece
        safe = not is_attacked(state, king, 3 - side)
        state[BOARD + at], state[BOARD + cell] = piece, pawn
        if safe:
            return True
    return False


@inner
def _reaches(state, side, at, cell):
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
    return _reaches(state, state[TO_PLAY], CELL_OF[origin], CELL_OF[to])


@kernel
def is_pawn_mate(state, side, cell):
    """Return whether a pawn that a side drops on an empty cell would mate."""
    if cell + _ahead(side) != state[KINGS + 2 - side]:
        return False
    state[BOARD + cell] = OTHER * (side - 1) + PAWN
    mated = not _can_answer(state, 3 - side, cell)
    state[BOARD + cell] = 0
    return mated


@inner
def _ahead(side):
    """Return the step to the next row."""
    return -WIDTH if side == 1 else WIDTH


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
        needed = _rows_needed(kind)
        first = 2 * SQUARES * (SQUARES - 1 + kind)
        for i in range(n_empty):
            cell = empty[i]
            if needed > 0 and _row_of(side, cell) < needed:
                continue
            if checks > 0 and not _is_free(king, cell, -1, checks, checker, line):
                continue
            if kind == PAWN and (pawns >> COLUMN[cell] & 1 or is_pawn_mate(state, side, cell)):
                continue
            moves[n] = first + 2 * SQUARE_OF[cell]
            n += 1
    return n


@inner
def _list_king(state, side, king, how, moves, n):
    """Append the moves of the king."""
    own = state[BOARD + king]
    state[BOARD + king] = 0
    for d in range(8):
        to = king + DELTAS[d]
        piece = state[BOARD + to]
        if piece == WALL or _is_of(piece, side) or (how == _NOISY and piece == 0):
            continue
        if not is_attacked(state, to, 3 - side):
            moves[n] = 2 * (SQUARES * SQUARE_OF[king] + SQUARE_OF[to])
            n += 1
    state[BOARD + king] = own
    return n


@inner
def _list_moves(state, how, moves):
    """List the moves without a declaration; returns how many."""
    side = state[TO_PLAY]
    king = state[KINGS + side - 1]
    n, checks, checker, line, pinned = 0, 0, 0, -1, np.uint64(0)
    if king > 0:
        checks, checker, line, pinned = _threats(state, side, king)
        if checks > 1:
            return _list_king(state, side, king, how, moves, n)
    mine, pawns, n_empty = OTHER * (side - 1), 0, 0
    empty = np.empty(SQUARES, np.int16)
    for square in range(SQUARES):
        cell = CELL_OF[square]
        piece = state[BOARD + cell]
        if piece == 0:
            empty[n_empty] = cell
            n_empty += 1
            continue
        if not _is_of(piece, side):
            continue
        kind = piece - mine
        if kind == KING:
            n = _list_king(state, side, king, how, moves, n)
            continue
        pin = -1
        if pinned != 0:
            d = ALIGNED[king, cell]
            if d >= 0 and np.int64(pinned >> np.uint64(8 * d)) & 0xFF == cell:
                pin = d
        bound = pin >= 0 or checks > 0
        if kind == PAWN:
            pawns |= 1 << COLUMN[cell]
        elif kind == KNIGHT:
            for i in range(2):
                to = cell + KNIGHT_JUMPS[side, i]
                taken = state[BOARD + to]
                if taken == WALL or _is_of(taken, side):
                    continue
                if not bound or _is_free(king, to, pin, checks, checker, line):
                    n = _list_step(side, kind, cell, to, taken != 0, how, moves, n)
            continue
        bits = STEPS[piece]
        for i in range(_COUNT[bits]):
            to = cell + DELTAS[_DIRECTIONS[bits, i]]
            taken = state[BOARD + to]
            if taken == WALL or _is_of(taken, side):
                continue
            if not bound or _is_free(king, to, pin, checks, checker, line):
                n = _list_step(side, kind, cell, to, taken != 0, how, moves, n)
        bits = SLIDES[piece]
        for i in range(_COUNT[bits]):
            delta = DELTAS[_DIRECTIONS[bits, i]]
            to = cell + delta
            taken = state[BOARD + to]
            while taken != WALL and not _is_of(taken, side):
                if not bound or _is_free(king, to, pin, checks, checker, line):
                    n = _list_step(side, kind, cell, to, taken != 0, how, moves, n)
                if taken != 0:
                    break
                to += delta
                taken = state[BOARD + to]
    if how == _NOISY:
        return n
    return _list_drops(state, side, king, checks, checker, line, pawns, empty, n_empty, moves, n)


@kernel
def can_declare(state):
    """Return whether the side to play may declare victory."""
    side = state[TO_PLAY]
    king = state[KINGS + side - 1]
    if king == 0 or _row_of(side, king) >= _ZONE:
        return False
    entered, points = 0, 0
    for row in range(_ZONE):
        for column in range(ROWS):
            cell = CELL_OF[ROWS * (row if side == 1 else ROWS - 1 - row) + column]
            piece = state[BOARD + cell]
            if _is_of(piece, side) and cell != king:
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
    n = _list_moves(state, how, moves)
    if can_declare(state):
        moves[n] = DECLARE
        n += 1
    return n


@seam(LEGAL)
def legal(state, moves):
    """List the legal moves, square by square from 9a on, then the drops, then the declaration."""
    return _list(state, _ALL, moves)


@seam(LEGAL)
def worthy(state, moves):
    """List the legal moves; pawns, bishops, rooks, and lances on the last two rows promote where they can."""
    return _list(state, _WORTHY, moves)


@seam(LEGAL)
def noisy(state, moves):
    """List the captures and promotions."""
    return 0 if _is_over(state) else _list_moves(state, _NOISY, moves)


@inner
def _has_move(state):
    """Return whether there is a legal move: quickly where a step of a free piece is one."""
    side = state[TO_PLAY]
    king = state[KINGS + side - 1]
    if king > 0:
        checks, _, _, pinned = _threats(state, side, king)
        if checks == 0:
            mine = OTHER * (side - 1)
            for square in range(SQUARES):
                cell = CELL_OF[square]
                piece = state[BOARD + cell]
                if not _is_of(piece, side) or piece - mine == KING or STEPS[piece] == 0:
                    continue
                if pinned != 0 and ALIGNED[king, cell] >= 0:
                    continue
                bits = STEPS[piece]
                for i in range(_COUNT[bits]):
                    taken = state[BOARD + cell + DELTAS[_DIRECTIONS[bits, i]]]
                    if taken != WALL and not _is_of(taken, side):
                        return True
    return _list_moves(state, _ALL, np.empty(LONGEST, np.int32)) > 0


@seam(OUTCOME)
def outcome(state):
    """Value the finished game: -1 for the side to play that cannot move, or after a declaration; 0 at the limit."""
    if state[DECLARED] != 0:
        return -1.0
    if not _has_move(state):
        return -1.0
    return 0.0 if state[PLIES] >= state[LIMIT] else ONGOING


@inner
def _make(state, move):
    """Make a legal move."""
    side = state[TO_PLAY]
    state[TO_PLAY] = 3 - side
    state[PLIES] += 1
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
    """Return how many sequences of so many legal moves there are, declarations left out: perft."""
    moves = np.empty(LONGEST, np.int32)
    n = _list_moves(state, _ALL, moves)
    if depth == 1:
        return n
    total, target = 0, np.empty(len(state), np.int32)
    for i in range(n):
        after(state, moves[i], target)
        total += count_leaves(target, depth - 1)
    return total
