"""Temporal differences for tables of patterns, a game at a time: all values are those before the game.

Local shapes:

    move          1   2   3   4 ...  T      values after them, each for the side that made the move
    chain of 1    v1 ---> v3 ---> ...       step 2: a position learns from the next one of the same side,
    chain of 2        v2 ---> v4 ...        the last of each side from the result
    step 1        v1->v2->v3->v4 ...        all for side 1

delta_t = reward + gamma v(next) - v(t); error_t = chi(delta_t) + gamma lambda error(next), from the end backwards: the
thesis' sum over k of lambda**(k-i) delta_k. The weights move by alpha / windows * error * feature, without the slope of
tanh: the gradient of the cross entropy of the chance to win, (1 + v) / 2.

N-tuples:

    move          0    1    2 ...  n-1     values after them, for side 1
    chain         v0 -> v1 -> v2 ... -> outcome

error_t = next_t - v_t + lambda * error_(t+1), where next_t is v_(t+1). Where move t+1 was explored, next_t is the value
of the best move in its place, and no error is passed on: nothing is learned from chance. The entries of a position move
by alpha / windows * error, from the end of the game backwards.

Siblings: of a share of the positions, drawn at random, the positions after the moves that were not played learn too,
each from the best reply to it: as in TreeStrap (Veness et al. 2009) at a depth of one. So a game teaches the values of
mistakes as well.

Temporal coherence of shapes multiplies a step by |net| / gross, where net is the sum of a weight's errors so far, gross
the sum of their sizes (Beal and Smith 1999); that of n-tuples by exp(2.7 (|net| / gross - 1)): from 1 where the errors
agree to 0.07 where they cancel out, not 0 (TCL-EXP of Bagheri, Thill, Koch and Konen 2016).
"""

import math
from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, seam
from gotools.jit.kernels.basics import chance, largest, seed_random, sum_of
from gotools.jit.kernels.elementary import tanh
from gotools.jit.kernels.seams import CELLS, EVALUATE, ONGOING, RULES, TO_PLAY
from gotools.search.kernels.plain import without_pass
from gotools.values.games.kernels.selfplay import ROWS
from gotools.values.td.kernels.shape_weights import weight_of
from gotools.values.td.kernels.table_games import (
    GRID,
    SEED_STEP,
    SHAPES,
    SIDE_TABLES,
    TUPLES,
    change_places,
    look_up,
    new_room,
    set_codes,
    set_places,
    set_scores,
)
from gotools.values.td.kernels.td import chi


class TableRates(NamedTuple):
    """How to learn; see Rates in values/td/td.py.

    coherence -- 1: with temporal coherence
    gamma, kappa, reward, step, cut -- of shapes only
    siblings  -- of n-tuples only: share of the positions whose other moves learn too; seed -- of that draw
    """

    alpha: float
    lam: float
    coherence: int
    gamma: float
    kappa: float
    reward: float
    step: int
    cut: int
    siblings: float
    seed: int


RATES = typeof(TableRates(0.0, 0.0, 0, 0.0, 0.0, 0.0, 0, 0, 0.0, 0))


# ---- local shapes ----


class ShapeMemory(NamedTuple):
    """What learning changes: the weights; for temporal coherence their net and gross errors so far, else empty."""

    weights: np.ndarray
    net: np.ndarray
    gross: np.ndarray


MEMORY = typeof(ShapeMemory(np.zeros(1), np.zeros(1), np.zeros(1)))


@inner
def _pattern_weight(window, code, weights, shapes):
    """Return the weight of a pattern at its place + its weight anywhere."""
    placed = shapes.placed[shapes.begins[window] + code]
    return weight_of(weights, placed) + weight_of(weights, shapes.free[shapes.free_begins[window] + code])


