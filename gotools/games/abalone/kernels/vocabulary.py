"""Measure Abalone's moves for rules, and look at what stands around them.

The columns of a move, from LOST on two each, own and the opponent's:

    plain | LOST | TOUCHES | CHANGES: of the numbers STEPS to GROUPS, how much each rises, and falls; 0 if it does not |
    AFTER: the numbers THREATENED to ALONE after the move |

The offsets dx, dy of a window around the cell that the leading marble comes to, dx to the right and dy ahead in the
direction of the move; the leading marble of a broadside move is the one farthest ahead:

                 0,4
            -1,3     1,3
       -2,2      0,2      2,2
            -1,1     1,1
       -2,0               2,0
            -1,-1    1,-1
       -2,-2     0,-2     2,-2
            -1,-3    1,-3
                 0,-4
"""

import numpy as np

from gotools.games.abalone.kernels import rules as k
from gotools.games.abalone.kernels.inputs import protected, threatened
from gotools.games.abalone.kernels.values import FARTHER, OFF_THE_BOARD, contacts, steps_of
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.rule_table import LOOKS, score_by_rules
from gotools.jit.kernels.seams import LOOK, MEASURE, ORDER, TO_PLAY

STEPS, EDGE, CONTACTS, LINES, THREATENED, PUSHES, GROUPS, LARGEST, PROTECTED, ALONE = range(10)
"""Numbers of a side. Those up to LINES and from GROUPS on do not depend on the other side."""
_NUMBERS = ALONE + 1
_CHANGING = GROUPS + 1
MARBLES, BROADSIDE, PUSHED, EJECTS, WEDGE, DISTANCE, LEAD = range(7)
LOST, TOUCHES, CHANGES = 7, 9, 11
AFTER = CHANGES + 4 * _CHANGING
COLUMNS = AFTER + 2 * (_NUMBERS - THREATENED)
AHEAD, EVEN, BEHIND = 1, 2, 3
"""What LEAD holds."""
OPENING, MIDDLE, END = range(3)
LEAST_OF_END, LEAST_OF_OPENING = 3, 70
"""Marbles that a side has lost in the endgame; steps from the centre of all marbles in the opening."""

OFFSETS = tuple(
    (dx, dy) for dy in range(4, -5, -1) for dx in range(-2, 3) if (dx + dy) % 2 == 0 and 0 < abs(dx) + abs(dy) <= 4
)
_PLACE_OF = {place: offset for offset, place in enumerate(OFFSETS)}
_MIRRORED = np.array([_PLACE_OF[-dx, dy] for dx, dy in OFFSETS], np.int64)
OWN, OTHER, EMPTY, OUTSIDE = 1, 2, 4, 8
_CELL_AT = {(x, y): cell for cell, x, y in k.PLACES}


