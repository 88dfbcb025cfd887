"""Kernels that measure a point: the effect of a stone of either colour there, and the distances to the last moves.

measure  int16[MEASURES, n]   a row a measure, a column an example; those for a colour come in pairs, own and other
outside  uint8[offsets, n]    the frames (a bit each) in which an offset of the window is off the board
last_at  uint8[2, n, 8]       offset of the last move, and of the last but one, in each frame; NOWHERE beyond the window
"""

import numpy as np

from gotools.games.go.kernels.chain_sets import find_chains, new_chain_sets, unite_chains
from gotools.games.go.kernels.chains import neighbours
from gotools.games.go.kernels.ladders import (
    FIRST,
    NO,
    SECOND,
    catches,
    escape,
    give_atari,
    new_reader,
    read_position,
)
from gotools.games.go.kernels.rules import pad
from gotools.jit import inner, kernel
from gotools.jit.kernels.basics import count_bits
from gotools.rules.clauses.kernels.facts import TURNS

LINE, LAST_DISTANCE, LAST2_DISTANCE = 0, 1, 2
LIBERTIES_AFTER, ADJACENT, ESCAPES, LADDER, EYE, JOINS, RESCUES = 3, 5, 7, 9, 11, 13, 15
LINKED_SETS, LINKED_LIBERTIES, NEAR_GROUPS, GROUP_LIBERTIES = 17, 19, 21, 23
MEASURES = 25

# ESCAPES and LADDER are NO, FIRST (works) or SECOND (fails), EYE is NO, FIRST (real) or SECOND (false)

NOWHERE = 255


