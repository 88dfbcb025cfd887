"""Kernels that read ladders: whether an atari catches a chain, whether a chain that flees from atari is caught.

Ko is not looked at. A chain is caught if its opponent can keep it in atari until it is lost; a chain that can take
one of those around it counts as safe, and so does one that is not settled after MOST_NODES defences.

cells   uint8[levels, PLACES]   a level a position of the line that is being read: 0 empty, 1, 2, BORDER
        place = (y + 1) * STRIDE + x + 1, as in games/go/kernels/rules.py
"""

from typing import NamedTuple

import numpy as np

from gotools.games.go.kernels.rules import BORDER, STRIDE
from gotools.jit import inner

MOST_NODES = 200
"""Defences that ladder reading looks at for one question; beyond them a chain counts as safe."""

PLACES = STRIDE * 21
AROUND = (-STRIDE, -1, 1, STRIDE)

NO, FIRST, SECOND = 0, 1, 2
"""No ladder; the atari or the escape works; it fails."""


class Reader(NamedTuple):
    """The positions being read, and room for walks over chains."""

    cells: np.ndarray  # uint8[levels, PLACES]; level 0 is the position asked about
    queue: np.ndarray  # int64[3, PLACES]: of two_liberties, of can_take, of remove
    seen: np.ndarray  # int32[2, PLACES]: the last walk that has been at a place; one walk may start another
    counts: np.ndarray  # int64[2]: walks, defences looked at
    tries: np.ndarray  # int64[3, levels]: the two liberties of the chain hunted, and how many were tried
    free: np.ndarray  # uint64[6]: liberties, for liberties_after


@inner
def new_reader():
    """Return room to read ladders."""
    levels = 2 * MOST_NODES + 6
    return Reader(
        np.zeros((levels, PLACES), np.uint8),
        np.zeros((3, PLACES), np.int64),
        np.zeros((2, PLACES), np.int32),
        np.zeros(2, np.int64),
        np.zeros((3, levels), np.int64),
        np.zeros(6, np.uint64),
    )


@inner
def read_position(cells, board, size):
    """Fill level 0 with a position, uint8[>= size*size] by point number."""
    for q in range(PLACES):
        cells[0, q] = BORDER
    p = 0
    for y in range(size):
        for x in range(size):
            cells[0, (y + 1) * STRIDE + x + 1] = board[p]
            p += 1


@inner
def two_liberties(cells, level, s, queue, seen, counts):
    """Return how many liberties the chain at s has, 3 for more than two, and the two (smaller first) if it has two."""
    counts[0] += 1
    walk, colour = counts[0], cells[level, s]
    n, first, second = 0, 0, 0
    done, found = 0, 1
    queue[0, 0] = s
    seen[0, s] = walk
    while done < found:
        p = queue[0, done]
        done += 1
        for d in AROUND:
            q = p + d
            cell = cells[level, q]
            if cell == 0:
                if seen[0, q] != walk:
                    seen[0, q] = walk
                    n += 1
                    if n == 1:
                        first = q
                    elif n == 2:
                        second = q
                    else:
                        return 3, 0, 0
            elif cell == colour and seen[0, q] != walk:
                seen[0, q] = walk
                queue[0, found] = q
                found += 1
    if n == 2 and second < first:
        return n, second, first
    return n, first, second


@inner
def can_take(cells, level, s, queue, seen, counts):
    """Return whether a chain that touches the chain at s has exactly one liberty."""
    counts[0] += 1
    walk, colour = counts[0], cells[level, s]
    done, found = 0, 1
    queue[1, 0] = s
    seen[1, s] = walk
    while done < found:
        p = queue[1, done]
        done += 1
        for d in AROUND:
            q = p + d
            if seen[1, q] == walk:
                continue
            seen[1, q] = walk
            if cells[level, q] == colour:
                queue[1, found] = q
                found += 1
            elif cells[level, q] == 3 - colour and two_liberties(cells, level, q, queue, seen, counts)[0] == 1:
                return True
    return False


