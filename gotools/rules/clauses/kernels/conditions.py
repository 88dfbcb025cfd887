"""Kernels that decide conditions of clauses on examples, in the eight frames at once.

A byte holds an example's truth in the frames p1..p8, a bit each. Every variable of a clause is a function of the
literal that binds it, so a clause is a chain of conditions over *places*:

    place 0 .. offsets-1     the block at that offset of the window (it depends on the frame)
    place offsets + axis     the block chosen on slot `axis`: one candidate of a relation such as connects_direct

A condition is int32[WIDTH]: kind, then its operands (see the constants). Conditions over offsets alone are kept as
masks, a byte an example; those over slots are decided row by row (a row = an example with its chosen blocks).
"""

from typing import NamedTuple

import numpy as np

from gotools.jit import inner, kernel
from gotools.jit.kernels.basics import copy_to

CONDITION_WIDTH = 20
NOTHING = 0  # always true
NEVER = 1  # always false
EDGE = 2  # which (0 left, 1 bottom), distance
STAGE = 3  # stage
GIVEN = 4  # row of `given`: a user's predicate on the point
WITHIN = 5  # place, quantity, interval
EQUAL = 6  # place, quantity, place, quantity
RELATES = 7  # place, property
RELATES_BY = 8  # place, relation, place whose colour acts
SHARES = 9  # count, places...: the blocks have a liberty in common
CHOOSE = 10  # property: opens a slot with the blocks that have it
CHOOSE_BY = 11  # relation, place whose colour acts: opens a slot
MEASURE = 12  # measure, interval
MEASURE_BY = 13  # measure of the own colour, interval, place whose colour acts
EMPTY_AT = 14  # offset
OUTSIDE_AT = 15  # offset
LAST_AT = 16  # which (0 the last move, 1 the last but one), offset

BLOCK = 3
"""Quantity beside LIBERTIES, STONES, COLOUR of facts.py: the block's own number, for identity."""


class Facts(NamedTuple):
    """The arrays of facts.gather, and a user's predicates evaluated on the same examples."""

    start: np.ndarray  # int64[n+1]
    window: np.ndarray  # uint8[offsets, n, 8]
    edge: np.ndarray  # int8[2, n, 8]
    stage: np.ndarray  # uint8[n]
    number: np.ndarray  # int16[4, blocks]
    relation: np.ndarray  # uint8[blocks]
    liberty_bits: np.ndarray  # uint64[blocks, words]
    given: np.ndarray  # uint8[predicates, n]
    properties: np.ndarray  # uint8[predicates, blocks]: 1 where a user's predicate holds of the block
    measure: np.ndarray  # int16[measures, n], see measures.py; no rows if no predicate needs them
    outside: np.ndarray  # uint8[offsets, n]: frames in which the offset is off the board
    last_at: np.ndarray  # uint8[2, n, 8]: offset of the last move and of the last but one


class Masks(NamedTuple):
    """Conditions already decided on the active examples, filled on demand."""

    active: np.ndarray  # int32[n]: index of an active example into Facts
    base: np.ndarray  # uint8[n]: 255 for an example that counts, 0 for one that is covered already
    rows: np.ndarray  # uint8[capacity, n]
    row_of: np.ndarray  # int32[keys]: row of a condition, -1 if it has none
    used: np.ndarray  # int64[1]
    choice_at: np.ndarray  # int64[properties, n+1]: slices of `choices`
    choices: np.ndarray  # uint8[...]: the blocks of an active example that have a property


@inner
def values_of(facts, which):
    """Return int16[blocks]: a quantity of every block; BLOCK needs none and gives an empty array."""
    if which == BLOCK:
        return np.empty(0, np.int16)
    return facts.number[which]


@inner
def property_of(facts, which):
    """Return uint8[blocks] and a shift: property `which` is the bit at the shift (0..7: of relation; then a user's)."""
    if which < 8:
        return facts.relation, which
    return facts.properties[which - 8], 0


@inner
def blocks_at(facts, place):
    """Return uint8[n, 8]: the block at a place in every frame; an empty array for a slot."""
    if place < facts.window.shape[0]:
        return facts.window[place]
    return np.empty((0, 8), np.uint8)


