"""Measure shogi's moves for rules, and look at what stands around the squares that they come to.

The meaning of each measure is in vocabulary.pl. What is reached, taken and threatened is asked after the move:

    each line through a square x:   . . r . . [x] . P . B    runs: 2 and 1 empty squares, ends: r and P
"""

import numpy as np

from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels.attacks import flights, is_attacked, reaches
from gotools.games.shogi.kernels.exchanges import DEEPEST, won_by_exchange
from gotools.games.shogi.kernels.move_features import count_reaching, situation
from gotools.games.shogi.kernels.values import WORTH
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import copy_to
from gotools.jit.kernels.rule_table import LOOKS, score_by_rules
from gotools.jit.kernels.seams import LOOK, MEASURE, ORDER, TO_PLAY

(
    DECLARES, PIECE, DROP, PROMOTES, DECLINES, CAPTURED, TRADES, CHECK, DOUBLE_CHECK, DISCOVERS, ANSWERS_CHECK,
    DIRECTION, DEFENDS, PINS,
) = range(14)  # fmt: skip
APPROACH, LEAST_ATTACKER, OPENS_LINE, PAWN_ON_FILE, CASTLE = range(14, 24, 2)
CAPTURED_WORTH, WINS, LOSES, ROW, FILE, FLEES, THREATS, THREATENS, FLIGHTS, LEAVES, RISK = range(24, 35)
KING_DISTANCE, COVERS, ATTACKERS_TO, ATTACKERS_FROM, HAND = range(35, 45, 2)
COLUMNS, FIRST_NUMBER, UNDEFINED = 45, CAPTURED_WORTH, -32768
"""Each measure's column; a second column, the other side's, follows where they are in steps of two."""
TAKES, BLOCKS, FLEES_CHECK, AHEAD, ASIDE, BACK, NEARER, SAME, FARTHER = (1, 2, 3) * 3
WORDS = np.array([0, 1, 2, 3, 4, 5, 6, 7, 14, 8, 9, 10, 11, 0, 12, 13], np.int64)
"""int64[16]: the number of the word of a kind; the king's is the last."""
RANKS = np.array([0, 1, 0, 2, 3, 4, 5, 6, 7, 0, 8, 0, 9, 0, 0, 10], np.int64)
"""int64[16]: of a worth: pawn, lance, knight, silver, gold, tokin, bishop, rook, dragon, king."""
_LINES = np.array([0, 0, 1, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 0, 2, 3, 0], np.int64)

_K, _L, _S, _G = p.KING, p.LANCE, p.SILVER, p.GOLD
_SHAPES = (
    ((_K, 2, 2), (_S, 3, 2), (_G, 4, 1), (_G, 4, 1)),
    ((_K, 8, 2), (_G, 7, 2), (_S, 7, 3), (_G, 6, 3)),
    ((_K, 9, 1), (_L, 9, 2), (_S, 8, 2), (_S, 8, 2)),
)
"""Mino, Yagura, Anaguma: kinds, their files from the side's right, their rows from its own last one."""
_CASTLES = np.array([[(k, 9 * (9 - r) + at) for k, f, r in s for at in (9 - f, f - 1)] for s in _SHAPES], np.int64)
"""int64[castles, 8, 2]: kinds and squares of side 1, the shape and its mirror image by turns."""

OFFSETS = tuple((dx, dy) for dy in range(4, -3, -1) for dx in range(-2, 3) if (dx, dy) != (0, 0))
_PLACES = np.array([(dx, dy, OFFSETS.index((-dx, dy))) for dx, dy in OFFSETS], np.int64)
NAMED = {
    "pawn": (p.PAWN,), "knight": (p.KNIGHT,), "silver": (p.SILVER,),
    "gold": (p.GOLD, *range(p.PROMOTED + p.PAWN, p.PROMOTED + p.GOLD)),
    "ranging": tuple(np.flatnonzero(_LINES)), "king": (p.KING,),
}  # fmt: skip
"""Kinds that rules tell apart around a move."""
_EMPTY, _OUTSIDE, _PIECE = 1, 2, 4


