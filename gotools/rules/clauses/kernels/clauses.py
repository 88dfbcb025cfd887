"""Kernels that evaluate clauses: the condition of a literal, and the examples that fulfil it.

    move(A,B,C,D) :- pos_gen(E), block_on_pos(A,C,D,F,-2,1,E), connects_direct(A,F,C,D,B), ...
    bindings:                    F -> place of offset (-2,1)   B -> OWN
    rows:   every example        those with a stone there      those where that block touches the point

Rows are held as bytes (see conditions.py): one per example while no slot is open and many are left, else listed.
"""

from typing import NamedTuple

import numpy as np

from gotools.jit import inner, kernel
from gotools.rules.clauses.kernels.conditions import (
    BLOCK,
    CHOOSE,
    CHOOSE_BY,
    CONDITION_WIDTH,
    EDGE,
    EMPTY_AT,
    EQUAL,
    GIVEN,
    LAST_AT,
    MEASURE,
    MEASURE_BY,
    NEVER,
    NOTHING,
    OUTSIDE_AT,
    RELATES,
    RELATES_BY,
    SHARES,
    STAGE,
    WITHIN,
    choose,
    decide,
    mask_of,
)

# What a literal does: operation, then its operands x, y, z.
IS_NOTHING = 0
IS_EDGE = 1  # which, distance
IS_STAGE = 2  # stage
IS_GIVEN = 3  # row of `given`
IS_AT = 4  # block variable, offset
IS_COLOUR = 5  # block variable, colour variable
IS_OPPOSITE = 6  # colour variable, colour variable
IS_NUMBER = 7  # block variable, quantity, interval
IS_QUANTITY = 8  # block variable, quantity, number variable
IS_RANGE = 9  # number variable, interval
IS_LIBERTY = 10  # block variable, liberty variable
IS_RELATION = 11  # relation, block variable, colour variable
IS_PROPERTY = 12  # property, block variable
IS_MEASURE = 13  # measure (of the own colour), colour variable or -1, interval
IS_MEASURED = 14  # measure (of the own colour), colour variable or -1, number variable
IS_MEASURE_RANGE = 15  # measure (of the own colour), colour variable or -1, interval: of a number bound by IS_MEASURED
IS_EMPTY = 16  # offset
IS_OUTSIDE = 17  # offset
IS_LAST = 18  # which, offset

THIN = 24
"""Rows are listed one by one once fewer than one example in this number is left: a row so costs as much as 24 bytes."""

UNBOUND, OWN, OPPONENT = -1, -2, -3
ANY_BLOCK, SOME_LIBERTIES, IS_OWN, IS_OPPONENT, MEASURABLE = 0, 1, 2, 3, 4
"""Intervals that every table begins with: 1..255 (a block), 1.. (liberties), 1..1 and 2..2 (colours), 0.. (defined)."""


class Literals(NamedTuple):
    """A bottom clause as arrays; m literals."""

    op: np.ndarray  # int32[m, 4]: operation, x, y, z
    inputs: np.ndarray  # int32[m, 6]: input variables, -1 behind the last
    outputs: np.ndarray  # int32[m, 2]
    variables: np.ndarray  # int32[m, 8]: variables of the literal, each once
    dependent_at: np.ndarray  # int64[m+1]: slices of `dependent`
    dependent: np.ndarray  # int32[...]: literals that use an output of this one
    anchors: np.ndarray  # bool[m]: ties the clause to a block or to the opening
    kind: np.ndarray  # int32[m]: 1 opposite, 2 liberty_cnt, 3 stone_cnt, 4 block_on_pos, 5 block_color, else 0
    block: np.ndarray  # int32[m]: block variable of kinds 2..5, else -1


