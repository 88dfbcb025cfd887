"""Kernels that find where conditions hold, for all points of a position at once.

A set of points is a bitboard: bit y * stride + x with stride = size + MARGIN, in `words` words of 64 bits. The columns
between two rows are always empty, so that a shift by an offset of the window wraps onto nothing.

    size 3:   12 13 14  .  .  .      A condition at an offset is the shifted board of what has to stand there; a set
               6  7  8  .  .  .      of conditions in a frame is the AND of its conditions' boards, for all points at
               0  1  2  .  .  .      once. (compiled/rules_runtime.c does the same in C.)
"""

from typing import NamedTuple

import numpy as np

from gotools.games.go.kernels.chain_sets import ChainSets, find_chains, new_chain_sets, unite_chains
from gotools.games.go.kernels.ladders import Reader, new_reader, read_position
from gotools.games.go.kernels.shapes import SIZES, WIDE, ShapeTable, find_shape, name_shapes, widen
from gotools.jit import inner
from gotools.rules.clauses.kernels.measures import (
    LAST2_DISTANCE,
    LAST_DISTANCE,
    LINE,
    LINKED_SETS,
    MEASURES,
    distance,
    measure_sets,
    measure_stones,
    new_near,
)

MARGIN = 3
"""Empty columns between two rows: the reach of offsets."""

CHAIN, EMPTY, OUTSIDE, LAST, LAST2 = range(5)
"""Kinds of a class: what may stand at an offset."""

LEFT, RIGHT, BOTTOM, TOP = range(4)
"""Sides from which a line is counted."""

LEGAL, ON, FREE, ONCE, BESIDE, LEFT_OVER, HERE, DRAWN, ANY, SINGLE = range(10)
"""Single boards: legal moves, all points, empty ones, and what is being made; how many they are."""


class BoardTable(NamedTuple):
    """What conditions mean on boards, and which boards the sets at hand need."""

    classes: np.ndarray  # int32[classes, 6]: kind, colours (bits 1 own, 2 other), fewest and most liberties, stones
    moved: np.ndarray  # int32[moved, 3]: class, dx, dy of a board seen through an offset; -1, line, side of a line
    wanted: np.ndarray  # int32[...]: rows of `moved` that the sets need
    touched: np.ndarray  # int32[touched, 3]: property, class, fixed board
    stages: np.ndarray  # int32[stages, 2]: stage, fixed board
    member_at: np.ndarray  # int32[MEASURES, values+1]: values from the last one on are alike
    member: np.ndarray  # int32[...]: fixed boards of value v of measure m: member[member_at[m, v] : member_at[m, v+1]]
    shapes: ShapeTable  # the number of a shape is its fixed board
    fixed: int  # boards that are the same in all frames


class PositionMoves(NamedTuple):
    """Positions and their legal moves; see Choices."""

    board: np.ndarray  # uint8[m, cells]
    size: np.ndarray  # uint8[m]
    to_play: np.ndarray  # uint8[m]
    last: np.ndarray  # int16[m]
    last2: np.ndarray  # int16[m]
    first: np.ndarray  # int64[m+1]
    point: np.ndarray  # int16[rows]


class Scratch(NamedTuple):
    """Room for one position: what find_chains and measure_stone want, then boards."""

    chain_at: np.ndarray
    stack: np.ndarray
    stamp: np.ndarray
    number: np.ndarray
    side: np.ndarray  # uint8[> chains]: 1 own, 2 the other's
    bits: np.ndarray
    reader: Reader
    beside: np.ndarray
    measure: np.ndarray
    sets: ChainSets
    near: tuple[np.ndarray, np.ndarray, np.ndarray]  # see measure_sets
    wide: np.ndarray  # see games/go/kernels/shapes.py
    names: np.ndarray
    one: np.ndarray  # uint64[SINGLE, words]: single boards
    stones: np.ndarray  # uint64[> chains, words]
    liberties: np.ndarray
    linked: np.ndarray
    classes: np.ndarray  # uint64[classes, words]
    moved: np.ndarray
    fixed: np.ndarray
    hit: np.ndarray  # uint64[sets, words]


@inner
def words_of(size):
    """Return the words of a bitboard."""
    return ((size - 1) * (size + MARGIN) + size + 63) // 64


