"""The tree of clauses that a search builds: which come next, which are allowed, which are open.

    literals 0..m-1 (0 = the head)          a node = its parent + one literal
    0 move(A,B,C,D)                          node 1: head
    1 pos_gen(E)          dependents 5, 7    node 2: head, pos_gen
    2 stage(A,open)                          ...   children of a node = the dependents of its last literal whose
    ...                                            inputs are bound, then the literals of its younger siblings

The order is that of Aleph's induce/1, so that a search that stops at a number of clauses stops at the same one.
"""

from typing import NamedTuple

import numpy as np

from gotools.jit import inner
from gotools.rules.cover.kernels.memo import mixed

BREADTH, BEST, BEAM, DEPTH, RANDOM = 0, 1, 2, 3, 4
OPPOSITE, LIBERTY_CNT, STONE_CNT, BLOCK_ON_POS, BLOCK_COLOR = 1, 2, 3, 4, 5
"""Kinds of literals that the constraints name."""


class Tree(NamedTuple):
    """The clauses searched, numbered from 1 as in Aleph (row 0 is unused)."""

    parent: np.ndarray  # int32[nodes+2]
    literal: np.ndarray  # int32[nodes+2]: the last literal; -1 for a clause that was dropped
    length: np.ndarray  # int32[nodes+2]: literals, head included
    family: np.ndarray  # int32[nodes+2]: the expansion that made it
    p: np.ndarray  # int32[nodes+2]
    n: np.ndarray  # int32[nodes+2]
    value: np.ndarray  # float64[nodes+2]: score
    key: np.ndarray  # uint64[nodes+2]: see memo.py
    last_of: np.ndarray  # int32[nodes+2]: last node of a family
    lot: np.ndarray  # uint64[nodes+2]: the number that a clause draws; filled for RANDOM only


@inner
def new_tree(size, search, salt):
    """Return room for size - 2 clauses; salt -- uint64, of the numbers that they draw."""
    lot = np.empty(size if search == RANDOM else 0, np.uint64)
    for node in range(lot.shape[0]):
        lot[node] = mixed(salt + np.uint64(node))
    return Tree(
        np.zeros(size, np.int32),
        np.full(size, -1, np.int32),
        np.zeros(size, np.int32),
        np.zeros(size, np.int32),
        np.zeros(size, np.int32),
        np.zeros(size, np.int32),
        np.zeros(size, np.float64),
        np.zeros(size, np.uint64),
        np.zeros(size, np.int32),
        lot,
    )


@inner
def goes_before(tree, a, b, search):
    """Return whether open node a comes before b.

    BREADTH and BEAM: the shorter first, DEPTH: the longer; then, and for BEST at once, the better, then the older.
    RANDOM: the one that drew the smaller number.
    """
    if search == RANDOM:
        return tree.lot[a] < tree.lot[b]
    if search != BEST and tree.length[a] != tree.length[b]:
        return (tree.length[a] < tree.length[b]) != (search == DEPTH)
    if tree.value[a] != tree.value[b]:
        return tree.value[a] > tree.value[b]
    return a < b


@inner
def push(heap, size, node, tree, search):
    """Add a node to the open nodes, a binary heap; returns its new size."""
    at = size
    heap[at] = node
    while at > 0:
        up = (at - 1) // 2
        if not goes_before(tree, heap[at], heap[up], search):
            break
        heap[at], heap[up] = heap[up], heap[at]
        at = up
    return size + 1


@inner
def pop(heap, size, tree, search):
    """Take the first open node off heap[0] (the caller has read it); returns the new size."""
    size -= 1
    heap[0] = heap[size]
    at = 0
    while True:
        first = at
        for child in range(2 * at + 1, min(2 * at + 3, size)):
            if goes_before(tree, heap[child], heap[first], search):
                first = child
        if first == at:
            return size
        heap[at], heap[first] = heap[first], heap[at]
        at = first


@inner
def path_to(tree, node, path):
    """Write the literals of a node into `path`, head first; returns how many."""
    length = tree.length[node]
    for k in range(length - 1, -1, -1):
        path[k] = tree.literal[node]
        node = tree.parent[node]
    return length


@inner
def pruned(literals, path, length, new):
    """Return whether the body says `opposite` twice, or counts liberties or stones of one block twice."""
    kind = literals.kind[new]
    if kind == OPPOSITE or kind == LIBERTY_CNT or kind == STONE_CNT:
        for k in range(1, length):
            if literals.kind[path[k]] == kind and (kind == OPPOSITE or literals.block[path[k]] == literals.block[new]):
                return True
    return False


@inner
def acceptable(literals, path, length, seen, min_body):
    """Return whether a clause fulfils the integrity constraints of the specification.

    seen -- int32[variables] scratch
    """
    if length - 1 < min_body:
        return False
    seen[:] = 0
    anchored = False
    for k in range(1, length):
        anchored |= literals.anchors[path[k]]
        for v in literals.variables[path[k]]:
            if v >= 0:
                seen[v] += 1
    for v in range(4, seen.shape[0]):
        if seen[v] == 1:
            return False
    for k in range(1, length):
        if literals.kind[path[k]] == BLOCK_ON_POS:
            coloured = False
            for m in range(1, length):
                block = literals.block[path[m]]
                coloured |= literals.kind[path[m]] == BLOCK_COLOR and block == literals.block[path[k]]
            if not coloured:
                return False
    return anchored


@inner
def children(tree, node, literals, path, length, is_bound, is_next, out):
    """Write the literals that may follow `node` into `out`, in order; returns how many.

    is_bound -- bool[variables]: variables that the node's literals bind
    is_next -- bool[literals] scratch, all False before and after
    """
    last = tree.literal[node]
    found = 0
    begin, end = literals.dependent_at[last], literals.dependent_at[last + 1]
    for at in range(begin, end):
        d = literals.dependent[at]
        is_next[d] = True
        fits = True
        for k in range(1, length):
            fits &= path[k] != d
        for k in range(literals.inputs.shape[1]):
            v = literals.inputs[d, k]
            fits &= v < 0 or is_bound[v]
        if fits:
            out[found] = d
            found += 1
    for sibling in range(node + 1, tree.last_of[tree.family[node]] + 1):
        literal = tree.literal[sibling]
        if literal >= 0 and not is_next[literal]:
            out[found] = literal
            found += 1
    for at in range(begin, end):
        is_next[literals.dependent[at]] = False
    return found
