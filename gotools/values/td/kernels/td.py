"""Temporal differences with an attitude to risk (kappa), along recorded games.

    chain of a side:   after its move t --- delta = r + gamma V' - V ---> after its next move --- ... ---> outcome

    step 2: each side has a chain of the positions after its own moves, valued for itself
    step 1: one chain of the positions after every move, valued for side 1

r counts the events from the move that led to the position up to the move that leads to the next one. A value includes
the reward of the last move, so that a player that looks at values alone sees the gain of a move. If rewards come late,
all events count with the outcome: a value then includes those of the whole game, and values at different depths of a
search can be compared.

A position learns when the next one of its chain is known: its gradient is added to the trace, and the weights move
along the trace by the difference. V is the value of the position, or of the leaf for which the move was chosen
(TD-Leaf). The final position has its outcome as value and learns nothing.

Sources: Sutton 1988; Mihatsch and Neuneier 2002 (kappa); Beal and Smith 1999 (coherence); Baxter, Tridgell and Weaver
1998 (leaves).
"""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.basics import copy_to
from gotools.jit.kernels.elementary import exp, log
from gotools.jit.kernels.network import first_weight, network_gradient, network_value
from gotools.jit.kernels.seams import FLOATS, INPUTS, ONGOING, RULES, TO_PLAY, VALUER
from gotools.search.kernels.plain import sign
from gotools.values.games.kernels.selfplay import ROWS

SQUARES, SIZES, COUNT = range(3)
"""Entries of the sums of errors."""
LINEAR, LOGCOSH = range(2)
"""Functions that weigh a difference."""
CHI_SCALE = 0.1
"""The scale of LOGCOSH: at this difference kappa has 0.76 of its full effect on the slope, at twice as much 0.96."""


class TdSettings(NamedTuple):
    """How to learn; see Rates in values/td/td.py.

    half  -- games after which the rates are half as large; 0: they are constant
    games -- number of the first game
    kappa_games -- games after which kappa is kappa_end; 0: it is constant
    chi   -- LINEAR or LOGCOSH
    late  -- 1: all events are rewarded at the end of the game; 0: each with its move
    """

    gamma: float
    lam: float
    kappa: float
    reward: float
    half: float
    step: int
    cut: int
    coherent: int
    games: int
    kappa_end: float
    kappa_games: int
    chi: int
    late: int


class GameRates(NamedTuple):
    """Rates of one game: the factor of all learning rates, and kappa."""

    scale: float
    kappa: float


class TdMemory(NamedTuple):
    """What learning changes, and its working memory; n weights, m inputs.

    numbers  -- float64[k], the perceptron
    alphas   -- float64[n], the learning rate of each weight
    net, sum -- float64[n]: the sum of the steps of a weight so far, and the sum of their sizes (coherence)
    traces   -- float64[2, n], of each chain
    gradient -- float64[n]
    inputs   -- float64[3, m]: of the last position of each chain, and of the next one
    views    -- float64[3, 3] of the same: the sign of the value for the chain's side, 0 if the position is
                decided; the value of a decided position; the events before the move that led to it
    """

    numbers: np.ndarray
    alphas: np.ndarray
    net: np.ndarray
    sum: np.ndarray
    traces: np.ndarray
    gradient: np.ndarray
    inputs: np.ndarray
    views: np.ndarray


SETTINGS = typeof(TdSettings(0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0, 0.0, 0, 0, 0))
_ROW, _TABLE = np.zeros(1), np.zeros((1, 1))
MEMORY = typeof(TdMemory(_ROW, _ROW, _ROW, _ROW, _TABLE, _ROW, _TABLE, _TABLE))
_SIGN, _KNOWN, _EVENTS = range(3)
_NEXT = 2
"""The row of the next position in `inputs` and `views`."""


@kernel
def chi(delta, kappa):
    """Weigh a difference: kappa > 0 gives losses more weight, kappa < 0 gains."""
    return (1.0 - kappa) * delta if delta > 0.0 else (1.0 + kappa) * delta