@kernel
def measure_points(boards, sizes, last, last2, position, point, to_play, radius, of_sets, measure, outside, last_at):
    """Fill measure, outside and last_at for every example.

    boards uint8[m, c], sizes uint8[m], last, last2 int16[m] -- positions
    position int32[n], point int16[n], to_play uint8[n] -- examples
    of_sets -- fill the measures of linked chains and groups, too
    """
    most = boards.shape[1] + 1
    words = max(1, (boards.shape[1] + 63) // 64)
    chain_at, stack, stamp = np.zeros(most, np.int16), np.zeros(most, np.int16), np.zeros(most, np.int16)
    number = np.zeros((4, most), np.int16)
    bits = np.zeros((most, words), np.uint64)
    reader = new_reader()
    beside = np.zeros(4, np.int64)
    sets, near = new_chain_sets(most), new_near()
    current = -1
    for i in range(position.shape[0]):
        size = np.int64(sizes[position[i]])
        if position[i] != current:
            current = position[i]
            chains = find_chains(boards[current], size, chain_at, number, bits, stack, stamp)
            if of_sets:
                unite_chains(size, chains, chain_at, number, bits, sets)
            read_position(reader.cells, boards[current], size)
        p, board, mine = np.int64(point[i]), boards[current], measure[:, i]
        x, y = p % size, p // size
        mine[LINE] = min(min(x, size - 1 - x), min(y, size - 1 - y)) + 1
        mine[LAST_DISTANCE] = distance(p, np.int64(last[current]), size)
        mine[LAST2_DISTANCE] = distance(p, np.int64(last2[current]), size)
        measure_stones(board, size, p, np.int64(to_play[i]), beside, chain_at, number, bits, reader, mine)
        if of_sets:
            measure_sets(size, p, np.int64(to_play[i]), chain_at, number, sets, near, mine)
        look_outside(x, y, size, radius, outside, i)
        look_for(x, y, size, radius, np.int64(last[current]), last_at[0, i])
        look_for(x, y, size, radius, np.int64(last2[current]), last_at[1, i])


@inner
def distance(p, q, size):
    """Return dx + dy + max(dx, dy), -1 if q is not a point."""
    if q < 0:
        return -1
    dx, dy = abs(p % size - q % size), abs(p // size - q // size)
    return dx + dy + max(dx, dy)


@inner
def measure_stone(board, size, p, colour, beside, around, chain_at, number, bits, reader, mine, side):
    """Fill the measures of a stone of a colour on p; `side` is 0 for the player's colour, 1 for the other."""
    chains, short, in_atari, takes, threatens, shut = 0, False, False, False, False, True
    for k in range(around):
        c = chain_at[beside[k]]
        shut &= c != 0 and number[2, c] == colour
        if c == 0 or seen_before(chain_at, beside, k):
            continue
        if number[2, c] == colour:
            chains += 1
            short |= number[0, c] <= 2
            in_atari |= number[0, c] == 1
        else:
            takes |= number[0, c] == 1
            threatens |= number[0, c] == 2
    mine[ADJACENT + side] = chains
    mine[JOINS + side] = chains >= 2 and short
    mine[LIBERTIES_AFTER + side] = liberties_after(reader, size, p, colour, beside, around, chain_at, number, bits)
    mine[EYE + side] = eye_kind(board, size, p, colour) if shut else NO
    mine[ESCAPES + side] = escape(reader, pad(p, size), colour) if in_atari else NO
    mine[LADDER + side] = ladder(reader, size, p, colour, beside, around, chain_at, number) if threatens else NO
    mine[RESCUES + side] = rescue(size, colour, beside, around, chain_at, number) if takes else 0


@inner
def measure_stones(board, size, p, me, beside, chain_at, number, bits, reader, mine):
    """Fill the measures of a stone of the player's colour on p, and of one of the other; most points touch no stone."""
    around, quiet = neighbours(p, size, beside), True
    for k in range(around):
        quiet &= chain_at[beside[k]] == 0
    if not quiet:
        measure_stone(board, size, p, me, beside, around, chain_at, number, bits, reader, mine, 0)
        measure_stone(board, size, p, 3 - me, beside, around, chain_at, number, bits, reader, mine, 1)
        return
    for row in range(LIBERTIES_AFTER, LINKED_SETS):
        mine[row] = 0
    mine[LIBERTIES_AFTER] = mine[LIBERTIES_AFTER + 1] = around


@inner
def new_near():
    """Return room for measure_sets: points next to one and to another, and the sets found."""
    return np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(17, np.int64)


@inner
def measure_sets(size, p, me, chain_at, number, sets, near, mine):
    """Fill the measures of the sets of linked chains that touch p, and of the groups over at most two empty points."""
    beside, further, found = near
    around = neighbours(p, size, beside)
    for side in range(2):
        colour = me if side == 0 else 3 - me
        linked, group = 0, note_set(found, 0, sets.group_at[colour, p])
        for k in range(around):
            if chain_at[beside[k]] == 0:
                group = note_set(found, group, sets.group_at[colour, beside[k]])
                for j in range(neighbours(beside[k], size, further)):
                    if chain_at[further[j]] == 0:
                        group = note_set(found, group, sets.group_at[colour, further[j]])
        mine[NEAR_GROUPS + side] = group
        mine[GROUP_LIBERTIES + side] = fewest(sets.group_liberties, found, group)
        for k in range(around):
            c = chain_at[beside[k]]
            if c != 0 and number[2, c] == colour:
                linked = note_set(found, linked, sets.linked[c])
        mine[LINKED_SETS + side] = linked
        mine[LINKED_LIBERTIES + side] = fewest(sets.linked_liberties, found, linked)


@inner
def note_set(found, n, name):
    """Add a set to the n found unless it is 0 or there; returns how many there are."""
    for k in range(n):
        if found[k] == name:
            return n
    found[n] = name
    return n + (name != 0)


@inner
def fewest(liberties, found, n):
    """Return the liberties of the set that has the fewest, -1 of none."""
    least = -1
    for k in range(n):
        if least < 0 or liberties[found[k]] < least:
            least = liberties[found[k]]
    return least


@inner
def seen_before(chain_at, beside, k):
    """Return whether the chain at the neighbour k stands at an earlier neighbour too."""
    for j in range(k):
        if chain_at[beside[j]] == chain_at[beside[k]]:
            return True
    return False


@inner
def liberties_after(reader, size, p, colour, beside, around, chain_at, number, bits):
    """Return the liberties of the chain that a stone of a colour on p would be in, after its captures."""
    captures, empty, own = False, 0, 0
    for k in range(around):
        c = chain_at[beside[k]]
        empty += c == 0
        if c != 0 and number[2, c] == colour:
            own += 1
        elif c != 0:
            captures |= number[0, c] == 1
    if not captures and own == 0:
        return empty
    words = bits.shape[1]
    free = reader.free
    for w in range(words):
        free[w] = 0
    for k in range(around):
        c = chain_at[beside[k]]
        if c == 0:
            free[beside[k] >> 6] |= np.uint64(1) << np.uint64(beside[k] & 63)
        elif number[2, c] == colour:
            for w in range(words):
                free[w] |= bits[c, w]
    free[p >> 6] &= ~(np.uint64(1) << np.uint64(p & 63))
    if captures:
        add_captured(size, p, colour, beside, around, chain_at, number, free)
    count = 0
    for w in range(words):
        count += count_bits(np.int64(free[w]))
    return count


@inner
def add_captured(size, p, colour, beside, around, chain_at, number, free):
    """Add to `free` the points of captured stones that touch the new chain."""
    near = np.zeros(4, np.int64)
    for q in range(size * size):
        if not captured(chain_at[q], colour, beside, around, chain_at, number):
            continue
        for k in range(neighbours(q, size, near)):
            d = chain_at[near[k]]
            if near[k] == p or (d != 0 and number[2, d] == colour and among(chain_at, beside, around, d)):
                free[q >> 6] |= np.uint64(1) << np.uint64(q & 63)


@inner
def captured(c, colour, beside, around, chain_at, number):
    """Return whether chain c (0 for none) is captured by a stone of the colour between these neighbours."""
    return c != 0 and number[2, c] != colour and number[0, c] == 1 and among(chain_at, beside, around, c)


@inner
def among(chain_at, beside, around, c):
    """Return whether chain c stands at one of the neighbours."""
    for k in range(around):
        if chain_at[beside[k]] == c:
            return True
    return False


@inner
def eye_kind(board, size, p, colour):
    """Return FIRST or SECOND for a point between stones of one colour: how many diagonals the other colour holds."""
    x, y, bad, edge = p % size, p // size, 0, 0
    for dx in (-1, 1):
        for dy in (-1, 1):
            if 0 <= x + dx < size and 0 <= y + dy < size:
                bad += board[p + dx + dy * size] == 3 - colour
            else:
                edge = 1
    return SECOND if bad + edge >= 2 and bad > 0 else FIRST


@inner
def rescue(size, colour, beside, around, chain_at, number):
    """Return whether a chain of the other colour that the move captures touches a chain of the colour in atari."""
    near = np.zeros(4, np.int64)
    for q in range(size * size):
        if not captured(chain_at[q], colour, beside, around, chain_at, number):
            continue
        for k in range(neighbours(q, size, near)):
            d = chain_at[near[k]]
            if d != 0 and number[2, d] == colour and number[0, d] == 1:
                return 1
    return 0


@inner
def ladder(reader, size, p, colour, beside, around, chain_at, number):
    """Return whether an atari on p catches one of the chains it threatens: FIRST yes, SECOND no, NO for no atari."""
    out = NO
    before = -1
    while True:
        chosen, smallest = 0, size * size
        for k in range(around):  # the chains in atari afterwards, smallest stone first
            c = chain_at[beside[k]]
            if c != 0 and number[2, c] != colour and number[0, c] == 2 and before < number[3, c] < smallest:
                chosen, smallest = c, np.int64(number[3, c])
        if chosen == 0:
            return out
        if out == NO and not give_atari(reader, pad(p, size), colour):
            return SECOND
        out, before = SECOND, smallest
        if catches(reader, pad(smallest, size)):
            return FIRST


@inner
def look_outside(x, y, size, radius, outside, i):
    """Fill outside[:, i]: in which frames each offset is off the board."""
    o = 0
    deep = x >= radius and y >= radius and x < size - radius and y < size - radius
    for dx in range(-radius, radius + 1):
        for dy in range(-radius, radius + 1):
            if dx == 0 and dy == 0:
                continue
            frames = 0
            if not deep:
                for s in range(8):
                    nx = x + TURNS[s, 0] * dx + TURNS[s, 1] * dy
                    ny = y + TURNS[s, 2] * dx + TURNS[s, 3] * dy
                    frames |= (not (0 <= nx < size and 0 <= ny < size)) << s
            outside[o, i] = frames
            o += 1


@inner
def look_for(x, y, size, radius, q, at):
    """Fill at uint8[8] with the offset of a point (or of none) in each frame."""
    dx, dy = q % size - x, q // size - y
    far = q < 0 or abs(dx) > radius or abs(dy) > radius or (dx == 0 and dy == 0)
    side = 2 * radius + 1
    for s in range(8):
        if far:
            at[s] = NOWHERE
            continue
        fx = TURNS[s, 0] * dx + TURNS[s, 2] * dy  # turned back: the inverse of a turn is its transpose
        fy = TURNS[s, 1] * dx + TURNS[s, 3] * dy
        o = (fx + radius) * side + fy + radius
        at[s] = o if o < (side * side) // 2 else o - 1
