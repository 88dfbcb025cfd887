"""Self-play by local patterns: what a move changes is looked up, not the whole board.

    at[w]            the entry of the table for window w as the board stands
    touched[cell]    the 14 windows that hold a cell
    powers[cell]     what a stone of side 1 there adds to their entries
    gains[s, cell]   what a stone of side s would add to the sum; holds while fresh[s, cell], until a cell near changes

A move that takes no stones changes 14 windows of some 200; one that does is made and unmade on the entries.
"""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, kernel, seam
from gotools.kernels.arrays import copy_to, largest
from gotools.kernels.elementary import tanh
from gotools.kernels.random_numbers import below, chance, seed_random
from gotools.kernels.seams import CELLS, CHANGES, FLOATS, ONGOING, RULES, SCORER, TO_PLAY, Scorer, record
from gotools.kernels.windows import TABLE, TILT, TURN
from gotools.learn.games.kernels.selfplay import ROWS, best_place, drawn
from gotools.search.kernels.ordering import keep_best, penalty_of
from gotools.search.kernels.plain import final, without_pass

_DECIDED = 1e6
"""Beyond every sum of patterns."""


class Layout(NamedTuple):
    """The windows of a board and the weights behind their patterns; see `Shapes` (learn/shapes/shapes.py)."""

    placed: np.ndarray
    free: np.ndarray
    begins: np.ndarray
    free_begins: np.ndarray
    touched: np.ndarray
    powers: np.ndarray
    near: np.ndarray
    turn: int
    tilt: int


class GridFunctions(NamedTuple):
    """The functions of a game's Grid that kernels need."""

    cells: object
    changes: object


class GuidedPolicy(NamedTuple):
    """How moves are chosen; see Policy in learn/games/selfplay.py, and Guide there.

    width -- moves of the guide that are looked at, 0 for all; penalty -- of moves that it scores below its best
    """

    epsilon: float
    temperature: float
    width: int
    penalty: float
    scorer: Scorer


_COLUMN, _TABLE = np.zeros(1, np.int32), np.zeros((1, 1), np.int32)
LAYOUT = typeof(Layout(_COLUMN, _COLUMN, _COLUMN, _COLUMN, _TABLE, _TABLE, _TABLE, 0, 0))
GRID = record(GridFunctions, CELLS, CHANGES)
POLICY = record(GuidedPolicy, types.float64, types.float64, types.int64, types.float64, SCORER)


@kernel
def set_codes(board, touched, powers, codes):
    """Fill the codes of all windows of uint8[cells]."""
    codes[:] = 0
    for cell in range(len(touched)):
        for i in range(touched.shape[1]):
            if touched[cell, i] < 0:
                break
            codes[touched[cell, i]] += board[cell] * powers[cell, i]


@inner
def _change(cell, digit, shapes, at, fresh):
    """Add a stone to the entries of all windows (digit 1 or 2) or take one out (-1, -2)."""
    for i in range(shapes.touched.shape[1]):
        window = shapes.touched[cell, i]
        if window < 0:
            break
        at[window] += digit * shapes.powers[cell, i]
    for i in range(shapes.near.shape[1]):
        other = shapes.near[cell, i]
        if other < 0:
            break
        fresh[0, other] = 0
        fresh[1, other] = 0


@inner
def _gain(cell, side, shapes, at, table):
    """Return what a stone on an empty cell adds to the sum of all windows."""
    gain = np.float32(0.0)
    for i in range(shapes.touched.shape[1]):
        window = shapes.touched[cell, i]
        if window < 0:
            break
        gain += table[at[window] + side * shapes.powers[cell, i]] - table[at[window]]
    return gain


@inner
def _gain_with_captures(where, n, side, shapes, at, table):
    """Return what a move that takes stones adds to the sum; the entries are as before afterwards."""
    touched, powers = shapes.touched, shapes.powers
    gain = np.float32(0.0)
    for undo in range(2):
        for j in range(n):
            digit = side if j == 0 else side - 3
            digit = -digit if undo else digit
            for i in range(touched.shape[1]):
                window = touched[where[j], i]
                if window < 0:
                    break
                if not undo:
                    gain -= table[at[window]]
                at[window] += digit * powers[where[j], i]
                if not undo:
                    gain += table[at[window]]
    return gain


