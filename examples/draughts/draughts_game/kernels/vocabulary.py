"""What rules may say of a move: `measure` and `look` of gotools/jit/kernels/seams.py."""

import numpy as np

from draughts_game.kernels import rules as r
from draughts_game.kernels.rules import COUNT, KING, NEXT, OVER, ROWS, SQUARES, TO, directions, owner
from draughts_game.kernels.values import CENTRE, holds, own
from gotools.jit import inner, seam
from gotools.jit.kernels.rule_table import LOOKS, score_by_rules
from gotools.jit.kernels.seams import LOOK, MEASURE, ORDER, TO_PLAY

COLUMNS, FRAMES, UNDEFINED = 19, 2, -32768
OFFSETS = tuple((x, y) for y in range(-2, 3) for x in range(-2, 3) if (x + y) % 2 == 0 and (x, y) != (0, 0))
"""Of dark squares, to the right and ahead as the side to play sees them."""
OUTSIDE = 8
HELD = np.array([[4, 1, 2, 1 + 16, 2 + 32], [4, 2, 1, 2 + 32, 1 + 16]], np.int32)
"""What stands on a square for Black, for White: bits for own, other, empty, outside, own and other king."""
JUMPS = np.array([len(path) - 1 if over >= 0 else 0 for path, over in zip(r.PATHS, OVER, strict=True)], np.int32)
"""Pieces that a move captures."""
_MIDDLE = np.where(CENTRE, 1, [2 if {0, ROWS - 1} & {*place} else 3 for place in r.PLACES]).astype(np.int32)
"""Of a square: 1 in the centre, 2 on the edge, 3 in between."""
_PLACE = np.array(r.PLACES, np.int32)
_AROUND = np.array([[r.square_at(y, x) for x in range(-2, ROWS + 2)] for y in range(-2, ROWS + 2)], np.int32)
"""The squares by row and column, two more on each side."""


@inner
def _can_be_jumped(state, square):
    """Return whether the other side could jump over the piece of a square, were it to play."""
    for direction in range(4):
        by, to = NEXT[square, 3 - direction], NEXT[square, direction]
        if by >= 0 and to >= 0 and state[SQUARES + to] == 0:
            piece = state[SQUARES + by]
            first, end = directions(piece)
            if owner(piece) == 3 - owner(state[SQUARES + square]) and first <= direction < end:
                return True
    return False


@inner
def _count(state, side, to, out, at):
    """Fill what a side has: pieces on its back row, open to capture, free steps, pieces next to a square."""
    for k in range(4):
        out[at + 2 * k] = 0
    for square in range(COUNT):
        piece = state[SQUARES + square]
        if owner(piece) == side:
            out[at] += own(square, side) < 4
            out[at + 2] += _can_be_jumped(state, square)
            first, end = directions(piece)
            for direction in range(4):
                out[at + 4] += first <= direction < end and r.step(state, square, direction) >= 0
                out[at + 6] += NEXT[square, direction] == to


@inner
def _exchange(state, moves, replies, target):
    """Return the most pieces that the side to play can capture with a move, and the fewest that it loses then."""
    most, least = 0, COUNT
    for i in range(r.captures(state, moves)):
        r.after(state, moves[i], target)
        back = 0
        for j in range(r.captures(target, replies)):
            back = max(back, JUMPS[replies[j]])
        most, least = max(most, JUMPS[moves[i]]), min(least, back)
    return most, least if most else UNDEFINED


@seam(MEASURE)
def measure(state, moves, n, out):
    """Fill the measures of vocabulary.py, in their order; return the stage, by the pieces on the board."""
    side, pieces = state[TO_PLAY], np.count_nonzero(state[SQUARES:])
    black = np.sum(state[SQUARES:] % 2)
    mine = black if side == 1 else pieces - black
    bridge = holds(state, side, 0) and holds(state, side, 2)
    then, target = np.empty(r.STATE, np.int32), np.empty(r.STATE, np.int32)
    answers, replies = np.empty(r.LONGEST, np.int32), np.empty(r.LONGEST, np.int32)
    for i in range(n):
        row, to, origin, kings = out[i], TO[moves[i]], moves[i], 0
        while origin >= COUNT:
            kings += OVER[origin] >= 0 and state[SQUARES + OVER[origin]] > KING
            origin = r.SHORTER[origin]
        r.after(state, moves[i], then)
        then[r.QUIET] = 0  # what comes next does not depend on it
        was, piece = state[SQUARES + origin], then[SQUARES + to]
        row[0], row[1] = 1 + (was > KING), JUMPS[moves[i]]
        row[2], row[3] = kings, was != piece
        row[4] = UNDEFINED if piece > KING else ROWS - 1 - own(to, side) // 4
        row[5] = _MIDDLE[to]
        row[6] = own(origin, side) < 4 <= own(to, side)
        row[7] = bridge and not (holds(then, side, 0) and holds(then, side, 2))
        row[8], row[9] = _exchange(then, answers, replies, target)
        row[10] = 1 if 2 * mine > pieces else 2 if 2 * mine == pieces else 3
        _count(then, side, to, row, 11)
        _count(then, 3 - side, to, row, 12)
    return min(2, (2 * r.SIDE_MEN - pieces) // 8)


@seam(LOOK)
def look(state, moves, n, seen):
    """Fill what stands within two steps of each move, as it is and mirrored."""
    ahead = 1 if state[TO_PLAY] == 1 else -1
    for i in range(n):
        row, column = _PLACE[TO[moves[i]]]
        for frame in range(FRAMES):
            right = ahead * (2 * frame - 1)
            for k in range(len(OFFSETS)):
                square = _AROUND[row + 2 + ahead * OFFSETS[k][1], column + 2 + right * OFFSETS[k][0]]
                held = HELD[state[TO_PLAY] - 1, state[SQUARES + square]] if square >= 0 else OUTSIDE
                seen[i, frame, k] = held


@seam(ORDER)
def order_by_rules(state, moves, n, scores, numbers):
    """Score moves by rules: see gotools/jit/kernels/rule_table.py for `numbers`."""
    measured, seen = np.empty((n, COLUMNS), np.int32), np.empty((n, FRAMES, len(OFFSETS)), np.int32)
    stage = measure(state, moves, n, measured)
    if numbers[LOOKS]:
        look(state, moves, n, seen)
    score_by_rules(measured, seen, stage, n, numbers, scores)
