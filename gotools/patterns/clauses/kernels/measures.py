"""Kernels that measure a point: the effect of a stone of either colour there, and the distances to the last moves.

measure  int16[MEASURES, n]   a row a measure, a column an example; those for a colour come in pairs, own and other
outside  uint8[offsets, n]    the frames (a bit each) in which an offset of the window is off the board
last_at  uint8[2, n, 8]       offset of the last move, and of the last but one, in each frame; NOWHERE beyond the window
"""

import numpy as np

from gotools.go.kernels.constants import NONE
from gotools.go.kernels.rules import (
    COLOUR,
    KO,
    NEXT,
    STATE,
    STRIDE,
    SUICIDE,
    copy,
    load,
    pad,
    put,
    why_illegal,
)
from gotools.jit import inner, kernel
from gotools.patterns.clauses.kernels.facts import TURNS, find_chains

LINE, LAST_DISTANCE, LAST2_DISTANCE = 0, 1, 2
LIBERTIES_AFTER, ADJACENT, ESCAPES, LADDER, EYE, JOINS, RESCUES = 3, 5, 7, 9, 11, 13, 15
MEASURES = 17

NO, FIRST, SECOND = 0, 1, 2
"""Values of ESCAPES and LADDER (FIRST works, SECOND fails) and of EYE (FIRST real, SECOND false)."""

NOWHERE = 255
MOST_NODES = 200
"""Defences that ladder reading looks at for one question; beyond them a chain counts as safe."""

AROUND = (-STRIDE, -1, 1, STRIDE)