@inner
def decide(facts, masks, low, high, example, bits, slots, test, out):
    """Write into out[r] the frames of bits[r] in which the condition holds for row r.

    example -- int32[rows], index into masks.active; bits, out -- uint8[rows]; slots -- uint8[rows, axes]
    Each kind has a loop of its own over local arrays: a call per row with all facts costs more than the work.
    """
    kind = test[0]
    active = masks.active
    if kind == NOTHING:
        copy_to(out, bits)
    elif kind == NEVER:
        out[:] = 0
    elif kind == EDGE or kind == STAGE or kind == GIVEN:
        decide_point(facts, active, example, bits, test, out)
    elif kind == WITHIN:
        decide_within(facts, low[test[3]], high[test[3]], active, example, bits, slots, test, out)
    elif kind == EQUAL:
        decide_equal(facts, active, example, bits, slots, test, out)
    elif kind == RELATES:
        decide_relates(facts, active, example, bits, slots, test, out)
    elif kind == RELATES_BY:
        decide_relates_by(facts, active, example, bits, slots, test, out)
    elif kind == SHARES:
        decide_shares(facts, active, example, bits, slots, test, out)
    elif kind == MEASURE:
        decide_measure(facts.measure, low[test[2]], high[test[2]], active, example, bits, test, out)
    elif kind == MEASURE_BY:
        decide_measure_by(facts, low[test[2]], high[test[2]], active, example, bits, slots, test, out)
    elif kind == EMPTY_AT or kind == OUTSIDE_AT or kind == LAST_AT:
        decide_seen(facts, active, example, bits, test, out)
    else:
        no_rows, no_bytes = np.empty(0, np.int32), np.empty(0, np.uint8)
        choose(facts, masks, example, bits, slots, test, out, no_rows, no_bytes, no_bytes)


@inner
def decide_point(facts, active, example, bits, test, out):
    """Conditions on the point and the board."""
    kind, which, value = test[0], test[1], test[2]
    edge, stage = facts.edge, facts.stage
    for r in range(example.shape[0]):
        i = active[example[r]]
        if kind == STAGE:
            out[r] = bits[r] if stage[i] == which else 0
        elif kind == GIVEN:
            out[r] = bits[r] & facts.given[which, i]
        else:
            frames = 0
            for s in range(8):
                frames |= (edge[which, i, s] == value) << s
            out[r] = bits[r] & frames


@inner
def decide_within(facts, low, high, active, example, bits, slots, test, out):
    """low <= quantity of the block at a place <= high."""
    axis = test[1] - facts.window.shape[0]
    at, value, start, itself = blocks_at(facts, test[1]), values_of(facts, test[2]), facts.start, test[2] == BLOCK
    for r in range(example.shape[0]):
        i = active[example[r]]
        first = start[i] - 1
        if axis >= 0:
            block = slots[r, axis]
            v = np.int64(block) if itself else np.int64(value[first + block])
            out[r] = bits[r] if low <= v <= high else 0
        else:
            frames = 0
            for s in range(8):
                block = at[i, s]
                if block:
                    v = np.int64(block) if itself else np.int64(value[first + block])
                    frames |= (low <= v <= high) << s
            out[r] = bits[r] & frames


@inner
def decide_equal(facts, active, example, bits, slots, test, out):
    """A quantity of one block = a quantity of another."""
    offsets = facts.window.shape[0]
    axis, axis2 = test[1] - offsets, test[3] - offsets
    at, at2, start = blocks_at(facts, test[1]), blocks_at(facts, test[3]), facts.start
    value, value2 = values_of(facts, test[2]), values_of(facts, test[4])
    itself, itself2 = test[2] == BLOCK, test[4] == BLOCK
    for r in range(example.shape[0]):
        i = active[example[r]]
        first = start[i] - 1
        frames = 0
        for s in range(8):
            block = at[i, s] if axis < 0 else slots[r, axis]
            block2 = at2[i, s] if axis2 < 0 else slots[r, axis2]
            if block and block2:
                v = np.int64(block) if itself else np.int64(value[first + block])
                v2 = np.int64(block2) if itself2 else np.int64(value2[first + block2])
                frames |= (v == v2) << s
        out[r] = bits[r] & frames


@inner
def decide_relates(facts, active, example, bits, slots, test, out):
    """A property of the block at a place."""
    axis = test[1] - facts.window.shape[0]
    at, start = blocks_at(facts, test[1]), facts.start
    held, shift = property_of(facts, test[2])
    for r in range(example.shape[0]):
        i = active[example[r]]
        first = start[i] - 1
        frames = 0
        for s in range(8):
            block = at[i, s] if axis < 0 else slots[r, axis]
            if block:
                frames |= ((held[first + block] >> shift) & 1) << s
        out[r] = bits[r] & frames