@kernel
def resolve(op, where, shares, axes, offsets, test):
    """Write into `test` the condition of literal `op` under the bindings so far.

    where -- int32[variables]: UNBOUND; a block's place; OWN, OPPONENT or the place whose colour it is;
             a number's place * 4 + quantity; for a liberty the count of places in `shares`
    shares -- int32[variables, 16]: places whose blocks share a liberty variable
    """
    kind = op[0]
    x, y, z = op[1], op[2], op[3]
    test[0] = NOTHING
    if kind == IS_EDGE:
        test[0], test[1], test[2] = EDGE, x, y
    elif kind == IS_STAGE:
        test[0], test[1] = STAGE, x
    elif kind == IS_GIVEN:
        test[0], test[1] = GIVEN, x
    elif kind == IS_AT:
        if where[x] == UNBOUND:
            test[0], test[1], test[2], test[3] = WITHIN, y, BLOCK, ANY_BLOCK
        else:
            test[0], test[1], test[2], test[3], test[4] = EQUAL, where[x], BLOCK, y, BLOCK
    elif kind == IS_COLOUR:
        compare_colours(where[x], where[y], test)
    elif kind == IS_OPPOSITE:
        oppose_colours(where[x], where[y], test)
    elif kind == IS_NUMBER:
        test[0], test[1], test[2], test[3] = WITHIN, where[x], y, z
    elif kind == IS_QUANTITY:
        if where[z] != UNBOUND:
            test[0], test[1], test[2], test[3], test[4] = EQUAL, where[x], y, where[z] // 4, where[z] % 4
    elif kind == IS_RANGE:
        test[0], test[1], test[2], test[3] = WITHIN, where[x] // 4, where[x] % 4, y
    elif kind == IS_LIBERTY:
        if where[y] == UNBOUND:
            test[0], test[1], test[2], test[3] = WITHIN, where[x], 0, SOME_LIBERTIES
        else:
            count = where[y]
            test[0], test[1] = SHARES, count + 1
            for k in range(count):
                test[2 + k] = shares[y, k]
            test[2 + count] = where[x]
    elif kind == IS_RELATION:
        relate_blocks(x, where[y], where[z], test)
    elif kind == IS_PROPERTY:
        if where[y] == UNBOUND:
            test[0], test[1] = CHOOSE, x
        else:
            test[0], test[1], test[2] = RELATES, where[y], x
    elif kind == IS_MEASURE or kind == IS_MEASURE_RANGE:
        measure_by(x, y if y < 0 else where[y], z, test)
    elif kind == IS_MEASURED:
        measure_by(x, y if y < 0 else where[y], MEASURABLE, test)
    elif kind == IS_EMPTY:
        test[0], test[1] = EMPTY_AT, x
    elif kind == IS_OUTSIDE:
        test[0], test[1] = OUTSIDE_AT, x
    elif kind == IS_LAST:
        test[0], test[1], test[2] = LAST_AT, x, y


@inner
def measure_by(measure, colour, interval, test):
    """A measure of the point, for a colour: UNBOUND for measures without one, OWN, OPPONENT, or that of a place."""
    if colour == UNBOUND or colour == OWN:
        test[0], test[1], test[2] = MEASURE, measure, interval
    elif colour == OPPONENT:
        test[0], test[1], test[2] = MEASURE, measure + 1, interval
    else:
        test[0], test[1], test[2], test[3] = MEASURE_BY, measure, interval, colour


@inner
def compare_colours(place, colour, test):
    """block_color(block at `place`, colour)."""
    if colour == OWN or colour == OPPONENT:
        test[0], test[1], test[2], test[3] = WITHIN, place, 2, IS_OWN if colour == OWN else IS_OPPONENT
    elif colour != UNBOUND:
        test[0], test[1], test[2], test[3], test[4] = EQUAL, place, 2, colour, 2


@inner
def oppose_colours(first, second, test):
    """opposite(first, second); `first` is bound, and one of the two is a fixed colour."""
    if second == UNBOUND:
        return
    if first >= 0 or second >= 0:
        fixed, place = (second, first) if first >= 0 else (first, second)
        test[0], test[1], test[2], test[3] = WITHIN, place, 2, IS_OPPONENT if fixed == OWN else IS_OWN
    elif first == second:
        test[0] = NEVER


@inner
def relate_blocks(relation, place, colour, test):
    """atari(block, colour) and the other relations: `relation` is 0..3 in the order of the bits."""
    if colour == OWN or colour == OPPONENT:
        which = relation if colour == OWN else relation + 4
        if place == UNBOUND:
            test[0], test[1] = CHOOSE, which
        else:
            test[0], test[1], test[2] = RELATES, place, which
    elif place == UNBOUND:
        test[0], test[1], test[2] = CHOOSE_BY, relation, colour
    else:
        test[0], test[1], test[2], test[3] = RELATES_BY, place, relation, colour


