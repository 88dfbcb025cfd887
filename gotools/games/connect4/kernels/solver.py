"""Connect-4 solved: the exact score of a position by alpha-beta over the boards of rules.py.

The score is that of rules.py: 22 less the stones that the winner has played, negative where the other side wins.
Three things make the tree small. Moves after which the other side wins at once are not tried, so no position of the
tree can be won by the next stone. The rest are tried in the order of the fours that they leave to be completed, then
from the middle column. A table holds a bound on the score of each position: a word of its key, 49 bits, and the bound.

Sources: Allis 1988 (the game solved); Tromp 2008 and Pons 2015 (alpha-beta on bit boards).
"""

import numpy as np
from numba import types

from gotools.games.connect4.kernels.rules import (
    BOARD,
    BOTTOM,
    POINTS,
    ROWS,
    STONES,
    WON,
    WORTH,
    fours,
    outcome,
    stones_of,
)
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import count_bits, spread
from gotools.jit.kernels.seams import (
    FLAG,
    INTEGERS,
    NODE_LIMIT,
    NODES,
    ONGOING,
    SOLVE,
    STOPPED,
    TO_PLAY,
)

_NEXT = ROWS + 1
_MIDDLE_FIRST = np.array([3, 2, 4, 1, 5, 0, 6])
_LEAST = 32
"""Added to a bound, which is then positive; _LOWER marks those that the score is not below."""
_LOWER = 128
_BITS = 8
_ITEM = 9
"""Bits of a move in a list of moves, which is one word: the column in the lowest three, then the number of fours."""


@inner
def _column(x):
    return np.int64((1 << ROWS) - 1) << _NEXT * x


@inner
def _by_fours(mine, taken, moves):
    """Return the moves as a list in one word, the first in the lowest bits."""
    found, n = np.int64(0), 0
    for x in _MIDDLE_FIRST:
        move = moves & _column(x)
        if move == 0:
            continue
        made = count_bits(fours(mine | move) & BOARD & ~(taken | move))
        at = 0
        while at < n and (found >> _ITEM * at & 511) >> 3 >= made:
            at += 1
        below = (np.int64(1) << _ITEM * at) - 1
        found = (found & below) | (made << 3 | x) << _ITEM * at | (found & ~below) << _ITEM
        n += 1
    return found, n


@inner
def _safe_moves(mine, taken):
    """Return the cells of the moves after which the other side does not win at once."""
    moves = (taken + BOTTOM) & BOARD
    theirs = fours(mine ^ taken) & BOARD & ~taken
    forced = moves & theirs
    if forced & (forced - 1):
        return np.int64(0)
    return (moves if forced == 0 else forced) & ~(theirs >> 1)


@seam(types.int64(*[types.int64] * 5, INTEGERS, INTEGERS, FLAG))
def _search(mine, taken, stones, low, high, table, counters, stop):
    """Return the score, or a bound beyond low or high, of a position that the next stone does not win.

    mine -- cells of the side to play; taken -- those of both; the rest as of `solve`
    """
    if stop[0] != 0 or counters[NODES] >= counters[NODE_LIMIT]:
        counters[STOPPED] = 1
    if counters[STOPPED] != 0:
        return 0
    counters[NODES] += 1
    moves = _safe_moves(mine, taken)
    if moves == 0:
        return -((POINTS - stones) // 2)
    if stones >= POINTS - 2:
        return 0
    least, most = -((POINTS - 2 - stones) // 2), (POINTS - 1 - stones) // 2
    key = mine + taken + BOTTOM
    at = spread(key) & (len(table) - 1)
    if table[at] >> _BITS == key:
        bound = table[at] & (2 * _LOWER - 1)
        if bound >= _LOWER:
            least = max(least, bound - _LOWER - _LEAST)
        else:
            most = min(most, bound - _LEAST)
    if least >= high:
        return least
    if most <= low:
        return most
    low, high = max(low, least), min(high, most)
    if low == high:
        return low
    ordered, n = _by_fours(mine, taken, moves)
    for i in range(n):
        move = moves & _column(ordered >> _ITEM * i & 7)
        score = -_search(mine ^ taken, taken | move, stones + 1, -high, -low, table, counters, stop)
        if counters[STOPPED] != 0:
            return 0
        if score >= high:
            table[at] = key << _BITS | (_LOWER + _LEAST + score)
            return score
        low = max(low, score)
    table[at] = key << _BITS | (_LEAST + low)
    return low


@seam(SOLVE)
def solve(state, low, high, table, counters, stop):
    """Return the exact score of a position, or a bound beyond low or high; see kernels/seams.py."""
    stones = np.int64(state[STONES])
    if outcome(state) != ONGOING:
        return (stones + 1) // 2 - WORTH if state[WON] != 0 else 0
    mine, theirs = stones_of(state, state[TO_PLAY]), stones_of(state, 3 - state[TO_PLAY])
    if fours(mine) & (mine + theirs + BOTTOM) & BOARD & ~theirs:
        return (POINTS + 1 - stones) // 2
    return _search(mine, mine | theirs, stones, low, high, table, counters, stop)