def _seen():
    """Return int32[2, 33]: for each side the classes of a piece: empty, outside, own, other, own pawn, other pawn .."""
    found = np.zeros((2, p.WALL + 1), np.int32)
    found[:, 0], found[:, p.WALL] = _EMPTY, _OUTSIDE
    for other in (0, 1):
        for kind in range(1, p.OTHER):
            bits = 1 + sum(4 << 2 * i for i, kinds in enumerate(NAMED.values()) if kind in kinds)
            found[[0, 1], [p.OTHER * other + kind, p.OTHER * (1 - other) + kind]] = _PIECE * bits << other
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
            seen[i, 0, o] = seen[i, 1, _PLACES[o, 2]] = _SEEN[side - 1, found]


@inner
def _walk(state, cell, runs, ends):
    """Fill, for each direction from a cell, the number of empty squares and the piece or wall behind them."""
    for d in range(8):
        at, run = cell + p.DELTAS[d], 0
        while state[p.BOARD + at] == 0:
            at, run = at + p.DELTAS[d], run + 1
        runs[d], ends[d] = run, state[p.BOARD + at]


@inner
def _castle(state, side):
    """Return the number of the castle of a side, 0: none."""
    for c in range(len(_CASTLES)):
        for mirrored in range(2):
            found = 0
            for i in range(mirrored, 8, 2):
                square = _CASTLES[c, i, 1] if side == 1 else p.SQUARES - 1 - _CASTLES[c, i, 1]
                found += state[p.BOARD + p.CELL_OF[square]] == p.OTHER * (side - 1) + _CASTLES[c, i, 0]
            if found == 4:
                return 1 + c
    return 0


@inner
def _survey(state, side, base, attacked, lost, pawns, deep):
    """Write what all moves of a position have in common; note which own pieces the other side attacks and would win.

    attacked -- int64[81], their cells, the king's left out; returns their number
    lost     -- int64[cells], what the other side would win by taking them; pawns -- int64[3, 9], of each side on files
    """
    number = 0
    base[:FIRST_NUMBER], base[FIRST_NUMBER:], lost[:], pawns[:] = 0, UNDEFINED, 0, 0
    base[RISK] = 0
    for square in range(p.SQUARES):
        cell = p.CELL_OF[square]
        piece = state[p.BOARD + cell]
        kind = piece & (p.OTHER - 1)
        pawns[1 + (piece > p.OTHER), p.COLUMN[cell]] += kind == p.PAWN
        if p.is_of(piece, side) and kind != p.KING and is_attacked(state, cell, 3 - side):
            attacked[number], lost[cell] = cell, won_by_exchange(state, cell, 3 - side, deep)
            number += 1
            base[RISK] = max(base[RISK], lost[cell])
    for i in range(2):
        of = side if i == 0 else 3 - side
        base[CASTLE + i] = _castle(state, of)
        base[HAND + i] = np.sum(state[p.HANDS + p.HAND * (of - 1) : p.HANDS + p.HAND * of])
    return number


@inner
def _describe(state, f, side, cell, to, kind, promotes, kings, pawns):
    """Write what a move is and where it goes, before it is made (cell: to, if it drops a piece)."""
    drops, taken = cell == to, state[p.BOARD + to] & (p.OTHER - 1)
    f[PIECE], f[DROP], f[PROMOTES], f[CAPTURED] = WORDS[kind], drops, promotes, WORDS[taken]
    f[CAPTURED_WORTH] = WORTH[taken] if taken else UNDEFINED
    column, row, before = p.COLUMN[to], p.ROWS - p.row_of(side, to), p.ROWS - p.row_of(side, cell)
    f[ROW], f[FILE] = row, p.ROWS - column if side == 1 else 1 + column
    f[PAWN_ON_FILE] = pawns[side, column] > (kind == p.PAWN and not drops)
    f[PAWN_ON_FILE + 1] = pawns[3 - side, column] > 0
    if not drops:
        f[DECLINES] = not promotes and kind < p.KING and kind != p.GOLD and max(row, before) > p.ROWS - p.ZONE
        f[DIRECTION] = AHEAD if row > before else BACK if row < before else ASIDE
    for i in range(2):
        if kings[i] > 0:
            f[KING_DISTANCE + i] = p.steps_between(kings[i], to)
            nearer = p.steps_between(kings[i], cell) - f[KING_DISTANCE + i]
            f[APPROACH + i] = 0 if drops else NEARER if nearer > 0 else FARTHER if nearer < 0 else SAME


