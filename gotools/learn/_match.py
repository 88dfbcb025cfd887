"""Games between players who look some plies ahead: plain alpha-beta over an evaluation.

    states[0]    the game's position         moves[ply, :n]  the candidates of a ply
    states[1..]  the plies that are searched tied[:count]    the root's best moves

A decided position is worth exactly +1, 0 or -1, however far off it is; an evaluation stays within OPEN of 0. So a
player sees no difference between winning at once and winning a little later, and plays all moves alike that lose.
A pass, in a game that has one, is a candidate only where there is no other.
"""

import numpy as np
from numba import types

from gotools._random import below, seed_random
from gotools._seams import AFTER, EVALUATE, FLOATS, LEGAL, ONGOING, OUTCOME, RANDOM, TO_PLAY
from gotools.jit import kernel, seam

OPEN = 1.0 - 2.0**-20
"""The largest value of a position that is not decided."""
_STEP = 2.0**-40
"""Less than this below the best value, a move's value is found exactly: so a tie is seen as one."""
_CHANCE = 1 << 30

_STATE = types.int32[::1]
_STATES = types.int32[:, ::1]
_MOVES = types.int32[:, ::1]
_TIED = types.int32[::1]
_RULES = tuple(types.FunctionType(one) for one in (LEGAL, AFTER, OUTCOME))
_EVALUATE = types.FunctionType(EVALUATE)


@seam(EVALUATE)
def undecided(state, numbers):
    """Value every position 0: a player who only sees what is decided within its depth."""
    return 0.0


@kernel
def _sign(value):
    return 1.0 if value > 0.0 else (-1.0 if value < 0.0 else 0.0)


@kernel
def _candidates(state, moves, pass_move, worthy):
    """List the worthy moves, without the pass where there is another."""
    n = worthy(state, moves)
    if pass_move < 0 or n < 2:
        return n
    kept = 0
    for i in range(n):
        if moves[i] != pass_move:
            moves[kept] = moves[i]
            kept += 1
    return kept


@seam(types.float64(types.int64, types.int64, types.float64, types.float64, _STATES, _MOVES, types.int64, FLOATS,
                    *_RULES, _EVALUATE))  # fmt: skip
def value_of(ply, depth, alpha, beta, states, moves, pass_move, numbers, worthy, after, outcome, evaluate):
    """Value states[ply] for its side to play, `depth` plies deep; exact between alpha and beta, else a bound."""
    state = states[ply]
    value = outcome(state)
    if value != ONGOING:
        return _sign(value)
    if depth <= 0:
        return min(max(evaluate(state, numbers), -OPEN), OPEN)
    best = -2.0
    for i in range(_candidates(state, moves[ply], pass_move, worthy)):
        after(state, moves[ply, i], states[ply + 1])
        best = max(best, -value_of(ply + 1, depth - 1, -beta, -alpha, states, moves, pass_move, numbers, worthy, after,
                                   outcome, evaluate))  # fmt: skip
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@seam(types.int64(types.int64, _STATES, _MOVES, _TIED, types.int64, FLOATS, *_RULES, _EVALUATE))
def best_moves(depth, states, moves, tied, pass_move, numbers, worthy, after, outcome, evaluate):
    """List the moves of states[0] that are worth most after `depth` plies (at least 1); returns how many tie."""
    count = 0
    best = -2.0
    for i in range(_candidates(states[0], moves[0], pass_move, worthy)):
        after(states[0], moves[0, i], states[1])
        found = -value_of(1, depth - 1, -1.0, _STEP - best, states, moves, pass_move, numbers, worthy, after, outcome,
                          evaluate)  # fmt: skip
        if found > best:
            best = found
            count = 0
        if found == best:
            tied[count] = moves[0, i]
            count += 1
    return count


