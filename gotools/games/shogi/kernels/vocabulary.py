"""Measure shogi's moves for rules, and look at what stands around the squares that they come to.

The meaning of each measure is in vocabulary.pl. What can take or support a piece is asked after the move; x below is
the square that it comes to, o the one that it leaves:

    of each line through x:   . . r . . [x] . P . B      runs: 2 and 1 empty squares, ends: r and P
    on the square x:          won(worth of x, takers, supporters), the cheapest first, with B behind P if P reaches x

The pieces of a side that reach a square are packed in an int64, four bits for the number of each worth from 0 to 15.
"""

import numpy as np

from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels.attacks import is_attacked, reaches, threats
from gotools.games.shogi.kernels.move_features import situation
from gotools.games.shogi.kernels.values import WORTH
from gotools.jit import inner, seam
from gotools.jit.kernels.seams import LOOK, MEASURE, TO_PLAY

UNDEFINED = -32768
(
    DECLARES, PIECE, DROP, PROMOTES, DECLINES, CAPTURED, CAPTURED_WORTH, WINS, LOSES, TRADES, CHECK, DOUBLE_CHECK,
    DISCOVERS, ANSWERS_CHECK, ROW, FILE, DIRECTION, KING_DISTANCE, APPROACH, COVERS, ATTACKERS_TO, LEAST_ATTACKER,
    ATTACKERS_FROM, FLEES, THREATS, THREATENS, THREAT_WORTH, DEFENDS, PINNED, PINS, OPENS_LINE, SHUTS_LINE,
    PAWN_ON_FILE, HAND, CASTLE, FLIGHTS, LEAVES, RISK, COLUMNS,
) = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 21, 23, 25, 27, 29, 30, 31, 32, 33, 34, 35, 36,
    38, 40, 42, 44, 46, 47, 48, 49,
)  # fmt: skip
"""The first column of each measure: of two, the second is the other side's."""
_NUMBERS = (
    CAPTURED_WORTH, WINS, LOSES, ROW, FILE, KING_DISTANCE, KING_DISTANCE + 1, COVERS, COVERS + 1, ATTACKERS_TO,
    ATTACKERS_TO + 1, ATTACKERS_FROM, ATTACKERS_FROM + 1, FLEES, THREATS, THREAT_WORTH, FLIGHTS, LEAVES,
)  # fmt: skip
_NOTHING = np.zeros(COLUMNS, np.int32)
_NOTHING[list(_NUMBERS)] = UNDEFINED
WORD = np.array([0, 1, 2, 3, 4, 5, 6, 7, 14, 8, 9, 10, 11, 0, 12, 13, 0], np.int64)
"""int64[17]: the number of the word of a kind; the king's is the last."""
_LINE = np.array([0, 0, 1, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 0, 2, 3, 0], np.int64)
TAKES, BLOCKS, FLEES_CHECK = 1, 2, 3
AHEAD, ASIDE, BACK = 1, 2, 3
NEARER, SAME, FARTHER = 1, 2, 3

_SHAPES = (
    ((p.KING, 2, 2), (p.SILVER, 3, 2), (p.GOLD, 4, 1), (p.KING, 2, 2)),
    ((p.KING, 8, 2), (p.GOLD, 7, 2), (p.SILVER, 7, 3), (p.GOLD, 6, 3)),
    ((p.KING, 9, 1), (p.LANCE, 9, 2), (p.SILVER, 8, 2), (p.KING, 9, 1)),
    ((p.KING, 7, 2), (p.SILVER, 7, 1), (p.GOLD, 6, 1), (p.GOLD, 5, 2)),
)
"""Mino, Yagura, Anaguma, boat: kind, file from the side's right, row from its own last one."""
_CASTLES = np.array(
    [
        [[kind, 9 * (9 - row) + (9 - file if as_is else file - 1)] for kind, file, row in shape]
        for shape in _SHAPES
        for as_is in (True, False)
    ],
    np.int64,
)
"""int64[castles, 4, 2]: of each shape and its mirror image: kinds and squares of side 1."""

