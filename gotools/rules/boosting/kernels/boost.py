"""Kernels that search for the conjunction of conditions with the largest residual of a softmax of scores.

    masks   uint8[conditions, rows]   where a condition holds: a bit for each of the frames p1..p8
    a row   one legal move of a position; its gradient is played - probability, its curvature p * (1 - p)

A set of conditions covers the rows where the AND of its masks is not 0. If it were a rule, a Newton step of its
weight would improve the log-likelihood by about gain = G * G / (2 * (H + l2)), G and H being the sums of gradient and
curvature over what it covers (Friedman 2001, with the ridge of the weights). A beam keeps the best sets of a length.
"""

from typing import NamedTuple

import numpy as np

from gotools.jit import inner, kernel
from gotools.jit.kernels.basics import copy_to
from gotools.rules.clauses.kernels.clauses import satisfied

MOST_CONDITIONS = 16
"""Room for the conditions of a set."""

PATIENCE = 2
"""Lengths without a better set after which a search ends."""


class BeamLimits(NamedTuple):
    """sign 1: sets that raise what they cover, -1: that lower it; the rest as in BoostSettings."""

    sign: float
    beam: int
    longest: int
    least: int
    l2: float


class SampledMoves(NamedTuple):
    """The sampled moves: masks uint8[conditions, rows]; gradient, curvature float32[rows]."""

    masks: np.ndarray
    gradient: np.ndarray
    curvature: np.ndarray


class Beam(NamedTuple):
    """The best sets of one length, `kept[0]` of them."""

    sets: np.ndarray  # int32[beam, LONGEST]
    gain: np.ndarray  # float64[beam]
    size: np.ndarray  # int64[beam]: rows covered
    name: np.ndarray  # int64[beam]: sum of the keys of its conditions
    parent: np.ndarray  # int32[beam]: the set of the length before that it extends
    kept: np.ndarray  # int64[1]


class Left(NamedTuple):
    """The rows that the sets of a beam cover: those of set b are start[b] .. start[b+1]-1."""

    start: np.ndarray  # int64[beam+1]
    rows: np.ndarray  # int32[...]
    bits: np.ndarray  # uint8[...]: frames
    gradient: np.ndarray  # float32[...]
    curvature: np.ndarray  # float32[...]


@kernel
def single_sums(masks, gradient, curvature, sums, count):
    """Fill sums float64[conditions, 2] with G and H, and count int64[conditions], of every condition alone."""
    for c in range(masks.shape[0]):
        mask = masks[c]
        g, h, n = 0.0, 0.0, 0
        for r in range(mask.shape[0]):
            hit = mask[r] != 0
            g += gradient[r] * hit
            h += curvature[r] * hit
            n += hit
        sums[c, 0], sums[c, 1], count[c] = g, h, n


@kernel
def search(moves, sums, count, keys, pool, limits):
    """Return the best set of conditions out of a pool, and how many sets were tried.

    sums, count -- of `single_sums`; keys -- int64[conditions], random words that name sets
    pool -- int32[m]: conditions to choose from, those that hold of a seed in one frame
    """
    beam = single_sets(sums, count, keys, pool, limits)
    left = rows_of_singles(moves, beam)
    seen = np.zeros(table_size(2 * pool.shape[0] * limits.beam), np.int64)
    best, best_gain = better_set(beam, 1, np.empty(0, np.int32), 0.0)
    tried, stale = pool.shape[0], 0
    for length in range(2, limits.longest + 1):
        seen[:] = 0
        longer = new_beam(limits.beam)
        for b in range(beam.kept[0]):
            tried += extend(moves.masks, beam, b, left, length, pool, keys, seen, limits, longer)
        before = best_gain
        best, best_gain = better_set(longer, length, best, best_gain)
        stale = 0 if best_gain > before else stale + 1
        if longer.kept[0] == 0 or stale == PATIENCE:
            break
        left = rows_of_longer(moves.masks, longer, length, left)
        beam = longer
    return best, tried


@inner
def new_beam(size):
    """Return a beam with room for a number of sets."""
    numbers = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int32), np.zeros(1, np.int64)
    return Beam(np.zeros((size, MOST_CONDITIONS), np.int32), np.zeros(size), *numbers)


@inner
def table_size(least):
    """Return the smallest power of two from 1024 that is not below `least`."""
    size = 1024
    while size < least:
        size *= 2
    return size


@inner
def place_for(beam, gain, size):
    """Return the place in the beam that a set may take, -1 for none: a free one, or that of the worst.

    A set of the same gain and size as one in the beam covers the same rows, and is not added.
    """
    kept, worst = beam.kept[0], 0
    for b in range(kept):
        if beam.size[b] == size and abs(beam.gain[b] - gain) <= 1e-6 * gain:
            return -1
        if beam.gain[b] < beam.gain[worst]:
            worst = b
    if kept < beam.gain.shape[0]:
        beam.kept[0] = kept + 1
        return kept
    return worst if gain > beam.gain[worst] else -1


