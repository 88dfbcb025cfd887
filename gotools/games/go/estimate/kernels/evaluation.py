"""The built-in value of a Go position: stones, their liberties, and territory by Bouzy's method.

A stone counts as far as its chain is likely to live, an empty point as far as such stones reach it. The chance to live
is the logistic function of a sum of tables (the parts of `numbers`), looked up by the chain and by its group:

    LIBERTIES, ENEMY, CHAIN_SIZES   liberties of the chain, the fewest of the opponent's chains beside it, stones
    ROOM, WAYS                      empty points of the group, and those outside of it that touch its stones
    WEAKEST                         room + ways of the weakest of the opponent's groups beside it
    STONES, EYES                    of the group

and by the surroundings (FROM_AROUND): the mean over its stones of chances spread 1, 2, 4 and 8 times to neighbours.
A group is a connected region of one colour on a map by Bouzy's method (bouzy.py). There are two maps: 5 dilations and
21 erosions show territory, 2 dilations show which stones belong together. The planes of the spreading chances are
padded as in games/go/kernels/rules.py and processed row by row without branches: neighbours are the same array shifted,
so that the compiler uses vector instructions.
"""

import numpy as np

from gotools.games.go.estimate.kernels.bouzy import bouzy_signs
from gotools.games.go.kernels.game import KOMI2, points_to_value
from gotools.games.go.kernels.liberties import is_own_eye
from gotools.games.go.kernels.rules import BORDER, COLOUR, HEAD, NEXT, PLANE, SIZE, STRIDE, TO_PLAY
from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.elementary import tanh
from gotools.jit.kernels.seams import EVALUATE

_FIFTH = np.float32(0.2)
SPREADS = 8

MAPS = ((5, 21), (2, 0))
"""Dilations and erosions of the two maps: territory, and stones that belong together."""
MOST_LIBERTIES, MOST_EYES, MOST_ROOM, MOST_WAYS, MOST_WEAKEST, MOST_STONES = 6, 2, 15, 10, 15, 10
_NO_ENEMY = MOST_LIBERTIES + 1
LIBERTIES = 0
ENEMY = LIBERTIES + 2 * (MOST_LIBERTIES + 1)
CHAIN_SIZES = ENEMY + 2 * (_NO_ENEMY + 1)
GROUPS = CHAIN_SIZES + 5
ROOM = 0
WAYS = ROOM + 2 * (MOST_ROOM + 1)
WEAKEST = WAYS + 2 * (MOST_WAYS + 1)
STONES = WEAKEST + 2 * (MOST_WEAKEST + 1)
EYES = STONES + MOST_STONES + 1
GROUP = EYES + MOST_EYES + 1
FROM_AROUND = GROUPS + 2 * GROUP
FROM_EMPTY = FROM_AROUND + 6
SCALE = FROM_EMPTY + 4
TOTAL = SCALE + 1
"""Where each table begins in `numbers`; ROOM to EYES count from GROUPS, and a second time, for the second map, from
GROUPS + GROUP. Tables that depend on the side to play have two entries per row, the second for the side to play."""


@inner
def _name_groups(state, influence, group):
    """Number the groups, connected points of one sign, from 1 in group[p]; 0 on other points. Returns how many."""
    groups = 0
    queue = np.empty(PLANE, np.int32)
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            if influence[p] == 0 or group[p] != 0:
                continue
            groups += 1
            group[p] = groups
            black = influence[p] > 0
            queue[0] = p
            done, found = 0, 1
            while done < found:
                for d in (-STRIDE, -1, 1, STRIDE):
                    q = queue[done] + d
                    if influence[q] != 0 and group[q] == 0 and (influence[q] > 0) == black:
                        group[q] = groups
                        queue[found] = q
                        found += 1
                done += 1
    return groups


