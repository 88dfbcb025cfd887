"""The rules of Go on one flat int32 array.

    state:  | header (20) | COLOUR (420) | HEAD (420) | NEXT (420) | LIBS (420) |

    a plane, size 3:   60 61 62 63 64      row y = 3: border
                       40 41 42 43 44      p = (y + 1) * 20 + (x + 1), so neighbours are p-20, p-1, p+1, p+20
                       20 21 22 23 24      on every size; the right border of 19x19 is the left one of the next row
                        0  1  2  3  4      row y = -1: border

COLOUR  0 empty, 1 black, 2 white, 3 border
HEAD    the stone that names the chain of a stone
NEXT    the next stone of the same chain, a ring
LIBS    at a head: the chain's pseudo-liberties (an empty point counts once for each stone it touches)

HEAD, NEXT and LIBS are defined at stones only; but HEAD[0], where no stone ever is, is BORDER: it lies behind the
last point of COLOUR and is a diagonal neighbour of T19. Only the rows in use are ever copied: 3.6 KB on 9x9.
Points are padded (p) here unless a name says `point`. Colours are 1 and 2; nothing checks them.
"""

import numpy as np

from gotools.games.go.kernels.constants import NONE, PASS
from gotools.jit import inner, kernel

STRIDE = 20
PLANE = STRIDE * 21
SIZE, TO_PLAY, KO, KO_COLOUR, LAST, LAST2, HASH_LOW, HASH_HIGH, TAKEN_BLACK, TAKEN_WHITE = range(10)
HEADER = 20
COLOUR = HEADER
HEAD = COLOUR + PLANE
NEXT = HEAD + PLANE
LIBS = NEXT + PLANE
STATE = LIBS + PLANE
BORDER = 3
OCCUPIED, IN_KO, SUICIDE, BAD_SETUP = -1, -2, -3, -4


def _zobrist():
    """Return int32[2, 3 * PLANE] of fixed random words (splitmix64): row 0 low, row 1 high half of the hash."""
    words = np.empty((2, 3 * PLANE), np.int32)
    seed, mask = 0x60706, (1 << 64) - 1
    for i in range(3 * PLANE):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        word = seed
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & mask
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & mask
        word ^= word >> 31
        words[0, i] = np.uint32(word & 0xFFFFFFFF).astype(np.int32)
        words[1, i] = np.uint32(word >> 32).astype(np.int32)
    return words


_ZOBRIST = _zobrist()