@inner
def _end_stay(window, until, codes, since, stays, count):
    """Record that the code of a window stood after the moves since[window] .. until - 1; return the number of stays."""
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
def _replay_shapes(moves, start, weights, shapes, rules, grid, tally, reward, sums, tallies, stays):
    """Make the moves; fill the value's sum for side 1 after each and the tally before each, and record all stays.

    tallies -- float64[moves + 1]; the last one is the tally at the end
    stays   -- int32[.., 4]: window, code, the move after which it first stood, and the move that changed it

    Returns the number of stays, and the tilt.
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
        for j in range(changed):  # after all codes are final: one window may hold several of the changed cells
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
def _set_errors(n, outcome, first_side, learner, explored, rates, values, tallies, errors):
    """Fill each position's error, in the view of side 1; return the sums of delta**2 and |delta|, and their number."""
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
def _move_weights(n, stays, count, first_side, tilt, errors, alpha, coherence, memory, shapes):
    """Move the weights; those of a pattern at once by the sum of the errors of all positions of its stay."""
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
    ROWS, types.int32[::1], RATES, MEMORY, SHAPES, RULES, GRID, types.FunctionType(EVALUATE)))  # fmt: skip
def learn_by_shapes(games, start, rates, memory, shapes, rules, grid, tally):
    """Learn from games in order; return the sums of the temporal differences, squared and absolute, and their number.

    start -- int32[cells], the position at the start; tally -- counts the events that are rewarded
    """
    longest, first_side = games.moves.shape[1], start[TO_PLAY]
    sums, tallies, errors = np.empty(longest), np.zeros(longest + 1), np.empty(longest)
    stays = np.empty((len(shapes.begins) + 2 * longest * shapes.touched.shape[1], 4), np.int32)
    alpha = rates.alpha / len(shapes.begins)
    squares, sizes, seen = 0.0, 0.0, 0
    for game in range(len(games.moves)):
        n = games.lengths[game]
        count, tilt = _replay_shapes(
            games.moves[game, :n], start, memory.weights, shapes, rules, grid, tally, rates.reward, sums, tallies, stays
        )
        for t in range(n):
            sums[t] = tanh(sums[t])
        squared, absolute, many = _set_errors(
            n, games.outcomes[game], first_side, games.learner[game], games.explored[game], rates, sums, tallies, errors
        )
        squares += squared
        sizes += absolute
        seen += many
        _move_weights(n, stays, count, first_side, tilt, errors, alpha, rates.coherence, memory, shapes)
    return squares, sizes, seen


# ---- n-tuples ----


_FINENESS = 1024
_COHERENCE = np.array([math.exp(2.7 * (i / _FINENESS - 1)) for i in range(_FINENESS + 1)], np.float32)
"""By |net| / gross, in steps of 1 / 1024."""
STEPS = types.float32[:, :, ::1]
"""Net and gross errors of each entry so far: float32[2, entries, 2]; without temporal coherence of no entries."""


@inner
def _best_value(state, states, places, found, scores, table, layout, rules, look, room):
    """Return the value for side 1 of the best move in a position."""
    n = without_pass(found, rules.worthy(state, found), rules.pass_move)
    set_scores(found, n, state, states, layout, places, table, rules, look, room, scores)
    best = largest(scores, n)
    return best if state[TO_PLAY] == 1 else -best


@inner
def _replay_tuples(moves, explored, start, table, layout, rules, look, places, values, instead):
    """Make the moves; fill the places and the value for side 1 after each.

    instead -- filled with the value of the best move in the place of each explored one
    """
    state, target = start.copy(), np.empty_like(start)
    states, after = np.empty(layout.parts.shape[0], np.uint8), np.empty(layout.parts.shape[0], np.uint8)
    found, scores = np.empty(rules.longest, np.int32), np.empty(rules.longest)
    now, room = np.empty(layout.parts.shape[2], np.int32), new_room(start, layout)
    look(state, states)
    set_places(states, layout, now)
    for t in range(len(moves)):
        if explored[t]:
            instead[t] = _best_value(state, states, now, found, scores, table, layout, rules, look, room)
        rules.after(state, moves[t], target)
        state, target = target, state
        look(state, after)
        change_places(states, after, layout, now)
        states, after = after, states
        for window in range(len(now)):
            places[t, window] = now[window]
        values[t] = tanh(look_up(now, table[state[TO_PLAY] - 1], room.known))


