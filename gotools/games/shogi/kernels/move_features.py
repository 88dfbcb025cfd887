"""Measure shogi's moves for an ordering by clusters: pieces, squares, attackers, defenders, kings.

    a line through a square:   . . r . s . [x] P . . B      of each side, the pieces that reach x are counted once:
                                   ^         ^              r does not, s is before it

What attacks and defends the square that a move comes to is measured where the piece that moves has left its square. A
drop comes from the square where it lands.

Source of the first 34 features: Machine learning for a shogi program, Habr 208580 (docs/decisions.md, Sources); the
last four are edges of the graph of pieces that attack and defend each other, which it wished for.
"""

import numpy as np

from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels.values import WORTH
from gotools.jit import inner, seam
from gotools.jit.kernels.clusters import score_by_clusters
from gotools.jit.kernels.seams import MEASURE, ORDER, TO_PLAY

FEATURES = 38
(
    PIECE, CAPTURED, FROM_ROW, FROM_FILE, TO_ROW, TO_FILE, PROMOTES, ATTACKS, FROM_ATTACKED, TO_ATTACKED,
    FROM_DEFENDED, TO_DEFENDED, OTHER_KING, OWN_KING, MOVE_NUMBER, PROTECTS, LEAVES,
) = (0, 1, 2, 3, 4, 5, 6, 7, 11, 15, 20, 24, 29, 31, 33, 34, 36)  # fmt: skip
"""Where features, and groups of them, begin. Groups: ATTACKS to TO_DEFENDED sum, most, mean, least, and those of the
square that is come to the number; kings the files and rows between; PROTECTS and LEAVES sum, number."""
MOST_SUM, MOST_WORTH, MOST_NUMBER, MOST_STEPS, MOST_TENS = 40, 15, 8, 8, 20
OPENING, ATTACK, DEFENCE, EVEN = range(4)
_LAST_OF_OPENING = 3
"""Pieces in hand up to which a position without promoted pieces is the opening."""
_NEAR = 2
"""Files and rows around a king in which pieces press on it."""
_PRESSES = 2
"""Points more, of pieces near the other king, that make an attack."""


@inner
def _note(of, side, worth):
    """Count a piece of a side in int64[3, 4]: sum, most, least, number."""
    of[side, 0] += worth
    of[side, 1] = max(of[side, 1], worth)
    of[side, 2] = worth if of[side, 3] == 0 else min(of[side, 2], worth)
    of[side, 3] += 1


@inner
def count_reaching(state, cell, of):
    """Count the pieces of both sides that reach a cell, in rows 1 and 2 of `of`."""
    of[:] = 0
    for d in range(8):
        delta, back = p.DELTAS[d], (d + 4) & 7
        at = cell + delta
        piece = state[p.BOARD + at]
        near = True
        while piece == 0:
            near = False
            at += delta
            piece = state[p.BOARD + at]
        if piece != p.WALL and (p.SLIDES[piece] >> back & 1 or (near and p.STEPS[piece] >> back & 1)):
            _note(of, 1 + (piece > p.OTHER), WORTH[piece & (p.OTHER - 1)])
    for side in range(1, 3):
        knight = p.KNIGHT + p.OTHER * (side - 1)
        for i in range(2):
            if state[p.BOARD + cell - p.KNIGHT_JUMPS[side, i]] == knight:
                _note(of, side, WORTH[p.KNIGHT])


@inner
def _count_reached(state, cell, piece, of):
    """Count the pieces of both sides that a piece on a cell would reach, in rows 1 and 2 of `of`."""
    of[:] = 0
    side = 1 + (piece > p.OTHER)
    if piece & (p.OTHER - 1) == p.KNIGHT:
        for i in range(2):
            found = state[p.BOARD + cell + p.KNIGHT_JUMPS[side, i]]
            if 0 < found < p.WALL:
                _note(of, 1 + (found > p.OTHER), WORTH[found & (p.OTHER - 1)])
        return
    for d in range(8):
        slides = p.SLIDES[piece] >> d & 1
        if not slides and not p.STEPS[piece] >> d & 1:
            continue
        at = cell + p.DELTAS[d]
        found = state[p.BOARD + at]
        while slides and found == 0:
            at += p.DELTAS[d]
            found = state[p.BOARD + at]
        if 0 < found < p.WALL:
            _note(of, 1 + (found > p.OTHER), WORTH[found & (p.OTHER - 1)])


@inner
def _write(features, at, row):
    """Write sum, most, mean and least of a row."""
    features[at] = min(row[0], MOST_SUM)
    features[at + 1] = row[1]
    features[at + 2] = (2 * row[0] + row[3]) // (2 * row[3]) if row[3] > 0 else 0
    features[at + 3] = row[2]


