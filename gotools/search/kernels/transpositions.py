"""The transposition table: positions met before, what they were found to be worth, and the move to try first.

    keys[slot]  hash of the position      entries[slot]  | value: 32 bits | depth: 8 | age: 2 | bound: 2 | move: 20 |

Two slots, slot and slot ^ 1, may hold a position; a new one takes the place of one that an earlier search left, else of
the one searched less deep.

Source: Breuker, Uiterwijk and van den Herik 1996 (two positions a place).
"""

from gotools.jit import inlined
from gotools.search.kernels.tables import AGE, INFINITE, NO_MOVE

_EXACT, _LOWER, _UPPER = 1, 2, 3


@inlined
def _depth_of(entry):
    return entry >> 24 & 0xFF


@inlined
def _place(tables, word):
    """Return the slot of a position: where it is, else the one of its two that it may take."""
    slot = word & (len(tables.keys) - 1)
    other = slot ^ 1 & (len(tables.keys) - 1)
    if tables.keys[slot] == word or tables.entries[slot] == 0:
        return slot
    if tables.keys[other] == word or tables.entries[other] == 0:
        return other
    age = tables.counters[AGE]
    one, two = tables.entries[slot], tables.entries[other]
    if (one >> 22 & 3 != age) != (two >> 22 & 3 != age):
        return slot if one >> 22 & 3 != age else other
    return slot if _depth_of(one) <= _depth_of(two) else other


@inlined
def probe(tables, word, depth, alpha, beta, deeper):
    """Look a position up; returns the move to try first, and its value where that settles the node, else INFINITE.

    deeper -- a value that was searched deeper counts too
    """
    slot = _place(tables, word)
    entry = tables.entries[slot]
    if tables.keys[slot] != word or entry == 0:
        return NO_MOVE, INFINITE
    first, bound, value = entry & 0xFFFFF, entry >> 20 & 3, entry >> 32
    if _depth_of(entry) == depth or (deeper and _depth_of(entry) > depth):
        if bound == _EXACT or (bound == _LOWER and value >= beta) or (bound == _UPPER and value <= alpha):
            return first, value
    return first, INFINITE


@inlined
def store(tables, word, depth, alpha, beta, best, best_move):
    """Keep what a node was found to be worth."""
    slot = _place(tables, word)
    bound = _EXACT if alpha < best < beta else (_LOWER if best >= beta else _UPPER)
    tables.keys[slot] = word
    tables.entries[slot] = (best << 32) | (depth << 24) | (tables.counters[AGE] << 22) | (bound << 20) | best_move
