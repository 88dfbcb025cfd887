"""How many points black controls, less those that white controls, by four measures; two of them as evaluations.

    explicit   own stones, and empty points whose neighbours are all of that colour (Garreta Tompson 2006, figure 2.15a)
    area       own stones, and empty regions that touch one colour only: rules.area_score
    distance   points that are nearer to a stone of that colour than to one of the other, in steps along the lines,
               stones being no obstacle
    zobrist    points of its sign on Zobrist's map: 50 where the colour stands, -50 where the other does, 0 elsewhere;
               four times each point gains 1 for each neighbour above 0 and loses 1 for each below 0, all at once

Points as near to both colours, or with 0 on the map, belong to neither. Distances are found on sets of bits
(bit_rows.py), of which the sets OWNED and OWNED + 1 are the points reached by black and by white so far.
"""

import numpy as np

from gotools.games.go.estimate.kernels.bit_rows import BLACK, BOARD, OWNED, SETS, WHITE, fill_sets, layout
from gotools.games.go.kernels.game import KOMI2, ahead, points_to_value
from gotools.games.go.kernels.rules import BORDER, COLOUR, PLANE, SIZE, STRIDE, TO_PLAY
from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.seams import EVALUATE

_STRENGTH = 50
_SPREADS = 4


@kernel
def explicit_lead(state):
    """Count explicit control."""
    size = state[SIZE]
    lead = 0
    for y in range(1, size + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + size):
            colour = state[COLOUR + p]
            if colour == 0:
                beside = 0
                for d in (-STRIDE, -1, 1, STRIDE):
                    q = state[COLOUR + p + d]
                    beside |= 0 if q == BORDER else (3 if q == 0 else q)
                colour = 0 if beside == 3 else beside
            if colour != 0:
                lead += 3 - 2 * colour
    return lead


@inner
def _reach(sets, name, many, stride, top):
    """Add to a set the points beside it."""
    before, here = 0, sets[1, name]
    for i in range(1, many + 1):
        behind = sets[i + 1, name]
        found = here << 1 | here >> 1 | here << stride | here >> stride | before >> top | behind << top
        sets[i, name] = here | found & sets[i, BOARD]
        before, here = here, behind


@kernel
def distance_lead(state):
    """Count control by distance."""
    size = state[SIZE]
    many, stride, top = layout(size)
    sets = np.empty((many + 2, SETS), np.int64)
    fill_sets(state, sets)
    lead, stones, left = 0, 0, 0
    for i in range(1, many + 1):
        sets[i, OWNED], sets[i, OWNED + 1] = sets[i, BLACK], sets[i, WHITE]
        black, white = count_bits(sets[i, BLACK]), count_bits(sets[i, WHITE])
        lead += black - white
        stones += black + white
        left += count_bits(sets[i, BOARD]) - black - white
    free = np.empty(many + 2, np.int64)
    while stones > 0 and left > 0:
        for i in range(1, many + 1):
            free[i] = sets[i, BOARD] & ~(sets[i, OWNED] | sets[i, OWNED + 1])
        _reach(sets, OWNED, many, stride, top)
        _reach(sets, OWNED + 1, many, stride, top)
        left = 0
        for i in range(1, many + 1):
            black, white = sets[i, OWNED], sets[i, OWNED + 1]
            lead += count_bits(free[i] & black & ~white) - count_bits(free[i] & white & ~black)
            left += count_bits(free[i] & ~(black | white))
    return lead


@kernel
def zobrist_lead(state):
    """Count control by Zobrist's map."""
    size = state[SIZE]
    here, there = np.zeros(PLANE, np.int32), np.zeros(PLANE, np.int32)
    for y in range(1, size + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + size):
            colour = state[COLOUR + p]
            if colour != 0:
                here[p] = _STRENGTH * (3 - 2 * colour)
    for _ in range(_SPREADS):
        for y in range(1, size + 1):
            for p in range(y * STRIDE + 1, y * STRIDE + 1 + size):
                gain = 0
                for d in (-STRIDE, -1, 1, STRIDE):
                    gain += (here[p + d] > 0) - (here[p + d] < 0)
                there[p] = here[p] + gain
        here, there = there, here
    lead = 0
    for y in range(1, size + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + size):
            lead += (here[p] > 0) - (here[p] < 0)
    return lead


@seam(EVALUATE)
def value_by_area(state, numbers):
    """Value a position as if it were finished: by area and komi, no stone dead; numbers are left alone."""
    return points_to_value(ahead(state))


@seam(EVALUATE)
def value_by_explicit(state, numbers):
    """Value a position by explicit control and komi; numbers are left alone."""
    points = explicit_lead(state) - 0.5 * state[KOMI2]
    return points_to_value(points if state[TO_PLAY] == 1 else -points)