@inner
def new_scratch(positions, table, sets):
    """Return room for the largest of some positions, with a board for each of a number of sets."""
    size = 2
    for k in range(positions.size.shape[0]):
        size = max(size, np.int64(positions.size[k]))
    words, most = words_of(size), positions.board.shape[1] + 1
    old_words = max(1, (positions.board.shape[1] + 63) // 64)
    return Scratch(
        np.zeros(most, np.int16),
        np.zeros(most, np.int16),
        np.zeros(most, np.int16),
        np.zeros((4, most), np.int16),
        np.zeros(most, np.uint8),
        np.zeros((most, old_words), np.uint64),
        new_reader(),
        np.zeros(4, np.int64),
        np.zeros(MEASURES, np.int16),
        new_chain_sets(most),
        new_near(),
        np.zeros(WIDE * WIDE, np.uint8),
        np.zeros(SIZES, np.uint64),
        np.zeros((SINGLE, words), np.uint64),
        np.zeros((most, words), np.uint64),
        np.zeros((most, words), np.uint64),
        np.zeros((most, words), np.uint64),
        np.zeros((table.classes.shape[0], words), np.uint64),
        np.zeros((table.moved.shape[0], words), np.uint64),
        np.zeros((table.fixed, words), np.uint64),
        np.zeros((sets, words), np.uint64),
    )


@inner
def set_bit(boards, row, bit):
    """Add a point to the board in a row."""
    boards[row, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


@inner
def shift(out, to, boards, row, by):
    """Write into row `to` the board whose bit p is the bit p + by of another."""
    n = out.shape[1]
    words, bits = abs(by) >> 6, np.uint64(abs(by) & 63)
    back = np.uint64(63) - bits
    if by >= 0:
        for w in range(n):
            low = boards[row, w + words] if w + words < n else np.uint64(0)
            high = boards[row, w + words + 1] if w + words + 1 < n else np.uint64(0)
            out[to, w] = low >> bits | (high << np.uint64(1)) << back
    else:
        for w in range(n):
            low = boards[row, w - words] if w >= words else np.uint64(0)
            high = boards[row, w - words - 1] if w > words else np.uint64(0)
            out[to, w] = low << bits | (high >> np.uint64(1)) >> back


@inner
def join(out, to, boards, row):
    """Add the points of another board to the board in row `to`."""
    for w in range(out.shape[1]):
        out[to, w] |= boards[row, w]


@inner
def see(positions, k, table, s):
    """Fill the boards of position k that the sets need."""
    size = np.int64(positions.size[k])
    stride = size + MARGIN
    board, me, point = positions.board[k], positions.to_play[k], positions.point
    one, number, chain_at = s.one, s.number, s.chain_at
    chains = find_chains(board, size, chain_at, number, s.bits, s.stack, s.stamp)
    one[:] = 0
    for r in range(positions.first[k], positions.first[k + 1]):
        set_bit(one, LEGAL, point[r] // size * stride + point[r] % size)
    stones = 0
    for c in range(1, chains + 1):
        stones += number[1, c]
        s.side[c] = 1 if number[2, c] == me else 2
    see_classes(
        table.classes,
        s.classes,
        one,
        s.stones,
        chain_at,
        number,
        s.side,
        size,
        chains,
        positions.last[k],
        positions.last2[k],
    )
    see_moved(table.wanted, table.moved, table.classes, s.classes, s.moved, size)
    fixed = s.fixed
    fixed[:] = 0
    stage = 0 if stones * 81 <= 10 * size * size else 1 if stones * 81 <= 30 * size * size else 2
    for j in range(table.stages.shape[0]):
        if table.stages[j, 0] == stage:
            join(fixed, table.stages[j, 1], one, LEGAL)
    if table.touched.shape[0]:
        see_touched(
            table.touched, table.classes, fixed, one, s.liberties, s.linked, chain_at, number, s.side, size, chains
        )
    moves = point[positions.first[k] : positions.first[k + 1]]
    if table.shapes.sizes:
        widen(board, size, me, s.wide)
        see_shapes(table.shapes, fixed, s.wide, moves, s.names, size)
    if table.member.shape[0]:
        read_position(s.reader.cells, board, size)
        see_measures(table, s, fixed, board, np.int64(me), positions.last[k], positions.last2[k], moves, chains, size)


@inner
def fits(classes, j, number, side, c):
    """Return whether chain c is of class j."""
    return (
        (classes[j, 1] >> side[c]) & 1
        and classes[j, 2] <= number[0, c] <= classes[j, 3]
        and classes[j, 4] <= number[1, c] <= classes[j, 5]
    )


@inner
def see_classes(classes, out, one, stones, chain_at, number, side, size, chains, last, last2):
    """Fill the boards of the classes; stones -- uint64[> chains, words], filled with the stones of each chain."""
    stride = size + MARGIN
    out[:] = 0
    for c in range(1, chains + 1):
        for w in range(stones.shape[1]):
            stones[c, w] = 0
    p = 0
    for y in range(size):
        for x in range(size):
            bit, c = y * stride + x, chain_at[p]
            set_bit(one, ON, bit)
            if c:
                set_bit(stones, c, bit)
            else:
                set_bit(one, FREE, bit)
            p += 1
    for j in range(classes.shape[0]):
        kind = classes[j, 0]
        if kind == CHAIN:
            for c in range(1, chains + 1):
                if fits(classes, j, number, side, c):
                    join(out, j, stones, c)
        elif kind == OUTSIDE or kind == EMPTY:
            join(out, j, one, ON if kind == OUTSIDE else FREE)
        else:
            q = np.int64(last if kind == LAST else last2)
            if q >= 0:
                set_bit(out, j, q // size * stride + q % size)


@inner
def see_moved(wanted, moved, classes, boards, out, size):
    """Fill the wanted boards of `moved`."""
    stride, words = size + MARGIN, out.shape[1]
    for i in range(wanted.shape[0]):
        m = wanted[i]
        j, dx, dy = moved[m, 0], moved[m, 1], moved[m, 2]
        if j < 0:
            for w in range(words):
                out[m, w] = 0
            at = dx - 1 if dy == LEFT or dy == BOTTOM else size - dx
            if 0 <= at < size:
                for q in range(size):
                    set_bit(out, m, q * stride + at if dy == LEFT or dy == RIGHT else at * stride + q)
        else:
            shift(out, m, boards, j, dx + dy * stride)
            if classes[j, 0] == OUTSIDE:
                for w in range(words):
                    out[m, w] = ~out[m, w]


@inner
def see_touched(touched, classes, fixed, one, liberties, linked, chain_at, number, side, size, chains):
    """Fill the boards of moves that do something to a chain of a class."""
    stride, words = size + MARGIN, fixed.shape[1]
    for c in range(1, chains + 1):
        for w in range(words):
            liberties[c, w] = 0
    p = 0
    for y in range(size):
        for x in range(size):
            if chain_at[p] == 0:
                bit = y * stride + x
                if y > 0 and chain_at[p - size]:
                    set_bit(liberties, chain_at[p - size], bit)
                if x > 0 and chain_at[p - 1]:
                    set_bit(liberties, chain_at[p - 1], bit)
                if x < size - 1 and chain_at[p + 1]:
                    set_bit(liberties, chain_at[p + 1], bit)
                if y < size - 1 and chain_at[p + size]:
                    set_bit(liberties, chain_at[p + size], bit)
            p += 1
    for c in range(1, chains + 1):
        for w in range(words):
            one[ONCE, w] = 0
            linked[c, w] = 0
        for by in (-stride, -1, 1, stride):
            shift(one, BESIDE, liberties, c, by)
            for w in range(words):
                linked[c, w] |= one[ONCE, w] & one[BESIDE, w]
                one[ONCE, w] |= one[BESIDE, w]
        for w in range(words):
            linked[c, w] &= ~liberties[c, w]
    for i in range(touched.shape[0]):
        kind, j, at = touched[i, 0], touched[i, 1], touched[i, 2]
        acting, relation = 1 if kind < 4 else 2, kind & 3
        for c in range(1, chains + 1):
            if (side[c] == acting) != (relation >= 2) or not fits(classes, j, number, side, c):
                continue
            if (relation == 0 and number[0, c] != 2) or (relation == 1 and number[0, c] != 1):
                continue
            if relation == 3:
                join(fixed, at, linked, c)
            else:
                join(fixed, at, liberties, c)


@inner
def see_measures(table, s, fixed, board, me, last, last2, point, chains, size):
    """Fill the boards of the measures of legal points."""
    member_at, member, measure, stride = table.member_at, table.member, s.measure, size + MARGIN
    of_sets = member_at[LINKED_SETS, 0] < member.shape[0]
    if of_sets:
        unite_chains(size, chains, s.chain_at, s.number, s.bits, s.sets)
    for r in range(point.shape[0]):
        p = np.int64(point[r])
        x, y = p % size, p // size
        measure[LINE] = min(min(x, size - 1 - x), min(y, size - 1 - y)) + 1
        measure[LAST_DISTANCE] = distance(p, np.int64(last), size)
        measure[LAST2_DISTANCE] = distance(p, np.int64(last2), size)
        measure_stones(board, size, p, me, s.beside, s.chain_at, s.number, s.bits, s.reader, measure)
        if of_sets:
            measure_sets(size, p, me, s.chain_at, s.number, s.sets, s.near, measure)
        for m in range(MEASURES):
            v = min(np.int64(measure[m]), member_at.shape[1] - 2)
            if v >= 0:
                for j in range(member_at[m, v], member_at[m, v + 1]):
                    set_bit(fixed, member[j], y * stride + x)


@inner
def see_shapes(shapes, fixed, wide, point, names, size):
    """Fill the boards of the shapes around legal points."""
    stride = size + MARGIN
    for r in range(point.shape[0]):
        p = np.int64(point[r])
        name_shapes(wide, size, p, 0, shapes.sizes, names)
        for k in range(shapes.sizes):
            found = find_shape(shapes, names[k])
            if found >= 0:
                set_bit(fixed, found, p // size * stride + p % size)