@inner
def _count_empty(state, group, room, ways, eyes):
    """Count a group's empty points, the empty points outside that touch its stones, and its single-point eyes."""
    beside = np.empty(4, np.int32)
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            if state[COLOUR + p] != 0:
                continue
            room[group[p]] += 1
            many = 0
            touched = 0
            for d in (-STRIDE, -1, 1, STRIDE):
                colour = state[COLOUR + p + d]
                if colour == 0 or colour == BORDER:
                    continue
                touched |= colour
                name = group[p + d]
                new = name != group[p]
                for i in range(many):
                    new = new and beside[i] != name
                if new:
                    beside[many] = name
                    many += 1
                    ways[name] += 1
            if (touched == 1 or touched == 2) and is_own_eye(state, p, touched):
                for d in (-STRIDE, -1, 1, STRIDE):
                    if state[COLOUR + p + d] == touched:
                        eyes[group[p + d]] += 1
                        break


@inner
def _find_weakest(state, group, room, ways, weakest):
    """Find for each group the least room + ways of the opponent's groups whose stones touch its stones."""
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            if state[COLOUR + p] == 0:
                continue
            for d in (1, STRIDE):
                if state[COLOUR + p + d] == 3 - state[COLOUR + p]:
                    a, b = group[p], group[p + d]
                    weakest[a] = min(weakest[a], room[b] + ways[b])
                    weakest[b] = min(weakest[b], room[a] + ways[a])


@inner
def _count_liberties(state, p):
    """Count the distinct liberties of the chain at p, up to MOST_LIBERTIES."""
    head = state[HEAD + p]
    found = np.empty(MOST_LIBERTIES, np.int32)
    n = 0
    q = head
    while True:
        for d in (-STRIDE, -1, 1, STRIDE):
            if state[COLOUR + q + d] == 0:
                new = True
                for i in range(n):
                    new = new and found[i] != q + d
                if new:
                    found[n] = q + d
                    n += 1
                    if n == MOST_LIBERTIES:
                        return n
        q = state[NEXT + q]
        if q == head:
            return n


@inner
def _measure_chains(state, liberties, stones, enemy):
    """Fill, at the heads, each chain's liberties and stones, and the least liberties of enemies beside it."""
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            if state[COLOUR + p] == 0:
                continue
            head = state[HEAD + p]
            if stones[head] == 0:
                liberties[head] = _count_liberties(state, head)
                enemy[head] = _NO_ENEMY
            stones[head] += 1
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            if state[COLOUR + p] == 0:
                continue
            for d in (1, STRIDE):
                if state[COLOUR + p + d] == 3 - state[COLOUR + p]:
                    a, b = state[HEAD + p], state[HEAD + p + d]
                    enemy[a] = min(enemy[a], liberties[b])
                    enemy[b] = min(enemy[b], liberties[a])


@inner
def _size_class(stones):
    if stones <= 2:
        return stones - 1
    return 2 if stones <= 4 else (3 if stones <= 8 else 4)


@inner
def _add_groups(state, dilations, erosions, tables, stones, z):
    """Add to z, at the heads, what the groups of one map say about their chains.

    tables -- the numbers from ROOM on, for this map; stones -- of each chain, at its head
    """
    influence = np.empty(PLANE, np.int16)
    bouzy_signs(state, dilations, erosions, influence)
    group = np.zeros(PLANE, np.int32)
    groups = _name_groups(state, influence, group)
    room = np.zeros(groups + 1, np.int32)
    ways = np.zeros(groups + 1, np.int32)
    eyes = np.zeros(groups + 1, np.int32)
    size = np.zeros(groups + 1, np.int32)
    weakest = np.full(groups + 1, MOST_WEAKEST, np.int32)
    _count_empty(state, group, room, ways, eyes)
    _find_weakest(state, group, room, ways, weakest)
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            size[group[p]] += stones[p]
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            if stones[p] != 0:
                own = group[p]
                turn = 1 if state[COLOUR + p] == state[TO_PLAY] else 0
                z[p] += tables[ROOM + 2 * min(room[own], MOST_ROOM) + turn]
                z[p] += tables[WAYS + 2 * min(ways[own], MOST_WAYS) + turn]
                z[p] += tables[WEAKEST + 2 * weakest[own] + turn]
                z[p] += tables[STONES + min(size[own], MOST_STONES)]
                z[p] += tables[EYES + min(eyes[own], MOST_EYES)]


