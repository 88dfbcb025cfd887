"""What rules may say of a move in tic-tac-toe: `measure` and `look` of kernels/seams.py."""

import numpy as np

from gotools.games.tictactoe.kernels.rules import CELLS, LINES, STONES
from gotools.jit import inner, seam
from gotools.jit.kernels.rule_table import LOOKS, score_by_rules
from gotools.jit.kernels.seams import LOOK, MEASURE, ORDER, TO_PLAY

CORNER, EDGE, CENTRE = 1, 2, 3
_PLACES = np.array([CORNER, EDGE, CORNER, EDGE, CENTRE, EDGE, CORNER, EDGE, CORNER], np.int64)
COLUMNS = 8
_REACH = 2
_OWN, _OTHER, _EMPTY, _OUTSIDE = 1, 2, 4, 8
_TURNS = np.array(
    [
        [1, 0, 0, 1],
        [0, -1, 1, 0],
        [-1, 0, 0, -1],
        [0, 1, -1, 0],
        [-1, 0, 0, 1],
        [0, -1, -1, 0],
        [1, 0, 0, -1],
        [0, 1, 1, 0],
    ],
    np.int64,
)
"""The frames p1 to p8: an offset dx, dy is a*dx + b*dy, c*dx + d*dy on the board."""


@inner
def _lines(state, move, side):
    """Return the number of lines through a move that a stone of a side fills, makes two of, or leaves open to it."""
    wins, twos, opens = 0, 0, 0
    for k in range(LINES.shape[0]):
        mine, through = 0, False
        for at in LINES[k]:
            through |= at == move
            if state[CELLS + at] == side:
                mine += 1
            elif state[CELLS + at] != 0:
                mine = -9
        if through and mine >= 0:
            wins += mine == 2
            twos += mine == 1
            opens += 1
    return wins, twos, opens


@seam(MEASURE)
def measure(state, moves, n, out):
    """Fill place; wins, threats, open lines, each of both sides; if a corner opposite the other side's is taken."""
    for i in range(n):
        move = moves[i]
        out[i, 0] = _PLACES[move]
        for s in range(2):
            side = state[TO_PLAY] if s == 0 else 3 - state[TO_PLAY]
            wins, twos, opens = _lines(state, move, side)
            out[i, 1 + s] = wins > 0
            out[i, 3 + s] = twos
            out[i, 5 + s] = opens
        out[i, 7] = _PLACES[move] == CORNER and state[CELLS + 8 - move] == 3 - state[TO_PLAY]
    return min(2, state[STONES] // 3)


@seam(LOOK)
def look(state, moves, n, seen):
    """Fill what stands within two steps of each move, in eight frames."""
    for i in range(n):
        x, y = moves[i] % 3, moves[i] // 3
        for frame in range(8):
            a, b, c, d = _TURNS[frame]
            k = 0
            for dy in range(-_REACH, _REACH + 1):
                for dx in range(-_REACH, _REACH + 1):
                    if dx == 0 and dy == 0:
                        continue
                    u, v = x + a * dx + b * dy, y + c * dx + d * dy
                    if u < 0 or u > 2 or v < 0 or v > 2:
                        seen[i, frame, k] = _OUTSIDE
                    else:
                        stone = state[CELLS + 3 * v + u]
                        seen[i, frame, k] = _EMPTY if stone == 0 else _OWN if stone == state[TO_PLAY] else _OTHER
                    k += 1


@seam(ORDER)
def order_by_rules(state, moves, n, scores, numbers):
    """Score moves by rules: see jit/kernels/rule_table.py for `numbers`."""
    measured, seen = np.empty((n, COLUMNS), np.int32), np.empty((n, 8, 24), np.int32)
    stage = measure(state, moves, n, measured)
    if numbers[LOOKS]:
        look(state, moves, n, seen)
    score_by_rules(measured, seen, stage, n, numbers, scores)
