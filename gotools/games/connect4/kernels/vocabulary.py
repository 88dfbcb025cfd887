"""What rules may say of a move in Connect-4: `measure` and `look` of kernels/seams.py, on the boards of rules.py.

A four of a side is an empty cell that completes four in a line of its stones; one that can be played is a threat, the
others wait for what is below them to be filled.
"""

import numpy as np

from gotools.games.connect4.kernels.rules import BOARD, BOTTOM, COLUMNS, ROWS, STONES, fours, stones_of
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.rule_table import LOOKS, score_by_rules
from gotools.jit.kernels.seams import LOOK, MEASURE, ORDER, TO_PLAY

_NEXT = ROWS + 1
_MEASURED = 33
_ODD = BOTTOM * 0b010101
_STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
_STAGES = 12
"""Stones of a stage; the third goes on to the end."""
_ACROSS, _UP = 3, 2
_OWN, _OTHER, _PLAYABLE, _WAITING, _OUTSIDE = 1, 2, 4, 8, 16


def _lines():
    """Return int64[bits, 13]: the lines of four through each cell as boards, 0 behind the last."""
    through = np.zeros((_NEXT * COLUMNS + 1, 13), np.int64)
    found = np.zeros(len(through), np.int64)
    for x in range(COLUMNS):
        for y in range(ROWS):
            for dx, dy in _STEPS:
                end = x + 3 * dx, y + 3 * dy
                if 0 <= end[0] < COLUMNS and 0 <= end[1] < ROWS:
                    cells = [_NEXT * (x + k * dx) + y + k * dy for k in range(4)]
                    for cell in cells:
                        through[cell, found[cell]] = sum(1 << one for one in cells)
                        found[cell] += 1
    return through


_LINES = _lines()


@inner
def _count_lines(cell, mine, other, out, at):
    """Fill the lines through a cell without stones of the other side, then those with one, two stones: for both."""
    for k in range(6):
        out[at + k] = 0
    for k in range(_LINES.shape[1]):
        line = _LINES[cell, k]
        if line == 0:
            break
        own, others = line & mine, line & other
        if others == 0:
            out[at] += 1
            n = count_bits(own)
            if n == 1 or n == 2:
                out[at + 2 * n] += 1
        if own == 0:
            out[at + 1] += 1
            n = count_bits(others)
            if n == 1 or n == 2:
                out[at + 2 * n + 1] += 1


@seam(MEASURE)
def measure(state, moves, n, out):
    """Fill the measures of vocabulary.py, in their order."""
    side = state[TO_PLAY]
    mine, other = stones_of(state, side), stones_of(state, 3 - side)
    taken = mine | other
    before_mine, before_other = fours(mine) & BOARD & ~taken, fours(other) & BOARD & ~taken
    for i in range(n):
        row, x = out[i], moves[i]
        bit = (taken + (1 << _NEXT * x)) & (((1 << _NEXT) - 1) << _NEXT * x)
        y = count_bits(bit - 1) - _NEXT * x
        free = BOARD & ~(taken | bit)
        playable = (taken + bit + BOTTOM) & free
        fours_mine, fours_other = fours(mine | bit) & free, fours(other | bit) & free
        left = before_other & free
        row[0] = min(x, COLUMNS - 1 - x) + 1
        row[1] = y + 1
        row[2] = 1 + (y & 1)
        row[3] = side
        row[4] = before_mine & bit != 0
        row[5] = before_other & bit != 0
        row[6] = fours_mine & (bit << 1) != 0
        row[7] = left & (bit << 1) != 0
        row[8] = count_bits(fours_mine & playable)
        row[9] = count_bits(fours_other & playable)
        row[10] = count_bits(left & playable)
        new = fours_mine & ~before_mine & ~playable
        row[11] = count_bits(new & _ODD)
        row[13] = count_bits(new & ~_ODD)
        new = fours_other & ~before_other & ~playable
        row[12] = count_bits(new & _ODD)
        row[14] = count_bits(new & ~_ODD)
        waiting = fours_mine & ~playable
        row[15] = count_bits(waiting & _ODD)
        row[17] = count_bits(waiting & ~_ODD)
        waiting = left & ~playable
        row[16] = count_bits(waiting & _ODD)
        row[18] = count_bits(waiting & ~_ODD)
        row[19] = fours_mine & (fours_mine >> 1) & ~(before_mine & (before_mine >> 1)) != 0
        row[20] = fours_other & (fours_other >> 1) & ~(before_other & (before_other >> 1)) != 0
        _count_lines(_NEXT * x + y, mine, other, row, 21)
        _count_lines(_NEXT * x + y + 1, mine | bit, other, row, 27)
    return min(2, state[STONES] // _STAGES)


@seam(LOOK)
def look(state, moves, n, seen):
    """Fill what stands up to three columns and two rows from each move, as it is and mirrored."""
    mine, other = stones_of(state, state[TO_PLAY]), stones_of(state, 3 - state[TO_PLAY])
    playable = (mine | other) + BOTTOM
    for i in range(n):
        x = moves[i]
        column = ((mine | other) >> _NEXT * x) & ((1 << _NEXT) - 1)
        y = count_bits(column)
        for frame in range(2):
            k = 0
            for dy in range(-_UP, _UP + 1):
                for dx in range(-_ACROSS, _ACROSS + 1):
                    if dx == 0 and dy == 0:
                        continue
                    u, v = x + (dx if frame == 0 else -dx), y + dy
                    if u < 0 or u >= COLUMNS or v < 0 or v >= ROWS:
                        seen[i, frame, k] = _OUTSIDE
                    else:
                        cell = _NEXT * u + v
                        if mine >> cell & 1:
                            seen[i, frame, k] = _OWN
                        elif other >> cell & 1:
                            seen[i, frame, k] = _OTHER
                        else:
                            seen[i, frame, k] = _PLAYABLE if playable >> cell & 1 else _WAITING
                    k += 1


@seam(ORDER)
def order_by_rules(state, moves, n, scores, numbers):
    """Score moves by rules: see jit/kernels/rule_table.py for `numbers`."""
    measured, seen = np.empty((n, _MEASURED), np.int32), np.empty((n, 2, 34), np.int32)
    stage = measure(state, moves, n, measured)
    if numbers[LOOKS]:
        look(state, moves, n, seen)
    score_by_rules(measured, seen, stage, n, numbers, scores)