@inner
def decide_relates_by(facts, active, example, bits, slots, test, out):
    """What a stone of another block's colour would do to the block at a place."""
    offsets = facts.window.shape[0]
    axis, axis2 = test[1] - offsets, test[3] - offsets
    at, at2, start = blocks_at(facts, test[1]), blocks_at(facts, test[3]), facts.start
    relation, colour, shift = facts.relation, facts.number[2], test[2]
    for r in range(example.shape[0]):
        i = active[example[r]]
        first = start[i] - 1
        frames = 0
        for s in range(8):
            block = at[i, s] if axis < 0 else slots[r, axis]
            block2 = at2[i, s] if axis2 < 0 else slots[r, axis2]
            if block and block2:
                acting = 4 * (colour[first + block2] - 1)
                frames |= ((relation[first + block] >> (shift + acting)) & 1) << s
        out[r] = bits[r] & frames


@inner
def decide_shares(facts, active, example, bits, slots, test, out):
    """The blocks at all the places have a liberty in common."""
    offsets = facts.window.shape[0]
    window, start, liberty_bits = facts.window, facts.start, facts.liberty_bits
    words = liberty_bits.shape[1]
    common = np.empty(words, np.uint64)
    for r in range(example.shape[0]):
        i = active[example[r]]
        first = start[i] - 1
        frames = 0
        for s in range(8):
            common[:] = ~np.uint64(0)
            for k in range(test[1]):
                place = test[2 + k]
                block = window[place, i, s] if place < offsets else slots[r, place - offsets]
                for w in range(words):
                    common[w] &= liberty_bits[first + block, w] if block else np.uint64(0)
            for w in range(words):
                if common[w] != 0:
                    frames |= 1 << s
        out[r] = bits[r] & frames


@inner
def decide_measure(measure, low, high, active, example, bits, test, out):
    """low <= a measure of the point <= high."""
    values = measure[test[1]]
    for r in range(example.shape[0]):
        out[r] = bits[r] if low <= values[active[example[r]]] <= high else 0


@inner
def decide_measure_by(facts, low, high, active, example, bits, slots, test, out):
    """low <= a measure of the point, for the colour of the block at a place, <= high."""
    axis = test[3] - facts.window.shape[0]
    at, start, colour = blocks_at(facts, test[3]), facts.start, facts.number[2]
    own, other = facts.measure[test[1]], facts.measure[test[1] + 1]
    for r in range(example.shape[0]):
        i = active[example[r]]
        frames = 0
        for s in range(8):
            block = at[i, s] if axis < 0 else slots[r, axis]
            if block:
                value = own[i] if colour[start[i] + block - 1] == 1 else other[i]
                frames |= (low <= value <= high) << s
        out[r] = bits[r] & frames


@inner
def decide_seen(facts, active, example, bits, test, out):
    """An offset is empty, off the board, or that of one of the last moves."""
    kind = test[0]
    offset = test[2] if kind == LAST_AT else test[1]
    window, outside = facts.window[offset], facts.outside[offset]
    for r in range(example.shape[0]):
        i = active[example[r]]
        frames = np.int64(outside[i]) if kind == OUTSIDE_AT else 0
        if kind == EMPTY_AT:
            for s in range(8):
                frames |= (window[i, s] == 0) << s
            frames &= ~np.int64(outside[i])
        elif kind == LAST_AT:
            for s in range(8):
                frames |= (facts.last_at[test[1], i, s] == offset) << s
        out[r] = bits[r] & frames


@inner
def choose(facts, masks, example, bits, slots, test, fold, rows, blocks, frames):
    """Find the candidates for the slot that CHOOSE or CHOOSE_BY opens; returns how many there are.

    fold -- uint8[rows], filled: frames in which a row has any candidate
    rows int32[], blocks uint8[], frames uint8[] -- filled, one entry a candidate, unless they are empty
    """
    offsets = facts.window.shape[0]
    start, colour, active = facts.start, facts.number[2], masks.active
    choice_at, choices = masks.choice_at, masks.choices
    by_colour, which = test[0] == CHOOSE_BY, test[1]
    place = test[2] if by_colour else 0
    axis = place - offsets
    at = blocks_at(facts, place)
    listing = rows.shape[0] > 0
    found = 0
    for r in range(example.shape[0]):
        j = example[r]
        own, other = bits[r], np.uint8(0)  # frames in which the own colour acts, and the opponent's
        if by_colour:
            i = active[j]
            for s in range(8):
                block = at[i, s] if axis < 0 else slots[r, axis]
                bit = np.uint8(1 << s)
                if block == 0:
                    own &= ~bit
                elif colour[start[i] + block - 1] == 2:
                    other |= own & bit
                    own &= ~bit
        any_frame = np.uint8(0)
        for side in range(2 if by_colour else 1):
            byte = own if side == 0 else other
            if byte == 0:
                continue
            for k in range(choice_at[which + 4 * side, j], choice_at[which + 4 * side, j + 1]):
                any_frame |= byte
                if listing:
                    rows[found] = r
                    blocks[found] = choices[k]
                    frames[found] = byte
                found += 1
        fold[r] = any_frame
    return found


