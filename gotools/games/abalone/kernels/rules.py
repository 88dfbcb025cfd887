"""Abalone: the functions of kernels/seams.py.

    state:  | SIZE | TO_PLAY | PLIES | LIMIT | MARBLES of 1: low, high | of 2: low, high |

    numbers of the cells, which are the bits of a side's marbles:

             I   47  48  49  50  51
           H   33  34  35  36  37  38                  NW  NE
         G   19  20  21  22  23  24  25              W       E
       F    5   6   7   8   9  10  11  12              SW  SE
     E   52  53  54  55  56  57  58  59  60
       D   39  40  41  42  43  44  45  46  9           a step E adds 1, NE 14, NW 13, modulo 61,
         C   26  27  28  29  30  31  32  8             from every cell: a rotation of 61 bits moves
           B   13  14  15  16  17  18  7               all marbles at once, and INSIDE leaves out
             A    0   1   2   3   4  6                 those that would leave the board
                  1   2   3   4   5

    a move:  30 * cell + kind       kind 0 to 5: in line, the last marble's cell and the direction
                                    kind 6 to 29: broadside, 6 + 4 * direction + 2 * (axis turned by 60 or 120 degrees)
                                    + (0 for two marbles, 1 for three); the cell from which the axis leads to the others

PLIES  moves made; LIMIT -- moves after which the game is drawn

Who has lost six of 14 marbles, or cannot move, has lost. Repetition of positions is left to the callers, which know the
game (`Game.repetition`).
"""

import numpy as np

from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.basics import below, copy_to, count_bits, spread
from gotools.jit.kernels.seams import AFTER, KEY, LEGAL, ONGOING, OUTCOME, PLAYOUT, START, TO_PLAY

SIZE, PLIES, LIMIT, MARBLES = 0, 2, 3, 4
STATE = MARBLES + 4
ROWS = 9
CELLS = 61
EACH, LOST = 14, 6
"""Marbles of a side, and how many it has lost when the game is lost."""
LONGEST_GAME = 400
"""Plies after which a game is a draw, unless its start says otherwise."""
KINDS = 30
IN_LINE = 6
"""Kinds of moves in line, one for each direction."""
MOVES = CELLS * KINDS
LONGEST = 6 * EACH + 8 * 29
"""Bound of the moves of a position: six in line of each marble, eight broadside of each pair of neighbours, of which 14
marbles have at most 29 (Harborth 1974)."""
NEAR_THE_LIMIT = 64
"""Plies before the limit from which on keys differ by the plies left: as deep as searches look."""

STEPS = np.array([1, 14, 13, 60, 47, 48], np.int64)
"""E, NE, NW, W, SW, SE: what to add to the number of a cell, modulo 61."""
WAYS = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
"""The same as steps of column and row."""
PLACES = tuple(sorted(((13 * y + x) % CELLS, x, y) for y in range(ROWS) for x in range(ROWS) if abs(x - y) < 5))
"""(cell, column, row) of each cell, counted from 0."""
_CELL_AT = {(x, y): cell for cell, x, y in PLACES}
NEXT = np.array([[_CELL_AT.get((x + u, y + v), -1) for u, v in WAYS] for _, x, y in PLACES], np.int64)
"""int64[61, 6]: the neighbour in each direction, -1 off the board."""
INSIDE = np.array([sum(1 << cell for cell in range(CELLS) if NEXT[cell, d] >= 0) for d in range(6)], np.int64)
"""Cells that have a neighbour in each direction."""
ALL = (1 << CELLS) - 1
_HALF = 31
_LOW = (1 << _HALF) - 1


def _walk(cell, direction, count):
    """Return the first cells of a walk, None where it leaves the board."""
    cells = [cell]
    while len(cells) < count and cells[-1] >= 0:
        cells.append(int(NEXT[cells[-1], direction]))
    return cells if cells[-1] >= 0 else None


