"""Kernels that score moves by sets of conditions, and draw some of the moves by these scores.

A set holds where, in one of the frames, all of its conditions do: the AND of their boards (boards.py), for all points.
"""

from typing import NamedTuple

import numpy as np

from gotools.jit import inner, kernel
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.elementary import exp
from gotools.rules.boosting.kernels.boards import (
    ANY,
    DRAWN,
    HERE,
    LEFT_OVER,
    LEGAL,
    MARGIN,
    join,
    new_scratch,
    see,
    set_bit,
)


class BoardSets(NamedTuple):
    """Sets of conditions: the fixed boards of set k, then for each frame the moved boards, in ascending density."""

    fixed_at: np.ndarray  # int32[sets+1]
    fixed: np.ndarray  # int32[...]
    framed_at: np.ndarray  # int32[sets+1]
    framed: np.ndarray  # int32[8, ...]: rows of `moved` in each frame


@inner
def fire(fixed_at, fixed_of, framed_at, framed_of, fixed, moved, one, hit):
    """Fill `hit` with the legal points where each set holds in some frame."""
    words = hit.shape[1]
    for k in range(fixed_at.shape[0] - 1):
        some = np.uint64(0)
        for w in range(words):
            one[LEFT_OVER, w] = one[LEGAL, w]
        for j in range(fixed_at[k], fixed_at[k + 1]):
            row = fixed_of[j]
            for w in range(words):
                one[LEFT_OVER, w] &= fixed[row, w]
        for w in range(words):
            some |= one[LEFT_OVER, w]
        begin, end = framed_at[k], framed_at[k + 1]
        if some == 0 or begin == end:
            for w in range(words):
                hit[k, w] = one[LEFT_OVER, w]
            continue
        for w in range(words):
            hit[k, w] = 0
        for frame in range(8):
            row = framed_of[frame, begin]
            some = np.uint64(0)
            for w in range(words):
                one[HERE, w] = one[LEFT_OVER, w] & moved[row, w]
                some |= one[HERE, w]
            for j in range(begin + 1, end):
                if some == 0:
                    break
                row = framed_of[frame, j]
                some = np.uint64(0)
                for w in range(words):
                    one[HERE, w] &= moved[row, w]
                    some |= one[HERE, w]
            if some:
                for w in range(words):
                    hit[k, w] |= one[HERE, w]


@inner
def trailing(word):
    """Return the number of the lowest bit of a word that is not 0."""
    return count_bits(np.int64((word & (~word + np.uint64(1))) - np.uint64(1)))


@kernel
def scores(positions, table, sets, weight, out, fired):
    """Fill out float64[rows] with the sum of the weights of the sets that hold of each legal move.

    fired -- bool[rows], filled: whether one holds
    """
    s = new_scratch(positions, table, sets.fixed_at.shape[0] - 1)
    total = np.zeros(64 * s.one.shape[1])
    for k in range(positions.size.shape[0]):
        see(positions, k, table, s)
        fire(sets.fixed_at, sets.fixed, sets.framed_at, sets.framed, s.fixed, s.moved, s.one, s.hit)
        add_up(s.hit, weight, total)
        for w in range(s.one.shape[1]):
            s.one[ANY, w] = 0
        for j in range(s.hit.shape[0]):
            join(s.one, ANY, s.hit, j)
        size = np.int64(positions.size[k])
        for r in range(positions.first[k], positions.first[k + 1]):
            p = np.int64(positions.point[r])
            bit = p // size * (size + MARGIN) + p % size
            out[r] = total[bit]
            fired[r] = (s.one[ANY, bit >> 6] >> np.uint64(bit & 63)) & np.uint64(1) != 0


@inner
def add_up(hit, weight, total):
    """Fill total float64[bits] with the weights of the sets that hit."""
    total[:] = 0.0
    for k in range(hit.shape[0]):
        for w in range(hit.shape[1]):
            left = hit[k, w]
            while left:
                total[64 * w + trailing(left)] += weight[k]
                left &= left - np.uint64(1)


@kernel
def draw(positions, table, sets, weight, played, chance, moves, uniform, drawn, share, counts, pairs):
    """Draw some of the legal moves of every position, and list which sets hold of them.

    The move played is always drawn; another with the chance `share`: a mixture of the uniform distribution and of the
    softmax of the scores, so that `moves` of a position are drawn on average.

    played int64[m]; chance float64[rows] -- random numbers below 1
    uniform -- weight of the uniform distribution in the mixture
    drawn uint8[rows], share float64[rows], filled
    counts int64[2, sets], filled: legal moves, and moves played, of which a set holds
    pairs uint16[room, 2], filled: set and number of the drawn row

    Returns the number of pairs, which may be more than there is room for; those beyond are not written.
    """
    s = new_scratch(positions, table, sets.fixed_at.shape[0] - 1)
    one, hit = s.one, s.hit
    total = np.zeros(64 * one.shape[1])
    number = np.zeros(64 * one.shape[1], np.int32)
    bit_of = np.zeros(positions.board.shape[1], np.int64)
    counts[:] = 0
    found, rows = 0, 0
    for k in range(positions.size.shape[0]):
        see(positions, k, table, s)
        fire(sets.fixed_at, sets.fixed, sets.framed_at, sets.framed, s.fixed, s.moved, one, hit)
        add_up(hit, weight, total)
        size = np.int64(positions.size[k])
        begin, end = positions.first[k], positions.first[k + 1]
        top, norm = -np.inf, 0.0
        for r in range(begin, end):
            p = np.int64(positions.point[r])
            bit_of[r - begin] = p // size * (size + MARGIN) + p % size
            share[r] = total[bit_of[r - begin]]
            top = max(top, share[r])
        for r in range(begin, end):
            share[r] = exp(share[r] - top)
            norm += share[r]
        for w in range(one.shape[1]):
            one[DRAWN, w] = 0
        for r in range(begin, end):
            share[r] = min(1.0, moves * (uniform / (end - begin) + (1.0 - uniform) * share[r] / norm))
            drawn[r] = chance[r] < share[r] or r == played[k]
            if r == played[k]:
                share[r] = 1.0
            if drawn[r]:
                set_bit(one, DRAWN, bit_of[r - begin])
                number[bit_of[r - begin]] = rows
                rows += 1
        chosen = bit_of[played[k] - begin]
        for j in range(hit.shape[0]):
            counts[1, j] += (hit[j, chosen >> 6] >> np.uint64(chosen & 63)) & np.uint64(1) != 0
            for w in range(hit.shape[1]):
                counts[0, j] += count_bits(np.int64(hit[j, w]))
                left = hit[j, w] & one[DRAWN, w]
                while left:
                    if found < pairs.shape[0]:
                        pairs[found, 0] = j
                        pairs[found, 1] = number[64 * w + trailing(left)]
                    found += 1
                    left &= left - np.uint64(1)
    return found