@inner
def _to_values(scores, likes, n, penalty, total):
    """Turn gains into values, less the penalties of moves that the guide scores below its best."""
    for i in range(n):
        scores[i] = tanh(scores[i] + total)
        if penalty > 0.0:
            scores[i] -= penalty_of(likes[i], likes[0], penalty)


@inner
def _sum_of(at, table):
    total = 0.0
    for entry in at:
        total += table[entry]
    return total


@seam(types.void(types.int64, types.int64, types.int32[::1], FLOATS, LAYOUT, POLICY, RULES, GRID, ROWS))
def play_games(first, seed, start, numbers, shapes, policy, rules, grid, rows):
    """Play games number first.. against oneself, one for each row; each has its own random numbers.

    start -- int32[cells], the position at the start; numbers -- the table of the patterns' weights
    """
    table = numbers[TABLE:].view(np.float32)
    cells_here = len(shapes.touched)
    random = np.empty(1, np.uint64)
    state, target = np.empty_like(start), np.empty_like(start)
    longest = rules.longest
    found, where = np.empty(longest, np.int32), np.empty(cells_here + 1, np.int32)
    scores, likes = np.empty(longest), np.zeros(longest)
    moves, explored = rows.moves, rows.explored
    board, at = np.empty(cells_here, np.uint8), np.empty(len(shapes.begins), np.int32)
    gains, fresh = np.empty((2, cells_here), np.float32), np.zeros((2, cells_here), np.uint8)
    for game in range(len(rows.lengths)):
        seed_random(random, seed * 0x9E3779B1 + first + game)
        copy_to(state, start)
        tilt = numbers[TILT] * grid.cells(state, board)
        set_codes(board, shapes.touched, shapes.powers, at)
        at += shapes.begins
        fresh[:] = 0
        length = 0
        while length < moves.shape[1] and rules.outcome(state) == ONGOING:
            n = without_pass(found, rules.worthy(state, found), rules.pass_move)
            side = state[TO_PLAY]
            if policy.width > 0:
                policy.scorer.order(state, found, n, likes, policy.scorer.numbers)
                n = keep_best(found, likes, n, policy.width)
            explored[game, length] = chance(random, policy.epsilon)
            if explored[game, length]:
                chosen = below(random, n)
            else:
                for i in range(n):
                    changed = grid.changes(state, found[i], where)
                    if changed == 1:
                        cell = where[0]
                        if fresh[side - 1, cell] == 0:
                            gains[side - 1, cell] = _gain(cell, side, shapes, at, table)
                            fresh[side - 1, cell] = 1
                        gain = gains[side - 1, cell]
                    else:
                        gain = _gain_with_captures(where, changed, side, shapes, at, table)
                    scores[i] = gain if side == 1 else -gain
                    if rules.pass_move < 0:
                        rules.after(state, found[i], target)
                        end = rules.outcome(target)
                        scores[i] = scores[i] if end == ONGOING else -_DECIDED * end
                if policy.temperature > 0.0 or (policy.width > 0 and policy.penalty > 0.0):
                    total = _sum_of(at, table) + tilt + (-numbers[TURN] if side == 1 else numbers[TURN])
                    _to_values(scores, likes, n, policy.penalty, total if side == 1 else -total)
                if policy.temperature > 0.0:
                    chosen = drawn(scores, n, policy.temperature, random)
                    explored[game, length] = scores[chosen] < largest(scores, n)
                else:
                    chosen = best_place(scores, n, random)
            move = found[chosen]
            changed = grid.changes(state, move, where)
            for j in range(changed):
                _change(where[j], side if j == 0 else side - 3, shapes, at, fresh)
            rules.after(state, move, target)
            state, target = target, state
            moves[game, length] = move
            length += 1
        rows.lengths[game] = length
        rows.outcomes[game] = final(state, target, rules)
