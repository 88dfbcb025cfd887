"""Kernels that turn points on boards into the facts that clauses test: chains in the window, edges, stage.

an example = (position, point, colour to play)

its window in frame s          chains that the window shows, smallest stone first
offset o = 0..47               block 1  block 2  ...            (0 = no stone there)
[ . . . . . . . ]              rows start[i] .. start[i+1]-1 of `number`, `relation`, `liberty_bits`
[ . . 2 . . . . ]
[ . . . * 1 . . ]   -> window[o, i, s] = 1
"""

import numpy as np

from gotools.games.go.kernels.chain_sets import find_chains
from gotools.games.go.kernels.constants import SYMMETRIES
from gotools.jit import inner, kernel

LIBERTIES, STONES, COLOUR, SMALLEST = 0, 1, 2, 3
"""Rows of `number`: liberties, stones, colour (1 own, 2 opponent's), smallest point of a chain."""

ATARI, CAPTURES, DIRECT, INDIRECT = 1, 2, 4, 8
"""Bits of `relation` for a stone of the own colour; the same shifted by 4 for one of the opponent's."""

TURNS = np.array(SYMMETRIES, np.int8)
"""int8[8, 4]: board offset of the frame's offset (dx, dy) is (t0*dx + t1*dy, t2*dx + t3*dy), frames p1..p8."""


@inner
def relate(board, size, point, to_play, chains, chain_at, number, relation, shared):
    """Fill relation[chain] with the bits of what a stone of either colour on `point` does to the chain.

    relation -- uint8[> chains]; shared -- int16[> chains] scratch
    """
    for c in range(chains + 1):
        relation[c] = 0
        shared[c] = 0
    x, y = point % size, point // size
    for k in range(4):
        nx, ny = x + (k == 2) - (k == 1), y + (k == 3) - (k == 0)
        if nx < 0 or ny < 0 or nx >= size or ny >= size:
            continue
        q = ny * size + nx
        c = chain_at[q]
        if c != 0:
            mine = 0 if number[2, c] == to_play else 4
            relation[c] |= DIRECT << mine
            if number[0, c] == 2:
                relation[c] |= ATARI << (4 - mine)
            elif number[0, c] == 1:
                relation[c] |= CAPTURES << (4 - mine)
            continue
        first, second, third = 0, 0, 0
        for m in range(4):
            mx, my = nx + (m == 2) - (m == 1), ny + (m == 3) - (m == 0)
            if mx < 0 or my < 0 or mx >= size or my >= size:
                continue
            d = chain_at[my * size + mx]
            if d == 0 or d == first or d == second or d == third:
                continue
            if first == 0:
                first = d
            elif second == 0:
                second = d
            else:
                third = d
            shared[d] += 1
    for c in range(1, chains + 1):
        mine = 0 if number[2, c] == to_play else 4
        if shared[c] >= 2 and not relation[c] & (DIRECT << mine):
            relation[c] |= INDIRECT << mine


@inner
def number_blocks(chain_at, size, point, radius, chains, everywhere, local):
    """Give the chains that the window around `point` shows the numbers 1, 2, ...; returns how many there are.

    everywhere -- number all chains of the board, not only those of the window
    local -- uint8[> chains], filled: a chain's number, 0 for a chain outside the window
    """
    for c in range(chains + 1):
        local[c] = 1 if everywhere else 0
    if not everywhere:
        x, y = point % size, point // size
        for ny in range(max(0, y - radius), min(size, y + radius + 1)):
            for nx in range(max(0, x - radius), min(size, x + radius + 1)):
                local[chain_at[ny * size + nx]] = 1
    local[0] = 0
    blocks = 0
    for c in range(1, chains + 1):
        if local[c]:
            blocks += 1
            local[c] = blocks
    return blocks


@kernel
def gather(
    boards, sizes, position, point, to_play, radius, everywhere, start, window, edge, stage, number, relation,
    liberty_bits,
):  # fmt: skip
    """Fill the facts of every example; with an empty `window` only count blocks into `start`.

    boards uint8[m, c], sizes uint8[m] -- positions; position int32[n], point int16[n], to_play uint8[n] -- examples
    start -- int64[n+1]: filled in the counting call, read in the second
    window uint8[offsets, n, 8]; edge int8[2, n, 8]; stage uint8[n] (0 open, 1 middle, 2 end)
    number int16[4, blocks]; relation uint8[blocks]; liberty_bits uint64[blocks, words]
    """
    n = position.shape[0]
    counting = window.shape[0] == 0
    most = boards.shape[1] + 1
    words = max(1, (boards.shape[1] + 63) // 64)
    chain_at = np.zeros(most, np.int16)
    stack = np.zeros(most, np.int16)
    stamp = np.zeros(most, np.int16)
    shared = np.zeros(most, np.int16)
    local = np.zeros(most, np.uint8)
    relations = np.zeros(most, np.uint8)
    numbers = np.zeros((4, most), np.int16)
    bits = np.zeros((most, words), np.uint64)
    current = -1
    chains = 0
    stones = 0
    for i in range(n):
        size = np.int64(sizes[position[i]])
        if position[i] != current:
            current = position[i]
            chains = find_chains(boards[current], size, chain_at, numbers, bits, stack, stamp)
            stones = 0
            for c in range(1, chains + 1):
                stones += numbers[1, c]
        p = np.int64(point[i])
        blocks = number_blocks(chain_at, size, p, radius, chains, everywhere, local)
        if counting:
            start[i + 1] = start[i] + blocks
            continue
        relate(boards[current], size, p, to_play[i], chains, chain_at, numbers, relations, shared)
        for c in range(1, chains + 1):
            if local[c]:
                row = start[i] + local[c] - 1
                number[0, row] = numbers[0, c]
                number[1, row] = numbers[1, c]
                number[2, row] = 1 if numbers[2, c] == to_play[i] else 2
                number[3, row] = numbers[3, c]
                relation[row] = relations[c]
                for w in range(liberty_bits.shape[1]):
                    liberty_bits[row, w] = bits[c, w]
        stage[i] = 0 if stones * 81 <= 10 * size * size else 1 if stones * 81 <= 30 * size * size else 2
        look_around(chain_at, size, p, radius, local, window, edge, i)


@inner
def look_around(chain_at, size, point, radius, local, window, edge, i):
    """Fill window[:, i, :] and edge[:, i, :] of the example at `point`."""
    x, y = point % size, point // size
    for s in range(8):
        o = 0
        for dx in range(-radius, radius + 1):
            for dy in range(-radius, radius + 1):
                if dx == 0 and dy == 0:
                    continue
                nx = x + TURNS[s, 0] * dx + TURNS[s, 1] * dy
                ny = y + TURNS[s, 2] * dx + TURNS[s, 3] * dy
                if 0 <= nx < size and 0 <= ny < size:
                    window[o, i, s] = local[chain_at[ny * size + nx]]
                else:
                    window[o, i, s] = 0
                o += 1
        for k in range(2):
            bx = -TURNS[s, 0] if k == 0 else -TURNS[s, 1]
            by = -TURNS[s, 2] if k == 0 else -TURNS[s, 3]
            if bx == -1:
                edge[k, i, s] = -(x + 1)
            elif bx == 1:
                edge[k, i, s] = x - size
            elif by == -1:
                edge[k, i, s] = -(y + 1)
            else:
                edge[k, i, s] = y - size