@inner
def single_sets(sums, count, keys, pool, limits):
    """Return the beam of the best single conditions."""
    beam = new_beam(limits.beam)
    for c in pool:
        g = sums[c, 0] * limits.sign
        if count[c] < limits.least or g <= 0.0:
            continue
        gain = g * g / (2.0 * (sums[c, 1] + limits.l2))
        at = place_for(beam, gain, count[c])
        if at >= 0:
            beam.sets[at, 0], beam.gain[at], beam.size[at], beam.name[at] = c, gain, count[c], keys[c]
    return beam


@inner
def better_set(beam, length, best, gain):
    """Return the best set of the beam and its gain, or those given where none is better."""
    for b in range(beam.kept[0]):
        if beam.gain[b] > gain:
            gain = beam.gain[b]
            best = beam.sets[b, :length].copy()
    return best, gain


@inner
def starts_of(beam):
    """Return int64[beam+1]: where the rows of each set begin."""
    start = np.zeros(beam.size.shape[0] + 1, np.int64)
    for b in range(beam.kept[0]):
        start[b + 1] = start[b] + beam.size[b]
    return start


@inner
def rows_of_singles(moves, beam):
    """Return the rows that single conditions cover."""
    start = starts_of(beam)
    total = start[beam.kept[0]]
    rows, bits = np.empty(total, np.int32), np.empty(total, np.uint8)
    n = 0
    for b in range(beam.kept[0]):
        mask = moves.masks[beam.sets[b, 0]]
        for r in range(mask.shape[0]):
            if mask[r]:
                rows[n] = r
                bits[n] = mask[r]
                n += 1
    return Left(start, rows, bits, moves.gradient[rows], moves.curvature[rows])


@inner
def rows_of_longer(masks, beam, length, left):
    """Return the rows of sets that have grown by one condition, from those of their parents."""
    start = starts_of(beam)
    total = start[beam.kept[0]]
    rows, bits = np.empty(total, np.int32), np.empty(total, np.uint8)
    gradient, curvature = np.empty(total, np.float32), np.empty(total, np.float32)
    n = 0
    for b in range(beam.kept[0]):
        mask, parent = masks[beam.sets[b, length - 1]], beam.parent[b]
        for k in range(left.start[parent], left.start[parent + 1]):
            r = left.rows[k]
            still = left.bits[k] & mask[r]
            if still:
                rows[n] = r
                bits[n] = still
                gradient[n] = left.gradient[k]
                curvature[n] = left.curvature[k]
                n += 1
    return Left(start, rows, bits, gradient, curvature)


@inner
def extend(masks, beam, b, left, length, pool, keys, seen, limits, longer):
    """Offer the set b of a beam, with each further condition of the pool, to the next beam; returns sets tried."""
    mine = slice(left.start[b], left.start[b + 1])
    rows, bits, gradient, curvature = left.rows[mine], left.bits[mine], left.gradient[mine], left.curvature[mine]
    tried = 0
    for c in pool:
        name = beam.name[b] + keys[c]
        if has(beam.sets[b], length - 1, c) or not mark(seen, name):
            continue
        tried += 1
        g, h, n = narrowed_sums(masks[c], rows, bits, gradient, curvature)
        g *= limits.sign
        if n < limits.least or n == rows.shape[0] or g <= 0.0:
            continue
        gain = g * g / (2.0 * (h + limits.l2))
        at = place_for(longer, gain, n)
        if at >= 0:
            copy_to(longer.sets[at], beam.sets[b])
            longer.sets[at, length - 1] = c
            longer.gain[at], longer.size[at], longer.name[at], longer.parent[at] = gain, n, name, b
    return tried


@inner
def narrowed_sums(mask, rows, bits, gradient, curvature):
    """Return G, H and the number of those of some rows that a further condition leaves."""
    g, h, n = 0.0, 0.0, 0
    for k in range(rows.shape[0]):
        hit = (bits[k] & mask[rows[k]]) != 0
        g += gradient[k] * hit
        h += curvature[k] * hit
        n += hit
    return g, h, n


@inner
def has(some, count, condition):
    """Return whether a condition is among the first `count` of a set."""
    for k in range(count):
        if some[k] == condition:
            return True
    return False


@inner
def mark(seen, name):
    """Remember the name of a set in an open hash table (int64[power of two]); False if it was already known."""
    at = (name ^ (name >> 29)) & (seen.shape[0] - 1)
    while seen[at] != 0:
        if seen[at] == name:
            return False
        at = (at + 1) & (seen.shape[0] - 1)
    seen[at] = name
    return True


@kernel
def rows_covered(masks, chosen):
    """Return the rows, int64[...], where all the chosen conditions hold in one frame."""
    rows = np.empty(masks.shape[1], np.int64)
    n = 0
    for r in range(masks.shape[1]):
        left = np.uint8(255)
        for c in chosen:
            left &= masks[c, r]
        if left:
            rows[n] = r
            n += 1
    return rows[:n].copy()


@kernel
def frames(facts, masks, low, high, ops, variables):
    """Return uint8[active examples]: the frames in which the clause with these operations holds, a bit each."""
    rows = satisfied(facts, masks, low, high, ops, variables)
    if rows.dense.shape[0] > 0:
        return rows.dense.copy()
    out = np.zeros(masks.active.shape[0], np.uint8)
    for r in range(rows.example.shape[0]):
        out[rows.example[r]] |= rows.bits[r]
    return out
