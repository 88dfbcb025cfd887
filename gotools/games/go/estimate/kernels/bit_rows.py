"""Sets of points as bits, in words of whole rows.

    word 1, 9x9:   | row 5 | ... | row 1 | row 0 |      row y holds point (x, y) at its bit x; its bit 9 is always 0
    sets[:, NAME]: | 0 | word 1 | word 2 | ... | 0 |    int64[words + 2, SETS]; the zeros: what lies beyond the board

A row has one bit more than the board is wide, so that rows do not touch, and a word as many rows as 62 bits hold: 6 on
9x9, of which two words are the board. There is room for one more row than the board has. Callers make one array
by `np.empty((layout(size)[0] + 2, SETS), np.int64)`, which is faster than many, and let `fill_sets` fill it.
"""

import numpy as np

from gotools.games.go.kernels.rules import COLOUR, PLANE, SIZE, STRIDE
from gotools.jit import inner, unrolled

EMPTY, BLACK, WHITE, BOARD, HEADS = range(5)
"""Points by content, all points, and the stones that name a chain."""
OWNED = 5
"""What black owns, and white (bouzy.py)."""
SIDE_BITS = 7
"""Five bits of black's numbers, and of white's (bouzy.py)."""
SCRATCH = 17
SETS = 20

_MOST_BITS = 62
_MOST_SIZE = STRIDE - 1
_WORDS = 2 + _MOST_SIZE // (_MOST_BITS // (_MOST_SIZE + 1)) + 1
"""Words of the largest board, with those beyond its ends."""


def _places():
    """Return uint8[20, PLANE] twice, the word and the bit of a padded point by size, and int16[20, words, 64] back."""
    word = np.zeros((_MOST_SIZE + 1, PLANE), np.uint8)
    bit = np.zeros((_MOST_SIZE + 1, PLANE), np.uint8)
    point = np.zeros((_MOST_SIZE + 1, _WORDS, 64), np.int16)
    for size in range(1, _MOST_SIZE + 1):
        rows = _MOST_BITS // (size + 1)
        for y in range(size):
            for x in range(size):
                p, i, b = (y + 1) * STRIDE + x + 1, 1 + y // rows, y % rows * (size + 1) + x
                word[size, p], bit[size, p], point[size, i, b] = i, b, p
    return word, bit, point


WORD, BIT, POINT = _places()
LOW = np.where(WORD == 1, np.int64(1) << BIT.astype(np.int64), 0)
HIGH = np.where(WORD == 2, np.int64(1) << BIT.astype(np.int64), 0)
"""The bit itself, int64[20, PLANE], in word 1 and word 2."""


_ROWS = np.array([_MOST_BITS // (size + 1) for size in range(_MOST_SIZE + 1)], np.int64)
_USED = np.array([size // _ROWS[size] + 1 for size in range(_MOST_SIZE + 1)], np.int64)
"""Rows of a word, and words in use, by size: tables are faster than division."""


@inner
def layout(size):
    """Return how many words are in use, the bits of a row, and the bits of all rows of a word but one."""
    return _USED[size], np.int64(size) + 1, (np.int64(size) + 1) * (_ROWS[size] - 1)


@inner
def fill_sets(state, sets):
    """Fill the sets EMPTY to HEADS; make all others empty."""
    size = np.int64(state[SIZE])
    many, stride, top = layout(size)
    for i in range(many + 2):
        for name in range(SETS):
            sets[i, name] = 0
    if size == 9:  # a constant length: the loops are unrolled
        _fill_rows(state, sets, 9, stride, top)
    else:
        _fill_rows(state, sets, size, stride, top)
    for i in range(1, many + 1):
        sets[i, EMPTY] = sets[i, BOARD] ^ sets[i, BLACK] ^ sets[i, WHITE]


@unrolled
def _fill_rows(state, sets, size, stride, top):
    """Put the rows of the board into the words of black, white, the board and the heads."""
    full = (1 << size) - 1
    i, shift = 1, 0
    for y in range(size):
        first = COLOUR + (y + 1) * STRIDE + 1
        low, high, heads = 0, 0, 0
        for x in range(size - 1, -1, -1):
            colour = np.int64(state[first + x])
            low = 2 * low + (colour & 1)
            high = 2 * high + (colour >> 1)
            heads = 2 * heads + (state[first + x + PLANE] == first + x - COLOUR)
        sets[i, BLACK] |= low << shift
        sets[i, WHITE] |= high << shift
        sets[i, HEADS] |= heads << shift
        sets[i, BOARD] |= full << shift
        shift += stride
        if shift > top:
            i, shift = i + 1, 0