@inner
def is_suicide(cells, level, p, colour, queue, seen, counts):
    """Return whether a stone on p would be without liberties."""
    for d in AROUND:
        q = p + d
        cell = cells[level, q]
        if cell == 0:
            return False
        if cell != BORDER:
            one = two_liberties(cells, level, q, queue, seen, counts)[0] == 1
            if one != (cell == colour):
                return False
    return True


@inner
def remove(cells, level, s, queue):
    """Take the chain at s off the board."""
    colour = cells[level, s]
    done, found = 0, 1
    queue[2, 0] = s
    cells[level, s] = 0
    while done < found:
        p = queue[2, done]
        done += 1
        for d in AROUND:
            if cells[level, p + d] == colour:
                cells[level, p + d] = 0
                queue[2, found] = p + d
                found += 1


@inner
def put_stone(cells, level, p, colour, queue, seen, counts):
    """Play on the level above: a stone that is no suicide, with its captures."""
    for q in range(PLACES):
        cells[level + 1, q] = cells[level, q]
    cells[level + 1, p] = colour
    for d in AROUND:
        q = p + d
        if cells[level + 1, q] == 3 - colour and two_liberties(cells, level + 1, q, queue, seen, counts)[0] == 0:
            remove(cells, level + 1, q, queue)


@inner
def defend(cells, level, s, queue, seen, counts):
    """Let the owner of the chain at s, which is in atari, move: 0 it is safe, 1 it is lost, 2 read the level above."""
    counts[1] += 1
    if counts[1] > MOST_NODES or can_take(cells, level, s, queue, seen, counts):
        return 0
    out, owner = two_liberties(cells, level, s, queue, seen, counts)[1], cells[level, s]
    if is_suicide(cells, level, out, owner, queue, seen, counts):
        return 1
    put_stone(cells, level, out, owner, queue, seen, counts)
    return 2


@inner
def caught(cells, base, s, queue, seen, counts, tries):
    """Return whether the chain at s is caught when its opponent moves on a level; the levels above are scratch.

    The owner of the chain has a single answer to an atari, so any line that ends in capture decides.
    """
    level, hunter = base, 3 - cells[base, s]
    fresh = True
    while True:
        if fresh:
            n, tries[0, level], tries[1, level] = two_liberties(cells, level, s, queue, seen, counts)
            if n <= 1:
                return True
            tries[2, level] = 0 if n == 2 else 2
            fresh = False
        if tries[2, level] == 2:
            level -= 2
            if level < base:
                return False
            continue
        q = tries[tries[2, level], level]
        tries[2, level] += 1
        if is_suicide(cells, level, q, hunter, queue, seen, counts):
            continue
        put_stone(cells, level, q, hunter, queue, seen, counts)
        verdict = defend(cells, level + 1, s, queue, seen, counts)
        if verdict == 1:
            return True
        if verdict == 2:
            level += 2
            fresh = True


@inner
def escape(reader, p, colour):
    """Return whether the chain in atari that a stone of a colour on p saves is out: FIRST yes, SECOND no."""
    cells, queue, seen, counts, tries = reader.cells, reader.queue, reader.seen, reader.counts, reader.tries
    counts[1] = 0
    if is_suicide(cells, 0, p, colour, queue, seen, counts):
        return SECOND
    put_stone(cells, 0, p, colour, queue, seen, counts)
    return SECOND if caught(cells, 1, p, queue, seen, counts, tries) else FIRST


@inner
def catches(reader, s):
    """Return whether the chain at s, in atari on level 1, is caught."""
    cells, queue, seen, counts, tries = reader.cells, reader.queue, reader.seen, reader.counts, reader.tries
    verdict = defend(cells, 1, s, queue, seen, counts)
    return verdict == 1 or (verdict == 2 and caught(cells, 2, s, queue, seen, counts, tries))


@inner
def give_atari(reader, p, colour):
    """Put a stone on level 1; False for suicide."""
    cells, queue, seen, counts = reader.cells, reader.queue, reader.seen, reader.counts
    counts[1] = 0
    if is_suicide(cells, 0, p, colour, queue, seen, counts):
        return False
    put_stone(cells, 0, p, colour, queue, seen, counts)
    return True