@inner
def _opens(f, side, cell, to, runs, ends, other_king, attacked, number):
    """Write the lines that a piece opens as it leaves a cell; add own pieces exposed; returns how many are attacked.

    runs, ends -- of the cell left, before the move
    """
    along = p.ALIGNED[cell, to]
    for d in range(8):
        piece, back = ends[d], (d + 4) & 7
        if not p.SLIDES[piece] >> back & 1 or (along >= 0 and along & 3 == d & 3):
            continue
        found, own = cell + (runs[back] + 1) * p.DELTAS[back], p.is_of(piece, side)
        if runs[back] > 0:
            f[OPENS_LINE + (not own)] = max(f[OPENS_LINE + (not own)], _LINES[piece & (p.OTHER - 1)])
        if own and found == other_king:
            f[DISCOVERS] = 1
        if not own and p.is_of(ends[back], side):
            attacked[number] = found
            number += 1
    return number


@inner
def _meets(state, f, side, target, lost, deep):
    """Write that a piece which has moved reaches what stands on a cell."""
    piece = state[p.BOARD + target]
    if p.is_of(piece, side):
        f[DEFENDS] |= lost[target] > 0
    elif p.is_of(piece, 3 - side):
        king = piece & (p.OTHER - 1) == p.KING
        won = 0 if king else won_by_exchange(state, target, side, deep)
        f[THREATS] += won > 0 or king
        if won > 0:
            f[THREATENS] = max(f[THREATENS], won)


@inner
def _acts(state, f, side, to, runs, ends, kings, lost, deep):
    """Write what a piece does from its new square: what it threatens, defends, pins, covers, whom it checks."""
    piece = state[p.BOARD + to]
    f[THREATS] = 0
    for i in range(2 if piece & (p.OTHER - 1) == p.KNIGHT else 0):
        _meets(state, f, side, to + p.KNIGHT_JUMPS[side, i], lost, deep)
    for d in range(8):
        slides, target = p.SLIDES[piece] >> d & 1, to + (runs[d] + 1) * p.DELTAS[d]
        if slides or (runs[d] == 0 and p.STEPS[piece] >> d & 1):
            _meets(state, f, side, target, lost, deep)
        if slides and p.is_of(ends[d], 3 - side) and target != kings[1]:
            at = target + p.DELTAS[d]
            while state[p.BOARD + at] == 0:
                at += p.DELTAS[d]
            f[PINS] |= at == kings[1]
    for i in range(2):
        if kings[i] > 0:
            f[COVERS + i] = 0
            for d in range(8):
                beside = kings[i] + p.DELTAS[d]
                f[COVERS + i] += p.ROW[beside] >= 0 and beside != to and reaches(state, side, to, beside)
    direct = kings[1] > 0 and reaches(state, side, to, kings[1])
    f[CHECK], f[DOUBLE_CHECK] = direct or f[DISCOVERS], direct and f[DISCOVERS]


@inner
def _stands(state, f, side, to, taken, reaching, deep):
    """Write what can take or support a piece on its new square, and the exchange there after it took a worth."""
    count_reaching(state, to, reaching)
    for i in range(2):
        of = reaching[side if i == 0 else 3 - side]
        f[ATTACKERS_TO + i], f[LEAST_ATTACKER + i] = of[3], RANKS[of[2]]
    gained = taken - (won_by_exchange(state, to, 3 - side, deep) if f[ATTACKERS_TO + 1] > 0 else 0)
    f[TRADES] = gained == 0 and taken > 0
    if gained != 0:
        f[WINS if gained > 0 else LOSES] = abs(gained)