@kernel
def pad(point, size):
    """Return the padded index of a point; NONE and PASS stay."""
    if point < 0:
        return point
    return (point // size + 1) * STRIDE + point % size + 1


@kernel
def unpad(p, size):
    """Return the point of a padded index; NONE and PASS stay."""
    if p < 0:
        return p
    return (p // STRIDE - 1) * size + p % STRIDE - 1


@kernel
def start(state, size):
    """Make the empty board of a size, black to play."""
    state[:HEADER] = 0
    state[SIZE] = size
    state[TO_PLAY] = 1
    state[KO] = NONE
    state[LAST] = NONE
    state[LAST2] = NONE
    state[COLOUR : COLOUR + (size + 2) * STRIDE] = BORDER
    state[HEAD] = BORDER
    for y in range(1, size + 1):
        row = COLOUR + y * STRIDE
        state[row + 1 : row + 1 + size] = 0


@kernel
def copy(target, source):
    """Copy a state: the header and the rows in use."""
    used = (source[SIZE] + 2) * STRIDE
    for i in range(HEADER + used):
        target[i] = source[i]
    for i in range(used):
        target[HEAD + i] = source[HEAD + i]
    for i in range(used):
        target[NEXT + i] = source[NEXT + i]
    for i in range(used):
        target[LIBS + i] = source[LIBS + i]


@inner
def _flip_hash(state, p, colour):
    """Add a stone to the hash, or take it out."""
    i = colour * PLANE + p
    state[HASH_LOW] ^= _ZOBRIST[0, i]
    state[HASH_HIGH] ^= _ZOBRIST[1, i]


@kernel
def load(state, cells, size):
    """Make a state of uint8[>= size*size] cells by point number; black to play, no ko, no last moves.

    Returns the number of chains without liberties: the position is legal if it is 0, and unusable otherwise.
    """
    start(state, size)
    for y in range(size):
        for x in range(size):
            colour = cells[y * size + x]
            if colour != 0:
                p = (y + 1) * STRIDE + x + 1
                state[COLOUR + p] = colour
                state[HEAD + p] = 0
                _flip_hash(state, p, np.int32(colour))
    dead = 0
    for y in range(1, size + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + size):
            if state[COLOUR + p] != 0 and state[HEAD + p] == 0 and _build_chain(state, p) == 0:
                dead += 1
    return dead


@inner
def _build_chain(state, head):
    """Link the stones of one chain whose HEAD entries are 0; the ring serves as the queue.

    Returns its pseudo-liberties.
    """
    colour = state[COLOUR + head]
    state[HEAD + head] = head
    state[NEXT + head] = head
    tail = head
    libs = 0
    p = head
    while True:
        for d in (-STRIDE, -1, 1, STRIDE):
            q = p + d
            if state[COLOUR + q] == 0:
                libs += 1
            elif state[COLOUR + q] == colour and state[HEAD + q] == 0:
                state[HEAD + q] = head
                state[NEXT + q] = head
                state[NEXT + tail] = q
                tail = q
        p = state[NEXT + p]
        if p == head:
            break
    state[LIBS + head] = libs
    return libs


@inner
def _remove_chain(state, head):
    """Take a chain off the board and give its points back to the neighbours as liberties.

    Returns the number of stones.
    """
    colour = state[COLOUR + head]
    other = 3 - colour
    p = head
    count = 0
    while True:
        state[COLOUR + p] = 0
        _flip_hash(state, p, colour)
        count += 1
        for d in (-STRIDE, -1, 1, STRIDE):
            q = p + d
            if state[COLOUR + q] == other:
                state[LIBS + state[HEAD + q]] += 1
        p = state[NEXT + p]
        if p == head:
            break
    state[TAKEN_BLACK + colour - 1] += count
    return count


@inner
def _merge(state, into, chain):
    """Join two chains of one colour under the head `into`."""
    state[LIBS + into] += state[LIBS + chain]
    p = chain
    while True:
        state[HEAD + p] = into
        p = state[NEXT + p]
        if p == chain:
            break
    following = state[NEXT + into]
    state[NEXT + into] = state[NEXT + chain]
    state[NEXT + chain] = following


@kernel
def why_illegal(state, p, colour, suicide):
    """Return 0 when a stone may be put on p, else OCCUPIED, IN_KO or SUICIDE. Superko is ignored.

    suicide -- whether a move that leaves its own chain without liberties is allowed
    """
    if state[COLOUR + p] != 0:
        return OCCUPIED
    if p == state[KO] and colour == state[KO_COLOUR]:
        return IN_KO
    if suicide:
        return 0
    for d in (-STRIDE, -1, 1, STRIDE):
        if state[COLOUR + p + d] == 0:
            return 0
    verdict = SUICIDE
    for d in (-STRIDE, -1, 1, STRIDE):  # every neighbour loses the liberty p: which have none left?
        if state[COLOUR + p + d] != BORDER:
            state[LIBS + state[HEAD + p + d]] -= 1
    for d in (-STRIDE, -1, 1, STRIDE):
        beside = state[COLOUR + p + d]
        if beside != BORDER and (state[LIBS + state[HEAD + p + d]] == 0) == (beside != colour):
            verdict = 0
    for d in (-STRIDE, -1, 1, STRIDE):
        if state[COLOUR + p + d] != BORDER:
            state[LIBS + state[HEAD + p + d]] += 1
    return verdict


@kernel
def put(state, p, colour):
    """Put a stone on an empty point, and take what it captures (its own chain if only that has no liberties).

    Sets ko, last moves and the side to play. No rule is checked: see `play`.
    """
    other = 3 - colour
    state[COLOUR + p] = colour
    state[HEAD + p] = p
    state[NEXT + p] = p
    _flip_hash(state, p, colour)
    libs = 0
    for d in (-STRIDE, -1, 1, STRIDE):
        beside = state[COLOUR + p + d]
        if beside == 0:
            libs += 1
        elif beside != BORDER:
            state[LIBS + state[HEAD + p + d]] -= 1
    state[LIBS + p] = libs
    taken = 0
    taken_at = NONE
    for d in (-STRIDE, -1, 1, STRIDE):
        if state[COLOUR + p + d] == other and state[LIBS + state[HEAD + p + d]] == 0:
            taken += _remove_chain(state, state[HEAD + p + d])
            taken_at = p + d
    head = np.int32(p)
    for d in (-STRIDE, -1, 1, STRIDE):
        if state[COLOUR + p + d] == colour and state[HEAD + p + d] != head:
            _merge(state, state[HEAD + p + d], head)
            head = state[HEAD + p + d]
    state[KO] = NONE
    if taken == 1 and state[NEXT + p] == p and state[LIBS + p] == 1:
        state[KO] = taken_at
        state[KO_COLOUR] = other
    elif state[LIBS + head] == 0:
        _remove_chain(state, head)
    _end_turn(state, p, other)


@inner
def _end_turn(state, p, to_play):
    state[LAST2] = state[LAST]
    state[LAST] = p
    state[TO_PLAY] = to_play


@kernel
def pass_turn(state, colour):
    """Pass: the ko is open again."""
    state[KO] = NONE
    _end_turn(state, PASS, 3 - colour)


@kernel
def play(state, p, colour, suicide):
    """Make a move, PASS included, if simple ko and the suicide rule allow it; else leave the state as it is.

    Returns 0, or OCCUPIED, IN_KO, SUICIDE.
    """
    if p < 0:
        pass_turn(state, colour)
        return 0
    verdict = why_illegal(state, p, colour, suicide)
    if verdict == 0:
        put(state, p, colour)
    return verdict


@kernel
def cells_of(state, cells):
    """Write the colours of a state to uint8[>= size*size] by point number."""
    size = state[SIZE]
    for y in range(size):
        row = COLOUR + (y + 1) * STRIDE + 1
        for x in range(size):
            cells[y * size + x] = state[row + x]


@kernel
def chain_of(state, p, stones):
    """Write the stones of the chain at p to int16[361] as points.

    Returns how many; p must hold a stone.
    """
    q = p
    n = 0
    while True:
        stones[n] = unpad(q, state[SIZE])
        n += 1
        q = state[NEXT + q]
        if q == p:
            return n


@kernel
def liberties_of(state, p, liberties):
    """Write the liberties of the chain at p to int16[361] as points, each once.

    Returns how many; p must hold a stone.
    """
    seen = np.zeros(PLANE, np.bool_)
    q = p
    n = 0
    while True:
        for d in (-STRIDE, -1, 1, STRIDE):
            if state[COLOUR + q + d] == 0 and not seen[q + d]:
                seen[q + d] = True
                liberties[n] = unpad(q + d, state[SIZE])
                n += 1
        q = state[NEXT + q]
        if q == p:
            return n


@kernel
def area_score(state):
    """Return black's area minus white's: stones, and empty regions that touch one colour only. No stone is dead."""
    size = state[SIZE]
    seen = np.zeros(PLANE, np.bool_)
    queue = np.empty(PLANE, np.int32)
    score = 0
    for y in range(1, size + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + size):
            colour = state[COLOUR + p]
            if colour != 0:
                score += 3 - 2 * colour
                continue
            if seen[p]:
                continue
            seen[p] = True
            queue[0] = p
            done, found, touches = 0, 1, 0
            while done < found:
                for d in (-STRIDE, -1, 1, STRIDE):
                    q = queue[done] + d
                    beside = state[COLOUR + q]
                    if beside != 0:
                        touches |= beside & 3 if beside != BORDER else 0
                    elif not seen[q]:
                        seen[q] = True
                        queue[found] = q
                        found += 1
                done += 1
            if touches == 1 or touches == 2:
                score += found * (3 - 2 * touches)
    return score


@kernel
def legal_mask(board, size, to_play, ko):
    """Find the legal points of many positions: no suicide, simple ko, passes not counted.

    board -- uint8[n, c]; row i uses the first size[i]**2 cells
    size, to_play -- uint8[n]
    ko -- int16[n], points or NONE

    Returns bool[n, c].
    """
    legal = np.zeros(board.shape, np.bool_)
    state = np.empty(STATE, np.int32)
    for i in range(board.shape[0]):
        side = int(size[i])
        load(state, board[i], side)
        for y in range(side):
            for x in range(side):
                point = y * side + x
                if point != ko[i]:
                    p = (y + 1) * STRIDE + x + 1
                    legal[i, point] = why_illegal(state, p, int(to_play[i]), False) == 0
    return legal