OFFSETS = tuple((dx, dy) for dy in range(4, -3, -1) for dx in range(-2, 3) if (dx, dy) != (0, 0))
_PLACES = np.array([(dx, dy, OFFSETS.index((-dx, dy))) for dx, dy in OFFSETS], np.int64)
NAMED = {
    "pawn": (p.PAWN,),
    "knight": (p.KNIGHT,),
    "silver": (p.SILVER,),
    "gold": (p.GOLD, *range(p.PROMOTED + p.PAWN, p.PROMOTED + p.GOLD)),
    "line_piece": tuple(kind for kind in range(p.OTHER) if _LINE[kind]),
    "king": (p.KING,),
}
"""Kinds that rules tell apart around a move. Bits: empty, outside, own, other; own pawn, other's pawn, own knight .."""
EMPTY, OUTSIDE, OWN, OTHERS, PIECES = range(5)


def _seen():
    """Return int32[3, 33]: for each side the classes of each piece, as bits."""
    found = np.zeros((3, p.WALL + 1), np.int32)
    found[:, 0], found[:, p.WALL] = 1 << EMPTY, 1 << OUTSIDE
    for side in (1, 2):
        for kind in range(1, p.OTHER):
            for other in (0, 1):
                bits = 1 << (OTHERS if other else OWN)
                for i, kinds in enumerate(NAMED.values()):
                    bits |= (kind in kinds) << (PIECES + 2 * i + other)
                found[side, p.OTHER * ((side - 1) ^ other) + kind] = bits
    return found


_SEEN = _seen()


@seam(LOOK)
def look(state, moves, n, seen):
    """Fill what stands around the square that each move comes to, before the move, as it is and mirrored."""
    side = state[TO_PLAY]
    turn = 1 if side == 1 else -1
    for i in range(n):
        seen[i] = 0
        to = p.CELL_OF[(moves[i] >> 1) % p.SQUARES]
        for o in range(len(_PLACES) if moves[i] != p.DECLARE else 0):
            row, column = p.ROW[to] - turn * _PLACES[o, 1], p.COLUMN[to] + turn * _PLACES[o, 0]
            inside = 0 <= row < p.ROWS and 0 <= column < p.ROWS
            found = state[p.BOARD + p.CELL_OF[p.ROWS * row + column]] if inside else p.WALL
            seen[i, 0, o] = seen[i, 1, _PLACES[o, 2]] = _SEEN[side, found]


@inner
def _walk(state, cell, runs, ends):
    """Fill, for each direction from a cell, the number of empty squares and the piece or wall behind them."""
    for d in range(8):
        at = cell + p.DELTAS[d]
        run = 0
        while state[p.BOARD + at] == 0:
            at += p.DELTAS[d]
            run += 1
        runs[d] = run
        ends[d] = state[p.BOARD + at]


@inner
def _reaching(state, cell, side, runs, ends):
    """Return how many pieces of a side reach a cell, and the cheapest of them as WORTH * 16 + kind, if any."""
    number, least = 0, 1000
    for d in range(8):
        piece, back = ends[d], (d + 4) & 7
        if p.is_of(piece, side) and (p.SLIDES[piece] >> back & 1 or (runs[d] == 0 and p.STEPS[piece] >> back & 1)):
            number += 1
            kind = piece & (p.OTHER - 1)
            least = min(least, WORTH[kind] * 16 + kind)
    for i in range(2):
        if state[p.BOARD + cell - p.KNIGHT_JUMPS[side, i]] == p.KNIGHT + p.OTHER * (side - 1):
            number += 1
            least = min(least, WORTH[p.KNIGHT] * 16 + p.KNIGHT)
    return number, least


@inner
def _forces(state, cell):
    """Return the pieces of sides 1 and 2 that reach a cell, or would if those before them on a line had left."""
    first, second = 0, 0
    for d in range(8):
        back, at, near = (d + 4) & 7, cell, True
        while True:
            at += p.DELTAS[d]
            piece = state[p.BOARD + at]
            if piece != 0:
                if not (p.SLIDES[piece] >> back & 1 or (near and p.STEPS[piece] >> back & 1)):
                    break
                kind = piece & (p.OTHER - 1)
                if piece < p.OTHER:
                    first += 1 << 4 * WORTH[kind]
                else:
                    second += 1 << 4 * WORTH[kind]
                if kind == p.KING:
                    break
            near = False
    for i in range(2):
        first += (state[p.BOARD + cell - p.KNIGHT_JUMPS[1, i]] == p.KNIGHT) << 4 * WORTH[p.KNIGHT]
        second += (state[p.BOARD + cell - p.KNIGHT_JUMPS[2, i]] == p.OTHER + p.KNIGHT) << 4 * WORTH[p.KNIGHT]
    return first, second


