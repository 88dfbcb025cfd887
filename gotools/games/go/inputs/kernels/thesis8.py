"""The eight inputs of Garreta Tompson 2006 (4.2.1), own less the opponent's, for the side to play.

    x:  | liberties of order 1 | order 2 | order 3 | Euler number | prisoners | territory | stones | in atari |

Liberties: the empty points beside a chain are of order 1, and those beside points of order n that have no lower order
are of order n + 1. They are counted for each chain by itself and added up ("la suma de todas las libertades de los
bloques de un mismo color"): a point that two chains share counts twice, in every order.
Euler number (Gray 1971): (n(Q1) - n(Q3) + 2 n(Qd)) / 4 over all 2x2 windows that touch the board, points off the board
belonging to neither side. Q1 and Q3 hold one and three stones of the colour, Qd two that touch at a corner.
Prisoners: stones of the other side that were taken. Territory: points of the colour's sign on Bouzy's map of 5
dilations and 21 erosions (estimate/kernels/bouzy.py), those under its stones included. In atari: stones of chains
with one liberty.
"""

import numpy as np

from gotools.games.go.estimate.kernels.bit_rows import (
    BIT,
    BLACK,
    EMPTY,
    HEADS,
    HIGH,
    LOW,
    OWNED,
    POINT,
    SCRATCH,
    SETS,
    WHITE,
    WORD,
    fill_sets,
    layout,
)
from gotools.games.go.estimate.kernels.bouzy import make_owned
from gotools.games.go.kernels.rules import NEXT, SIZE, TAKEN_BLACK, TAKEN_WHITE, TO_PLAY
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import EVALUATE, INPUTS

INPUT_NAMES = (
    "liberties",
    "liberties of order 2",
    "liberties of order 3",
    "Euler number",
    "prisoners",
    "territory",
    "stones",
    "stones in atari",
)
INPUTS8 = len(INPUT_NAMES)


@inner
def prisoners_ahead(state):
    """Return the prisoners of the side to play less those of the other side; stones of a suicide count as taken."""
    for_black = state[TAKEN_WHITE] - state[TAKEN_BLACK]
    return for_black if state[TO_PLAY] == 1 else -for_black


@seam(EVALUATE)
def tally(state, numbers):
    """Count prisoners for the side to play; numbers are left alone."""
    return float(prisoners_ahead(state))


@inner
def _euler4(sets, name, many, stride, top):
    """Return four times the Euler number of a set."""
    inside = (1 << (top + stride)) - 1
    total = 0
    before = 0
    for i in range(1, many + 1):
        a = sets[i, name]
        c = (a << stride | before >> top) & inside
        b, d = a << 1, c << 1
        two = (a & b) | (c & d)
        odd = a ^ b ^ c ^ d
        crossed = (a ^ b) & (c ^ d) & (a ^ c)
        total += count_bits(odd & ~two) - count_bits(odd & two) + 2 * count_bits(crossed)
        before = a
    return total


@inner
def _next_order(sets, source, target, many, stride, top):
    """Find the points of SCRATCH beside those of a set; they are taken out of it. Returns how many."""
    total = 0
    before, here = 0, sets[1, source]
    for i in range(1, many + 1):
        behind = sets[i + 1, source]
        found = here << 1 | here >> 1 | here << stride | here >> stride | before >> top | behind << top
        found &= sets[i, SCRATCH]
        sets[i, target] = found
        sets[i, SCRATCH] ^= found
        total += count_bits(found)
        before, here = here, behind
    return total


@inner
def _measure_chains(state, sets, name, many, stride, top):
    """Add up the liberties of three orders of the chains of a colour, and its stones in atari."""
    size = state[SIZE]
    here, there = SCRATCH + 1, SCRATCH + 2
    order1, order2, order3, atari = 0, 0, 0, 0
    for i in range(1, many + 1):
        heads = sets[i, name] & sets[i, HEADS]
        while heads != 0:
            head = POINT[size, i, count_bits((heads & -heads) - 1)]
            heads &= heads - 1
            for j in range(1, many + 1):
                sets[j, SCRATCH] = sets[j, EMPTY]
                sets[j, here] = 0
            p = np.int64(head)
            stones = 0
            while stones == 0 or p != head:
                sets[WORD[size, p], here] |= 1 << np.int64(BIT[size, p])
                stones += 1
                p = np.int64(state[NEXT + p])
            liberties = _next_order(sets, here, there, many, stride, top)
            order1 += liberties
            order2 += _next_order(sets, there, here, many, stride, top)
            order3 += _next_order(sets, here, there, many, stride, top)
            atari += stones if liberties == 1 else 0
    return order1, order2, order3, atari


