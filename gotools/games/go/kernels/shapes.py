"""Kernels that recognise shapes: what stands on all points within a distance of a point.

    distance dx + dy + max(dx, dy)      . . 6 . .      A shape of size s is what stands on the points at distance s or
    as last_distance                    . 5 4 5 .      less: empty, own, the other's, or off the board. Its name is the
                                        6 4 * 4 6      exclusive or of a random word for each point that is not empty,
    (2 next to the point, 3 diagonal)   . 5 4 5 .      and one for the size.
                                        . . 6 . .

Source: Zobrist, A new hashing method with application for game playing, 1970; nested discs as in D. Stern, R. Herbrich,
T. Graepel, Bayesian pattern ranking for move prediction in the game of Go, 2006.
"""

from typing import NamedTuple

import numpy as np

from gotools.games.go.kernels.constants import SYMMETRIES
from gotools.jit import inner, kernel

SMALLEST, LARGEST = 3, 12
SIZES = LARGEST - SMALLEST + 1
OFF_BOARD = 3

FAR = LARGEST // 2
"""Points from the middle of the largest shape to its rim."""


def _points():
    """Return int64[n, 2], the offsets of all shapes, nearest first, and int64[SIZES], how many of them a size has."""
    steps = range(-FAR, FAR + 1)
    found = sorted(
        (abs(dx) + abs(dy) + max(abs(dx), abs(dy)), dy, dx) for dy in steps for dx in steps if (dx, dy) != (0, 0)
    )
    counts = [sum(distance <= size for distance, _, _ in found) for size in range(SMALLEST, LARGEST + 1)]
    return np.array([(dx, dy) for _, dy, dx in found[: counts[-1]]]), np.array(counts)


POINTS, COUNTS = _points()


def _words(count):
    """Return a number of fixed random words, uint64 (splitmix64)."""
    words, seed, mask = [], 0x5347, (1 << 64) - 1
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        word = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & mask
        words.append(word ^ (word >> 31))
    return np.array(words, np.uint64)


WORDS = _words(4 * len(POINTS)).reshape(-1, 4)
"""uint64[points, 4]: by what stands there; 0 for an empty point."""
WORDS[:, 0] = 0
SIZE_WORDS = _words(4 * len(POINTS) + SIZES)[-SIZES:]

WIDE = 19 + 2 * FAR
"""Side of a board with a border as wide as shapes reach."""


def _steps():
    """Return int64[8, points]: what leads on a wide board to each point of a shape, seen through each symmetry."""
    dx, dy = POINTS[:, 0], POINTS[:, 1]
    return np.array([a * dx + b * dy + WIDE * (c * dx + d * dy) for a, b, c, d in SYMMETRIES])


STEPS = _steps()


class ShapeTable(NamedTuple):
    """The shapes that are known, by the names of all their images: a hash table of a power of two slots."""

    name: np.ndarray  # uint64[slots]
    number: np.ndarray  # int32[slots]: of the shape; -1 for a free slot
    sizes: int  # how many sizes there are among them, from SMALLEST on


@inner
def widen(board, size, me, wide):
    """Fill wide uint8[WIDE * WIDE] with a board: own stones 1, the other's 2, OFF_BOARD around it."""
    wide[:] = OFF_BOARD
    for y in range(size):
        for x in range(size):
            cell = board[y * size + x]
            wide[(y + FAR) * WIDE + x + FAR] = cell if cell == 0 else 1 if cell == me else 2


@inner
def name_shapes(wide, size, p, turn, sizes, names):
    """Fill names uint64[SIZES] with the shapes of the SIZES sizes around point p, seen through symmetry `turn`."""
    at = (p // size + FAR) * WIDE + p % size + FAR
    name, k = np.uint64(0), 0
    for s in range(sizes):
        while k < COUNTS[s]:
            name ^= WORDS[k, wide[at + STEPS[turn, k]]]
            k += 1
        names[s] = name ^ SIZE_WORDS[s]


@inner
def find_shape(table, name):
    """Return the number of a shape, -1 for one that is not known."""
    last = np.uint64(table.name.shape[0] - 1)
    slot = name & last
    while table.number[slot] >= 0:
        if table.name[slot] == name:
            return table.number[slot]
        slot = (slot + np.uint64(1)) & last
    return -1


@kernel
def add_shapes(table, names, numbers):
    """Enter shapes by the names of their images, which may be equal; numbers int32[n], names uint64[n]."""
    last = np.uint64(table.name.shape[0] - 1)
    for k in range(names.shape[0]):
        slot = names[k] & last
        while table.number[slot] >= 0 and table.name[slot] != names[k]:
            slot = (slot + np.uint64(1)) & last
        table.name[slot], table.number[slot] = names[k], numbers[k]


@kernel
def shapes_around(boards, sizes, to_play, position, point, table, out):
    """Fill out int32[n, SIZES] with the numbers of the shapes around points, -1 for those that are not known.

    boards uint8[m, c], sizes, to_play uint8[m] -- positions; position int32[n], point int16[n] -- the points
    """
    names, wide = np.empty(SIZES, np.uint64), np.empty(WIDE * WIDE, np.uint8)
    out[:] = -1
    seen = -1
    for i in range(point.shape[0]):
        k = np.int64(position[i])
        size = np.int64(sizes[k])
        if k != seen:
            widen(boards[k], size, to_play[k], wide)
            seen = k
        name_shapes(wide, size, np.int64(point[i]), 0, table.sizes, names)
        for s in range(table.sizes):
            out[i, s] = find_shape(table, names[s])


@kernel
def names_of_images(boards, sizes, to_play, point, out):
    """Fill out uint64[8, SIZES, n] with the names of the images of the shapes around a point of each position.

    boards uint8[n, c], sizes, to_play uint8[n], point int16[n]
    """
    names, wide = np.empty(SIZES, np.uint64), np.empty(WIDE * WIDE, np.uint8)
    for i in range(point.shape[0]):
        size = np.int64(sizes[i])
        widen(boards[i], size, to_play[i], wide)
        for t in range(8):
            name_shapes(wide, size, np.int64(point[i]), t, SIZES, names)
            for s in range(SIZES):
                out[t, s, i] = names[s]