@seam(MEASURE)
def measure(state, moves, n, columns):
    """Fill the measures of moves, in the order of the constants above; returns the stage of the game."""
    side = state[TO_PLAY]
    mine, own_king, other_king = p.OTHER * (side - 1), state[p.KINGS + side - 1], state[p.KINGS + 2 - side]
    base, deep, kings = np.empty(COLUMNS, np.int32), np.empty(DEEPEST, np.int64), np.array([0, other_king], np.int64)
    attacked, lost, pawns = np.empty(p.SQUARES, np.int64), np.empty(p.CELLS, np.int64), np.empty((3, 9), np.int64)
    runs, ends, reaching = np.empty((2, 8), np.int64), np.empty((2, 8), np.int64), np.empty((2, 3, 4), np.int64)
    number = _survey(state, side, base, attacked, lost, pawns, deep)
    checked, before = own_king > 0 and is_attacked(state, own_king, 3 - side), -1
    for i in range(n):
        f = columns[i]
        copy_to(f, base)
        if moves[i] == p.DECLARE:
            f[DECLARES] = 1
            continue
        origin, to = (moves[i] >> 1) // p.SQUARES, p.CELL_OF[(moves[i] >> 1) % p.SQUARES]
        drops = origin >= p.SQUARES
        cell = to if drops else p.CELL_OF[origin]
        kind = origin - p.SQUARES + 1 if drops else state[p.BOARD + cell] - mine
        kings[0], captured, attacks = 0 if kind == p.KING else own_king, state[p.BOARD + to], number
        _describe(state, f, side, cell, to, kind, moves[i] & 1, kings, pawns)
        if checked:
            takes = captured != 0 and reaches(state, 3 - side, to, own_king)
            f[ANSWERS_CHECK] = TAKES if takes else FLEES_CHECK if kind == p.KING else BLOCKS
        if not drops:
            if cell != before:
                _walk(state, cell, runs[0], ends[0])
                count_reaching(state, cell, reaching[0])
                before = cell
            f[ATTACKERS_FROM], f[ATTACKERS_FROM + 1] = reaching[0, side, 3], reaching[0, 3 - side, 3]
            f[FLEES] = lost[cell] if lost[cell] > 0 else UNDEFINED
            attacks = _opens(f, side, cell, to, runs[0], ends[0], other_king, attacked, number)
            state[p.BOARD + cell] = 0
        state[p.BOARD + to] = mine + kind + p.PROMOTED * (moves[i] & 1)
        _walk(state, to, runs[1], ends[1])
        _stands(state, f, side, to, WORTH[captured & (p.OTHER - 1)], reaching[1], deep)
        _acts(state, f, side, to, runs[1], ends[1], kings, lost, deep)
        f[FLIGHTS] = flights(state, 3 - side, other_king) if other_king > 0 else UNDEFINED
        f[LEAVES] = 0
        for j in range(attacks):
            if attacked[j] != cell and is_attacked(state, attacked[j], 3 - side):
                f[LEAVES] = max(f[LEAVES], won_by_exchange(state, attacked[j], 3 - side, deep))
        state[p.BOARD + to] = captured
        if not drops:
            state[p.BOARD + cell] = mine + kind
    return situation(state)


@seam(ORDER)
def order_by_rules(state, moves, n, scores, numbers):
    """Score moves by rules: see jit/kernels/rule_table.py for `numbers`."""
    measured, seen = np.empty((n, COLUMNS), np.int32), np.empty((n, 2, 34), np.int32)
    stage = measure(state, moves, n, measured)
    if numbers[LOOKS]:
        look(state, moves, n, seen)
    score_by_rules(measured, seen, stage, n, numbers, scores)
