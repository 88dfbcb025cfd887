"""Inputs of networks for Abalone, by counting bits of the marbles of kernels/abalone.py.

    direct      | 61 cells | own marbles lost, 1 to 6 | those of the other side |    for the side that has just moved
    spatial     | centre | middle | edge | lost |, own and then the other side's     for the side that has just moved
    attributes  nine numbers, see ATTRIBUTES                                         for the side that has just moved
    oriented    the same, turned so that more is better for that side, see ORIENTED
    formation   numbers of FORMATION, own less the other side's                      for the side to play

The first three are those of the Abalearn thesis (sections 5.3.1 to 5.3.3), whose programs value the position that they
leave behind. The thesis draws its zones in a figure that our copy lacks: here the centre is the 7 cells within a step
of the middle cell, the edge the 24 outermost. It names the nine attributes in part; ours are those that it names.
"""

import numpy as np

from gotools.games.abalone.kernels import rules as k
from gotools.games.abalone.kernels.values import FARTHER
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import EVALUATE, INPUTS, TO_PLAY

DIRECT = k.CELLS + 2 * k.LOST
SPATIAL = 8
ATTRIBUTES = (
    "own marbles less the other side's",
    "own in the centre",
    "own in the middle",
    "others in the centre",
    "others in the middle",
    "others on the edge",
    "own protected",
    "own mean steps from the centre",
    "own threatened",
)
ORIENTED = (
    *ATTRIBUTES[:3],
    "others out of the centre",
    "others out of the middle",
    *ATTRIBUTES[5:7],
    "own mean steps from the edge",
    "own not threatened",
)
FORMATION = (
    "marbles",
    "marbles within 0 steps of the centre",
    "marbles within 1 step",
    "marbles within 2 steps",
    "marbles within 3 steps",
    "pairs of neighbours",
    "lines of three",
    "triangles",
    "protected marbles",
    "marbles between two of the other side",
    "pushes",
    "ejections",
)
_INNER = k.ALL & ~FARTHER[1]
_EDGE = FARTHER[3]
_MIDDLE = k.ALL & ~_INNER & ~_EDGE
WITHIN = np.array([k.ALL & ~int(farther) for farther in FARTHER], np.int64)
"""Cells within 0, 1, 2, 3 steps of the centre."""


@inner
def _sides(state):
    """Return the marbles of the side to play, and of the other side."""
    return k.marbles_of(state, state[TO_PLAY]), k.marbles_of(state, 3 - state[TO_PLAY])


@inner
def protected(marbles):
    """Return the marbles that have own neighbours on all six sides."""
    found = marbles
    for direction in range(6):
        found &= k.behind(marbles, direction)
    return found


@inner
def threatened(mine, other):
    """Return the marbles that the other side can eject with its next move."""
    found = np.int64(0)
    for d in range(6):
        back = (d + 3) % 6
        weak = mine & ~k.INSIDE[d]
        two = other & k.behind(other & k.behind(weak, d), d)
        found |= weak & k.behind(k.behind(two, back), back)
        three = other & k.behind(other & k.behind(other & k.behind(mine & k.behind(weak, d), d), d), d)
        found |= weak & k.behind(k.behind(k.behind(k.behind(three, back), back), back), back)
    return found


@seam(INPUTS)
def direct(state, x):
    """Fill float64[73]: 1 for an own marble, -1 for one of the other side; then a 1 for each marble lost."""
    other, mine = _sides(state)
    for cell in range(k.CELLS):
        x[cell] = (mine >> cell & 1) - (other >> cell & 1)
    for i in range(k.LOST):
        x[k.CELLS + i] = 1.0 if k.EACH - count_bits(mine) > i else 0.0
        x[k.CELLS + k.LOST + i] = 1.0 if k.EACH - count_bits(other) > i else 0.0


@inner
def _zones(marbles, x, at):
    """Fill x[at:at + 4] with the marbles in the centre, in the middle, on the edge, and lost."""
    x[at] = count_bits(marbles & _INNER)
    x[at + 1] = count_bits(marbles & _MIDDLE)
    x[at + 2] = count_bits(marbles & _EDGE)
    x[at + 3] = k.EACH - count_bits(marbles)


