"""Name the chains of many positions, and list what the Prolog tables of an export hold.

head    int16[n, c]   the smallest point of the chain that a stone is in; -1 on empty points
lists   int32[m, k]   one fact a row, large enough; the kernels return how many rows they used
"""

import numpy as np

from gotools.jit import inner, kernel

ATARI, CAPTURES, CONNECTS_DIRECT, CONNECTS_INDIRECT = range(4)


@inner
def neighbours(point, size, beside):
    """Fill `beside` with the points next to `point`; return how many there are."""
    count = 0
    x, y = point % size, point // size
    for step in range(4):
        nx = x + (1 if step == 0 else 0) - (1 if step == 1 else 0)
        ny = y + (1 if step == 2 else 0) - (1 if step == 3 else 0)
        if 0 <= nx < size and 0 <= ny < size:
            beside[count] = ny * size + nx
            count += 1
    return count


@kernel
def name_chains(board, size, head, stones, liberties):
    """Fill head; and, at the heads, the numbers of stones and liberties of their chains (int16[n, c], 0 elsewhere)."""
    beside = np.empty(4, np.int64)
    queue = np.empty(board.shape[1], np.int64)
    counted = np.full(board.shape[1], -1, np.int64)
    for row in range(board.shape[0]):
        side = int(size[row])
        head[row, :] = -1
        counted[:] = -1
        for point in range(side * side):
            if board[row, point] == 0 or head[row, point] >= 0:
                continue
            head[row, point] = point
            queue[0] = point
            done, found = 0, 1
            while done < found:
                for at in range(neighbours(queue[done], side, beside)):
                    near = beside[at]
                    if board[row, near] == 0 and counted[near] != point:
                        counted[near] = point
                        liberties[row, point] += 1
                    elif board[row, near] == board[row, point] and head[row, near] < 0:
                        head[row, near] = point
                        queue[found] = near
                        found += 1
                done += 1
            stones[row, point] = found


@kernel
def list_liberties(head, size, facts):
    """List (position, chain, liberty)."""
    used = 0
    beside = np.empty(4, np.int64)
    for row in range(head.shape[0]):
        side = int(size[row])
        for point in range(side * side):
            if head[row, point] >= 0:
                continue
            first = used
            for at in range(neighbours(point, side, beside)):
                chain = head[row, beside[at]]
                new = chain >= 0
                for before in range(first, used):
                    new = new and facts[before, 1] != chain
                if new:
                    facts[used, 0], facts[used, 1], facts[used, 2] = row, chain, point
                    used += 1
    return used


@inner
def count_shared(board, side, head, empty, colour, shared):
    """Add 1 to shared[chain] for each chain of a colour that has the empty point as a liberty."""
    further = np.empty(4, np.int64)
    seen = np.full(4, -1, np.int64)
    for to in range(neighbours(empty, side, further)):
        chain = head[further[to]]
        if chain < 0 or board[chain] != colour:
            continue
        new = True
        for i in range(to):
            new = new and seen[i] != chain
        if new:
            seen[to] = chain
            shared[chain] += 1


@kernel
def list_relations(board, size, head, liberties, position, points, facts):
    """List (relation, index, colour, chain): what a stone of either colour would do on points[index].

    position -- int64[m], the row of the board that points[index] is on
    """
    used = 0
    beside = np.empty(4, np.int64)
    shared = np.zeros(board.shape[1], np.int64)
    for index in range(len(points)):
        row = position[index]
        side = int(size[row])
        near = neighbours(int(points[index]), side, beside)
        for colour in (1, 2):
            first = used
            shared[:] = 0
            for at in range(near):
                chain = head[row, beside[at]]
                if chain < 0:
                    count_shared(board[row], side, head[row], beside[at], colour, shared)
                elif board[row, chain] == colour:
                    used = _add(facts, first, used, CONNECTS_DIRECT, index, colour, chain)
                elif liberties[row, chain] == 2:
                    used = _add(facts, first, used, ATARI, index, colour, chain)
                elif liberties[row, chain] == 1:
                    used = _add(facts, first, used, CAPTURES, index, colour, chain)
            for before in range(first, used):
                if facts[before, 0] == CONNECTS_DIRECT:
                    shared[facts[before, 3]] = 0
            for chain in range(side * side):
                if shared[chain] >= 2:
                    used = _add(facts, first, used, CONNECTS_INDIRECT, index, colour, chain)
    return used


@inner
def _add(facts, first, used, relation, index, colour, chain):
    """Add a fact if it is not among those from `first` on; return the new count."""
    for before in range(first, used):
        if facts[before, 0] == relation and facts[before, 3] == chain:
            return used
    facts[used, 0], facts[used, 1], facts[used, 2], facts[used, 3] = relation, index, colour, chain
    return used + 1