@inner
def _beside_two(low, high, stride, top):
    """Return the points beside those of a set of two words, and some beyond the board."""
    a = low << 1 | low >> 1 | low << stride | low >> stride | high << top
    b = high << 1 | high >> 1 | high << stride | high >> stride | low >> top
    return a, b


@inner
def _measure_chains_of_two(state, sets, name, stride, top):
    """The same as _measure_chains for sets of two words, as on 9x9: in registers, which takes half the time."""
    size = state[SIZE]
    empty0, empty1 = sets[1, EMPTY], sets[2, EMPTY]
    order1, order2, order3, atari = 0, 0, 0, 0
    for i in range(1, 3):
        heads = sets[i, name] & sets[i, HEADS]
        while heads != 0:
            head = POINT[size, i, count_bits((heads & -heads) - 1)]
            heads &= heads - 1
            a0, a1 = LOW[size, head], HIGH[size, head]
            p = np.int64(state[NEXT + head])
            while p != head:
                a0 |= LOW[size, p]
                a1 |= HIGH[size, p]
                p = np.int64(state[NEXT + p])
            b0, b1 = _beside_two(a0, a1, stride, top)
            b0 &= empty0
            b1 &= empty1
            c0, c1 = _beside_two(b0, b1, stride, top)
            c0 &= empty0 & ~b0
            c1 &= empty1 & ~b1
            d0, d1 = _beside_two(c0, c1, stride, top)
            d0 &= empty0 & ~(b0 | c0)
            d1 &= empty1 & ~(b1 | c1)
            liberties = count_bits(b0) + count_bits(b1)
            order1 += liberties
            order2 += count_bits(c0) + count_bits(c1)
            order3 += count_bits(d0) + count_bits(d1)
            atari += count_bits(a0) + count_bits(a1) if liberties == 1 else 0
    return order1, order2, order3, atari


@inner
def _difference(sets, name, many):
    """Return how many more points a set has than the next."""
    total = 0
    for i in range(1, many + 1):
        total += count_bits(sets[i, name]) - count_bits(sets[i, name + 1])
    return total


@seam(INPUTS)
def inputs_thesis8(state, x):
    """Fill float64[8]."""
    size = state[SIZE]
    many, stride, top = layout(size)
    sets = np.empty((many + 2, SETS), np.int64)
    fill_sets(state, sets)
    make_owned(sets, size, 5, 21)
    sign = 1 if state[TO_PLAY] == 1 else -1
    euler4 = _euler4(sets, BLACK, many, stride, top) - _euler4(sets, WHITE, many, stride, top)
    x[3] = 0.25 * (sign * euler4)
    x[4] = prisoners_ahead(state)
    x[5] = sign * _difference(sets, OWNED, many)
    x[6] = sign * _difference(sets, BLACK, many)
    if many == 2:
        a1, a2, a3, a4 = _measure_chains_of_two(state, sets, BLACK, stride, top)
        b1, b2, b3, b4 = _measure_chains_of_two(state, sets, WHITE, stride, top)
    else:
        a1, a2, a3, a4 = _measure_chains(state, sets, BLACK, many, stride, top)
        b1, b2, b3, b4 = _measure_chains(state, sets, WHITE, many, stride, top)
    x[0], x[1], x[2], x[7] = sign * (a1 - b1), sign * (a2 - b2), sign * (a3 - b3), sign * (a4 - b4)


@seam(EVALUATE)
def value_thesis8(state, numbers):
    """Value a position by a network over the eight inputs."""
    x = np.empty(INPUTS8, np.float64)
    inputs_thesis8(state, x)
    return network_value(x, numbers)
