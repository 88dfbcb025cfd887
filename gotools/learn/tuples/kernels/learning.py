"""Temporal differences for n-tuples, a game at a time.

    move          0    1    2 ...  n-1     values after them, for side 1
    chain         v0 -> v1 -> v2 ... -> outcome

error_t = next_t - v_t + lambda * error_(t+1), where next_t is v_(t+1). Where move t+1 was explored, next_t is the value
of the best move in its place, and no error is passed on: nothing is learned from chance. All values are those before
the game; its changes are made afterwards, from its end backwards. The entries of a position move by
alpha / windows * error, without the slope of tanh: the gradient of the cross entropy of the chance to win.

Siblings: of a share of the positions, drawn at random, the positions after the moves that were not played learn too,
each from the best reply to it: as in TreeStrap (Veness et al. 2009) at a depth of one. So a game teaches the values of
mistakes as well.

Temporal coherence: each entry's step is multiplied by exp(2.7 (|net| / gross - 1)), where net is the sum of its errors
so far, gross that of their sizes: from 1 where they agree to 0.07 where they cancel out (Bagheri, Thill, Koch and Konen
2016, their TCL-EXP; Beal and Smith 1999 have |net| / gross, which ends at 0).
"""

import math
from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, seam
from gotools.kernels.arrays import largest
from gotools.kernels.elementary import tanh
from gotools.kernels.random_numbers import chance, seed_random
from gotools.kernels.seams import CELLS, ONGOING, RULES, TO_PLAY
from gotools.learn.games.kernels.selfplay import ROWS
from gotools.learn.tuples.kernels.games import LAYOUT, TABLE, change_places, look_up, new_room, set_places, set_scores
from gotools.search.kernels.plain import without_pass


class TupleRates(NamedTuple):
    """How to learn.

    coherence -- 1: with temporal coherence
    siblings  -- share of the positions whose other moves learn too; seed -- of that draw
    """

    alpha: float
    lam: float
    coherence: int
    siblings: float
    seed: int


_FINENESS = 1024
_COHERENCE = np.array([math.exp(2.7 * (i / _FINENESS - 1)) for i in range(_FINENESS + 1)], np.float32)
"""By |net| / gross, in steps of 1 / 1024."""
RATES = typeof(TupleRates(0.0, 0.0, 0, 0.0, 0))
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
def _replay(moves, explored, start, table, layout, rules, look, places, values, instead):
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
    types.int64, ROWS, types.int32[::1], RATES, TABLE, STEPS, LAYOUT, RULES, types.FunctionType(CELLS)))  # fmt: skip
def learn_games(first, games, start, rates, table, steps, layout, rules, look):
    """Learn from games number first.. in order.

    Returns the sums of the temporal differences, squared and absolute, and how many there were.
    """
    random = np.empty(1, np.uint64)
    longest, first_side = games.moves.shape[1], start[TO_PLAY]
    places = np.empty((longest, layout.parts.shape[2]), np.int32)
    values, instead, errors = np.empty(longest), np.empty(longest), np.empty(longest)
    squares, sizes, seen = 0.0, 0.0, 0
    for game in range(len(games.moves)):
        n = games.lengths[game]
        explored = games.explored[game]
        _replay(games.moves[game, :n], explored, start, table, layout, rules, look, places, values, instead)
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
            seed_random(random, rates.seed * 0x9E3779B1 + first + game)
            _learn_siblings(games.moves[game, :n], start, random, rates, table, steps, layout, rules, look)
    return squares, sizes, seen