@inner
def _won(state, cell, side, deep):
    """Return what a side wins by taking the other side's piece on a cell, where both go on as long as it pays.

    deep -- int64[40], room for the exchange
    """
    first, second = _forces(state, cell)
    takers, others = (first, second) if side == 1 else (second, first)
    worth = WORTH[state[p.BOARD + cell] & (p.OTHER - 1)]
    n = 0
    while takers != 0:
        deep[n] = worth
        n += 1
        worth = 1
        while takers >> 4 * worth & 15 == 0:
            worth += 1
        takers, others = others, takers - (1 << 4 * worth)
    won = 0
    while n > 0:
        n -= 1
        won = max(0, deep[n] - won)
    return won


@inner
def _castle(state, side):
    """Return the number of the castle of a side, 0: none."""
    for c in range(len(_CASTLES)):
        found = True
        for i in range(4):
            square = _CASTLES[c, i, 1] if side == 1 else p.SQUARES - 1 - _CASTLES[c, i, 1]
            found &= state[p.BOARD + p.CELL_OF[square]] == p.OTHER * (side - 1) + _CASTLES[c, i, 0]
        if found:
            return 1 + c // 2
    return 0


@inner
def _survey(state, side, base, attacked, lost, pawns, deep):
    """Write what all moves of a position have in common; note which own pieces the other side attacks and would win.

    attacked -- int64[81], their cells, the king's left out; returns their number
    lost     -- int64[cells], what the other side would win by taking them
    pawns    -- int64[3, 9], of each side on each file
    """
    number = 0
    lost[:] = 0
    pawns[:] = 0
    for square in range(p.SQUARES):
        cell = p.CELL_OF[square]
        piece = state[p.BOARD + cell]
        kind = piece & (p.OTHER - 1)
        if kind == p.PAWN:
            pawns[1 + (piece > p.OTHER), p.COLUMN[cell]] += 1
        if p.is_of(piece, side) and kind != p.KING and is_attacked(state, cell, 3 - side):
            attacked[number] = cell
            number += 1
            lost[cell] = _won(state, cell, 3 - side, deep)
            base[RISK] = max(base[RISK], lost[cell])
    for i in range(2):
        of = side if i == 0 else 3 - side
        base[CASTLE + i] = _castle(state, of)
        for kind in range(p.HAND):
            base[HAND + i] += state[p.HANDS + p.HAND * (of - 1) + kind]
    return number


@inner
def _steps(one, other):
    """Return the steps of a king from one square to another."""
    return max(abs(p.COLUMN[one] - p.COLUMN[other]), abs(p.ROW[one] - p.ROW[other]))


@inner
def _leaves_lines(f, side, cell, to, runs, ends, other_king, exposed):
    """Write the lines that a piece opens as it leaves a cell; returns how many own pieces that exposes.

    runs, ends -- of the cell left, before the move
    """
    number, along = 0, p.ALIGNED[cell, to]
    for d in range(8):
        piece, back = ends[d], (d + 4) & 7
        if not p.SLIDES[piece] >> back & 1 or (along >= 0 and along & 3 == d & 3):
            continue
        found = cell + (runs[back] + 1) * p.DELTAS[back]
        own = p.is_of(piece, side)
        if runs[back] > 0:
            at = OPENS_LINE + (not own)
            f[at] = max(f[at], _LINE[piece & (p.OTHER - 1)])
        if own and found == other_king:
            f[DISCOVERS] = 1
        if not own and p.is_of(ends[back], side):
            exposed[number] = found
            number += 1
    return number


@inner
def _shuts_lines(f, side, cell, to, runs, ends):
    """Write the lines that a piece shuts as it comes to an empty cell from elsewhere (cell: to, if it is dropped)."""
    along = p.ALIGNED[to, cell]
    for d in range(8):
        piece, back = ends[d], (d + 4) & 7
        if p.SLIDES[piece] >> back & 1 and not (along >= 0 and along & 3 == d & 3) and runs[back] > 0:
            at = SHUTS_LINE + (not p.is_of(piece, side))
            f[at] = max(f[at], _LINE[piece & (p.OTHER - 1)])


