"""Games between players who look some plies ahead: plain alpha-beta over an evaluation.

    scratch.states[0]  the game's position    tied[:count]  its best moves

The search is that of search/kernels/plain.py; the limit of its scratch is OPEN here. So a player sees no difference
between winning at once and winning a little later, and plays all moves alike that lose.
"""

import numpy as np
from numba import types

from gotools.jit import seam
from gotools.kernels.arrays import copy_to
from gotools.kernels.random_numbers import below, chance, seed_random
from gotools.kernels.seams import EVALUATE, FLOATS, ONGOING, RANDOM, TO_PLAY
from gotools.search.kernels.plain import EVALUATION, RULES, SCRATCH, WIDE, final, search, without_pass

OPEN = 1.0 - 2.0**-20
"""The largest value of a position that is not decided."""
_STEP = 2.0**-40
"""Less than this below the best value, a move's value is found exactly: so a tie is seen as one."""

_STATE = types.int32[::1]
_TIED = types.int32[::1]


@seam(EVALUATE)
def undecided(state, numbers):
    """Value every position 0: a player who only sees what is decided within its depth."""
    return 0.0


@seam(types.int64(types.int64, SCRATCH, _TIED, types.int64, FLOATS, *RULES, EVALUATION))
def best_moves(depth, scratch, tied, pass_move, numbers, worthy, after, outcome, evaluate):
    """List the moves of states[0] that are worth most after `depth` plies (at least 1); returns how many tie."""
    state, moves = scratch.states[0], scratch.moves[0]
    count = 0
    best = -WIDE
    for i in range(without_pass(moves, worthy(state, moves), pass_move)):
        after(state, moves[i], scratch.states[1])
        found = -search(1, depth - 1, -1.0, _STEP - best, scratch, numbers, pass_move, worthy, after, outcome,
                        evaluate)  # fmt: skip
        if found > best or i == 0:  # some move is always the first, also where values are no numbers
            best = found
            count = 0
        if found == best or i == 0:
            tied[count] = moves[i]
            count += 1
    return count


@seam(types.int64(types.int64, types.float64, RANDOM, SCRATCH, _TIED, types.int64, FLOATS, *RULES, EVALUATION))
def choose(depth, epsilon, random, scratch, tied, pass_move, numbers, worthy, after, outcome, evaluate):
    """Choose a move of states[0]: at random with a chance of epsilon, else one of the best; ties at random."""
    if chance(random, epsilon):
        moves = scratch.moves[0]
        return moves[below(random, without_pass(moves, worthy(scratch.states[0], moves), pass_move))]
    count = best_moves(depth, scratch, tied, pass_move, numbers, worthy, after, outcome, evaluate)
    return tied[0] if count == 1 else tied[below(random, count)]


@seam(types.float64(_STATE, types.int64, types.int64, types.int64, types.float64, types.float64, types.int64,
                    types.uint64, SCRATCH, types.int64, FLOATS, FLOATS, *RULES, EVALUATION, EVALUATION))  # fmt: skip
def play(root, most, depth, other_depth, epsilon, other_epsilon, opening, seed, scratch, pass_move, numbers,
         other_numbers, worthy, after, outcome, evaluate, other_evaluate):  # fmt: skip
    """Play a game from the position `root`; returns +1 where side 1, who begins, wins, -1 where it loses, else 0.

    most    -- plies after which the game is cut off
    epsilon -- chance of a random move
    opening -- so many first plies are random
    """
    random = np.empty(1, np.uint64)
    seed_random(random, seed)
    state, target = scratch.states[0], scratch.states[1]
    tied = np.empty(scratch.moves.shape[1], np.int32)
    copy_to(state, root)
    for ply in range(most):
        if outcome(state) != ONGOING:
            break
        if state[TO_PLAY] == 1:
            share = 1.0 if ply < opening else epsilon
            move = choose(depth, share, random, scratch, tied, pass_move, numbers, worthy, after, outcome,
                          evaluate)  # fmt: skip
        else:
            share = 1.0 if ply < opening else other_epsilon
            move = choose(other_depth, share, random, scratch, tied, pass_move, other_numbers, worthy, after, outcome,
                          other_evaluate)  # fmt: skip
        after(state, move, target)
        copy_to(state, target)
    return final(state, target, pass_move, after, outcome)


@seam(types.void(types.int64[:, ::1], types.uint64[::1], types.float64[::1], types.float64[:, ::1], _STATE,
                 types.int64, types.int64, types.float64, types.float64, types.int64, types.int64, SCRATCH, *RULES,
                 EVALUATION))  # fmt: skip
def play_pairs(pairs, seeds, results, pool, root, most, depth, epsilon, other_epsilon, opening, pass_move, scratch,
               worthy, after, outcome, evaluate):  # fmt: skip
    """Play a game of each row of pairs; results are for its own individual, as of `play`.

    pairs -- int64[games, 3]: the row of the pool whose game it is, the row of the other one, 1 where that plays first
    """
    for i in range(len(pairs)):
        own, other = pool[pairs[i, 0]], pool[pairs[i, 1]]
        if pairs[i, 2] == 0:
            results[i] = play(root, most, depth, depth, epsilon, other_epsilon, opening, seeds[i], scratch,
                              pass_move, own, other, worthy, after, outcome, evaluate, evaluate)  # fmt: skip
        else:
            results[i] = -play(root, most, depth, depth, other_epsilon, epsilon, opening, seeds[i], scratch,
                               pass_move, other, own, worthy, after, outcome, evaluate, evaluate)  # fmt: skip
