"""Describe moves by small numbers, for the side to play: the features of an ordering by clusters.

    rows:     rows[colour, y + 2] holds point (x, y) at bit x + 2: own stones, the opponent's; two empty rows around
    bits:     bits[head, w] holds the liberties of the chain: point q is bit q & 63 of word q >> 6
    beside:   beside[q, side] holds what chains of a side (0 own, 1 the opponent's) stand beside an empty point q:
              | CHAINS, STONES, CLOSENESS, IN_ATARI, ATARI_CHAINS, ATARI_STONES_BESIDE | their liberties ... |
              beside[q, 2] holds, in the place of liberties, the empty points beside q

Chains are measured once per position, and their numbers added to the points beside them; a move then takes a few
look-ups. Where a chain is in atari, which is rare, the chains around the point are visited. "own" and "other" are seen
from the side to play; MAXIMA are the largest counts. A pass has zeros, except FULLNESS.
"""

import numpy as np

from gotools.games.go.kernels.game import PASS_MOVE
from gotools.games.go.kernels.rules import (
    BORDER,
    COLOUR,
    HEAD,
    LAST,
    LAST2,
    NEXT,
    PLANE,
    SIZE,
    STATE,
    STRIDE,
    TO_PLAY,
    load,
    pad,
)
from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.clusters import score_by_clusters
from gotools.jit.kernels.seams import MEASURE, ORDER

(LINE, SECOND_LINE, FULLNESS, CAPTURED, ATARIS, ATARI_STONES, TOUCHED, TOUCHED_STONES, TOUCHED_LIBERTIES, JOINED,
 JOINED_STONES, SAVED, LIBERTIES_BEFORE, LIBERTIES_AFTER, OTHER_LIBERTIES, OWN_NEAR, OTHER_NEAR, OWN_AROUND,
 OTHER_AROUND, LAST_DISTANCE, LAST2_DISTANCE, LAST_LIBERTIES) = range(22)  # fmt: skip
FEATURES = 22
MAXIMA = (10, 10, 20, 6, 3, 8, 3, 8, 6, 3, 8, 6, 6, 8, 8, 8, 8, 10, 10, 15, 15, 6)
_MOST_FULLNESS, _MOST_STONES, _MOST_CHAINS, _MOST_TAKEN, _MOST_LIBERTIES = 20, 8, 3, 6, 8
_MANY_LIBERTIES = 6
"""Of chains that touch the point; also the value if none does."""
_MOST_AROUND, _FAR = 10, 15
OPEN_STONES, MIDDLE_STONES = 10, 30
"""Stones on 9x9 up to which a game is open, or in its middle."""
PASS_SCORE = -8.0
"""The score of a pass, in standard deviations: below nearly all moves."""