@inner
def _meets(state, f, side, target, lost, deep):
    """Write that a piece which has moved reaches the piece on a cell."""
    piece = state[p.BOARD + target]
    if p.is_of(piece, side):
        f[DEFENDS] |= lost[target] > 0
    elif 0 < piece < p.WALL:
        kind = piece & (p.OTHER - 1)
        won = 0 if kind == p.KING else _won(state, target, side, deep)
        f[THREATS] += won > 0 or kind == p.KING
        f[THREAT_WORTH] = max(f[THREAT_WORTH], won)
        if won > 0 and WORTH[kind] * 16 + kind > f[THREATENS]:
            f[THREATENS] = WORTH[kind] * 16 + kind


@inner
def _acts(state, f, side, to, runs, ends, kings, lost, deep):
    """Write what a piece does from its new square: what it threatens, defends, pins, covers, whom it checks."""
    piece = state[p.BOARD + to]
    f[THREATS], f[THREAT_WORTH] = 0, 0
    if piece & (p.OTHER - 1) == p.KNIGHT:
        for i in range(2):
            _meets(state, f, side, to + p.KNIGHT_JUMPS[side, i], lost, deep)
    for d in range(8):
        slides = p.SLIDES[piece] >> d & 1
        if slides or (runs[d] == 0 and p.STEPS[piece] >> d & 1):
            target = to + (runs[d] + 1) * p.DELTAS[d]
            _meets(state, f, side, target, lost, deep)
            if slides and p.is_of(ends[d], 3 - side) and target != kings[1] > 0 and p.ALIGNED[to, kings[1]] == d:
                at = target + p.DELTAS[d]
                while state[p.BOARD + at] == 0:
                    at += p.DELTAS[d]
                f[PINS] = at == kings[1]
    if f[THREATENS]:
        f[THREATENS] = WORD[f[THREATENS] & 15]
    f[THREAT_WORTH] = f[THREAT_WORTH] if f[THREAT_WORTH] > 0 else UNDEFINED
    for i in range(2):
        if kings[i] > 0:
            f[COVERS + i] = 0
            for d in range(8):
                beside = kings[i] + p.DELTAS[d]
                if p.ROW[beside] >= 0 and beside != to:
                    f[COVERS + i] += reaches(state, side, to, beside)
    if kings[1] > 0:
        f[CHECK] = f[DISCOVERS]
        if reaches(state, side, to, kings[1]):
            f[CHECK], f[DOUBLE_CHECK] = 1, f[DISCOVERS]


@inner
def _stands(state, f, side, to, runs, ends, taken, deep):
    """Write what can take or support a piece on its new square, and the exchange there after it took a worth."""
    for i in range(2):
        f[ATTACKERS_TO + i], least = _reaching(state, to, side if i == 0 else 3 - side, runs, ends)
        f[LEAST_ATTACKER + i] = WORD[least & 15] if f[ATTACKERS_TO + i] > 0 else 0
    lost = _won(state, to, 3 - side, deep) if f[ATTACKERS_TO + 1] > 0 else 0
    if taken > lost:
        f[WINS] = taken - lost
    elif taken < lost:
        f[LOSES] = lost - taken
    elif taken > 0:
        f[TRADES] = 1


@inner
def _flights(state, side, king):
    """Return to how many squares the king of the other side could go if it were to move."""
    piece, number = state[p.BOARD + king], 0
    state[p.BOARD + king] = 0
    for d in range(8):
        to = king + p.DELTAS[d]
        found = state[p.BOARD + to]
        number += found != p.WALL and not p.is_of(found, 3 - side) and not is_attacked(state, to, side)
    state[p.BOARD + king] = piece
    return number


@inner
def _left(state, side, cell, attacked, number, exposed, exposures, deep):
    """Return the most that the other side wins on the squares of own pieces, that of the piece which moved left out."""
    most = 0
    for i in range(number):
        if attacked[i] != cell:
            most = max(most, _won(state, attacked[i], 3 - side, deep))
    for i in range(exposures):
        most = max(most, _won(state, exposed[i], 3 - side, deep))
    return most


