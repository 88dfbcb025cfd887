"""Games to learn from: of one evaluation against itself, a random player, or another evaluation.

    a game:   moves | m0 m1 m2 ... |     explored | 0 1 0 ... |     leaves[t] | the moves from the position after m_t
                                                                              | to the one that its value came from, -1

A move is chosen by the values of the positions after it, searched or not (search/kernels/plain.py). Of equal moves the
first of a shuffled list is taken. Each game has its own random numbers, from the seed and its number, so that the
division of games among threads changes nothing.
"""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, seam
from gotools.jit.kernels.basics import below, chance, copy_to, seed_random
from gotools.jit.kernels.elementary import exp
from gotools.jit.kernels.seams import FLOATS, ONGOING, RANDOM, RULES, TO_PLAY, VALUER
from gotools.search.kernels.plain import SCRATCH, WIDE, extend_line, final, search, sign, without_pass

SELF, RANDOM_PLAYER, HEURISTIC = range(3)
_FINE = 1 << 30
_ODD = np.int64(0x1CE4E5B9BF58476D)


class BatchPlan(NamedTuple):
    """How a batch of games is played; see Policy in values/games/selfplay.py.

    random, heuristic -- shares of the games against each; other_depth -- search depth of the heuristic
    directed -- 1: explored moves are the best ones of the explorer; 0: random ones
    """

    epsilon: float
    temperature: float
    random: float
    heuristic: float
    dilution: float
    depth: int
    opening: int
    seed: int
    other_depth: int
    directed: int


class GameRows(NamedTuple):
    """Games to be filled, a row each; see GameBatch in values/games/selfplay.py."""

    moves: np.ndarray
    lengths: np.ndarray
    outcomes: np.ndarray
    explored: np.ndarray
    learner: np.ndarray
    leaves: np.ndarray


def new_rows(count, longest, plies):
    """Return room for games; plies -- depth of their searches, quiescence included."""
    return GameRows(
        moves=np.full((count, longest), -1, np.int16),
        lengths=np.zeros(count, np.int64),
        outcomes=np.zeros(count),
        explored=np.zeros((count, longest), np.uint8),
        learner=np.zeros(count, np.int8),
        leaves=np.full((count, longest, plies - 1), -1, np.int16),
    )


PLAN = typeof(BatchPlan(0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0, 0))
ROWS = typeof(new_rows(1, 1, 2))


@inner
def _shuffle(moves, n, random):
    for i in range(n - 1, 0, -1):
        j = below(random, i + 1)
        moves[i], moves[j] = moves[j], moves[i]


@seam(types.void(types.int64, types.int64, SCRATCH, RULES, VALUER))
def follow(move, depth, scratch, rules, valuer):
    """Fill lines[0] with a given move in the position states[0] and the moves from there to its leaf."""
    if depth + scratch.quiescence <= 1:
        scratch.lines[0, 0] = move
        return
    rules.after(scratch.states[0], move, scratch.states[1])
    search(1, depth - 1, -WIDE, WIDE, scratch, rules, valuer)
    extend_line(scratch.lines, 0, move)


@inner
def best_place(scores, n, random):
    """Return the index of the best score, of equals a random one."""
    best, equals = 0, 1
    for i in range(1, n):
        if scores[i] > scores[best]:
            best, equals = i, 1
        elif scores[i] == scores[best]:
            equals += 1
            if below(random, equals) == 0:
                best = i
    return best


@inner
def drawn(values, n, temperature, random):
    """Draw an index with probability proportional to exp(value / temperature)."""
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


