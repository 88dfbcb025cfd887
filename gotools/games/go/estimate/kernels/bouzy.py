"""Bouzy's map of influence (Bouzy 2003; Garreta Tompson 2006, 4.2.1), computed on bits.

One number a point, black's positive:

    seed       128 where black stands, -128 where white does, 0 elsewhere
    dilation   a point >= 0 without a negative neighbour gains 1 for each positive one; the mirror image for white
    erosion    a point > 0 loses 1 for each neighbour <= 0, not below 0; the mirror image for white

Neighbours off the board do not count. Points that are not 0 at the end belong to their sign.

    sets[:, SIDE_BITS + 5 * side + b]: | 0 | word 1 | ... | 0 |    bit b of a side's numbers, all points (bit_rows.py)
    sets[:, OWNED + side]:            | 0 | word 1 | ... | 0 |    where the side's number is above 0

Side 0 is black, 1 white, whose numbers are counted positive here: a point has one of the two at most. All points of a
word gain or lose at once, by the arithmetic of adders. Five bits are enough without a stone, for up to 7
dilations. Stones stay above 0 for up to 31 erosions; what their five bits hold means nothing.
"""

import numpy as np

from gotools.games.go.estimate.kernels.bit_rows import (
    BIT,
    BLACK,
    BOARD,
    OWNED,
    SETS,
    SIDE_BITS,
    WORD,
    fill_sets,
    layout,
)
from gotools.games.go.kernels.rules import SIZE, STRIDE
from gotools.jit import inner, kernel

_BITS = 5


@inner
def _count_beside(before, here, behind, stride, top):
    """Count for all points of a word their neighbours in a set: returns bits 0, 1 and 2 of the counts."""
    a, b = here << 1, here >> 1
    c, d = here << stride | before >> top, here >> stride | behind << top
    ab, cd = a ^ b, c ^ d
    both, all_ = a & b, c & d
    return ab ^ cd, both ^ all_ ^ (ab & cd), both & all_


@inner
def _gain(sets, at, i, low, middle, high):
    """Add counts of three bits to the numbers sets[i, at:]."""
    v0, v1, v2, v3 = sets[i, at], sets[i, at + 1], sets[i, at + 2], sets[i, at + 3]
    carry = v0 & low
    half = v1 ^ middle
    over = v1 & middle | half & carry
    sets[i, at] = v0 ^ low
    sets[i, at + 1] = half ^ carry
    half = v2 ^ high
    carry = v2 & high | half & over
    sets[i, at + 2] = half ^ over
    sets[i, at + 3] = v3 ^ carry
    sets[i, at + 4] ^= v3 & carry


@inner
def _lose(sets, at, i, low, middle, high):
    """Take counts of three bits from the numbers sets[i, at:]. Returns where they fell below 0 (and are now wrong)."""
    v0, v1, v2, v3, v4 = sets[i, at], sets[i, at + 1], sets[i, at + 2], sets[i, at + 3], sets[i, at + 4]
    owe = low & ~v0
    half = v1 ^ middle
    over = middle & ~v1 | owe & ~half
    sets[i, at] = v0 ^ low
    sets[i, at + 1] = half ^ owe
    half = v2 ^ high
    owe = high & ~v2 | over & ~half
    sets[i, at + 2] = half ^ over
    sets[i, at + 3] = v3 ^ owe
    owe &= ~v3
    sets[i, at + 4] = v4 ^ owe
    return owe & ~v4


@inner
def dilate(sets, many, stride, top):
    """Let the numbers spread once."""
    black_before, white_before = 0, 0
    black, white = sets[1, OWNED], sets[1, OWNED + 1]
    for i in range(1, many + 1):
        black_behind, white_behind = sets[i + 1, OWNED], sets[i + 1, OWNED + 1]
        b0, b1, b2 = _count_beside(black_before, black, black_behind, stride, top)
        w0, w1, w2 = _count_beside(white_before, white, white_behind, stride, top)
        by_black, by_white = b0 | b1 | b2, w0 | w1 | w2
        blacks = sets[i, BOARD] & ~(white | by_white)
        whites = sets[i, BOARD] & ~(black | by_black)
        _gain(sets, SIDE_BITS, i, b0 & blacks, b1 & blacks, b2 & blacks)
        _gain(sets, SIDE_BITS + _BITS, i, w0 & whites, w1 & whites, w2 & whites)
        sets[i, OWNED] = black | by_black & blacks
        sets[i, OWNED + 1] = white | by_white & whites
        black_before, white_before = black, white
        black, white = black_behind, white_behind


@inner
def erode(sets, side, many, stride, top):
    """Let the numbers of a side shrink once. Returns whether a number changed at a point without a stone."""
    changed = 0
    owned, stones, at = OWNED + side, BLACK + side, SIDE_BITS + _BITS * side
    before, here = 0, sets[1, BOARD] & ~sets[1, owned]
    for i in range(1, many + 1):
        behind = sets[i + 1, BOARD] & ~sets[i + 1, owned]
        n0, n1, n2 = _count_beside(before, here, behind, stride, top)
        changed |= sets[i, owned] & ~sets[i, stones] & (n0 | n1 | n2)
        sets[i, owned] = sets[i, owned] & ~_lose(sets, at, i, n0, n1, n2) | sets[i, stones]
        before, here = here, behind
    return changed != 0


@inner
def _begin(sets, many):
    """Let both sides own their stones; all other numbers are 0."""
    for i in range(1, many + 1):
        sets[i, OWNED] = sets[i, BLACK]
        sets[i, OWNED + 1] = sets[i, BLACK + 1]


@inner
def _begin_to_erode(sets, many):
    """Take 1 from all numbers: a point that falls below 0 has lost its owner, which shows without reading all bits."""
    for i in range(1, many + 1):
        _lose(sets, SIDE_BITS, i, sets[i, BOARD], 0, 0)
        _lose(sets, SIDE_BITS + _BITS, i, sets[i, BOARD], 0, 0)


@inner
def make_owned(sets, size, dilations, erosions):
    """Find the points that each side owns, sets[:, OWNED] and sets[:, OWNED + 1], in sets filled by `fill_sets`.

    dilations -- up to 7; erosions -- up to 31
    """
    many, stride, top = layout(size)
    _begin(sets, many)
    for _ in range(dilations):
        dilate(sets, many, stride, top)
    _begin_to_erode(sets, many)
    black, white = True, True
    for _ in range(erosions):  # the sides in turn, not one after the other: the processor works on both at once
        if black:
            black = erode(sets, 0, many, stride, top)
        if white:
            white = erode(sets, 1, many, stride, top)
        if not (black or white):
            break


@kernel
def bouzy_signs(state, dilations, erosions, signs):
    """Fill int16[PLANE] with the signs of the map of a position: 1 black's, -1 white's."""
    size = state[SIZE]
    sets = np.empty((layout(size)[0] + 2, SETS), np.int64)
    fill_sets(state, sets)
    make_owned(sets, size, dilations, erosions)
    signs[:] = 0
    for y in range(1, size + 1):
        first = y * STRIDE + 1
        i, bit = np.int64(WORD[size, first]), np.int64(BIT[size, first])
        black, white = sets[i, OWNED] >> bit, sets[i, OWNED + 1] >> bit
        for x in range(size):
            signs[first + x] = (black >> x & 1) - (white >> x & 1)