@inner
def _distance(p, q):
    """Return dx + dy + max(dx, dy), at most _FAR, which also stands for "q is not a point"."""
    if q <= 0:
        return _FAR
    dx, dy = abs(p % STRIDE - q % STRIDE), abs(p // STRIDE - q // STRIDE)
    return min(_FAR, dx + dy + max(dx, dy))


@inner
def _window(rows, x, y, radius):
    """Count the stones in the square of points within `radius` of a point."""
    mask = (1 << (2 * radius + 1)) - 1
    count = 0
    for i in range(y + 2 - radius, y + 3 + radius):
        count += count_bits((rows[i] >> (x + 2 - radius)) & mask)
    return count


@inner
def _number(p, size):
    """Return the number of a padded point, by which it stands in `bits`."""
    return (p // STRIDE - 1) * size + p % STRIDE - 1


CHAINS, STONES, CLOSENESS, IN_ATARI, ATARI_CHAINS, ATARI_STONES_BESIDE = range(6)
"""Chains, their stones, how far their least liberties are below _MANY_LIBERTIES, chains of one liberty; of two: chains
and stones."""
BESIDE = 6


@inner
def _add_to_liberties(chain_bits, beside, side, count, free):
    """Add a chain to the points that are its liberties."""
    words = len(chain_bits)
    for w in range(words):
        left = chain_bits[w]
        while left:
            first = left & -left
            left ^= first
            place = beside[64 * w + count_bits(first - 1), side]
            place[CHAINS] += 1
            place[STONES] += count
            place[CLOSENESS] = max(place[CLOSENESS], _MANY_LIBERTIES - free)
            if free == 1:
                place[IN_ATARI] += 1
            elif free == 2:
                place[ATARI_CHAINS] += 1
                place[ATARI_STONES_BESIDE] += count
            for v in range(words):
                place[BESIDE + v] |= chain_bits[v]


@inner
def _measure_chains(state, rows, bits, stones, liberties, beside):
    """Fill the rows of stones, the head of each chain's liberties and stones, `beside`; return stones on the board."""
    size, mine = np.int64(state[SIZE]), state[TO_PLAY]
    total = 0
    for y in range(1, size + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + size):
            colour = state[COLOUR + p]
            if colour == 0:
                at = _number(p, size)
                for d, step in ((-STRIDE, -size), (-1, np.int64(-1)), (1, np.int64(1)), (STRIDE, size)):
                    if state[COLOUR + p + d] == 0:
                        beside[at, 2, BESIDE + ((at + step) >> 6)] |= 1 << ((at + step) & 63)
                continue
            total += 1
            rows[0 if colour == mine else 1, y + 1] |= 1 << (p - y * STRIDE + 1)
            if state[HEAD + p] != p:
                continue
            for w in range(bits.shape[1]):
                bits[p, w] = 0
            count, q = 0, p
            while True:
                count += 1
                for d in (-STRIDE, -1, 1, STRIDE):
                    if state[COLOUR + q + d] == 0:
                        at = _number(q + d, size)
                        bits[p, at >> 6] |= 1 << (at & 63)
                q = state[NEXT + q]
                if q == p:
                    break
            stones[p] = count
            free = 0
            for w in range(bits.shape[1]):
                free += count_bits(bits[p, w])
            liberties[p] = free
            _add_to_liberties(bits[p], beside, 0 if colour == mine else 1, count, free)
    return total


@inner
def _save(chain, p, liberties, stones, counted):
    """Return the stones of a chain in atari, 0 for another, or one that was counted for the point p before."""
    if liberties[chain] != 1 or counted[chain] == p:
        return 0
    counted[chain] = p
    return stones[chain]


@inner
def _save_beside(state, head, p, liberties, stones, counted):
    """Count the stones of chains in atari that touch a captured chain."""
    other = 3 - state[COLOUR + head]
    count, q = 0, head
    while True:
        for d in (-STRIDE, -1, 1, STRIDE):
            if state[COLOUR + q + d] == other:
                count += _save(state[HEAD + q + d], p, liberties, stones, counted)
        q = state[NEXT + q]
        if q == head:
            return count


@inner
def _measure_quiet_stone(state, p, number, bits, liberties, beside, f):
    """Fill the features of a stone on p that concern the chains around it, none of which is in atari."""
    last = state[LAST]
    after = other = 0
    for w in range(bits.shape[1]):
        free = beside[number, 2, BESIDE + w]
        after += count_bits(beside[number, 0, BESIDE + w] | free)
        other += count_bits(beside[number, 1, BESIDE + w] | free)
    after -= np.int64(beside[number, 0, CHAINS] > 0)  # the point itself
    other -= np.int64(beside[number, 1, CHAINS] > 0)
    f[ATARIS] = min(beside[number, 1, ATARI_CHAINS], _MOST_CHAINS)
    f[ATARI_STONES] = min(beside[number, 1, ATARI_STONES_BESIDE], _MOST_STONES)
    f[TOUCHED] = min(beside[number, 1, CHAINS], _MOST_CHAINS)
    f[TOUCHED_STONES] = min(beside[number, 1, STONES], _MOST_STONES)
    f[TOUCHED_LIBERTIES] = _MANY_LIBERTIES - beside[number, 1, CLOSENESS]
    f[JOINED] = min(beside[number, 0, CHAINS], _MOST_CHAINS)
    f[JOINED_STONES] = min(beside[number, 0, STONES], _MOST_STONES)
    f[LIBERTIES_BEFORE] = _MANY_LIBERTIES - beside[number, 0, CLOSENESS]
    f[LIBERTIES_AFTER] = min(after, _MOST_LIBERTIES)
    f[OTHER_LIBERTIES] = min(other, _MOST_LIBERTIES)
    f[LAST_LIBERTIES] = _MANY_LIBERTIES
    if last > 0 and state[COLOUR + last] == 3 - state[TO_PLAY]:  # a suicide leaves no stone
        head = state[HEAD + last]
        if (bits[head, number >> 6] >> (number & 63)) & 1:
            f[LAST_LIBERTIES] = min(liberties[head] - 1, _MANY_LIBERTIES)


@inner
def _measure_stone(state, p, bits, stones, liberties, counted, own, other, f):
    """Fill the features of a stone on p that concern the chains around it.

    counted    -- int32[PLANE]: the point for which a chain was last counted as saved
    own, other -- int64[words], scratch: the liberties that a stone of either colour would have
    """
    size, mine, last = state[SIZE], state[TO_PLAY], state[LAST]
    words = bits.shape[1]
    own[:] = 0
    other[:] = 0
    least_own, least_other, last_liberties = _MANY_LIBERTIES, _MANY_LIBERTIES, _MANY_LIBERTIES
    taken = saved = 0
    first = second = third = 0
    for d in (-STRIDE, -1, 1, STRIDE):
        q = p + d
        colour = state[COLOUR + q]
        if colour == BORDER:
            continue
        at = _number(q, size)
        if colour == 0:
            own[at >> 6] |= 1 << (at & 63)
            other[at >> 6] |= 1 << (at & 63)
            continue
        head = state[HEAD + q]
        if head == first or head == second or head == third:
            continue
        first, second, third = head, first, second
        free = liberties[head]
        mates = own if colour == mine else other
        for w in range(words):
            mates[w] |= bits[head, w]
        if free == 1:  # a stone here takes the chain, or saves it
            takers = other if colour == mine else own
            takers[at >> 6] |= 1 << (at & 63)
        if colour == mine:
            f[JOINED] += 1
            f[JOINED_STONES] += stones[head]
            least_own = min(least_own, free)
            saved += _save(head, p, liberties, stones, counted)
        else:
            f[TOUCHED] += 1
            f[TOUCHED_STONES] += stones[head]
            least_other = min(least_other, free)
            if free == 1:
                taken += stones[head]
                saved += _save_beside(state, head, p, liberties, stones, counted)
            elif free == 2:
                f[ATARIS] += 1
                f[ATARI_STONES] += stones[head]
            if last > 0 and state[COLOUR + last] == colour and state[HEAD + last] == head:  # a suicide leaves no stone
                last_liberties = min(free - 1, _MANY_LIBERTIES)
    after = _measure_liberties(_number(p, size), own, other, f)
    f[CAPTURED] = min(taken, _MOST_TAKEN)
    f[ATARIS], f[ATARI_STONES] = min(f[ATARIS], _MOST_CHAINS), min(f[ATARI_STONES], _MOST_STONES)
    f[TOUCHED], f[TOUCHED_STONES] = min(f[TOUCHED], _MOST_CHAINS), min(f[TOUCHED_STONES], _MOST_STONES)
    f[TOUCHED_LIBERTIES] = least_other
    f[JOINED], f[JOINED_STONES] = min(f[JOINED], _MOST_CHAINS), min(f[JOINED_STONES], _MOST_STONES)
    f[SAVED] = min(saved, _MOST_TAKEN) if after > 1 else 0
    f[LIBERTIES_BEFORE] = least_own
    f[LAST_LIBERTIES] = last_liberties


@inner
def _measure_liberties(at, own, other, f):
    """Fill the liberties that a stone of either colour has on point `at`; returns those of the side to play.

    own, other -- int64[words]: the liberties of the chains beside it, and of the point; cleared of the point itself
    """
    own[at >> 6] &= ~(1 << (at & 63))
    other[at >> 6] &= ~(1 << (at & 63))
    after = theirs = 0
    for w in range(own.shape[0]):
        after += count_bits(own[w])
        theirs += count_bits(other[w])
    f[LIBERTIES_AFTER] = min(after, _MOST_LIBERTIES)
    f[OTHER_LIBERTIES] = min(theirs, _MOST_LIBERTIES)
    return after


@seam(MEASURE)
def measure_moves(state, moves, n, features):
    """Describe the first n moves; returns the stage: 0 open, 1 middle, 2 end, by stones for the area of the board."""
    size = state[SIZE]
    area = size * size
    rows = np.zeros((2, size + 4), np.int64)
    bits = np.empty((PLANE, (area + 63) >> 6), np.int64)
    stones, liberties = np.empty(PLANE, np.int32), np.empty(PLANE, np.int32)
    counted = np.zeros(PLANE, np.int32)
    own, other = np.empty((area + 63) >> 6, np.int64), np.empty((area + 63) >> 6, np.int64)
    beside = np.zeros((area, 3, BESIDE + bits.shape[1]), np.int64)
    total = _measure_chains(state, rows, bits, stones, liberties, beside)
    fullness = min(_MOST_FULLNESS, _MOST_FULLNESS * total // area)
    for i in range(n):
        p = np.int64(moves[i])
        f = features[i]
        f[:] = 0
        f[FULLNESS] = fullness
        if p == PASS_MOVE:
            continue
        x, y = p % STRIDE - 1, p // STRIDE - 1
        across, along = min(x, size - 1 - x), min(y, size - 1 - y)
        f[LINE], f[SECOND_LINE] = min(across, along) + 1, max(across, along) + 1
        f[OWN_NEAR] = _window(rows[0], x, y, 1)
        f[OTHER_NEAR] = _window(rows[1], x, y, 1)
        f[OWN_AROUND] = min(_MOST_AROUND, _window(rows[0], x, y, 2) - f[OWN_NEAR])
        f[OTHER_AROUND] = min(_MOST_AROUND, _window(rows[1], x, y, 2) - f[OTHER_NEAR])
        f[LAST_DISTANCE] = _distance(p, state[LAST])
        f[LAST2_DISTANCE] = _distance(p, state[LAST2])
        number = y * size + x
        if beside[number, 0, IN_ATARI] | beside[number, 1, IN_ATARI]:
            _measure_stone(state, p, bits, stones, liberties, counted, own, other, f)
        else:
            _measure_quiet_stone(state, p, number, bits, liberties, beside, f)
    if total * 81 <= OPEN_STONES * area:
        return 0
    return 1 if total * 81 <= MIDDLE_STONES * area else 2


@seam(ORDER)
def order_by_clusters(state, moves, n, scores, numbers):
    """Score moves by clusters: see kernels/clusters.py for `numbers`."""
    features = np.empty((n, FEATURES), np.int32)
    stage = measure_moves(state, moves, n, features)
    score_by_clusters(features, n, stage, numbers, scores)
    for i in range(n):
        if moves[i] == PASS_MOVE:
            scores[i] = PASS_SCORE


@kernel
def describe_decisions(boards, sizes, to_play, last, last2, move, features, stages):
    """Fill int16[n, FEATURES] and uint8[n] for the move of each decision: columns of a table of examples."""
    state = np.empty(STATE, np.int32)
    moves = np.empty(1, np.int32)
    row = np.empty((1, FEATURES), np.int32)
    for i in range(boards.shape[0]):
        size = np.int64(sizes[i])
        load(state, boards[i], size)
        state[TO_PLAY] = to_play[i]
        state[LAST] = pad(np.int64(last[i]), size)
        state[LAST2] = pad(np.int64(last2[i]), size)
        moves[0] = pad(np.int64(move[i]), size)
        stages[i] = measure_moves(state, moves, 1, row)
        for f in range(FEATURES):
            features[i, f] = row[0, f]
