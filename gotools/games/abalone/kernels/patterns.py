"""Local patterns of Abalone as inputs of networks: how often each occurs, seen by the side to play.

    inputs:  | MARBLES | triangles | lines of 3 | of 4 | of 5 | hexagons |

A pattern is what the cells of a window hold, whichever way the window is turned or mirrored. In one input it counts 1,
and the one with the colours exchanged -1; a pattern that is its own exchange has no input. The windows are triangles of
neighbours; lines in all three directions, of which one end may lie off the board; and hexagons, a cell and its six
neighbours.

    a line as a code:      two bits for each cell, what it holds: EMPTY, OWN, OTHER, OFF
    a hexagon as a code:   a digit to base 3 for each of SW, SE, W, centre, E, NW, NE, from the lowest

Lines are read in one walk along all rows of the board in the three directions, with a step off the board between two
rows: cell 61, which is set in the marbles of both sides and so holds OFF.
"""

from itertools import product

import numpy as np

from gotools.games.abalone.kernels import rules as k
from gotools.games.abalone.kernels.inputs import WITHIN
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.network import KIND, LAYERS, LOGISTIC, SIZES, first_weight, network_value, output
from gotools.jit.kernels.seams import EVALUATE, INPUTS, TO_PLAY

EMPTY, OWN, OTHER, OFF = range(4)
_EXCHANGED = (EMPTY, OTHER, OWN, OFF)
_RANK = (3, 1, 2, 0)
"""Of what a cell holds, in the order of patterns."""
MARBLES = 1 + len(WITHIN)
"""The first inputs: marbles, and those within some steps of the centre, own less the other side's."""
TRIANGLES = ((OWN, OWN, OWN), (OWN, OWN, EMPTY), (OWN, OWN, OTHER), (OWN, EMPTY, EMPTY))
_LENGTHS = (3, 4, 5)


def _find_patterns(contents, images):
    """Find the patterns of windows.

    contents -- what the cells of a window may hold
    images -- orders of the cells that make the same pattern

    Returns the patterns, each as contents with more own marbles than others where they differ; and the number of the
    pattern and the sign of all contents that have one.
    """
    patterns, found = [], {}
    for one in sorted(contents, key=lambda one: (one.count(OTHER) - one.count(OWN), [_RANK[cell] for cell in one])):
        same = {tuple(one[i] for i in image) for image in images}
        exchanged = {tuple(_EXCHANGED[cell] for cell in image) for image in same}
        if one not in found and one not in exchanged:
            found.update(dict.fromkeys(same, (len(patterns), 1)))
            found.update(dict.fromkeys(exchanged, (len(patterns), -1)))
            patterns.append(one)
    return patterns, found


def _find_lines(length):
    """Find the patterns of lines; off the board is one end at most."""
    inside = (EMPTY, OWN, OTHER)
    beyond = [(OFF, *rest) for rest in product(inside, repeat=length - 1)]
    contents = [*product(inside, repeat=length), *beyond, *(one[::-1] for one in beyond)]
    return _find_patterns(contents, [range(length), range(length)[::-1]])


def _find_hexagons():
    """Find the patterns of hexagons: the centre, and its neighbours from E to SE, in the order of directions."""
    rings = [[turn * (i + first) % 6 + 1 for i in range(6)] for turn in (1, -1) for first in range(6)]
    return _find_patterns(list(product((EMPTY, OWN, OTHER), repeat=7)), [[0, *ring] for ring in rings])


def _table(codes, found, first):
    """Return the input and the sign of each code, from those of contents; 0 and 0 of those that have no pattern."""
    numbers, signs = np.zeros(len(codes), np.uint16), np.zeros(len(codes), np.int8)
    for code, one in enumerate(codes):
        if one in found:
            number, signs[code] = found[one]
            numbers[code] = first + number
    return numbers, signs


