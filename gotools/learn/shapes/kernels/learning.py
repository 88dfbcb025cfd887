"""Temporal differences for local patterns, a game at a time.

    move          1   2   3   4 ...  T      values after them, each for the side that made the move
    chain of 1    v1 ---> v3 ---> ...       step 2: a position learns from the next one of the same side,
    chain of 2        v2 ---> v4 ...        the last of each side from the result
    step 1        v1->v2->v3->v4 ...        all for side 1

delta_t = reward + gamma v(next) - v(t); error_t = chi(delta_t) + gamma lambda error(next), from the end backwards: the
thesis' sum over k of lambda**(k-i) delta_k. All values are those before the game; its changes are made afterwards. The
weights move by alpha / windows * error * feature, without the slope of tanh: the gradient of the cross entropy of the
chance to win, (1 + v) / 2.
"""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, seam
from gotools.kernels.arrays import sum_of
from gotools.kernels.elementary import tanh
from gotools.kernels.seams import EVALUATE, RULES, TO_PLAY
from gotools.learn.games.kernels.selfplay import ROWS
from gotools.learn.shapes.kernels.games import GRID, LAYOUT, set_codes
from gotools.learn.shapes.kernels.tables import weight_of
from gotools.learn.td.kernels.td import chi


class ShapeRates(NamedTuple):
    """How to learn; see Rates in learn/td/td.py."""

    alpha: float
    gamma: float
    lam: float
    kappa: float
    reward: float
    step: int
    cut: int
    coherence: int


class ShapeMemory(NamedTuple):
    """What learning changes: the weights; for temporal coherence their net and gross errors so far, else empty."""

    weights: np.ndarray
    net: np.ndarray
    gross: np.ndarray


RATES = typeof(ShapeRates(0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0))
MEMORY = typeof(ShapeMemory(np.zeros(1), np.zeros(1), np.zeros(1)))


@inner
def _pattern_weight(window, code, weights, shapes):
    """Return what a pattern is worth: its weight by place + its weight anywhere."""
    placed = shapes.placed[shapes.begins[window] + code]
    return weight_of(weights, placed) + weight_of(weights, shapes.free[shapes.free_begins[window] + code])


@inner
def _end_stay(window, until, codes, since, stays, count):
    """Note that the code of a window stood after the moves since[window].. until - 1; returns the number of notes."""
    if until > since[window]:
        stays[count, 0], stays[count, 1], stays[count, 2], stays[count, 3] = window, codes[window], since[window], until
        count += 1
    since[window] = until
    return count


@inner
def _tally_for_first(state, weights, tally):
    counted = tally(state, weights)
    return counted if state[TO_PLAY] == 1 else -counted


@inner
def _replay(moves, start, weights, shapes, rules, grid, tally, reward, sums, tallies, stays):
    """Make the moves; fill the value's sum for side 1 after each and the tally before each, and note all stays.

    tallies -- float64[moves + 1]; the last one is that of the end

    stays -- int32[.., 4]: window, code, the move after which it first stood, and the move that changed it

    Returns how many stays there were, and the tilt.
    """
    touched, powers = shapes.touched, shapes.powers
    state, target = start.copy(), np.empty_like(start)
    board = np.empty(len(touched), np.uint8)
    where = np.empty(len(touched) + 1, np.int32)
    windows = len(shapes.begins)
    codes, since = np.empty(windows, np.int32), np.zeros(windows, np.int32)
    worth = np.empty(windows)
    tilt = grid.cells(state, board)
    set_codes(board, touched, powers, codes)
    for window in range(windows):
        worth[window] = _pattern_weight(window, codes[window], weights, shapes)
    total = sum_of(worth)
    count = 0
    for t in range(len(moves)):
        side = state[TO_PLAY]
        changed = grid.changes(state, moves[t], where)
        for j in range(changed):
            for i in range(touched.shape[1]):
                window = touched[where[j], i]
                if window < 0:
                    break
                count = _end_stay(window, t, codes, since, stays, count)
                codes[window] += (side if j == 0 else side - 3) * powers[where[j], i]
        for j in range(changed):
            for i in range(touched.shape[1]):
                window = touched[where[j], i]
                if window < 0:
                    break
                total -= worth[window]
                worth[window] = _pattern_weight(window, codes[window], weights, shapes)
                total += worth[window]
        if reward != 0.0:
            tallies[t] = _tally_for_first(state, weights, tally)
        rules.after(state, moves[t], target)
        state, target = target, state
        turn = weights[shapes.turn] if state[TO_PLAY] == 1 else -weights[shapes.turn]
        sums[t] = total + turn + tilt * weights[shapes.tilt]
    if reward != 0.0:
        tallies[len(moves)] = _tally_for_first(state, weights, tally)
    for window in range(windows):
        count = _end_stay(window, len(moves), codes, since, stays, count)
    return count, tilt


