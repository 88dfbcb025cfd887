"""Fixed evaluations, orders of moves and inputs of Abalone, by counting bits of the marbles of kernels/abalone.py.

    FARTHER[i]: the cells more than i steps from the centre, 0 to 3; a marble's steps are the sets that hold its cell

A marble that is lost counts some steps, too: five are one step beyond the edge.
"""

import numpy as np

from gotools.games.abalone.kernels import rules as k
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import EVALUATE, INPUTS, ORDER, TO_PLAY

OFF_THE_BOARD = 5
"""Steps from the centre that a lost marble usually counts."""
_RINGS = 4


def _farther(steps):
    """Return the cells more than some steps from the centre, as bits."""
    return sum(1 << cell for cell, x, y in k.PLACES if max(abs(x - 4), abs(y - 4), abs(x - y)) > steps)


FARTHER = np.array([_farther(steps) for steps in range(_RINGS)], np.int64)


@inner
def steps_of(marbles, lost):
    """Return the steps of a side's marbles from the centre; each lost one counts `lost` steps."""
    total = lost * (k.EACH - count_bits(marbles))
    for i in range(_RINGS):
        total += count_bits(marbles & FARTHER[i])
    return total


@inner
def contacts(marbles):
    """Return how many pairs of a side's marbles are neighbours."""
    total = np.int64(0)
    for axis in range(3):
        total += count_bits(marbles & k.behind(marbles, axis))
    return total


@seam(EVALUATE)
def centre(state, numbers):
    """Value a position by the steps from the centre, the other side's less the own.

    numbers -- weight of a step; steps that a lost marble counts
    """
    mine, other = k.marbles_of(state, state[TO_PLAY]), k.marbles_of(state, 3 - state[TO_PLAY])
    return numbers[0] * (steps_of(other, numbers[1]) - steps_of(mine, numbers[1]))


@seam(EVALUATE)
def terminator(state, numbers):
    """Value a position by float64[3]: weights of a step from the centre, a pair of neighbours, a marble."""
    mine, other = k.marbles_of(state, state[TO_PLAY]), k.marbles_of(state, 3 - state[TO_PLAY])
    value = numbers[0] * (steps_of(other, OFF_THE_BOARD) - steps_of(mine, OFF_THE_BOARD)) + numbers[1] * (
        contacts(mine) - contacts(other)
    )
    return value + numbers[2] * (count_bits(mine) - count_bits(other))


@seam(ORDER)
def centre_first(state, moves, n, scores, numbers):
    """Score moves by the steps from the centre after them, as `centre` does."""
    mine, other = k.marbles_of(state, state[TO_PLAY]), k.marbles_of(state, 3 - state[TO_PLAY])
    for i in range(n):
        own, theirs = k.marbles_after(mine, other, moves[i])
        scores[i] = steps_of(theirs, OFF_THE_BOARD) - steps_of(own, OFF_THE_BOARD)


@seam(ORDER)
def pushes_first(state, moves, n, scores, numbers):
    """Score moves that eject a marble 2, other pushes 1, the rest 0."""
    mine, other = k.marbles_of(state, state[TO_PLAY]), k.marbles_of(state, 3 - state[TO_PLAY])
    for i in range(n):
        _, theirs = k.marbles_after(mine, other, moves[i])
        scores[i] = (count_bits(theirs) < count_bits(other)) + (theirs != other)


@seam(INPUTS)
def raw(state, x):
    """Fill float64[61] with the marbles: 1 own, -1 the opponent's."""
    mine, other = k.marbles_of(state, state[TO_PLAY]), k.marbles_of(state, 3 - state[TO_PLAY])
    for cell in range(k.CELLS):
        x[cell] = (mine >> cell & 1) - (other >> cell & 1)


@seam(EVALUATE)
def raw_value(state, numbers):
    """Value a position by a network over the marbles."""
    x = np.empty(k.CELLS, np.float64)
    raw(state, x)
    return network_value(x, numbers)