@kernel
def list_choices(facts, active, choice_at, choices):
    """Fill `choice_at` and `choices` of Masks; with empty `choices` only choice_at."""
    total = 0
    for which in range(choice_at.shape[0]):
        for j in range(active.shape[0]):
            choice_at[which, j] = total
            first = facts.start[active[j]]
            for row in range(first, facts.start[active[j] + 1]):
                has = (facts.relation[row] >> which) & 1 if which < 8 else facts.properties[which - 8, row]
                if has:
                    if choices.shape[0] > 0:
                        choices[total] = row - first + 1
                    total += 1
        choice_at[which, active.shape[0]] = total


@inner
def key_of(test, offsets, intervals, given, properties, measures):
    """Return the number under which a condition's mask is kept, -1 for one without a mask; see `key_count`.

    offsets, intervals, given, properties, measures -- how many there are of each
    """
    kind = test[0]
    place = test[1]
    if kind == EDGE:
        return place * 32 - test[2]
    if kind == STAGE:
        return 64 + place
    base = 68
    if kind == GIVEN:
        return base + place
    base += given
    if kind == CHOOSE:
        return base + place
    base += properties + 8
    if kind == CHOOSE_BY:
        return base + place * offsets + test[2] if test[2] < offsets else -1
    base += 4 * offsets
    if kind == MEASURE:
        return base + place * intervals + test[2]
    base += measures * intervals
    if kind == EMPTY_AT or kind == OUTSIDE_AT:
        return base + (kind - EMPTY_AT) * offsets + place
    base += 2 * offsets
    if kind == LAST_AT:
        return base + place * offsets + test[2]
    base += 2 * offsets
    if kind == MEASURE_BY:
        return -1
    if kind == NOTHING or kind == NEVER or (kind != SHARES and place >= offsets):
        return -1
    if kind == WITHIN:
        return base + (place * 4 + test[2]) * intervals + test[3]
    base += offsets * 4 * intervals
    if kind == RELATES:
        return base + place * (properties + 8) + test[2]
    base += offsets * (properties + 8)
    if kind == SHARES:
        if place != 2 or test[2] >= offsets or test[3] >= offsets:
            return -1
        return base + test[2] * offsets + test[3]
    base += offsets * offsets
    if test[3] >= offsets:
        return -1
    if kind == RELATES_BY:
        return base + (place * 4 + test[2]) * offsets + test[3]
    base += offsets * 4 * offsets
    return base + ((place * 4 + test[2]) * offsets + test[3]) * 4 + test[4]


def key_count(offsets: int, intervals: int, given: int, properties: int, measures: int) -> int:
    """Return how many keys `key_of` can give."""
    by_place = 4 + 4 * intervals + properties + 8 + offsets + 4 * offsets + 16 * offsets
    return 68 + given + properties + 8 + measures * intervals + offsets * (4 + by_place)


@inner
def mask_of(facts, masks, low, high, test):
    """Return the row of `masks` that holds the condition, deciding it first where needed; -1 if none can."""
    given, properties, measures = facts.given.shape[0], facts.properties.shape[0], facts.measure.shape[0]
    key = key_of(test, facts.window.shape[0], low.shape[0], given, properties, measures)
    if key < 0:
        return -1
    row = masks.row_of[key]
    if row >= 0:
        return row
    row = masks.used[0]
    if row >= masks.rows.shape[0]:
        return -1
    n = masks.active.shape[0]
    everybody, every_frame = np.arange(n).astype(np.int32), np.full(n, 255, np.uint8)
    decide(facts, masks, low, high, everybody, every_frame, np.empty((0, 0), np.uint8), test, masks.rows[row])
    masks.used[0] = row + 1
    masks.row_of[key] = row
    return row