@inner
def _steps(features, at, king, cell):
    """Write the files and the rows between a king and a cell; the most without a king."""
    features[at] = abs(p.COLUMN[king] - p.COLUMN[cell]) if king > 0 else MOST_STEPS
    features[at + 1] = abs(p.ROW[king] - p.ROW[cell]) if king > 0 else MOST_STEPS


@inner
def _pressure(state, side):
    """Return how many pieces of a side stand near the other king."""
    king = state[p.KINGS + 2 - side]
    if king == 0:
        return 0
    total = 0
    for square in range(p.SQUARES):
        cell = p.CELL_OF[square]
        piece = state[p.BOARD + cell]
        if 0 < piece and (piece > p.OTHER) == (side == 2):
            total += p.steps_between(king, cell) <= _NEAR
    return total


@inner
def situation(state):
    """Return OPENING, ATTACK, DEFENCE or EVEN."""
    held, promoted = 0, False
    for i in range(2 * p.HAND):
        held += state[p.HANDS + i]
    for square in range(p.SQUARES):
        promoted |= state[p.BOARD + p.CELL_OF[square]] & (p.OTHER - 1) > p.KING
    if held <= _LAST_OF_OPENING and not promoted:
        return OPENING
    side = state[TO_PLAY]
    lead = _pressure(state, side) - _pressure(state, 3 - side)
    return ATTACK if lead >= _PRESSES else DEFENCE if lead <= -_PRESSES else EVEN


@seam(MEASURE)
def measure_moves(state, moves, n, features):
    """Fill the features of moves; returns the situation. A declaration has zeros."""
    side = state[TO_PLAY]
    mine, own_king, other_king = p.OTHER * (side - 1), state[p.KINGS + side - 1], state[p.KINGS + 2 - side]
    reaching, leaving, reached = np.zeros((3, 4), np.int64), np.zeros((3, 4), np.int64), np.zeros((3, 4), np.int64)
    left = np.zeros((3, 4), np.int64)
    before = -1
    tens = min(state[p.PLIES] // 10, MOST_TENS)
    for i in range(n):
        f = features[i]
        f[:] = 0
        f[MOVE_NUMBER] = tens
        if moves[i] == p.DECLARE:
            continue
        squares = moves[i] >> 1
        origin, square = squares // p.SQUARES, squares % p.SQUARES
        to = p.CELL_OF[square]
        drops = origin >= p.SQUARES
        cell = to if drops else p.CELL_OF[origin]
        kind = origin - p.SQUARES + 1 if drops else state[p.BOARD + cell] - mine
        arrived = mine + kind + p.PROMOTED * (moves[i] & 1)
        f[PIECE] = WORTH[kind]
        f[CAPTURED] = WORTH[state[p.BOARD + to] & (p.OTHER - 1)]
        f[PROMOTES] = moves[i] & 1
        for at, where in ((FROM_ROW, cell), (TO_ROW, to)):
            f[at] = p.ROWS - 1 - p.ROW[where] if side == 1 else p.ROW[where]
            f[at + 1] = p.COLUMN[where] if side == 1 else p.ROWS - 1 - p.COLUMN[where]
        if not drops and cell != before:
            count_reaching(state, cell, leaving)
            _count_reached(state, cell, mine + kind, left)
            before = cell
        if not drops:
            state[p.BOARD + cell] = 0
        count_reaching(state, to, reaching)
        _count_reached(state, to, arrived, reached)
        if not drops:
            state[p.BOARD + cell] = mine + kind
        home = reaching if drops else leaving
        _write(f, ATTACKS, reached[3 - side])
        _write(f, FROM_ATTACKED, home[3 - side])
        _write(f, TO_ATTACKED, reaching[3 - side])
        f[TO_ATTACKED + 4] = min(reaching[3 - side, 3], MOST_NUMBER)
        _write(f, FROM_DEFENDED, home[side])
        _write(f, TO_DEFENDED, reaching[side])
        f[TO_DEFENDED + 4] = min(reaching[side, 3], MOST_NUMBER)
        _steps(f, OTHER_KING, other_king, to)
        _steps(f, OWN_KING, own_king, to)
        f[PROTECTS], f[PROTECTS + 1] = min(reached[side, 0], MOST_SUM), min(reached[side, 3], MOST_NUMBER)
        if not drops:
            f[LEAVES], f[LEAVES + 1] = min(left[side, 0], MOST_SUM), min(left[side, 3], MOST_NUMBER)
    return situation(state)


@seam(ORDER)
def order_by_clusters(state, moves, n, scores, numbers):
    """Score moves by clusters: see kernels/clusters.py for `numbers`. A declaration comes first."""
    features = np.empty((n, FEATURES), np.int32)
    stage = measure_moves(state, moves, n, features)
    score_by_clusters(features, n, stage, numbers, scores)
    for i in range(n):
        if moves[i] == p.DECLARE:
            scores[i] = 1000.0
