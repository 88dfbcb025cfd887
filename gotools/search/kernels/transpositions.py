"""The transposition table: positions met before, what they were found to be worth, and the move to try first.

    entries[slot]  | value: 32 bits | depth: 8 | bound: 4 | move: 20 |      keys[slot]  hash of the position ^ entry

Newer entries replace older ones. Threads that share the table write the two words without a lock: a key and an entry of
different positions do not fit each other.

Source of that: Hyatt and Mann 2002, A lockless transposition-table implementation for parallel search.
"""

from gotools.jit import inlined
from gotools.search.kernels.tables import INFINITE, NO_MOVE

_EXACT, _LOWER, _UPPER = 1, 2, 3


@inlined
def probe(tables, word, depth, alpha, beta, deeper):
    """Look a position up; returns the move to try first, and its value where that settles the node, else INFINITE.

    deeper -- a value that was searched deeper counts too
    """
    slot = word & (len(tables.keys) - 1)
    entry = tables.entries[slot]
    if tables.keys[slot] ^ entry != word or entry == 0:
        return NO_MOVE, INFINITE
    first, bound, searched, value = entry & 0xFFFFF, entry >> 20 & 0xF, entry >> 24 & 0xFF, entry >> 32
    if searched == depth or (deeper and searched > depth):
        if bound == _EXACT or (bound == _LOWER and value >= beta) or (bound == _UPPER and value <= alpha):
            return first, value
    return first, INFINITE


@inlined
def store(tables, word, depth, alpha, beta, best, best_move):
    """Keep what a node was found to be worth."""
    slot = word & (len(tables.keys) - 1)
    bound = _EXACT if alpha < best < beta else (_LOWER if best >= beta else _UPPER)
    entry = (best << 32) | (depth << 24) | (bound << 20) | best_move
    tables.keys[slot], tables.entries[slot] = word ^ entry, entry