def _line_codes(length):
    """List what the cells of lines hold, by code; the cell that the walk comes to first is the highest."""
    return list(product(range(4), repeat=length))


def _hexagon_codes():
    """List what the cells of hexagons hold, as in _find_hexagons, by code."""
    return [(c, e, ne, nw, w, sw, se) for ne, nw, e, c, w, se, sw in product((EMPTY, OWN, OTHER), repeat=7)]


(_LINES_3, _IN_3), (_LINES_4, _IN_4), (_LINES_5, _IN_5) = (_find_lines(length) for length in _LENGTHS)
LINES = (_LINES_3, _LINES_4, _LINES_5)
HEXAGONS, _IN_HEXAGON = _find_hexagons()
_FIRST_3 = MARBLES + len(TRIANGLES)
_FIRST_4 = _FIRST_3 + len(_LINES_3)
_FIRST_5 = _FIRST_4 + len(_LINES_4)
_FIRST_HEXAGON = _FIRST_5 + len(_LINES_5)
INPUT_COUNT = _FIRST_HEXAGON + len(HEXAGONS)

_NUMBER_3, _SIGN_3 = _table(_line_codes(3), _IN_3, _FIRST_3)
_NUMBER_4, _SIGN_4 = _table(_line_codes(4), _IN_4, _FIRST_4)
_NUMBER_5, _SIGN_5 = _table(_line_codes(5), _IN_5, _FIRST_5)
_NUMBER_OF_HEXAGON, _SIGN_OF_HEXAGON = _table(_hexagon_codes(), _IN_HEXAGON, _FIRST_HEXAGON)


def _find_walk():
    """List the cells of all rows in the three directions, with one off the board before and after each row."""
    walk = [k.CELLS]
    for axis in range(3):
        for cell in range(k.CELLS):
            if k.NEXT[cell, axis + 3] < 0:
                while cell >= 0:
                    walk.append(cell)
                    cell = int(k.NEXT[cell, axis])
                walk.append(k.CELLS)
    return np.array(walk, np.int64)


_WALK = _find_walk()
_BEYOND = 1 << k.CELLS
_TO_HEXAGON = np.array([(cell - 14) % k.CELLS for cell in range(k.CELLS) if min(k.NEXT[cell]) >= 0], np.int64)
"""How far the bits of marbles turn, so that the hexagon around a cell has the bits 0, 1, 13, 14, 15, 27, 28."""
_TO_BASE_3 = np.array(
    [held * sum(3**i for i in range(7) if bits >> i & 1) for held in (OWN, OTHER) for bits in range(128)], np.uint64
)
"""Seven bits as digits to base 3, 1 for an own marble; from 128 on, 2 for one of the other side."""
_ONE_LAYER = np.uint64(SIZES + 2)
"""Where the scales of a linear network begin."""


@inner
def _within(mine, other, steps):
    """Count own marbles within some steps of the centre, less the other side's."""
    return count_bits(mine & WITHIN[steps]) - count_bits(other & WITHIN[steps])


@inner
def _triangles(mine, other):
    """Count the windows of each pattern of TRIANGLES, as the board has them."""
    three, two, mixed, one = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for axis in range(2):
        inside = k.INSIDE[axis] & k.INSIDE[axis + 1]
        a, b, c = mine, k.behind(mine, axis), k.behind(mine, axis + 1)
        others = other | k.behind(other, axis) | k.behind(other, axis + 1)
        all_three, any_two = a & b & c, a & b | (a | b) & c
        three += count_bits(all_three)
        two += count_bits(any_two & ~all_three & inside & ~others)
        mixed += count_bits(any_two & others)
        one += count_bits((a | b | c) & ~any_two & inside & ~others)
    return three, two, mixed, one