@inner
def _describe(state, f, side, cell, to, kind, promotes, kings, pawns):
    """Write what a move is, before it is made (cell: to, if it drops a piece)."""
    drops, captured = cell == to, state[p.BOARD + to]
    taken = captured & (p.OTHER - 1)
    f[PIECE], f[DROP], f[PROMOTES], f[CAPTURED] = WORD[kind], drops, promotes, WORD[taken]
    if captured != 0:
        f[CAPTURED_WORTH] = WORTH[taken]
    far = p.row_of(side, to) if drops else min(p.row_of(side, cell), p.row_of(side, to))
    f[DECLINES] = not drops and not promotes and kind < p.KING and kind != p.GOLD and far < p.ZONE
    column, row = p.COLUMN[to], p.ROWS - p.row_of(side, to)
    f[ROW], f[FILE] = row, p.ROWS - column if side == 1 else 1 + column
    if not drops:
        before = p.ROWS - p.row_of(side, cell)
        f[DIRECTION] = AHEAD if row > before else BACK if row < before else ASIDE
    for i in range(2):
        if kings[i] > 0:
            f[KING_DISTANCE + i] = _steps(kings[i], to)
            gained = _steps(kings[i], cell) - f[KING_DISTANCE + i]
            f[APPROACH + i] = 0 if drops else NEARER if gained > 0 else FARTHER if gained < 0 else SAME
    f[PAWN_ON_FILE] = pawns[side, column] > (kind == p.PAWN and not drops)
    f[PAWN_ON_FILE + 1] = pawns[3 - side, column] > 0


@seam(MEASURE)
def measure(state, moves, n, columns):
    """Fill the measures of moves, in the order of the constants above; returns the stage of the game."""
    side = state[TO_PLAY]
    mine, own_king, other_king = p.OTHER * (side - 1), state[p.KINGS + side - 1], state[p.KINGS + 2 - side]
    base, deep, kings = _NOTHING.copy(), np.empty(40, np.int64), np.array([own_king, other_king], np.int64)
    attacked, lost, pawns = np.empty(p.SQUARES, np.int64), np.empty(p.CELLS, np.int64), np.empty((3, 9), np.int64)
    exposed, runs, ends = np.empty(8, np.int64), np.empty((2, 8), np.int64), np.empty((2, 8), np.int64)
    number = _survey(state, side, base, attacked, lost, pawns, deep)
    checks, pinned = 0, np.uint64(0)
    if own_king > 0:
        checks, _, _, pinned = threats(state, side, own_king)
    before = -1
    for i in range(n):
        f = columns[i]
        f[:] = base
        if moves[i] == p.DECLARE:
            f[DECLARES] = 1
            continue
        squares, promotes = moves[i] >> 1, moves[i] & 1
        origin, to = squares // p.SQUARES, p.CELL_OF[squares % p.SQUARES]
        drops = origin >= p.SQUARES
        cell = to if drops else p.CELL_OF[origin]
        kind = origin - p.SQUARES + 1 if drops else state[p.BOARD + cell] - mine
        kings[0] = 0 if kind == p.KING else own_king
        captured = state[p.BOARD + to]
        _describe(state, f, side, cell, to, kind, promotes, kings, pawns)
        if checks > 0:
            takes = captured != 0 and reaches(state, 3 - side, to, own_king)
            f[ANSWERS_CHECK] = TAKES if takes else FLEES_CHECK if kind == p.KING else BLOCKS
        exposures = 0
        if not drops:
            if cell != before:
                _walk(state, cell, runs[0], ends[0])
                before = cell
            for j in range(2):
                f[ATTACKERS_FROM + j], _ = _reaching(state, cell, side if j == 0 else 3 - side, runs[0], ends[0])
            f[FLEES] = lost[cell] if lost[cell] > 0 else UNDEFINED
            if kings[0] > 0 and p.ALIGNED[own_king, cell] >= 0:
                f[PINNED] = pinned >> np.uint64(8 * p.ALIGNED[own_king, cell]) & np.uint64(255) == np.uint64(cell)
            exposures = _leaves_lines(f, side, cell, to, runs[0], ends[0], other_king, exposed)
            state[p.BOARD + cell] = 0
        state[p.BOARD + to] = mine + kind + p.PROMOTED * promotes
        _walk(state, to, runs[1], ends[1])
        if captured == 0:
            _shuts_lines(f, side, cell, to, runs[1], ends[1])
        _stands(state, f, side, to, runs[1], ends[1], WORTH[captured & (p.OTHER - 1)], deep)
        _acts(state, f, side, to, runs[1], ends[1], kings, lost, deep)
        if other_king > 0:
            f[FLIGHTS] = _flights(state, side, other_king)
        f[LEAVES] = _left(state, side, cell, attacked, number, exposed, exposures, deep)
        state[p.BOARD + to] = captured
        if not drops:
            state[p.BOARD + cell] = mine + kind
    return situation(state)