@inner
def _errors(n, outcome, first_side, learner, explored, rates, values, tallies, errors):
    """Fill what each position learns, in the view of side 1; returns the sums of delta**2 and |delta|, and how
    many there are.
    """
    step = rates.step
    squares, sizes, count = 0.0, 0.0, 0
    for t in range(n - 1, -1, -1):
        side = first_side if t % 2 == 0 else 3 - first_side
        if learner != 0 and side != learner and step == 2:
            errors[t] = 0.0
            continue
        view = 1.0 if side == 1 or step == 1 else -1.0
        following = t + step
        if following < n:
            delta = rates.gamma * values[following] - values[t]
            events = tallies[following] - tallies[t]
        else:
            delta = outcome - values[t]
            events = tallies[n] - tallies[t]
        delta = view * (delta + rates.reward * events)
        squares += delta * delta
        sizes += abs(delta)
        count += 1
        error = chi(delta, rates.kappa)
        if following < n:
            error += rates.gamma * rates.lam * view * errors[following]
            if rates.cut != 0 and explored[following]:
                error = 0.0
        errors[t] = view * error
    return squares, sizes, count


@inner
def _move_weight(entry, error, alpha, coherence, memory):
    """Move the weight of an entry by alpha * error; with coherence, by the share of its errors that agreed so far."""
    weight = entry >> 1
    if weight == 0:
        return
    if entry & 1:
        error = -error
    weights = memory.weights
    if coherence != 0:
        net, gross = memory.net, memory.gross
        rate = abs(net[weight]) / gross[weight] if gross[weight] > 0.0 else 1.0
        weights[weight] += alpha * rate * error
        net[weight] += error
        gross[weight] += abs(error)
    else:
        weights[weight] += alpha * error


@inner
def _apply(n, stays, count, first_side, tilt, errors, alpha, coherence, memory, shapes):
    """Move the weights: those of a pattern by the sum of the errors of all positions of its stay at once."""
    so_far = np.empty(n + 1)
    so_far[0] = 0.0
    turns = 0.0
    for t in range(n):
        so_far[t + 1] = so_far[t] + errors[t]
        turns += errors[t] if (t % 2 == 1) == (first_side == 1) else -errors[t]
    for i in range(count):
        window, code = stays[i, 0], stays[i, 1]
        error = so_far[stays[i, 3]] - so_far[stays[i, 2]]
        _move_weight(shapes.placed[shapes.begins[window] + code], error, alpha, coherence, memory)
        _move_weight(shapes.free[shapes.free_begins[window] + code], error, alpha, coherence, memory)
    _move_weight(2 * shapes.turn, turns, alpha, coherence, memory)
    _move_weight(2 * shapes.tilt, so_far[n] * tilt, alpha, coherence, memory)


@seam(types.Tuple((types.float64, types.float64, types.int64))(
    ROWS, types.int32[::1], RATES, MEMORY, LAYOUT, RULES, GRID, types.FunctionType(EVALUATE)))  # fmt: skip
def learn_games(games, start, rates, memory, shapes, rules, grid, tally):
    """Learn from games in order; returns the sums of the temporal differences, squared and absolute, and how many.

    start -- int32[cells], the position at the start; tally -- counts the events that are rewarded
    """
    longest, first_side = games.moves.shape[1], start[TO_PLAY]
    sums, tallies, errors = np.empty(longest), np.zeros(longest + 1), np.empty(longest)
    stays = np.empty((len(shapes.begins) + 2 * longest * shapes.touched.shape[1], 4), np.int32)
    alpha = rates.alpha / len(shapes.begins)
    squares, sizes, seen = 0.0, 0.0, 0
    for game in range(len(games.moves)):
        n = games.lengths[game]
        count, tilt = _replay(
            games.moves[game, :n], start, memory.weights, shapes, rules, grid, tally, rates.reward, sums, tallies, stays
        )
        for t in range(n):
            sums[t] = tanh(sums[t])
        squared, absolute, many = _errors(
            n, games.outcomes[game], first_side, games.learner[game], games.explored[game], rates, sums, tallies, errors
        )
        squares += squared
        sizes += absolute
        seen += many
        _apply(n, stays, count, first_side, tilt, errors, alpha, rates.coherence, memory, shapes)
    return squares, sizes, seen