@seam(types.int64(types.int64, types.float64, RANDOM, _STATES, _MOVES, _TIED, types.int64, FLOATS, *_RULES, _EVALUATE))
def choose(depth, epsilon, random, states, moves, tied, pass_move, numbers, worthy, after, outcome, evaluate):
    """Choose a move of states[0]: at random with a chance of epsilon, else one of the best; ties at random."""
    if epsilon > 0.0 and below(random, _CHANCE) < epsilon * _CHANCE:
        return moves[0, below(random, _candidates(states[0], moves[0], pass_move, worthy))]
    count = best_moves(depth, states, moves, tied, pass_move, numbers, worthy, after, outcome, evaluate)
    return tied[0] if count == 1 else tied[below(random, count)]


@seam(types.float64(types.int64, _STATES, types.int64, _RULES[1], _RULES[2]))
def _cut(most, states, pass_move, after, outcome):
    """Value a game that is cut off, for its side to play: both pass to the end; 0 where there is no pass."""
    sign = 1.0
    for _ in range(most):
        value = outcome(states[0])
        if value != ONGOING:
            return sign * _sign(value)
        if pass_move < 0:
            break
        after(states[0], pass_move, states[1])
        states[0, :] = states[1]
        sign = -sign
    return 0.0


@seam(types.float64(_STATE, types.int64, types.int64, types.int64, types.float64, types.float64, types.int64,
                    types.uint64, _STATES, _MOVES, types.int64, FLOATS, FLOATS, *_RULES, _EVALUATE,
                    _EVALUATE))  # fmt: skip
def play(root, most, depth, other_depth, epsilon, other_epsilon, opening, seed, states, moves, pass_move, numbers,
         other_numbers, worthy, after, outcome, evaluate, other_evaluate):  # fmt: skip
    """Play a game from the position `root`; returns +1 where the first player wins, -1 where the other does, else 0.

    most    -- plies after which the game is cut off
    epsilon -- chance of a random move
    opening -- so many first plies are random
    """
    random = np.empty(1, np.uint64)
    seed_random(random, seed)
    tied = np.empty(moves.shape[1], np.int32)
    states[0, :] = root
    first = states[0, TO_PLAY]
    for ply in range(most):
        value = outcome(states[0])
        if value != ONGOING:
            return _sign(value) if states[0, TO_PLAY] == first else -_sign(value)
        if states[0, TO_PLAY] == first:
            chance = 1.0 if ply < opening else epsilon
            move = choose(depth, chance, random, states, moves, tied, pass_move, numbers, worthy, after, outcome,
                          evaluate)  # fmt: skip
        else:
            chance = 1.0 if ply < opening else other_epsilon
            move = choose(other_depth, chance, random, states, moves, tied, pass_move, other_numbers, worthy, after,
                          outcome, other_evaluate)  # fmt: skip
        after(states[0], move, states[1])
        states[0, :] = states[1]
    mover = states[0, TO_PLAY]
    value = _cut(most, states, pass_move, after, outcome)
    return value if mover == first else -value


@seam(types.void(types.int64[:, ::1], types.uint64[::1], types.float64[::1], types.float64[:, ::1], _STATE,
                 types.int64, types.int64, types.float64, types.float64, types.int64, types.int64, types.int64,
                 *_RULES, _EVALUATE))  # fmt: skip
def play_pairs(pairs, seeds, results, pool, root, most, depth, epsilon, other_epsilon, opening, pass_move, longest,
               worthy, after, outcome, evaluate):  # fmt: skip
    """Play a game of each row of pairs; results are for its own individual, as of `play`.

    pairs -- int64[games, 3]: the row of the pool whose game it is, the row of the other one, 1 where that plays first
    """
    states = np.zeros((depth + 2, len(root)), np.int32)
    moves = np.zeros((depth + 2, longest), np.int32)
    for i in range(len(pairs)):
        own, other = pool[pairs[i, 0]], pool[pairs[i, 1]]
        if pairs[i, 2] == 0:
            results[i] = play(root, most, depth, depth, epsilon, other_epsilon, opening, seeds[i], states, moves,
                              pass_move, own, other, worthy, after, outcome, evaluate, evaluate)  # fmt: skip
        else:
            results[i] = -play(root, most, depth, depth, other_epsilon, epsilon, opening, seeds[i], states, moves,
                               pass_move, other, own, worthy, after, outcome, evaluate, evaluate)  # fmt: skip