@inner
def _learn_position(places, entries, error, rates, steps):
    """Move the entries of a position."""
    change = rates.alpha / len(places) * error
    if rates.coherence == 0:
        for window in range(len(places)):
            entries[places[window]] += np.float32(change)
        return
    size = abs(error)
    for window in range(len(places)):
        at = places[window]
        net, gross = steps[at, 0], steps[at, 1]
        rate = _COHERENCE[min(int(_FINENESS * abs(net) / gross), _FINENESS)] if gross > 0.0 else np.float32(1.0)
        entries[at] += np.float32(rate * change)
        steps[at, 0] = np.float32(net + error)
        steps[at, 1] = np.float32(gross + size)


@inner
def _learn_siblings(moves, start, random, rates, table, steps, layout, rules, look):
    """Let the positions after moves that were not played learn from the best reply to each."""
    state, target, child = start.copy(), np.empty_like(start), np.empty_like(start)
    states, after = np.empty(layout.parts.shape[0], np.uint8), np.empty(layout.parts.shape[0], np.uint8)
    found, replies = np.empty(rules.longest, np.int32), np.empty(rules.longest, np.int32)
    scores, windows = np.empty(rules.longest), layout.parts.shape[2]
    now, places, room = np.empty(windows, np.int32), np.empty(windows, np.int32), new_room(start, layout)
    look(state, states)
    set_places(states, layout, now)
    for t in range(len(moves)):
        n = without_pass(found, rules.worthy(state, found), rules.pass_move) if chance(random, rates.siblings) else 0
        for i in range(n):
            rules.after(state, found[i], child)
            if found[i] == moves[t] or rules.outcome(child) != ONGOING:
                continue
            look(child, after)
            for window in range(windows):
                places[window] = now[window]
            change_places(states, after, layout, places)
            side = child[TO_PLAY] - 1
            value = tanh(look_up(places, table[side], room.known))
            best = _best_value(child, after, places, replies, scores, table, layout, rules, look, room)
            _learn_position(places, table[side], best - value, rates, steps[side])
        rules.after(state, moves[t], target)
        state, target = target, state
        look(state, after)
        change_places(states, after, layout, now)
        states, after = after, states


@seam(types.Tuple((types.float64, types.float64, types.int64))(
    types.int64, ROWS, types.int32[::1], RATES, SIDE_TABLES, STEPS, TUPLES, RULES,
    types.FunctionType(CELLS)))  # fmt: skip
def learn_by_tuples(first, games, start, rates, table, steps, layout, rules, look):
    """Learn from games number first.. in order.

    Returns the sums of the temporal differences, squared and absolute, and their number.
    """
    random = np.empty(1, np.uint64)
    longest, first_side = games.moves.shape[1], start[TO_PLAY]
    places = np.empty((longest, layout.parts.shape[2]), np.int32)
    values, instead, errors = np.empty(longest), np.empty(longest), np.empty(longest)
    squares, sizes, seen = 0.0, 0.0, 0
    for game in range(len(games.moves)):
        n = games.lengths[game]
        explored = games.explored[game]
        _replay_tuples(games.moves[game, :n], explored, start, table, layout, rules, look, places, values, instead)
        error = 0.0
        for t in range(n - 2, -1, -1):
            following = games.outcomes[game] if t == n - 2 else values[t + 1]
            if explored[t + 1]:
                following, error = instead[t + 1], 0.0
            delta = following - values[t]
            squares += delta * delta
            sizes += abs(delta)
            seen += 1
            error = delta + rates.lam * error
            errors[t] = error
        for t in range(n - 2, -1, -1):
            side = first_side if t % 2 == 1 else 3 - first_side  # to play after move t
            _learn_position(places[t], table[side - 1], errors[t], rates, steps[side - 1])
        if rates.siblings > 0.0:
            seed_random(random, rates.seed * SEED_STEP + first + game)
            _learn_siblings(games.moves[game, :n], start, random, rates, table, steps, layout, rules, look)
    return squares, sizes, seen
