"""A trace of what positions looked like: of each input of a network, with more weight on what was seen lately."""

from numba import types

from gotools.jit import seam
from gotools.kernels.arrays import copy_to
from gotools.kernels.seams import FLOATS, INPUTS, ONGOING, RULES, TO_PLAY
from gotools.learn.games.kernels.selfplay import ROWS


@seam(types.void(ROWS, types.float64, FLOATS, FLOATS, FLOATS, types.int32[:, ::1], types.int32[::1], RULES,
                 types.FunctionType(INPUTS)))  # fmt: skip
def count_games(games, rate, counter, scales, row, states, root, rules, inputs):
    """Add the positions after the learner's moves, the finished ones left out: counter += rate * (inputs - counter).

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