def cells_of(move):
    """Return the cells that a broadside move leaves and those that it enters, in one order; None off the board."""
    cell, kind = divmod(move, KINDS)
    direction, rest = divmod(kind - IN_LINE, 4)
    axis, three = (direction + 1 + rest // 2) % 3, rest % 2
    leaves = _walk(cell, axis, 2 + three)
    enters = None if leaves is None else [int(NEXT[one, direction]) for one in leaves]
    return None if enters is None or min(enters) < 0 else (leaves, enters)


def _flips(move):
    """Return the bits that a broadside move changes, 0 for one in line or off the board."""
    found = cells_of(move) if move % KINDS >= IN_LINE else None
    return 0 if found is None else sum(1 << cell for cells in found for cell in cells)


FLIPS = np.array([_flips(move) for move in range(MOVES)], np.int64)


@kernel
def set_marbles(state, side, marbles):
    """Write the marbles of a side, 61 bits."""
    at = MARBLES + 2 * (side - 1)
    state[at] = marbles & _LOW
    state[at + 1] = marbles >> _HALF


@kernel
def marbles_of(state, side):
    """Return the marbles of a side as 61 bits."""
    at = MARBLES + 2 * (side - 1)
    return np.int64(state[at]) | (np.int64(state[at + 1]) << _HALF)


@seam(START)
def start(state, size):
    """Make the classical position: rows A and B are side 1's, and C3 to C5; rows H and I and G5 to G7 side 2's."""
    state[:] = 0
    state[SIZE] = size
    state[TO_PLAY] = 1
    state[LIMIT] = LONGEST_GAME
    set_marbles(state, 1, np.int64(0x1F | 0x3F << 13 | 0x7 << 28))
    set_marbles(state, 2, np.int64(0x1F << 47 | 0x3F << 33 | 0x7 << 21))


@inner
def behind(cells, direction):
    """Return the cells whose neighbour in a direction is among some cells."""
    step = STEPS[direction]
    return ((cells >> step) | (cells << (CELLS - step))) & INSIDE[direction]


@inner
def pushes(mine, other, yielding, direction):
    """Return the last marbles of the lines that push, where a marble of the other side on a yielding cell gives way."""
    weak = other & yielding
    if weak == 0:
        return np.int64(0)
    two = mine & behind(mine & behind(weak, direction), direction)
    against_two = mine & behind(mine & behind(other & behind(weak, direction), direction), direction)
    return two | (mine & behind(two | against_two, direction))


@inner
def _list(cells, kind, moves, n):
    """Append the moves of a kind from some cells; returns how many moves there are now."""
    while cells != 0:
        bit = cells & -cells
        moves[n] = KINDS * count_bits(bit - 1) + kind
        n += 1
        cells ^= bit
    return n


@inner
def _list_ejections(mine, other, moves):
    """List the pushes that eject a marble; returns how many."""
    n = 0
    for d in range(6):
        n = _list(pushes(mine, other, ALL & ~INSIDE[d], d), d, moves, n)
    return n


@inner
def _is_over(state, mine):
    """Return whether the side to play has lost too many marbles, or the game its last move."""
    return count_bits(mine) <= EACH - LOST or state[PLIES] >= state[LIMIT]


@seam(LEGAL)
def legal(state, moves):
    """List the legal moves: ejections, other pushes, other moves of two and three marbles, moves of one."""
    mine, other = marbles_of(state, state[TO_PLAY]), marbles_of(state, 3 - state[TO_PLAY])
    if _is_over(state, mine):
        return 0
    empty = ALL & ~(mine | other)
    n = _list_ejections(mine, other, moves)
    for d in range(6):
        n = _list(pushes(mine, other, behind(empty, d), d), d, moves, n)
    for d in range(6):
        free = mine & behind(empty, d)
        two = mine & behind(free, d)
        n = _list((mine & behind(two, d)) | two, d, moves, n)
        for turn in range(2):
            axis = (d + 1 + turn) % 3
            pairs = free & behind(free, axis)
            kind = IN_LINE + 4 * d + 2 * turn
            n = _list(free & behind(pairs, axis), kind + 1, moves, n)
            n = _list(pairs, kind, moves, n)
    for d in range(6):
        n = _list(mine & behind(empty, d), d, moves, n)
    return n


@seam(LEGAL)
def noisy(state, moves):
    """List the pushes that eject a marble."""
    mine, other = marbles_of(state, state[TO_PLAY]), marbles_of(state, 3 - state[TO_PLAY])
    return 0 if _is_over(state, mine) else _list_ejections(mine, other, moves)


@inner
def _can_move(mine, other):
    """Return whether a side has a legal move: one of a single marble, without which none broadside, or a push."""
    empty = ALL & ~(mine | other)
    for d in range(6):
        if mine & behind(empty, d) != 0:
            return True
    for d in range(6):
        if pushes(mine, other, behind(empty, d) | (ALL & ~INSIDE[d]), d) != 0:
            return True
    return False


@inner
def _push(mine, other, cell, direction):
    """Move a line whose last marble stands on a cell; returns the marbles of both sides."""
    mine ^= np.int64(1) << cell
    at = NEXT[cell, direction]
    while mine >> at & 1 != 0:
        at = NEXT[at, direction]
    bit = np.int64(1) << at
    mine |= bit
    if other & bit != 0:
        other ^= bit
        at = NEXT[at, direction]
        while at >= 0 and other >> at & 1 != 0:
            at = NEXT[at, direction]
        if at >= 0:
            other |= np.int64(1) << at
    return mine, other


@inner
def marbles_after(mine, other, move):
    """Return the marbles of both sides after a legal move."""
    kind = move % KINDS
    if kind < IN_LINE:
        return _push(mine, other, move // KINDS, kind)
    return mine ^ FLIPS[move], other


@inner
def _make(state, move):
    """Make a legal move."""
    side = state[TO_PLAY]
    mine, other = marbles_after(marbles_of(state, side), marbles_of(state, 3 - side), move)
    set_marbles(state, side, mine)
    set_marbles(state, 3 - side, other)
    state[TO_PLAY] = 3 - side
    state[PLIES] += 1


@seam(AFTER)
def after(state, move, target):
    """Write the position after a legal move."""
    copy_to(target, state)
    _make(target, move)


@seam(OUTCOME)
def outcome(state):
    """Value the finished game: -1 for the side to play that lost six marbles or cannot move, 0 at the limit."""
    mine = marbles_of(state, state[TO_PLAY])
    if count_bits(mine) <= EACH - LOST or not _can_move(mine, marbles_of(state, 3 - state[TO_PLAY])):
        return -1.0
    return 0.0 if state[PLIES] >= state[LIMIT] else ONGOING


@seam(KEY)
def key(state):
    """Mix the marbles of both sides, the side to play and, near the limit, the plies left."""
    word = spread(marbles_of(state, 1) | np.int64(state[TO_PLAY] - 1) << CELLS) ^ marbles_of(state, 2)
    late = state[PLIES] + NEAR_THE_LIMIT - state[LIMIT]
    if late > 0:
        word ^= spread(late)
    return spread(word)


@seam(PLAYOUT)
def playout(state, random, played):
    """Play to the end, ejections where there are any, else all legal moves equally likely; 0 if `played` is full."""
    mine = state[TO_PLAY]
    moves = np.empty(LONGEST, np.int32)
    n = 0
    while n + 1 < len(played) and outcome(state) == ONGOING:
        count = noisy(state, moves)
        if count == 0:
            count = legal(state, moves)
        move = moves[below(random, count)]
        n += 1
        played[n] = move
        _make(state, move)
    played[0] = n
    value = outcome(state)
    if value == ONGOING:
        return 0.0
    return value if state[TO_PLAY] == mine else -value
