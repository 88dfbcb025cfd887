"""Games played to learn from: by one evaluation against itself, a random player, or another evaluation.

    a game:   moves | m0 m1 m2 ... |     explored | 0 1 0 ... |     leaves[t] | the moves from the position after m_t
                                                                              | to the one that its value came from, -1

A move is chosen by the values of the positions after it, searched or not (search/kernels/plain.py). Among equal moves
the first of a shuffled list is taken, so all are alike. Each game has its own random numbers, from the seed and its
number: who plays which games changes nothing.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from gotools.jit import inner, seam
from gotools.kernels.arrays import copy_to
from gotools.kernels.elementary import exp
from gotools.kernels.random_numbers import below, chance, seed_random
from gotools.kernels.seams import FLOATS, ONGOING, RANDOM, TO_PLAY
from gotools.search.kernels.plain import EVALUATION, RULES, SCRATCH, WIDE, final, search, sign, without_pass

SELF, RANDOM_PLAYER, HEURISTIC = range(3)
_FINE = 1 << 30
_ODD = np.int64(0x1CE4E5B9BF58476D)


class Plan(NamedTuple):
    """How a batch of games is played; see Policy in learn/games/selfplay.py.

    random, heuristic -- shares of the games against those
    """

    epsilon: float
    temperature: float
    random: float
    heuristic: float
    dilution: float
    depth: int
    opening: int
    pass_move: int
    seed: int


PLAN = types.NamedTuple((types.float64,) * 5 + (types.int64,) * 4, Plan)  # type: ignore[no-untyped-call]


@inner
def _shuffle(moves, n, random):
    for i in range(n - 1, 0, -1):
        j = below(random, i + 1)
        moves[i], moves[j] = moves[j], moves[i]


@seam(types.void(types.int64, types.int64, types.int64, SCRATCH, FLOATS, *RULES, EVALUATION))
def follow(move, depth, pass_move, scratch, numbers, worthy, after, outcome, evaluate):
    """Make lines[0] a given move in the position states[0], and the way from there to its leaf."""
    line = scratch.lines[0]
    line[0] = move
    if depth > 1:
        after(scratch.states[0], move, scratch.states[1])
        search(1, depth - 1, -WIDE, WIDE, scratch, numbers, pass_move, worthy, after, outcome, evaluate)
        for j in range(depth - 1):
            line[j + 1] = scratch.lines[1, j]


@inner
def drawn(values, n, temperature, random):
    """Draw an index with a probability that grows as exp(value / temperature)."""
    best = values[0]
    for i in range(1, n):
        best = max(best, values[i])
    total = 0.0
    for i in range(n):
        total += exp((values[i] - best) / temperature)
    left = total * (below(random, _FINE) / _FINE)
    for i in range(n - 1):
        left -= exp((values[i] - best) / temperature)
        if left < 0.0:
            return i
    return n - 1


@seam(types.int64(types.int64, types.int64, types.float64, types.int64, SCRATCH, FLOATS, FLOATS, RANDOM,
                  *RULES, EVALUATION))  # fmt: skip
def choose(n, depth, temperature, pass_move, scratch, values, numbers, random, worthy, after, outcome, evaluate):
    """Choose one of the first n of moves[0] in the position states[0]; lines[0] becomes it and the way to its leaf.

    values -- float64[longest], filled with those of the moves

    Returns 0 for a best move, 1 for another one that the temperature drew.
    """
    state, child = scratch.states[0], scratch.states[1]
    moves, line, next_line = scratch.moves[0], scratch.lines[0], scratch.lines[1]
    _shuffle(moves, n, random)
    best, low = 0, -WIDE
    next_line[0] = -1
    for i in range(n):
        after(state, moves[i], child)
        if depth <= 1:  # what the search would find: calling it for that takes half as long again
            value = outcome(child)
            found = -sign(value) if value != ONGOING else -evaluate(child, numbers)
        else:
            top = WIDE if temperature > 0.0 else -low
            found = -search(1, depth - 1, -WIDE, top, scratch, numbers, pass_move, worthy, after, outcome, evaluate)
        values[i] = found
        if found > low:
            best, low = i, found
            for j in range(depth - 1):
                line[j + 1] = next_line[j]
    line[0] = moves[best]
    if temperature <= 0.0:
        return 0
    chosen = drawn(values, n, temperature, random)
    if values[chosen] == low:
        return 0
    follow(moves[chosen], depth, pass_move, scratch, numbers, worthy, after, outcome, evaluate)
    return 1


@inner
def _opponent(plan, random):
    """Draw who plays the other side."""
    share = below(random, _FINE) / _FINE
    if share < plan.random:
        return RANDOM_PLAYER
    return HEURISTIC if share < plan.random + plan.heuristic else SELF


@seam(types.void(PLAN, types.int64, FLOATS, FLOATS, SCRATCH, types.int16[:, ::1], types.int64[::1], types.float64[::1],
                 types.uint8[:, ::1], types.int8[::1], types.int16[:, :, ::1], types.int32[::1], *RULES, EVALUATION,
                 EVALUATION))  # fmt: skip
def play(plan, first, numbers, other_numbers, scratch, moves, lengths, outcomes, explored, learner, leaves, root,
         worthy, after, outcome, evaluate, other):  # fmt: skip
    """Play the games number `first` and on, one for each row of the arrays; see Games in learn/games/selfplay.py.

    root -- int32[cells], the position at the start; other, other_numbers -- the heuristic opponent
    """
    random = np.empty(1, np.uint64)
    values = np.empty(scratch.moves.shape[1])
    state, options, line = scratch.states[0], scratch.moves[0], scratch.lines[0]
    for game in range(len(lengths)):
        seed_random(random, np.int64(plan.seed) * _ODD + first + game)
        opponent = _opponent(plan, random)
        side = 1 + (first + game) % 2 if opponent != SELF or plan.dilution > 0.0 else 0
        learner[game] = side
        copy_to(state, root)
        t = 0
        while t < moves.shape[1] and outcome(state) == ONGOING:
            n = without_pass(options, worthy(state, options), plan.pass_move)
            theirs = side != 0 and state[TO_PLAY] != side
            opened = t < plan.opening
            if opened or (theirs and (opponent == RANDOM_PLAYER or chance(random, plan.dilution))):
                explored[game, t] = 1 if opened else 0
                follow(options[below(random, n)], plan.depth, plan.pass_move, scratch, numbers, worthy, after, outcome,
                       evaluate)  # fmt: skip
            elif theirs and opponent == HEURISTIC:
                choose(n, 1, 0.0, plan.pass_move, scratch, values, other_numbers, random, worthy, after, outcome,
                       other)  # fmt: skip
                follow(line[0], plan.depth, plan.pass_move, scratch, numbers, worthy, after, outcome, evaluate)
            elif not theirs and chance(random, plan.epsilon):
                explored[game, t] = 1
                follow(options[below(random, n)], plan.depth, plan.pass_move, scratch, numbers, worthy, after, outcome,
                       evaluate)  # fmt: skip
            else:
                explored[game, t] = choose(n, plan.depth, plan.temperature, plan.pass_move, scratch, values, numbers,
                                           random, worthy, after, outcome, evaluate)  # fmt: skip
            moves[game, t] = line[0]
            for j in range(plan.depth - 1):
                if line[j + 1] < 0:
                    break
                leaves[game, t, j] = line[j + 1]
            after(state, line[0], scratch.states[1])
            copy_to(state, scratch.states[1])
            t += 1
        lengths[game] = t
        outcomes[game] = final(state, scratch.states[1], plan.pass_move, after, outcome)