@kernel
def chi_logcosh(delta, kappa):
    """Weigh a difference like chi, with less effect on small ones: the slope is 1 - kappa tanh(delta / CHI_SCALE)."""
    size = abs(delta) / CHI_SCALE
    return delta - kappa * CHI_SCALE * (size + log(0.5 + 0.5 * exp(-2.0 * size)))


@kernel
def kappa_of(game, settings):
    """Return the kappa of a game; it changes linearly from the first game on to kappa_end."""
    if settings.kappa_games == 0:
        return settings.kappa
    if game >= settings.kappa_games:
        return settings.kappa_end
    return settings.kappa + (settings.kappa_end - settings.kappa) * (game / settings.kappa_games)


@kernel
def step_along(weights, trace, step, alphas, scale, net, total, coherent):
    """Move the weights along a trace, each by its own rate; with coherence times |net| / total.

    step -- the difference, weighed by chi
    """
    for i in range(len(weights)):
        wanted = step * trace[i]
        rate = alphas[i] * scale
        if coherent != 0:
            if total[i] > 0.0:
                rate *= abs(net[i]) / total[i]
            net[i] += wanted
            total[i] += abs(wanted)
        weights[i] += rate * wanted


@inner
def td_update(chain, target, rates, memory, settings):
    """Let the last position of a chain learn from its target, r + gamma V' or r + the outcome; return the difference.

    rates -- GameRates
    """
    numbers, gradient, trace = memory.numbers, memory.gradient, memory.traces[chain]
    sign, value = memory.views[chain, _SIGN], memory.views[chain, _KNOWN]
    decay = settings.gamma * settings.lam
    if sign != 0.0:
        value = sign * network_gradient(memory.inputs[chain], numbers, gradient)
        for i in range(len(trace)):
            trace[i] = decay * trace[i] + sign * gradient[i]
    else:
        for i in range(len(trace)):
            trace[i] *= decay
    delta = target - value
    step = chi_logcosh(delta, rates.kappa) if settings.chi == LOGCOSH else chi(delta, rates.kappa)
    step_along(numbers[first_weight(numbers):], trace, step, memory.alphas, rates.scale, memory.net, memory.sum,
               settings.coherent)  # fmt: skip
    return delta


@inner
def _look(state, leaf, states, view, memory, rules, inputs):
    """Fill the row of the next position, valued for side `view`, from its leaf.

    leaf   -- int16[depth - 1], the moves to the leaf
    states -- int32[2, cells], room
    """
    position, n = state, 0
    for move in leaf:
        if move < 0:
            break
        rules.after(position, move, states[n % 2])
        position = states[n % 2]
        n += 1
    side = 1.0 if position[TO_PLAY] == view else -1.0
    value = rules.outcome(position) if n > 0 else ONGOING
    if value != ONGOING:
        memory.views[_NEXT, _SIGN] = 0.0
        memory.views[_NEXT, _KNOWN] = side * sign(value)
    else:
        memory.views[_NEXT, _SIGN] = side
        inputs(position, memory.inputs[_NEXT])


@inner
def _events(state, view, tally):
    """Return the tally of events so far, for a side."""
    count = tally.evaluate(state, tally.numbers)
    return count if state[TO_PLAY] == view else -count


@inner
def _note(sums, delta):
    sums[SQUARES] += delta * delta
    sums[SIZES] += abs(delta)
    sums[COUNT] += 1.0


@inner
def _arrive(chain, linked, cut, rates, memory, settings, sums):
    """Let a chain learn from the next position and go on to it; linked -- it has a last position; cut -- end traces."""
    views = memory.views
    if linked and cut:
        memory.traces[chain] = 0.0
    elif linked:
        value = views[_NEXT, _KNOWN]
        if views[_NEXT, _SIGN] != 0.0:
            value = views[_NEXT, _SIGN] * network_value(memory.inputs[_NEXT], memory.numbers)
        reward = 0.0
        if settings.late == 0:
            reward = settings.reward * (views[_NEXT, _EVENTS] - views[chain, _EVENTS])
        _note(sums, td_update(chain, reward + settings.gamma * value, rates, memory, settings))
    memory.inputs[chain] = memory.inputs[_NEXT]
    views[chain] = views[_NEXT]


