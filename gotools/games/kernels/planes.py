"""Positions of tic-tac-toe and Connect-4 as planes for a residual network, seen by the side to play.

    0   1 everywhere: so that the border is distinguished from empty points
    1   own stones              2   the opponent's
    3   points that a move takes
    4   strength of the side to play, as records have it

A point is the cell that a move takes: in Connect-4 the lowest empty one of its column. Rows begin at the bottom. The
planes have the border of kernels/convolution.py.
"""

import numpy as np

from gotools.games.connect4.kernels import rules as c
from gotools.games.tictactoe.kernels import rules as t
from gotools.jit import inner, seam
from gotools.jit.kernels.residual import STRENGTH, residual_network
from gotools.jit.kernels.seams import EVALUATE, FILL, JUDGE, ORDER, OWNERS, PLACE, TO_PLAY

PLANES = 5
_NEXT = c.ROWS + 1


@inner
def _fill(x, rows, columns, strength):
    """Begin planes: the board and the strength."""
    for i in range((rows + 2) * (columns + 2) * PLANES):
        x[i] = 0.0
    for row in range(rows):
        for column in range(columns):
            at = ((row + 1) * (columns + 2) + column + 1) * PLANES
            x[at] = 1.0
            x[at + 4] = strength


@seam(FILL)
def fill_tictactoe(state, strength, x):
    """Fill the planes."""
    _fill(x, 3, 3, strength)
    for cell in range(t.POINTS):
        at = ((cell // 3 + 1) * 5 + cell % 3 + 1) * PLANES
        stone = state[t.CELLS + cell]
        x[at + (3 if stone == 0 else (1 if stone == state[TO_PLAY] else 2))] = 1.0


@seam(PLACE)
def place_tictactoe(state, move):
    """Return the cell."""
    return move


@seam(FILL)
def fill_connect4(state, strength, x):
    """Fill the planes."""
    _fill(x, c.ROWS, c.COLUMNS, strength)
    mine, other = c.stones_of(state, state[TO_PLAY]), c.stones_of(state, 3 - state[TO_PLAY])
    for column in range(c.COLUMNS):
        for row in range(c.ROWS):
            bit = _NEXT * column + row
            at = ((row + 1) * (c.COLUMNS + 2) + column + 1) * PLANES
            if mine >> bit & 1:
                x[at + 1] = 1.0
            elif other >> bit & 1:
                x[at + 2] = 1.0
            else:
                x[at + 3] = 1.0
                break


@seam(PLACE)
def place_connect4(state, move):
    """Return the point where a stone comes to lie that is dropped into a column."""
    taken = c.stones_of(state, 1) | c.stones_of(state, 2)
    row = 0
    while taken >> (_NEXT * move + row) & 1:
        row += 1
    return row * c.COLUMNS + move


@seam(OWNERS)
def nobody(state, owned):
    """Say that nobody owns a point: there is no territory in these games."""
    owned[:] = 0
    return 0.0


@seam(JUDGE)
def judge_tictactoe(state, moves, n, scores, numbers):
    """Score moves by the logits of a policy, and value the position."""
    x, policy, out = np.empty(25 * PLANES, np.float32), np.empty(t.POINTS + 1, np.float32), np.empty(2)
    fill_tictactoe(state, np.float32(numbers[STRENGTH]), x)
    residual_network(x, numbers, 3, 3, policy, np.empty(0, np.float32), out)
    for i in range(n):
        scores[i] = policy[moves[i]]
    return out[0]


@seam(JUDGE)
def judge_connect4(state, moves, n, scores, numbers):
    """Score moves by the logits of a policy, and value the position."""
    x = np.empty((c.ROWS + 2) * (c.COLUMNS + 2) * PLANES, np.float32)
    policy, out = np.empty(c.POINTS + 1, np.float32), np.empty(2)
    fill_connect4(state, np.float32(numbers[STRENGTH]), x)
    residual_network(x, numbers, c.ROWS, c.COLUMNS, policy, np.empty(0, np.float32), out)
    for i in range(n):
        scores[i] = policy[place_connect4(state, moves[i])]
    return out[0]


@seam(ORDER)
def order_tictactoe(state, moves, n, scores, numbers):
    """Score moves by the logits of a policy; numbers -- those of judge_tictactoe, as int64."""
    judge_tictactoe(state, moves, n, scores, numbers.view(np.float64))


@seam(ORDER)
def order_connect4(state, moves, n, scores, numbers):
    """Score moves by the logits of a policy; numbers -- those of judge_connect4, as int64."""
    judge_connect4(state, moves, n, scores, numbers.view(np.float64))


@seam(EVALUATE)
def value_tictactoe(state, numbers):
    """Value a position."""
    return judge_tictactoe(state, np.empty(0, np.int32), 0, np.empty(0), numbers)


@seam(EVALUATE)
def value_connect4(state, numbers):
    """Value a position."""
    return judge_connect4(state, np.empty(0, np.int32), 0, np.empty(0), numbers)