@seam(INPUTS)
def spatial(state, x):
    """Fill float64[8] with the marbles in each zone."""
    other, mine = _sides(state)
    _zones(mine, x, 0)
    _zones(other, x, 4)


@seam(INPUTS)
def attributes(state, x):
    """Fill float64[9] with the numbers that ATTRIBUTES names."""
    other, mine = _sides(state)
    steps = np.int64(0)
    for i in range(len(FARTHER)):
        steps += count_bits(mine & FARTHER[i])
    x[0] = count_bits(mine) - count_bits(other)
    x[1] = count_bits(mine & _INNER)
    x[2] = count_bits(mine & _MIDDLE)
    x[3] = count_bits(other & _INNER)
    x[4] = count_bits(other & _MIDDLE)
    x[5] = count_bits(other & _EDGE)
    x[6] = count_bits(protected(mine))
    x[7] = steps / max(count_bits(mine), 1)
    x[8] = count_bits(threatened(mine, other))


@seam(INPUTS)
def oriented(state, x):
    """Fill float64[9] with the numbers that ORIENTED names: `attributes` with four inputs as their complements."""
    attributes(state, x)
    x[3] = k.EACH - x[3]
    x[4] = k.EACH - x[4]
    x[7] = len(FARTHER) - x[7]
    x[8] = k.EACH - x[8]


@inner
def _add_formation(mine, other, sign, x):
    """Add the numbers of a side's formation, times a sign."""
    x[0] += sign * count_bits(mine)
    for i in range(4):
        x[1 + i] += sign * count_bits(mine & WITHIN[i])
    empty = k.ALL & ~(mine | other)
    pairs = np.int64(0)
    lines = np.int64(0)
    triangles = np.int64(0)
    split = np.int64(0)
    for axis in range(3):
        ahead = k.behind(mine, axis)
        pairs += count_bits(mine & ahead)
        lines += count_bits(mine & ahead & k.behind(ahead, axis))
        split += count_bits(mine & k.behind(other, axis) & k.behind(other, axis + 3))
        if axis < 2:
            triangles += count_bits(mine & ahead & k.behind(mine, axis + 1))
    for direction in range(6):
        x[10] += sign * count_bits(k.pushes(mine, other, k.behind(empty, direction), direction))
        x[11] += sign * count_bits(k.pushes(mine, other, k.ALL & ~k.INSIDE[direction], direction))
    x[5] += sign * pairs
    x[6] += sign * lines
    x[7] += sign * triangles
    x[8] += sign * count_bits(protected(mine))
    x[9] += sign * split


@seam(INPUTS)
def formation(state, x):
    """Fill float64[12] with the numbers that FORMATION names."""
    x[:] = 0.0
    mine, other = _sides(state)
    _add_formation(mine, other, 1.0, x)
    _add_formation(other, mine, -1.0, x)


@seam(EVALUATE)
def lead(state, numbers):
    """Count the marbles of the side to play less those of the other side: what ejections change."""
    mine, other = _sides(state)
    return float(count_bits(mine) - count_bits(other))


@seam(EVALUATE)
def direct_value(state, numbers):
    """Value a position by a network over its inputs."""
    x = np.empty(DIRECT, np.float64)
    direct(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def spatial_value(state, numbers):
    """Value a position by a network over its inputs."""
    x = np.empty(SPATIAL, np.float64)
    spatial(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def attributes_value(state, numbers):
    """Value a position by a network over its inputs."""
    x = np.empty(len(ATTRIBUTES), np.float64)
    attributes(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def oriented_value(state, numbers):
    """Value a position by a network over its inputs."""
    x = np.empty(len(ORIENTED), np.float64)
    oriented(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def formation_value(state, numbers):
    """Value a position by a network over its inputs."""
    x = np.empty(len(FORMATION), np.float64)
    formation(state, x)
    return network_value(x, numbers)