@inner
def _finish(chain, view, result, state, rates, memory, settings, sums, tally):
    """Let the last position of a chain learn from the outcome.

    result -- for side 1
    """
    before = memory.views[chain, _EVENTS] if settings.late == 0 else 0.0
    reward = settings.reward * (_events(state, view, tally) - before)
    target = reward + (result if view == 1 else -result)
    _note(sums, td_update(chain, target, rates, memory, settings))


@inner
def _learn_game(game, games, rates, memory, settings, states, sums, root, rules, inputs, tally):
    """Learn from one of the games."""
    moves, explored, learner = games.moves[game, : games.lengths[game]], games.explored[game], games.learner[game]
    result, leaves = games.outcomes[game], games.leaves[game]
    state = states[0]
    copy_to(state, root)
    memory.traces[:] = 0.0
    linked0 = linked1 = False
    chain, last = 0, len(moves) - 1
    ended_by_exploring = False
    for t in range(len(moves)):
        mover = np.int64(state[TO_PLAY])
        chain = mover - 1 if settings.step == 2 else 0
        view = mover if settings.step == 2 else 1
        events = _events(state, view, tally)
        rules.after(state, moves[t], states[1])
        copy_to(state, states[1])
        cut = settings.cut != 0 and explored[t] != 0
        if t == last and rules.outcome(state) != ONGOING:
            ended_by_exploring = cut
            break
        if settings.step == 2 and learner != 0 and mover != learner:
            continue
        _look(state, leaves[t], states[1:], view, memory, rules, inputs)
        memory.views[_NEXT, _EVENTS] = events
        _arrive(chain, linked0 if chain == 0 else linked1, cut, rates, memory, settings, sums)
        if chain == 0:
            linked0 = True
        else:
            linked1 = True
    for i in range(2):  # the side that moved last learns first
        if (linked0 if chain == 0 else linked1) and not (i == 0 and ended_by_exploring):
            _finish(chain, chain + 1, result, state, rates, memory, settings, sums, tally)
        chain = 1 - chain


@seam(types.void(ROWS, MEMORY, SETTINGS, types.int32[:, ::1], FLOATS, types.int32[::1], RULES,
                 types.FunctionType(INPUTS), VALUER))  # fmt: skip
def learn(games, memory, settings, states, sums, root, rules, inputs, tally):
    """Learn from games, in order.

    states -- int32[3, cells], room; sums -- float64[3], SQUARES .. COUNT of the differences are added to it
    root   -- int32[cells], the position at the start; tally -- counts the events that are rewarded
    """
    for game in range(len(games.lengths)):
        scale = 1.0
        if settings.half > 0.0:
            scale = settings.half / (settings.half + settings.games + game)
        rates = GameRates(scale, kappa_of(settings.games + game, settings))
        _learn_game(game, games, rates, memory, settings, states, sums, root, rules, inputs, tally)


@seam(types.void(ROWS, types.float64, FLOATS, FLOATS, FLOATS, types.int32[:, ::1], types.int32[::1], RULES,
                 types.FunctionType(INPUTS)))  # fmt: skip
def count_games(games, rate, counter, scales, row, states, root, rules, inputs):
    """Average the inputs of the positions after the learner's moves, more weight on recent ones; skip finished ones.

    For each: counter += rate * (inputs - counter).


    counter -- float64[m]; scales -- float64[m], of the inputs; row -- float64[m], room
    states  -- int32[2, cells], room; root -- int32[cells], the position at the start
    """
    state = states[0]
    for game in range(len(games.lengths)):
        learner = games.learner[game]
        copy_to(state, root)
        for t in range(games.lengths[game]):
            mover = state[TO_PLAY]
            rules.after(state, games.moves[game, t], states[1])
            copy_to(state, states[1])
            if rules.outcome(state) != ONGOING:
                break
            if learner == 0 or mover == learner:
                inputs(state, row)
                for i in range(len(counter)):
                    counter[i] = (1.0 - rate) * counter[i] + rate * (row[i] * scales[i])