def _around(x, y, direction):
    """Return the cells at all offsets from a place; -1 off the board."""
    (u, v), (right_u, right_v) = k.WAYS[direction], k.WAYS[direction - 1]
    steps = [(dx, (dy - dx) // 2) for dx, dy in OFFSETS]
    return [_CELL_AT.get((x + a * right_u + b * u, y + a * right_v + b * v), -1) for a, b in steps]


_AROUND = np.array([[_around(x, y, direction) for direction in range(6)] for _, x, y in k.PLACES], np.int64)


def _front(move):
    """Return the cell that the leading marble of a broadside move comes to; -1 for other moves, and off the board."""
    kind = move % k.KINDS
    found = k.cells_of(move) if kind >= k.IN_LINE else None
    if found is None:
        return -1
    u, v = k.WAYS[(kind - k.IN_LINE) // 4]
    ahead = {cell: x * (2 * u - v) + y * (2 * v - u) for cell, x, y in k.PLACES}
    return max(found[1], key=lambda cell: ahead[cell])


_FRONT = np.array([_front(move) for move in range(k.MOVES)], np.int64)


@inner
def _leading(mine, move):
    """Return the cell that the leading marble comes to, and the direction of the move."""
    cell, kind = move // k.KINDS, move % k.KINDS
    if kind >= k.IN_LINE:
        return _FRONT[move], (kind - k.IN_LINE) // 4
    while mine >> cell & 1 != 0:
        cell = k.NEXT[cell, kind]
    return cell, kind


@inner
def _neighbours(cells):
    """Return the cells next to any of some cells."""
    found = np.int64(0)
    for direction in range(6):
        found |= k.behind(cells, direction)
    return found


@inner
def _groups(marbles):
    """Return the number of connected groups, and the marbles of the largest."""
    groups, largest, rest = np.int64(0), np.int64(0), marbles
    while rest != 0:
        group = rest & -rest
        more = group
        while more != 0:
            rest ^= more
            more = rest & _neighbours(more)
            group |= more
        groups += 1
        largest = max(largest, count_bits(group))
    return groups, largest


@inner
def _count_formation(marbles, numbers):
    """Write the numbers of a side that do not depend on the other."""
    lines = np.int64(0)
    for axis in range(3):
        ahead = k.behind(marbles, axis)
        lines += count_bits(marbles & ahead & k.behind(ahead, axis))
    numbers[STEPS] = steps_of(marbles, OFF_THE_BOARD)
    numbers[EDGE] = count_bits(marbles & FARTHER[3])
    numbers[CONTACTS] = contacts(marbles)
    numbers[LINES] = lines
    numbers[GROUPS], numbers[LARGEST] = _groups(marbles)
    numbers[PROTECTED] = count_bits(protected(marbles))
    numbers[ALONE] = count_bits(marbles & ~_neighbours(marbles))


@inner
def _count_threats(mine, other, numbers):
    """Write the numbers of a side that depend on the other."""
    empty = k.ALL & ~(mine | other)
    pushes = np.int64(0)
    for d in range(6):
        pushes += count_bits(k.pushes(mine, other, k.behind(empty, d) | (k.ALL & ~k.INSIDE[d]), d))
    numbers[PUSHES] = pushes
    numbers[THREATENED] = count_bits(threatened(mine, other))


@inner
def _compare(before, after, f):
    """Write the columns of changes, and those after the move, from int64[2, numbers]."""
    for side in range(2):
        for number in range(_CHANGING):
            change = after[side, number] - before[side, number]
            f[CHANGES + 4 * number + side] = max(change, 0)
            f[CHANGES + 4 * number + 2 + side] = max(-change, 0)
        for number in range(THREATENED, _NUMBERS):
            f[AFTER + 2 * (number - THREATENED) + side] = after[side, number]


@inner
def _describe(mine, other, own, theirs, move, f):
    """Write the columns of the move itself; own, theirs -- the marbles of both sides after it."""
    cell, direction = _leading(mine, move)
    entered = own & ~mine
    broadside = move % k.KINDS >= k.IN_LINE
    marbles, pushed, at = np.int64(0), np.int64(0), move // k.KINDS
    while not broadside and at != cell:
        at = k.NEXT[at, direction]
        marbles += 1
    at = cell
    while at >= 0 and other >> at & 1 != 0:
        at = k.NEXT[at, direction]
        pushed += 1
    between = np.int64(0)
    for axis in range(3):
        between |= k.behind(theirs, axis) & k.behind(theirs, axis + 3)
    distance = np.int64(0)
    for i in range(len(FARTHER)):
        distance += FARTHER[i] >> cell & 1
    beside = _neighbours(entered) & ~entered
    f[MARBLES] = count_bits(entered) if broadside else marbles
    f[BROADSIDE] = broadside
    f[PUSHED] = pushed
    f[EJECTS] = count_bits(theirs) < count_bits(other)
    f[WEDGE] = entered & between != 0
    f[DISTANCE] = distance
    f[TOUCHES], f[TOUCHES + 1] = count_bits(beside & own), count_bits(beside & theirs)


@seam(MEASURE)
def measure(state, moves, n, columns):
    """Fill the columns of moves; returns the stage."""
    mine, other = k.marbles_of(state, state[TO_PLAY]), k.marbles_of(state, 3 - state[TO_PLAY])
    before, after = np.empty((2, _NUMBERS), np.int64), np.empty((2, _NUMBERS), np.int64)
    _count_formation(mine, before[0])
    _count_formation(other, before[1])
    _count_threats(mine, other, before[0])
    _count_threats(other, mine, before[1])
    lost, lead = k.EACH - count_bits(mine), count_bits(mine) - count_bits(other)
    for i in range(n):
        own, theirs = k.marbles_after(mine, other, moves[i])
        _describe(mine, other, own, theirs, moves[i], columns[i])
        columns[i, LEAD] = AHEAD if lead > 0 else EVEN if lead == 0 else BEHIND
        columns[i, LOST], columns[i, LOST + 1] = lost, lost + lead
        _count_formation(own, after[0])
        if theirs != other:
            _count_formation(theirs, after[1])
        else:
            after[1] = before[1]
        _count_threats(own, theirs, after[0])
        _count_threats(theirs, own, after[1])
        _compare(before, after, columns[i])
    if max(lost, lost + lead) >= LEAST_OF_END:
        return END
    return OPENING if before[0, STEPS] + before[1, STEPS] >= LEAST_OF_OPENING else MIDDLE


@seam(LOOK)
def look(state, moves, n, seen):
    """Fill what stands at each offset from each move, as it is and mirrored, before the move."""
    mine, other = k.marbles_of(state, state[TO_PLAY]), k.marbles_of(state, 3 - state[TO_PLAY])
    for i in range(n):
        cell, direction = _leading(mine, moves[i])
        for offset in range(len(_MIRRORED)):
            at = _AROUND[cell, direction, offset]
            found = OUTSIDE
            if at >= 0:
                found = OWN if mine >> at & 1 != 0 else OTHER if other >> at & 1 != 0 else EMPTY
            seen[i, 0, offset] = found
            seen[i, 1, _MIRRORED[offset]] = found


@seam(ORDER)
def order_by_rules(state, moves, n, scores, numbers):
    """Score moves by rules: see jit/kernels/rule_table.py for `numbers`."""
    measured, seen = np.empty((n, COLUMNS), np.int32), np.empty((n, 2, 18), np.int32)
    stage = measure(state, moves, n, measured)
    if numbers[LOOKS]:
        look(state, moves, n, seen)
    score_by_rules(measured, seen, stage, n, numbers, scores)