@inner
def _first_inputs(mine, other):
    """Return the first inputs: marbles and triangles."""
    lead = count_bits(mine) - count_bits(other)
    within = _within(mine, other, 0), _within(mine, other, 1), _within(mine, other, 2), _within(mine, other, 3)
    three, two, mixed, one = _triangles(mine, other)
    their_three, their_two, their_mixed, their_one = _triangles(other, mine)
    triangles = three - their_three, two - their_two, mixed - their_mixed, one - their_one
    return (lead, *within, *triangles)


@inner
def _next_line(code, mine, other, cell):
    """Return the code of the line of five that ends with a cell, from that of the line one step before."""
    return (code << 2 | (mine >> cell & 1) | (other >> cell & 1) << 1) & 1023


@inner
def _seven(marbles, turn):
    """Return the marbles in a hexagon as seven bits: SW, SE, W, centre, E, NW, NE from the lowest."""
    turned = marbles >> turn | marbles << (k.CELLS - turn)
    return turned & 0x3 | turned >> 11 & 0x1C | turned >> 22 & 0x60


@inner
def _hexagon(mine, other, turn):
    """Return the code of a hexagon."""
    return _TO_BASE_3[_seven(mine, turn)] + _TO_BASE_3[_seven(other, turn) | 128]


@seam(INPUTS)
def patterns(state, x):
    """Fill float64[INPUT_COUNT] with marbles and patterns, own less the other side's."""
    x[:] = 0.0
    mine, other = k.marbles_of(state, state[TO_PLAY]), k.marbles_of(state, 3 - state[TO_PLAY])
    first = _first_inputs(mine, other)
    for i in range(len(first)):
        x[i] = first[i]
    for i in range(len(_TO_HEXAGON)):
        code = _hexagon(mine, other, _TO_HEXAGON[i])
        x[_NUMBER_OF_HEXAGON[code]] += _SIGN_OF_HEXAGON[code]
    line = np.int64(0)
    for i in range(len(_WALK)):
        line = _next_line(line, mine | _BEYOND, other | _BEYOND, _WALK[i])
        x[_NUMBER_5[line]] += _SIGN_5[line]
        x[_NUMBER_4[line & 255]] += _SIGN_4[line & 255]
        x[_NUMBER_3[line & 63]] += _SIGN_3[line & 63]


@inner
def _weight(number, numbers, weights):
    """Return the scaled weight of an input. Places are unsigned, as in kernels/network.py."""
    i = np.uint64(number)
    return numbers[_ONE_LAYER + i] * numbers[weights + i]


@inner
def _linear_value(state, numbers):
    """As network_value of the inputs, for a linear network: adds the weights as their patterns are met."""
    weights = np.uint64(first_weight(numbers))
    mine, other = k.marbles_of(state, state[TO_PLAY]), k.marbles_of(state, 3 - state[TO_PLAY])
    first = _first_inputs(mine, other)
    rest = three = four = five = 0.0
    for i in range(len(first)):
        rest += first[i] * _weight(i, numbers, weights)
    for i in range(len(_TO_HEXAGON)):
        code = _hexagon(mine, other, _TO_HEXAGON[i])
        rest += _SIGN_OF_HEXAGON[code] * _weight(_NUMBER_OF_HEXAGON[code], numbers, weights)
    line = np.int64(0)
    for i in range(len(_WALK)):
        line = _next_line(line, mine | _BEYOND, other | _BEYOND, _WALK[i])
        five += _SIGN_5[line] * _weight(_NUMBER_5[line], numbers, weights)
        four += _SIGN_4[line & 255] * _weight(_NUMBER_4[line & 255], numbers, weights)
        three += _SIGN_3[line & 63] * _weight(_NUMBER_3[line & 63], numbers, weights)
    return output(rest + three + four + five, numbers[KIND] >= LOGISTIC)


@seam(EVALUATE)
def patterns_value(state, numbers):
    """Value a position by a network over its inputs."""
    if numbers[LAYERS] == 1:
        return _linear_value(state, numbers)
    x = np.empty(INPUT_COUNT, np.float64)
    patterns(state, x)
    return network_value(x, numbers)
