"""Games played to learn from: by one evaluation against itself, a random player, or another evaluation.

    a game:   moves | m0 m1 m2 ... |     explored | 0 1 0 ... |     leaves[t] | the moves from the position after m_t
                                                                              | to the one that its value came from, -1

A move is chosen by the values of the positions after it, or by alpha-beta without a table; decided positions are worth
1, 0 or -1. Among equal moves the first of a shuffled list is taken, so all are alike. Each game has its own random
numbers, from the seed and its number: who plays which games changes nothing.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from gotools._random import below, seed_random
from gotools._seams import AFTER, EVALUATE, FLOATS, LEGAL, ONGOING, OUTCOME, TO_PLAY
from gotools.jit import kernel, seam

SELF, RANDOM_PLAYER, HEURISTIC = range(3)
_FINE = 1 << 30
_ODD = np.int64(0x1CE4E5B9BF58476D)
_WIDE = 2.0
"""Beyond every value."""


class Plan(NamedTuple):
    """How a batch of games is played; see Policy in selfplay.py.

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


class Scratch(NamedTuple):
    """What a search works with.

    states -- int32[depth + 1, cells]
    moves  -- int32[depth + 1, longest]
    values -- float64[longest], of the moves at the root
    lines  -- int32[depth + 1, depth + 1]: the moves from the position of a ply to its leaf, ended by -1
    """

    states: np.ndarray
    moves: np.ndarray
    values: np.ndarray
    lines: np.ndarray


_GRID = types.int32[:, ::1]
PLAN = types.NamedTuple((types.float64,) * 5 + (types.int64,) * 4, Plan)  # type: ignore[no-untyped-call]
SCRATCH = types.NamedTuple((_GRID, _GRID, FLOATS, _GRID), Scratch)  # type: ignore[no-untyped-call]
_WORTHY, _AFTER, _OUTCOME, _EVALUATE = (types.FunctionType(one) for one in (LEGAL, AFTER, OUTCOME, EVALUATE))


@kernel
def chance(random, share):
    """Say yes with a probability."""
    return share > 0.0 and below(random, _FINE) < share * _FINE


@kernel
def sign(value):
    """Return 1, -1 or 0."""
    return 1.0 if value > 0.0 else (-1.0 if value < 0.0 else 0.0)


@kernel
def without_pass(moves, n, pass_move):
    """Take the pass out of a list of moves, unless there is nothing else; returns how many are left."""
    if pass_move < 0 or n < 2:
        return n
    kept = 0
    for i in range(n):
        if moves[i] != pass_move:
            moves[kept] = moves[i]
            kept += 1
    return kept


@kernel
def _shuffle(moves, n, random):
    for i in range(n - 1, 0, -1):
        j = below(random, i + 1)
        moves[i], moves[j] = moves[j], moves[i]


@seam(types.float64(types.int64, types.int64, types.float64, types.float64, SCRATCH, FLOATS, types.int64, _WORTHY,
                    _AFTER, _OUTCOME, _EVALUATE))  # fmt: skip
def search(ply, depth, alpha, beta, scratch, numbers, pass_move, worthy, after, outcome, evaluate):
    """Value the position of a ply for its side to play, `depth` plies deep, by alpha-beta; fail-soft.

    lines[ply] becomes the way to its leaf where the value lies between alpha and beta.
    """
    state = scratch.states[ply]
    line = scratch.lines[ply]
    line[0] = -1
    value = outcome(state)
    if value != ONGOING:
        return sign(value)
    if depth <= 0:
        return evaluate(state, numbers)
    moves, next_line = scratch.moves[ply], scratch.lines[ply + 1]
    n = without_pass(moves, worthy(state, moves), pass_move)
    best = -_WIDE
    for i in range(n):
        after(state, moves[i], scratch.states[ply + 1])
        found = -search(ply + 1, depth - 1, -beta, -max(alpha, best), scratch, numbers, pass_move, worthy, after,
                        outcome, evaluate)  # fmt: skip
        if found > best:
            best = found
            if best > alpha:
                line[0] = moves[i]
                for j in range(depth - 1):
                    line[j + 1] = next_line[j]
                if depth < len(line):
                    line[depth] = -1
            if best >= beta:
                break
    return best


@seam(types.void(types.int64, types.int64, types.int64, SCRATCH, FLOATS, _WORTHY, _AFTER, _OUTCOME, _EVALUATE))
def follow(move, depth, pass_move, scratch, numbers, worthy, after, outcome, evaluate):
    """Make lines[0] a given move in the position states[0], and the way from there to its leaf."""
    line = scratch.lines[0]
    line[0] = move
    if depth > 1:
        after(scratch.states[0], move, scratch.states[1])
        search(1, depth - 1, -_WIDE, _WIDE, scratch, numbers, pass_move, worthy, after, outcome, evaluate)
        for j in range(depth - 1):
            line[j + 1] = scratch.lines[1, j]


