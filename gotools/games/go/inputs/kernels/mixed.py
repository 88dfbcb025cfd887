"""Inputs of several kinds for one network, own less the opponent's, for the side to play.

    chosen:     bits 0 to 7 the inputs of thesis8.py, then ZOBRIST, DISTANCE, AREA, EXPLICIT (control.py), the counts,
                RAW, and LIBERTIES
    x:          | the chosen ones in the order of their bits |
    counts:     | chains in atari | sets of linked chains | groups |    those of games/go/kernels/chain_sets.py
    raw:        | point 0 | point 1 | ... |    1 own stone, -1 the opponent's, 0 empty
    liberties:  | point 0 | point 1 | ... |    those of the chain that stands there, negative of the opponent's, 0 empty

RAW and LIBERTIES are one input for each point, the others are one each. Points as in points.py: row after row from the
bottom.
"""

import numpy as np

from gotools.games.go.estimate.kernels.control import distance_lead, explicit_lead, zobrist_lead
from gotools.games.go.inputs.kernels.thesis8 import INPUTS8, inputs_thesis8
from gotools.games.go.kernels.chain_sets import find_chains, new_chain_sets, unite_chains
from gotools.games.go.kernels.rules import COLOUR, SIZE, STRIDE, TO_PLAY, area_score, cells_of
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import count_bits
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import EVALUATE, INPUTS

COUNTS = 3
THESIS8 = (1 << INPUTS8) - 1
ZOBRIST, DISTANCE, AREA, EXPLICIT, CHAINS = (1 << (INPUTS8 + i) for i in range(5))
"""CHAINS is the first of the counts."""
RAW, LIBERTIES = CHAINS << COUNTS, CHAINS << COUNTS + 1


@seam(INPUTS)
def inputs_raw(state, x):
    """Fill float64[size * size] with the stones."""
    size = state[SIZE]
    mine = 3.0 - 2.0 * state[TO_PLAY]
    for row in range(size):
        first = COLOUR + (row + 1) * STRIDE + 1
        for column in range(size):
            colour = state[first + column]
            x[row * size + column] = 0.0 if colour == 0 else (mine if colour == 1 else -mine)


@seam(EVALUATE)
def value_raw(state, numbers):
    """Value a position by a network over its stones."""
    x = np.empty(state[SIZE] * state[SIZE], np.float64)
    inputs_raw(state, x)
    return network_value(x, numbers)


@inner
def see_chains(state, counts, liberties):
    """Fill counts float64[3], own less the opponent's, and, if it has room, liberties float64[size * size]."""
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


@inner
def _fill(state, chosen, x):
    """Fill the chosen inputs."""
    sign = 1 if state[TO_PLAY] == 1 else -1
    n = 0
    if chosen & THESIS8:
        eight = np.empty(INPUTS8, np.float64)
        inputs_thesis8(state, eight)
        for i in range(INPUTS8):
            if chosen >> i & 1:
                x[n] = eight[i]
                n += 1
    if chosen & ZOBRIST:
        x[n] = sign * zobrist_lead(state)
        n += 1
    if chosen & DISTANCE:
        x[n] = sign * distance_lead(state)
        n += 1
    if chosen & AREA:
        x[n] = sign * area_score(state)
        n += 1
    if chosen & EXPLICIT:
        x[n] = sign * explicit_lead(state)
        n += 1
    by_point = n + count_bits(chosen & (RAW - CHAINS))
    if chosen & RAW:
        inputs_raw(state, x[by_point:])
    if chosen & (RAW - CHAINS) or chosen & LIBERTIES:
        counts = np.empty(COUNTS, np.float64)
        see_chains(state, counts, x[x.shape[0] - state[SIZE] * state[SIZE] :] if chosen & LIBERTIES else x[:0])
        for i in range(COUNTS):
            if chosen & CHAINS << i:
                x[n] = counts[i]
                n += 1


def functions(chosen):
    """Return functions of the signatures INPUTS and EVALUATE; chosen -- the bits."""

    @seam(INPUTS)
    def inputs_mixed(state, x):
        _fill(state, chosen, x)

    @seam(EVALUATE)
    def value_mixed(state, numbers):
        size = np.int64(state[SIZE])
        x = np.empty(count_bits(chosen & (RAW - 1)) + size * size * count_bits(chosen & (RAW | LIBERTIES)), np.float64)
        _fill(state, chosen, x)
        return network_value(x, numbers)

    return inputs_mixed, value_mixed
