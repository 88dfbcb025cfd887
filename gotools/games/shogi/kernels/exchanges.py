"""Shogi: what a side wins on a square where both take for as long as it pays, the cheapest piece first.

    a line through the square x:   [x] . P . B      B counts behind P if P reaches x

Pins and checks are left out of account.
"""

from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels.values import WORTH
from gotools.jit import inner
from gotools.jit.kernels.seams import TO_PLAY

DEEPEST = 40
"""Most pieces that take on a square one after the other."""


@inner
def _forces(state, cell):
    """Return the pieces of sides 1 and 2 that reach a cell, or would if those before them on a line had left.

    Their number of each worth from 0 to 15 takes four bits.
    """
    first, second = 0, 0
    for d in range(8):
        back, at, near = (d + 4) & 7, cell + p.DELTAS[d], True
        while True:
            piece = state[p.BOARD + at]
            if piece != 0:
                if not (p.SLIDES[piece] >> back & 1 or (near and p.STEPS[piece] >> back & 1)):
                    break
                one = 1 << 4 * WORTH[piece & (p.OTHER - 1)]
                first, second = (first + one, second) if piece < p.OTHER else (first, second + one)
                if piece & (p.OTHER - 1) == p.KING:
                    break
            at, near = at + p.DELTAS[d], False
    for i in range(2):
        first += (state[p.BOARD + cell - p.KNIGHT_JUMPS[1, i]] == p.KNIGHT) << 4 * WORTH[p.KNIGHT]
        second += (state[p.BOARD + cell - p.KNIGHT_JUMPS[2, i]] == p.OTHER + p.KNIGHT) << 4 * WORTH[p.KNIGHT]
    return first, second


@inner
def won_by_exchange(state, cell, side, deep):
    """Return what a side wins by taking the other side's piece on a cell, where both go on as long as it pays.

    deep -- int64[DEEPEST], room for the exchange
    """
    first, second = _forces(state, cell)
    takers, others = (first, second) if side == 1 else (second, first)
    worth, n, won = WORTH[state[p.BOARD + cell] & (p.OTHER - 1)], 0, 0
    while takers != 0:
        deep[n] = worth
        n += 1
        worth = 1
        while takers >> 4 * worth & 15 == 0:
            worth += 1
        takers, others = others, takers - (1 << 4 * worth)
    while n > 0:
        n -= 1
        won = max(0, deep[n] - won)
    return won


@inner
def loses(state, move, deep):
    """Return whether a move of a piece on the board loses more by the exchange on its new square than it gains."""
    squares, side = move >> 1, state[TO_PLAY]
    cell, to = p.CELL_OF[squares // p.SQUARES], p.CELL_OF[squares % p.SQUARES]
    piece, taken = state[p.BOARD + cell], state[p.BOARD + to]
    arrived = piece + p.PROMOTED * (move & 1)
    gained = WORTH[taken & (p.OTHER - 1)] + WORTH[arrived & (p.OTHER - 1)] - WORTH[piece & (p.OTHER - 1)]
    if gained >= WORTH[arrived & (p.OTHER - 1)] or piece & (p.OTHER - 1) == p.KING:
        return False
    state[p.BOARD + cell], state[p.BOARD + to] = 0, arrived
    lost = won_by_exchange(state, to, 3 - side, deep)
    state[p.BOARD + cell], state[p.BOARD + to] = piece, taken
    return lost > gained