@kernel
def bind(op, where, shares, axes, offsets):
    """Bind the output variable of a literal that has been added; returns the number of open slots."""
    kind = op[0]
    x, y, z = op[1], op[2], op[3]
    if kind == IS_AT:
        if where[x] == UNBOUND:
            where[x] = y
    elif kind == IS_COLOUR:
        if where[y] == UNBOUND:
            where[y] = where[x]
    elif kind == IS_OPPOSITE:
        if where[y] == UNBOUND:
            where[y] = OPPONENT if where[x] == OWN else OWN
    elif kind == IS_QUANTITY:
        if where[z] == UNBOUND:
            where[z] = where[x] * 4 + y
    elif kind == IS_LIBERTY:
        count = max(where[y], 0)
        shares[y, count] = where[x]
        where[y] = count + 1
    elif kind == IS_RELATION or kind == IS_PROPERTY:
        if where[y] == UNBOUND:
            where[y] = offsets + axes
            return axes + 1
    return axes


@inner
def count_bytes(bits, mask):
    """Count where bits & mask != 0."""
    total = 0
    for j in range(bits.shape[0]):
        total += (bits[j] & mask[j]) != 0
    return total


class Rows(NamedTuple):
    """The rows that a clause leaves: an example, its frames, its chosen blocks, in the order of the examples."""

    example: np.ndarray  # int32[rows]: index among the active examples
    bits: np.ndarray  # uint8[rows]
    slots: np.ndarray  # uint8[rows, axes]
    dense: np.ndarray  # uint8[active examples], in use (rows empty) while no slot is open and many are left


@inner
def all_rows(masks):
    """Return the rows of the empty body: every example that counts, in every frame."""
    return Rows(np.empty(0, np.int32), np.empty(0, np.uint8), np.empty((0, 0), np.uint8), masks.base)


@inner
def no_rows():
    """Return rows that hold no example."""
    return Rows(np.empty(0, np.int32), np.empty(0, np.uint8), np.empty((0, 0), np.uint8), np.empty(0, np.uint8))


@inner
def sparse(rows):
    """Return the same rows, listed one by one if they are held densely."""
    n = rows.dense.shape[0]
    if n == 0:
        return rows
    count = 0
    for j in range(n):
        count += rows.dense[j] != 0
    example = np.empty(count, np.int32)
    bits = np.empty(count, np.uint8)
    k = 0
    for j in range(n):
        if rows.dense[j]:
            example[k] = j
            bits[k] = rows.dense[j]
            k += 1
    return Rows(example, bits, np.empty((count, 0), np.uint8), np.empty(0, np.uint8))


@inner
def thinned(rows):
    """Return dense rows as they are, or listed one by one where few are left."""
    n = rows.dense.shape[0]
    return sparse(rows) if count_bytes(rows.dense, rows.dense) * THIN < n else rows


@inner
def narrow(facts, masks, low, high, rows, test):
    """Return the rows that fulfil the condition; CHOOSE opens a slot with a row for every candidate."""
    kind = test[0]
    if kind == NOTHING:
        return rows
    if kind == CHOOSE and rows.dense.shape[0] > 0:
        return open_first_slot(masks, rows.dense, test[1])
    if kind == CHOOSE or kind == CHOOSE_BY:
        return open_slot(facts, masks, sparse(rows), test)
    row = mask_of(facts, masks, low, high, test)
    if rows.dense.shape[0] > 0 and row >= 0:
        return thinned(Rows(rows.example, rows.bits, rows.slots, rows.dense & masks.rows[row]))
    rows = sparse(rows)
    out = np.empty(rows.bits.shape[0], np.uint8)
    left(facts, masks, low, high, rows, test, row, out)
    kept = np.flatnonzero(out)
    slots = np.empty((kept.shape[0], rows.slots.shape[1]), np.uint8)
    for k in range(kept.shape[0]):
        for a in range(slots.shape[1]):
            slots[k, a] = rows.slots[kept[k], a]
    return Rows(rows.example[kept], out[kept], slots, np.empty(0, np.uint8))


@inner
def left(facts, masks, low, high, rows, test, row, out):
    """Write into out -- uint8[rows] -- the frames that the condition leaves to rows that are listed one by one."""
    if row >= 0:
        mask = masks.rows[row]
        example, bits = rows.example, rows.bits
        for r in range(example.shape[0]):
            out[r] = bits[r] & mask[example[r]]
    else:
        decide(facts, masks, low, high, rows.example, rows.bits, rows.slots, test, out)