@kernel
def drawn(values, n, temperature, random):
    """Draw an index with a probability that grows as exp(value / temperature)."""
    best = values[0]
    for i in range(1, n):
        best = max(best, values[i])
    total = 0.0
    for i in range(n):
        total += np.exp((values[i] - best) / temperature)
    left = total * (below(random, _FINE) / _FINE)
    for i in range(n - 1):
        left -= np.exp((values[i] - best) / temperature)
        if left < 0.0:
            return i
    return n - 1


@seam(types.int64(types.int64, types.int64, types.float64, types.int64, SCRATCH, FLOATS, types.uint64[::1], _WORTHY,
                  _AFTER, _OUTCOME, _EVALUATE))  # fmt: skip
def choose(n, depth, temperature, pass_move, scratch, numbers, random, worthy, after, outcome, evaluate):
    """Choose one of the first n of moves[0] in the position states[0]; lines[0] becomes it and the way to its leaf.

    Returns 0 for a best move, 1 for another one that the temperature drew.
    """
    state, child = scratch.states[0], scratch.states[1]
    moves, values, line, next_line = scratch.moves[0], scratch.values, scratch.lines[0], scratch.lines[1]
    _shuffle(moves, n, random)
    best, low = 0, -_WIDE
    next_line[0] = -1
    for i in range(n):
        after(state, moves[i], child)
        if depth <= 1:
            value = outcome(child)
            found = -sign(value) if value != ONGOING else -evaluate(child, numbers)
        else:
            top = _WIDE if temperature > 0.0 else -low
            found = -search(1, depth - 1, -_WIDE, top, scratch, numbers, pass_move, worthy, after, outcome, evaluate)
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


@kernel
def final(state, spare, pass_move, after, outcome):
    """Return 1, 0, -1 for the first side's victory, a draw, its loss; a game that is not over is passed out."""
    value = outcome(state)
    if value == ONGOING and pass_move >= 0:
        after(state, pass_move, spare)
        state[:] = spare
        value = outcome(state)
        if value == ONGOING:
            after(state, pass_move, spare)
            state[:] = spare
            value = outcome(state)
    if value == ONGOING:
        return 0.0
    return sign(value) if state[TO_PLAY] == 1 else -sign(value)


@kernel
def _opponent(plan, random):
    """Draw who plays the other side."""
    share = below(random, _FINE) / _FINE
    if share < plan.random:
        return RANDOM_PLAYER
    return HEURISTIC if share < plan.random + plan.heuristic else SELF


@seam(types.void(PLAN, types.int64, FLOATS, FLOATS, SCRATCH, types.int16[:, ::1], types.int64[::1], types.float64[::1],
                 types.uint8[:, ::1], types.int8[::1], types.int16[:, :, ::1], types.int32[::1], _WORTHY, _AFTER,
                 _OUTCOME, _EVALUATE, _EVALUATE))  # fmt: skip
def play(plan, first, numbers, other_numbers, scratch, moves, lengths, outcomes, explored, learner, leaves, root,
         worthy, after, outcome, evaluate, other):  # fmt: skip
    """Play the games number `first` and on, one for each row of the arrays; see Games in selfplay.py.

    root -- int32[cells], the position at the start; other, other_numbers -- the heuristic opponent
    """
    random = np.empty(1, np.uint64)
    state, options, line = scratch.states[0], scratch.moves[0], scratch.lines[0]
    for game in range(len(lengths)):
        seed_random(random, np.int64(plan.seed) * _ODD + first + game)
        opponent = _opponent(plan, random)
        side = 1 + (first + game) % 2 if opponent != SELF or plan.dilution > 0.0 else 0
        learner[game] = side
        state[:] = root
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
                choose(n, 1, 0.0, plan.pass_move, scratch, other_numbers, random, worthy, after, outcome, other)
                follow(line[0], plan.depth, plan.pass_move, scratch, numbers, worthy, after, outcome, evaluate)
            elif not theirs and chance(random, plan.epsilon):
                explored[game, t] = 1
                follow(options[below(random, n)], plan.depth, plan.pass_move, scratch, numbers, worthy, after, outcome,
                       evaluate)  # fmt: skip
            else:
                explored[game, t] = choose(n, plan.depth, plan.temperature, plan.pass_move, scratch, numbers, random,
                                           worthy, after, outcome, evaluate)  # fmt: skip
            moves[game, t] = line[0]
            for j in range(plan.depth - 1):
                if line[j + 1] < 0:
                    break
                leaves[game, t, j] = line[j + 1]
            after(state, line[0], scratch.states[1])
            state[:] = scratch.states[1]
            t += 1
        lengths[game] = t
        outcomes[game] = final(state, scratch.states[1], plan.pass_move, after, outcome)