@seam(types.int64(types.int64, types.int64, types.float64, SCRATCH, FLOATS, RANDOM, RULES, VALUER))
def choose(n, depth, temperature, scratch, values, random, rules, valuer):
    """Choose one of the first n of moves[0] in the position states[0]; fill lines[0] with it and the moves to its leaf.

    values -- float64[longest], filled with the values of the moves

    Returns 0 for a best move, 1 for another one that the temperature drew.
    """
    state, child = scratch.states[0], scratch.states[1]
    moves, lines = scratch.moves[0], scratch.lines
    _shuffle(moves, n, random)
    low = -WIDE
    lines[1, 0] = -1
    extend_line(lines, 0, moves[0])  # in case all values are nan
    for i in range(n):
        rules.after(state, moves[i], child)
        if depth + scratch.quiescence <= 1:  # as `search` does, whose call would take half as long again
            value = rules.outcome(child)
            found = -sign(value) if value != ONGOING else -valuer.evaluate(child, valuer.numbers)
        else:
            top = WIDE if temperature > 0.0 else -low
            found = -search(1, depth - 1, -WIDE, top, scratch, rules, valuer)
        values[i] = found
        if found > low:
            low = found
            extend_line(lines, 0, moves[i])
    if temperature <= 0.0:
        return 0
    chosen = drawn(values, n, temperature, random)
    if values[chosen] == low:
        return 0
    follow(moves[chosen], depth, scratch, rules, valuer)
    return 1


@inner
def _opponent(plan, random):
    """Draw the opponent."""
    share = below(random, _FINE) / _FINE
    if share < plan.random:
        return RANDOM_PLAYER
    return HEURISTIC if share < plan.random + plan.heuristic else SELF


@seam(types.void(PLAN, types.int64, ROWS, SCRATCH, types.int32[::1], RULES, VALUER, VALUER, VALUER))
def play(plan, first, rows, scratch, root, rules, valuer, other, explorer):
    """Play games number first.., one for each row.

    root -- int32[cells], the position at the start; other -- the heuristic opponent
    explorer -- chooses the explored moves if the plan is directed
    """
    random = np.empty(1, np.uint64)
    values = np.empty(scratch.moves.shape[1])
    state, options, line = scratch.states[0], scratch.moves[0], scratch.lines[0]
    moves, explored, leaves = rows.moves, rows.explored, rows.leaves
    for game in range(len(rows.lengths)):
        seed_random(random, np.int64(plan.seed) * _ODD + first + game)
        opponent = _opponent(plan, random)
        side = 1 + (first + game) % 2 if opponent != SELF or plan.dilution > 0.0 else 0
        rows.learner[game] = side
        copy_to(state, root)
        t = 0
        while t < moves.shape[1] and rules.outcome(state) == ONGOING:
            n = without_pass(options, rules.worthy(state, options), rules.pass_move)
            theirs = side != 0 and state[TO_PLAY] != side
            opened = t < plan.opening
            if opened or (theirs and (opponent == RANDOM_PLAYER or chance(random, plan.dilution))):
                explored[game, t] = 1 if opened else 0
                follow(options[below(random, n)], plan.depth, scratch, rules, valuer)
            elif theirs and opponent == HEURISTIC:
                choose(n, plan.other_depth, 0.0, scratch, values, random, rules, other)
                follow(line[0], plan.depth, scratch, rules, valuer)
            elif not theirs and chance(random, plan.epsilon):
                explored[game, t] = 1
                if plan.directed != 0:
                    choose(n, 1, 0.0, scratch, values, random, rules, explorer)
                    follow(line[0], plan.depth, scratch, rules, valuer)
                else:
                    follow(options[below(random, n)], plan.depth, scratch, rules, valuer)
            else:
                explored[game, t] = choose(n, plan.depth, plan.temperature, scratch, values, random, rules, valuer)
            moves[game, t] = line[0]
            for j in range(leaves.shape[2]):
                if line[j + 1] < 0:
                    break
                leaves[game, t, j] = line[j + 1]
            rules.after(state, line[0], scratch.states[1])
            copy_to(state, scratch.states[1])
            t += 1
        rows.lengths[game] = t
        rows.outcomes[game] = final(state, scratch.states[1], rules)