@inner
def open_first_slot(masks, dense, which):
    """The same as `open_slot` for dense rows and a property: the usual case, without listing the rows first."""
    choice_at, choices = masks.choice_at[which], masks.choices
    many = 0
    for j in range(dense.shape[0]):
        many += (choice_at[j + 1] - choice_at[j]) * (dense[j] != 0)
    example, bits, slots = np.empty(many, np.int32), np.empty(many, np.uint8), np.empty((many, 1), np.uint8)
    k = 0
    for j in range(dense.shape[0]):
        if dense[j]:
            for at in range(choice_at[j], choice_at[j + 1]):
                example[k] = j
                bits[k] = dense[j]
                slots[k, 0] = choices[at]
                k += 1
    return Rows(example, bits, slots, np.empty(0, np.uint8))


@inner
def open_slot(facts, masks, rows, test):
    """Return a row for every candidate block of every row."""
    axes = rows.slots.shape[1]
    fold = np.empty(rows.bits.shape[0], np.uint8)
    no_rows, no_bytes = np.empty(0, np.int32), np.empty(0, np.uint8)
    many = choose(facts, masks, rows.example, rows.bits, rows.slots, test, fold, no_rows, no_bytes, no_bytes)
    parents, blocks, bits = np.empty(many, np.int32), np.empty(many, np.uint8), np.empty(many, np.uint8)
    if many > 0:
        choose(facts, masks, rows.example, rows.bits, rows.slots, test, fold, parents, blocks, bits)
    slots = np.empty((many, axes + 1), np.uint8)
    for k in range(many):
        for a in range(axes):
            slots[k, a] = rows.slots[parents[k], a]
        slots[k, axes] = blocks[k]
    return Rows(rows.example[parents], bits, slots, np.empty(0, np.uint8))


@inner
def count(facts, masks, low, high, rows, test):
    """Count the examples that fulfil the condition too."""
    kind = test[0]
    if kind == NEVER:
        return 0
    row = mask_of(facts, masks, low, high, test)
    if rows.dense.shape[0] > 0 and row < 0:
        rows = sparse(rows)
    if row >= 0:
        return quick_count(rows.dense, rows.example, rows.bits, masks.rows[row])
    out = np.empty(rows.bits.shape[0], np.uint8)
    decide(facts, masks, low, high, rows.example, rows.bits, rows.slots, test, out)
    return count_rows(rows.example, out)


@inner
def quick_count(dense, example, bits, mask):
    """The same as `count` for a condition whose mask is known, without the cost of passing all facts.

    dense, example, bits -- of Rows; mask -- uint8[n]
    """
    if dense.shape[0] > 0:
        return count_bytes(dense, mask)
    total = 0
    last = np.int32(-1)
    for r in range(example.shape[0]):  # without branches: they would be unpredictable
        j = example[r]
        hit = (bits[r] & mask[j]) != 0
        total += hit & (j != last)
        last = j if hit else last
    return total


@inner
def count_rows(example, bits):
    """Count the distinct examples of rows with bits != 0."""
    total = 0
    last = np.int32(-1)
    for r in range(example.shape[0]):
        hit = bits[r] != 0
        total += hit & (example[r] != last)
        last = example[r] if hit else last
    return total


@inner
def satisfied(facts, masks, low, high, ops, variables):
    """Return the rows where the clause with these operations -- int32[literals, 4], in order -- holds."""
    where, shares = fresh_bindings(variables)
    test = np.zeros(CONDITION_WIDTH, np.int32)
    rows = all_rows(masks)
    axes = 0
    offsets = facts.window.shape[0]
    for k in range(ops.shape[0]):
        resolve(ops[k], where, shares, axes, offsets, test)
        rows = narrow(facts, masks, low, high, rows, test)
        axes = bind(ops[k], where, shares, axes, offsets)
    return rows


@kernel
def covered(facts, masks, low, high, ops, variables):
    """Return bool[active examples]: where the clause with these operations holds."""
    rows = satisfied(facts, masks, low, high, ops, variables)
    out = np.zeros(masks.active.shape[0], np.bool_)
    for j in range(rows.dense.shape[0]):
        out[j] = rows.dense[j] != 0
    for r in range(rows.example.shape[0]):
        out[rows.example[r]] = True
    return out


@kernel
def fresh_bindings(variables):
    """Return `where` and `shares` with only the head's variables bound: 0 board, 1 colour, 2 x, 3 y."""
    where = np.full(variables, UNBOUND, np.int32)
    where[1] = OWN
    return where, np.zeros((variables, 16), np.int32)