@inner
def _spread(source, target, size):
    """Write the mean over each point and its neighbours (off the board 0) to float32[PLANE + STRIDE]."""
    begin = STRIDE + 1
    here, up, left = source[begin:], source[begin - STRIDE :], source[begin - 1 :]
    right, down, out = source[begin + 1 :], source[begin + STRIDE :], target[begin:]
    for i in range(size * STRIDE):
        out[i] = _FIFTH * (here[i] + up[i] + left[i] + right[i] + down[i])
    for y in range(1, size + 1):
        target[y * STRIDE] = 0.0
        target[y * STRIDE + size + 1] = 0.0


@inner
def _spread_chances(state, z, near):
    """Fill near[0] with the stones' chances, black's positive, and near[n] with them spread n times."""
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            colour = state[COLOUR + p]
            if colour != 0:
                lives = tanh(0.5 * z[state[HEAD + p]])
                near[0, p] = lives if colour == 1 else -lives
    for i in range(len(near) - 1):
        _spread(near[i], near[i + 1], state[SIZE])


@kernel
def first_chances(state, numbers, stones, z):
    """Fill, at the heads, int32[PLANE] with the stones of each chain and float64[PLANE] with the sum of its tables."""
    liberties = np.zeros(PLANE, np.int32)
    enemy = np.zeros(PLANE, np.int32)
    stones[:] = 0
    _measure_chains(state, liberties, stones, enemy)
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            if stones[p] != 0:
                turn = 1 if state[COLOUR + p] == state[TO_PLAY] else 0
                z[p] = numbers[LIBERTIES + 2 * liberties[p] + turn] + numbers[ENEMY + 2 * enemy[p] + turn]
                z[p] += numbers[CHAIN_SIZES + _size_class(stones[p])]
    for i in range(2):
        tables = numbers[GROUPS + i * GROUP : GROUPS + (i + 1) * GROUP]
        _add_groups(state, MAPS[i][0], MAPS[i][1], tables, stones, z)


@inner
def own_points(state, numbers, points):
    """Fill float64[PLANE] with the expected owner of each point: from -1, white, to 1, black. Returns their sum."""
    stones = np.empty(PLANE, np.int32)
    z = np.zeros(PLANE, np.float64)
    first_chances(state, numbers, stones, z)
    near = np.zeros((SPREADS + 1, PLANE + STRIDE), np.float32)
    _spread_chances(state, z, near)
    reached = np.zeros(PLANE, np.float64)
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            colour = state[COLOUR + p]
            if colour != 0:
                around = numbers[FROM_AROUND + 1] * near[1, p] + numbers[FROM_AROUND + 2] * near[2, p]
                around += numbers[FROM_AROUND + 3] * near[4, p] + numbers[FROM_AROUND + 4] * near[8, p]
                reached[state[HEAD + p]] += around if colour == 1 else -around
            else:
                around = numbers[FROM_EMPTY] * near[1, p] + numbers[FROM_EMPTY + 1] * near[2, p]
                around += numbers[FROM_EMPTY + 2] * near[4, p] + numbers[FROM_EMPTY + 3] * near[8, p]
                points[p] = tanh(around)
    total = 0.0
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            colour = state[COLOUR + p]
            if colour != 0:
                head = state[HEAD + p]
                sum_of = numbers[FROM_AROUND] * z[head] + reached[head] / stones[head] + numbers[FROM_AROUND + 5]
                lives = tanh(0.5 * sum_of)
                points[p] = lives if colour == 1 else -lives
            total += points[p]
    return total


@seam(EVALUATE)
def evaluate(state, numbers):
    """Estimate the value from the points that each side is likely to own, and komi."""
    owned = np.zeros(PLANE, np.float64)
    points = numbers[SCALE] * own_points(state, numbers, owned) - 0.5 * state[KOMI2]
    return points_to_value(points if state[TO_PLAY] == 1 else -points)
