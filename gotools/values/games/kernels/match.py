"""Games between players that search some plies ahead: plain alpha-beta over an evaluation.

    scratch.states[0]  the game's position    tied[:count]  its best moves

The search is search/kernels/plain.py with OPEN as the limit of its scratch. So a win at once and a later one have the
same value, and so do all moves that lose.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from gotools.jit import seam
from gotools.jit.kernels.basics import below, chance, copy_to, seed_random
from gotools.jit.kernels.seams import EVALUATE, ONGOING, RANDOM, RULES, TO_PLAY, VALUER, Valuer, record
from gotools.search.kernels.plain import SCRATCH, WIDE, final, search, without_pass

OPEN = 1.0 - 2.0**-20
"""The largest value of a position that is not decided."""
_STEP = 2.0**-40
"""The search window reaches this far below the best value, so that the value of a tied move is exact."""

_STATE = types.int32[::1]
_TIED = types.int32[::1]
_EVALUATE = types.FunctionType(EVALUATE)


class SearchPlayer(NamedTuple):
    """A player that searches `depth` plies deep, and moves at random with a chance of epsilon."""

    depth: int
    epsilon: float
    valuer: Valuer


class MatchPlan(NamedTuple):
    """How the games of a population are played; see play_pairs in values/games/match.py.

    most -- plies after which a game is cut off
    """

    most: int
    depth: int
    epsilon: float
    dilution: float
    opening: int


PLAYER = record(SearchPlayer, types.int64, types.float64, VALUER)
PLAN = record(MatchPlan, types.int64, types.int64, types.float64, types.float64, types.int64)


@seam(types.int64(types.int64, SCRATCH, _TIED, RULES, VALUER))
def best_moves(depth, scratch, tied, rules, valuer):
    """List the best moves of states[0] after `depth` plies (at least 1); return their number."""
    state, moves = scratch.states[0], scratch.moves[0]
    count = 0
    best = -WIDE
    for i in range(without_pass(moves, rules.worthy(state, moves), rules.pass_move)):
        rules.after(state, moves[i], scratch.states[1])
        found = -search(1, depth - 1, -1.0, _STEP - best, scratch, rules, valuer)
        if found > best or i == 0:  # the first move is listed even if its value is nan
            best = found
            count = 0
        if found == best or i == 0:
            tied[count] = moves[i]
            count += 1
    return count


@seam(types.int64(PLAYER, types.float64, RANDOM, SCRATCH, _TIED, RULES))
def choose(player, epsilon, random, scratch, tied, rules):
    """Choose a move of states[0]: at random with a chance of epsilon, else one of the best; ties at random."""
    if chance(random, epsilon):
        moves = scratch.moves[0]
        return moves[below(random, without_pass(moves, rules.worthy(scratch.states[0], moves), rules.pass_move))]
    count = best_moves(player.depth, scratch, tied, rules, player.valuer)
    return tied[0] if count == 1 else tied[below(random, count)]


@seam(types.float64(_STATE, types.int64, PLAYER, PLAYER, types.int64, types.uint64, SCRATCH, RULES))
def play(root, most, first, second, opening, seed, scratch, rules):
    """Play a game from the position `root` to scratch.states[0].

    Returns +1 if side 1, which begins, wins, -1 if it loses, else 0.

    most    -- plies after which the game is cut off
    opening -- number of random plies at the start
    """
    random = np.empty(1, np.uint64)
    seed_random(random, seed)
    state, target = scratch.states[0], scratch.states[1]
    tied = np.empty(scratch.moves.shape[1], np.int32)
    copy_to(state, root)
    for ply in range(most):
        if rules.outcome(state) != ONGOING:
            break
        if state[TO_PLAY] == 1:
            move = choose(first, 1.0 if ply < opening else first.epsilon, random, scratch, tied, rules)
        else:
            move = choose(second, 1.0 if ply < opening else second.epsilon, random, scratch, tied, rules)
        rules.after(state, move, target)
        copy_to(state, target)
    return final(state, target, rules)


@seam(types.void(types.int64[:, ::1], types.uint64[::1], types.float64[::1], types.float64[:, ::1], _STATE, PLAN,
                 SCRATCH, RULES, _EVALUATE))  # fmt: skip
def play_pairs(pairs, seeds, results, pool, root, plan, scratch, rules, evaluate):
    """Play a game of each row of pairs; results (see `play`) are for the individual whose game it is.

    pairs -- int64[games, 3]: the row of this individual in the pool, the row of its opponent, 1 if that plays first
    """
    for i in range(len(pairs)):
        own = SearchPlayer(plan.depth, plan.epsilon, Valuer(evaluate, pool[pairs[i, 0]]))
        other = SearchPlayer(plan.depth, plan.dilution, Valuer(evaluate, pool[pairs[i, 1]]))
        if pairs[i, 2] == 0:
            results[i] = play(root, plan.most, own, other, plan.opening, seeds[i], scratch, rules)
        else:
            results[i] = -play(root, plan.most, other, own, plan.opening, seeds[i], scratch, rules)