@kernel
def measure_points(boards, sizes, last, last2, position, point, to_play, radius, measure, outside, last_at):
    """Fill measure, outside and last_at for every example.

    boards uint8[m, c], sizes uint8[m], last, last2 int16[m] -- positions
    position int32[n], point int16[n], to_play uint8[n] -- examples
    """
    most = boards.shape[1] + 1
    words = max(1, (boards.shape[1] + 63) // 64)
    chain_at, stack, stamp = np.zeros(most, np.int16), np.zeros(most, np.int16), np.zeros(most, np.int16)
    number = np.zeros((4, most), np.int16)
    bits = np.zeros((most, words), np.uint64)
    states = np.empty((MOST_NODES + 4, STATE), np.int32)
    beside = np.zeros(4, np.int64)
    current = -1
    for i in range(position.shape[0]):
        size = np.int64(sizes[position[i]])
        if position[i] != current:
            current = position[i]
            find_chains(boards[current], size, chain_at, number, bits, stack, stamp)
            load(states[0], boards[current], size)
        p, board, mine = np.int64(point[i]), boards[current], measure[:, i]
        x, y = p % size, p // size
        mine[LINE] = min(min(x, size - 1 - x), min(y, size - 1 - y)) + 1
        mine[LAST_DISTANCE] = distance(p, np.int64(last[current]), size)
        mine[LAST2_DISTANCE] = distance(p, np.int64(last2[current]), size)
        around = list_beside(p, size, beside)
        for side in range(2):
            colour = np.int64(to_play[i]) if side == 0 else 3 - np.int64(to_play[i])
            measure_stone(board, size, p, colour, beside, around, chain_at, number, bits, states, mine, side)
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
def list_beside(p, size, beside):
    """Fill `beside` with the points next to p; returns how many there are."""
    x, y, n = p % size, p // size, 0
    if y > 0:
        beside[n] = p - size
        n += 1
    if x > 0:
        beside[n] = p - 1
        n += 1
    if x < size - 1:
        beside[n] = p + 1
        n += 1
    if y < size - 1:
        beside[n] = p + size
        n += 1
    return n


@inner
def measure_stone(board, size, p, colour, beside, around, chain_at, number, bits, states, mine, side):
    """Fill the measures of a stone of a colour on p; `side` is 0 for the player's colour, 1 for the other."""
    chains, short, in_atari, near_capture, shut = 0, False, False, False, True
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
            near_capture |= number[0, c] <= 2
    mine[ADJACENT + side] = chains
    mine[JOINS + side] = chains >= 2 and short
    mine[LIBERTIES_AFTER + side] = liberties_after(board, size, p, colour, beside, around, chain_at, number, bits)
    mine[EYE + side] = eye_kind(board, size, p, colour) if shut else NO
    mine[ESCAPES + side] = escape(states, pad(p, size), colour) if in_atari else NO
    mine[LADDER + side], mine[RESCUES + side] = NO, 0
    if near_capture:
        mine[LADDER + side] = ladder(states, size, p, colour, beside, around, chain_at, number)
        mine[RESCUES + side] = rescue(size, colour, beside, around, chain_at, number)


@inner
def seen_before(chain_at, beside, k):
    """Return whether the chain at the neighbour k stands at an earlier neighbour too."""
    for j in range(k):
        if chain_at[beside[j]] == chain_at[beside[k]]:
            return True
    return False


@inner
def liberties_after(board, size, p, colour, beside, around, chain_at, number, bits):
    """Return the liberties of the chain that a stone of a colour on p would be in, after its captures."""
    words = bits.shape[1]
    free = np.zeros(6, np.uint64)
    captures = False
    for k in range(around):
        c = chain_at[beside[k]]
        if c == 0:
            free[beside[k] >> 6] |= np.uint64(1) << np.uint64(beside[k] & 63)
        elif number[2, c] == colour:
            for w in range(words):
                free[w] |= bits[c, w]
        elif number[0, c] == 1:
            captures = True
    free[p >> 6] &= ~(np.uint64(1) << np.uint64(p & 63))
    if captures:
        add_captured(size, p, colour, beside, around, chain_at, number, free)
    count = 0
    for w in range(words):
        word = free[w]
        while word:
            word &= word - np.uint64(1)
            count += 1
    return count


@inner
def add_captured(size, p, colour, beside, around, chain_at, number, free):
    """Add to `free` the points of captured stones that touch the new chain."""
    near = np.zeros(4, np.int64)
    for q in range(size * size):
        if not captured(chain_at[q], colour, beside, around, chain_at, number):
            continue
        for k in range(list_beside(q, size, near)):
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
        for k in range(list_beside(q, size, near)):
            d = chain_at[near[k]]
            if d != 0 and number[2, d] == colour and number[0, d] == 1:
                return 1
    return 0


@inner
def play(state, p, colour):
    """Put a stone; ladder reading ignores ko."""
    put(state, p, colour)
    state[KO] = NONE


@inner
def escape(states, p, colour):
    """Return whether the chain in atari that a stone of a colour on p saves is out: FIRST yes, SECOND no."""
    if why_illegal(states[0], p, colour, False) == SUICIDE:
        return SECOND
    copy(states[1], states[0])
    play(states[1], p, colour)
    return SECOND if caught(states, 1, p, np.zeros(1, np.int64)) else FIRST


@inner
def ladder(states, size, p, colour, beside, around, chain_at, number):
    """Return whether an atari on p catches one of the chains it threatens: FIRST yes, SECOND no, NO for no atari."""
    out, after = NO, NO
    nodes = np.zeros(1, np.int64)
    before = -1
    while True:
        chosen, smallest = 0, size * size
        for k in range(around):  # the chains in atari afterwards, smallest stone first
            c = chain_at[beside[k]]
            if c != 0 and number[2, c] != colour and number[0, c] == 2 and before < number[3, c] < smallest:
                chosen, smallest = c, np.int64(number[3, c])
        if chosen == 0:
            return out
        out, before = SECOND, smallest
        if after == NO:
            if why_illegal(states[0], pad(p, size), colour, False) == SUICIDE:
                return SECOND
            copy(states[1], states[0])
            play(states[1], pad(p, size), colour)
            after = SECOND
        s = pad(smallest, size)
        verdict = defend(states[1], states[2], s, nodes)
        if verdict == 1 or (verdict == 2 and caught(states, 2, s, nodes)):
            return FIRST


@inner
def two_liberties(state, s):
    """Return how many liberties the chain at s has, 3 for more than two, and the two (smaller first) if it has two."""
    n, first, second = 0, 0, 0
    p = s
    while True:
        for d in AROUND:
            q = p + d
            if state[COLOUR + q] == 0 and q != first and q != second:
                n += 1
                if n == 1:
                    first = q
                elif n == 2:
                    second = q
                else:
                    return 3, 0, 0
        p = np.int64(state[NEXT + p])
        if p == s:
            break
    if n == 2 and second < first:
        return n, second, first
    return n, first, second


@inner
def can_take(state, s):
    """Return whether a chain that touches the chain at s has exactly one liberty."""
    other = 3 - state[COLOUR + s]
    p = s
    while True:
        for d in AROUND:
            if state[COLOUR + p + d] == other and two_liberties(state, np.int64(p + d))[0] == 1:
                return True
        p = np.int64(state[NEXT + p])
        if p == s:
            return False


@inner
def defend(before, after, s, nodes):
    """Let the owner of the chain at s, which is in atari, move: 0 it is safe, 1 it is lost, 2 `after` is to be read."""
    nodes[0] += 1
    if nodes[0] > MOST_NODES or can_take(before, s):
        return 0
    out, owner = two_liberties(before, s)[1], before[COLOUR + s]
    if why_illegal(before, out, owner, False) == SUICIDE:
        return 1
    copy(after, before)
    play(after, out, owner)
    return 2


@inner
def caught(states, level, s, nodes):
    """Return whether the chain at s is caught when its opponent moves on states[level]; states above are scratch.

    The owner of the chain has a single answer to an atari, so any line that ends in capture decides.
    """
    base = level
    first, second = np.zeros(states.shape[0], np.int64), np.zeros(states.shape[0], np.int64)
    tries = np.zeros(states.shape[0], np.int64)
    hunter = 3 - states[level, COLOUR + s]
    between = np.empty(STATE, np.int32)
    fresh = True
    while True:
        if fresh:
            n, first[level], second[level] = two_liberties(states[level], s)
            if n <= 1:
                return True
            tries[level] = 0 if n == 2 else 2
            fresh = False
        if tries[level] == 2:
            level -= 1
            if level < base:
                return False
            continue
        q = first[level] if tries[level] == 0 else second[level]
        tries[level] += 1
        if why_illegal(states[level], q, hunter, False) == SUICIDE:
            continue
        copy(between, states[level])
        play(between, q, hunter)
        verdict = defend(between, states[level + 1], s, nodes)
        if verdict == 1:
            return True
        if verdict == 2:
            level += 1
            fresh = True


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
