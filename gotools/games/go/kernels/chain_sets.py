"""Kernels that find the chains of a board, and unite chains of a colour: linked ones, and groups.

    linked:  share two liberties: cut on one, they connect on the other (the thesis' cadena, figure 2.8)
    group:   one reaches the other over one or two empty points: they share a liberty, or have two next to each other

Both go on from chain to chain. Chains are numbered from 1; a set of chains has the number of its first one.
"""

from typing import NamedTuple

import numpy as np

from gotools.games.go.kernels.chains import neighbours
from gotools.jit import inner
from gotools.jit.kernels.basics import count_bits


class ChainSets(NamedTuple):
    """The sets of a position, filled by unite_chains."""

    linked: np.ndarray  # int16[> chains]: the set of linked chains that a chain is of
    linked_liberties: np.ndarray  # int16[> chains]: of a set, shared ones once
    group: np.ndarray  # int16[> chains]
    group_liberties: np.ndarray  # int16[> chains]
    group_at: np.ndarray  # int16[3, > points]: the group of a colour that an empty point is a liberty of, or 0


@inner
def new_chain_sets(most):
    """Return arrays for the sets of fewer than `most` chains, on fewer than `most` points."""
    return ChainSets(
        np.zeros(most, np.int16),
        np.zeros(most, np.int16),
        np.zeros(most, np.int16),
        np.zeros(most, np.int16),
        np.zeros((3, most), np.int16),
    )


@inner
def find_chains(board, size, chain_at, number, liberty_bits, stack, stamp):
    """Number the chains of one position from 1, smallest point first; returns how many there are.

    board -- uint8[>= size*size] by point number
    chain_at -- int16[>= size*size], filled: chain of a point, 0 if empty
    number -- int16[4, >= chains + 1], filled by chain: liberties, stones, colour (as on the board), smallest point
    liberty_bits -- uint64[>= chains + 1, words], filled: a bit for each liberty
    stack, stamp -- int16[>= size*size] scratch
    """
    points = size * size
    chains = 0
    for p in range(points):
        chain_at[p] = 0
        stamp[p] = 0
    for p in range(points):
        if board[p] == 0 or chain_at[p] != 0:
            continue
        chains += 1
        colour = board[p]
        for w in range(liberty_bits.shape[1]):
            liberty_bits[chains, w] = 0
        stones = 0
        liberties = 0
        top = 1
        stack[0] = p
        chain_at[p] = chains
        while top > 0:
            top -= 1
            q = np.int64(stack[top])
            stones += 1
            x = q % size
            for k in range(4):
                if k == 0:
                    r = q - size
                elif k == 1:
                    r = q - 1 if x > 0 else -1
                elif k == 2:
                    r = q + 1 if x < size - 1 else -1
                else:
                    r = q + size
                if r < 0 or r >= points:
                    continue
                if board[r] == 0:
                    if stamp[r] != chains:
                        stamp[r] = chains
                        liberties += 1
                        liberty_bits[chains, r >> 6] |= np.uint64(1) << np.uint64(r & 63)
                elif board[r] == colour and chain_at[r] == 0:
                    chain_at[r] = chains
                    stack[top] = r
                    top += 1
        number[0, chains] = liberties
        number[1, chains] = stones
        number[2, chains] = colour
        number[3, chains] = p
    return chains


@inner
def unite_chains(size, chains, chain_at, number, liberty_bits, sets):
    """Fill `sets` from what find_chains found."""
    for c in range(chains + 1):
        sets.linked[c] = c
        sets.group[c] = c
    for c in range(1, chains + 1):
        for d in range(c + 1, chains + 1):
            if number[2, c] == number[2, d] and _share_two(liberty_bits, c, d):
                _unite(sets.linked, c, d)
    _unite_groups(size, chain_at, number, sets)
    for c in range(1, chains + 1):
        sets.linked[c] = sets.linked[sets.linked[c]]
        sets.group[c] = sets.group[sets.group[c]]
    for p in range(size * size):
        for colour in range(1, 3):
            sets.group_at[colour, p] = sets.group[sets.group_at[colour, p]]
    _count_liberties(chains, liberty_bits, sets.linked, sets.linked_liberties)
    _count_liberties(chains, liberty_bits, sets.group, sets.group_liberties)


@inner
def _share_two(liberty_bits, c, d):
    """Return whether two chains share two liberties."""
    shared = 0
    for w in range(liberty_bits.shape[1]):
        shared += count_bits(np.int64(liberty_bits[c, w] & liberty_bits[d, w]))
    return shared >= 2


@inner
def _unite(first, c, d):
    """Unite the sets of two chains; a chain leads to an earlier one of its set, the first one to itself."""
    while first[c] != c:
        c = np.int64(first[c])
    while first[d] != d:
        d = np.int64(first[d])
    first[max(c, d)] = min(c, d)


@inner
def _unite_groups(size, chain_at, number, sets):
    """Unite the chains of a colour that have a liberty in common, or two liberties next to each other."""
    beside = np.zeros(4, np.int64)
    sets.group_at[:] = 0
    for p in range(size * size):
        for k in range(neighbours(p, size, beside) if chain_at[p] == 0 else 0):
            c = np.int64(chain_at[beside[k]])
            if c != 0:
                mine = sets.group_at[number[2, c]]
                mine[p] = c if mine[p] == 0 else mine[p]
                _unite(sets.group, np.int64(mine[p]), c)
    for p in range(size * size):
        for k in range(neighbours(p, size, beside) if chain_at[p] == 0 else 0):
            for colour in range(1, 3):
                mine = sets.group_at[colour]
                if beside[k] > p and mine[p] != 0 and mine[beside[k]] != 0:
                    _unite(sets.group, np.int64(mine[p]), np.int64(mine[beside[k]]))


@inner
def _count_liberties(chains, liberty_bits, first, liberties):
    """Fill the liberties of each set, shared ones once."""
    for c in range(1, chains + 1):
        liberties[c] = 0
        for w in range(liberty_bits.shape[1] if first[c] == c else 0):
            free = liberty_bits[c, w]
            for d in range(c + 1, chains + 1):
                if first[d] == c:
                    free |= liberty_bits[d, w]
            liberties[c] += count_bits(np.int64(free))
