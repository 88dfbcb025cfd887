"""What a network may see of chains: how many there are of some kind, own less the opponent's, and their liberties.

    counts:     | chains in atari | sets of linked chains | groups |
    liberties:  | point 0 | point 1 | ... |    those of the chain that stands there, negative of the opponent's, 0 empty

Linked chains and groups are those of go/kernels/chain_sets.py.
"""

import numpy as np

from gotools.go.kernels.chain_sets import find_chains, new_chain_sets, unite_chains
from gotools.go.kernels.rules import SIZE, TO_PLAY, cells_of
from gotools.jit import inner

COUNTS = 3


@inner
def see_chains(state, counts, liberties):
    """Fill counts float64[3] and, if it has room, liberties float64[size * size]."""
    size = np.int64(state[SIZE])
    points = size * size
    board, sets = np.empty(points, np.uint8), new_chain_sets(points + 1)
    chain_at, stack, stamp = np.empty(points, np.int16), np.empty(points, np.int16), np.empty(points, np.int16)
    number = np.zeros((4, points + 1), np.int16)
    bits = np.zeros((points + 1, (points + 63) // 64), np.uint64)
    cells_of(state, board)
    chains = find_chains(board, size, chain_at, number, bits, stack, stamp)
    unite_chains(size, chains, chain_at, number, bits, sets)
    counts[:] = 0.0
    for c in range(1, chains + 1):
        mine = 1.0 if number[2, c] == state[TO_PLAY] else -1.0
        counts[0] += mine * (number[0, c] == 1)
        counts[1] += mine * (sets.linked[c] == c)
        counts[2] += mine * (sets.group[c] == c)
    for p in range(liberties.shape[0]):
        sign = 0.0 if board[p] == 0 else (1.0 if board[p] == state[TO_PLAY] else -1.0)
        liberties[p] = sign * number[0, chain_at[p]]
