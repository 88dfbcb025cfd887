"""Self-play by local patterns: what a move changes is looked up, not the whole board.

    at[w]            the entry of the table for window w as the board stands
    touched[cell]    the 14 windows that hold a cell
    powers[cell]     what a stone of side 1 there adds to their entries
    gains[s, cell]   what a stone of side s would add to the sum; holds while fresh[s, cell], until a cell near changes

A move that takes no stones changes 14 windows of some 200; one that does is made and unmade on the entries.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from gotools.jit import inner, kernel, seam
from gotools.kernels.arrays import copy_to, largest
from gotools.kernels.elementary import tanh
from gotools.kernels.random_numbers import below, chance, seed_random
from gotools.kernels.seams import (
    AFTER,
    CELLS,
    CHANGES,
    FLOATS,
    INTEGERS,
    LEGAL,
    MOST_UNITS,
    ONGOING,
    ORDER,
    OUTCOME,
    TO_PLAY,
)
from gotools.kernels.windows import TABLE, TILT, TURN
from gotools.learn.games.kernels.selfplay import drawn
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


_GRID16, _GRID32, _BYTES = types.int16[:, ::1], types.int32[:, ::1], types.uint8[:, ::1]
_STATE = types.int32[::1]
SHAPES = types.NamedTuple(  # type: ignore[no-untyped-call]
    (_STATE, _STATE, _STATE, _STATE, _GRID32, _GRID32, _GRID32, types.int64, types.int64), Layout
)
_FUNCTIONS = tuple(types.FunctionType(one) for one in (LEGAL, AFTER, OUTCOME, CELLS, CHANGES, ORDER))


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
def _best(scores, n, random):
    """Return the place of the best score, of equals a random one."""
    best, equals = 0, 1
    for i in range(1, n):
        if scores[i] > scores[best]:
            best, equals = i, 1
        elif scores[i] == scores[best]:
            equals += 1
            if below(random, equals) == 0:
                best = i
    return best


@seam(ORDER)
def no_guide(state, moves, n, scores, numbers):
    """Score nothing: there is no guide, and `width` is 0."""


@inner
def _keep_best(moves, likes, n, width):
    """Bring the best `width` of n moves to the front, best first; returns how many are kept."""
    kept = min(n, width)
    for i in range(kept):
        best = i
        for j in range(i + 1, n):
            if likes[j] > likes[best]:
                best = j
        moves[i], moves[best] = moves[best], moves[i]
        likes[i], likes[best] = likes[best], likes[i]
    return kept


@inner
def _to_values(scores, likes, n, fee, total):
    """Turn gains into values, less the fees: what a guide likes less than its best costs `fee` for each unit."""
    for i in range(n):
        scores[i] = tanh(scores[i] + total)
        if fee > 0.0:
            scores[i] -= fee * min(likes[0] - likes[i], MOST_UNITS)


@inner
def _sum_of(at, table):
    total = 0.0
    for entry in at:
        total += table[entry]
    return total


@seam(types.void(types.int64, types.int64, types.int64, _STATE, FLOATS, SHAPES, types.float64, types.float64,
                 types.int64, types.float64, INTEGERS, types.int64, types.int64, *_FUNCTIONS, _GRID16,
                 types.int64[::1], FLOATS, _BYTES))  # fmt: skip
def play_games(
    first, count, seed, start, numbers, shapes, epsilon, temperature, width, fee, order_numbers, longest_list,
    pass_move, worthy, after, outcome, cells, changes, order, moves, lengths, outcomes, explored,
):  # fmt: skip
    """Play games number first.. against oneself; each has its own random numbers.

    width -- moves of the guide (`order`) that are looked at, 0 for all; fee -- see _to_values
    moves -- int16[count, longest]; lengths -- int64[count]; outcomes -- float64[count], sign of the result for side 1
    explored -- uint8[count, longest], 1 where a move was drawn at random (epsilon)
    """
    table = numbers[TABLE:].view(np.float32)
    cells_here = len(shapes.touched)
    random = np.empty(1, np.uint64)
    state, target = np.empty_like(start), np.empty_like(start)
    found, where = np.empty(longest_list, np.int32), np.empty(cells_here + 1, np.int32)
    scores, likes = np.empty(longest_list), np.zeros(longest_list)
    board, at = np.empty(cells_here, np.uint8), np.empty(len(shapes.begins), np.int32)
    gains, fresh = np.empty((2, cells_here), np.float32), np.zeros((2, cells_here), np.uint8)
    for game in range(count):
        seed_random(random, seed * 0x9E3779B1 + first + game)
        copy_to(state, start)
        tilt = numbers[TILT] * cells(state, board)
        set_codes(board, shapes.touched, shapes.powers, at)
        at += shapes.begins
        fresh[:] = 0
        length = 0
        while length < moves.shape[1] and outcome(state) == ONGOING:
            n = without_pass(found, worthy(state, found), pass_move)
            side = state[TO_PLAY]
            if width > 0:
                order(state, found, n, likes, order_numbers)
                n = _keep_best(found, likes, n, width)
            explored[game, length] = chance(random, epsilon)
            if explored[game, length]:
                chosen = below(random, n)
            else:
                for i in range(n):
                    changed = changes(state, found[i], where)
                    if changed == 1:
                        cell = where[0]
                        if fresh[side - 1, cell] == 0:
                            gains[side - 1, cell] = _gain(cell, side, shapes, at, table)
                            fresh[side - 1, cell] = 1
                        gain = gains[side - 1, cell]
                    else:
                        gain = _gain_with_captures(where, changed, side, shapes, at, table)
                    scores[i] = gain if side == 1 else -gain
                    if pass_move < 0:
                        after(state, found[i], target)
                        end = outcome(target)
                        scores[i] = scores[i] if end == ONGOING else -_DECIDED * end
                if temperature > 0.0 or (width > 0 and fee > 0.0):
                    total = _sum_of(at, table) + tilt + (-numbers[TURN] if side == 1 else numbers[TURN])
                    _to_values(scores, likes, n, fee, total if side == 1 else -total)
                if temperature > 0.0:
                    chosen = drawn(scores, n, temperature, random)
                    explored[game, length] = scores[chosen] < largest(scores, n)
                else:
                    chosen = _best(scores, n, random)
            move = found[chosen]
            changed = changes(state, move, where)
            for j in range(changed):
                _change(where[j], side if j == 0 else side - 3, shapes, at, fresh)
            after(state, move, target)
            state, target = target, state
            moves[game, length] = move
            length += 1
        lengths[game] = length
        outcomes[game] = final(state, target, pass_move, after, outcome)
