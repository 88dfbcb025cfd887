"""The search through the subsets of a bottom clause, in the order of Aleph's induce/1.

    literals 0..m-1 (0 = the head)          the tree of clauses: a node = its parent + one literal
    0 move(A,B,C,D)                          node 0: head
    1 pos_gen(E)          dependents 5, 7    node 1: head, pos_gen
    2 stage(A,open)                          ...   children of a node = the dependents of its last literal whose
    ...                                            inputs are bound, then the literals of its younger siblings

P is counted first, and only until it cannot beat the best clause any more; N only for clauses that pass. A node keeps
no examples: they are found anew when it is expanded, which costs as much as one to five children and bounds the memory.
"""

from typing import NamedTuple

import numpy as np

from gotools.jit import kernel
from gotools.patterns._clauses import (
    OWN,
    UNBOUND,
    Rows,
    bind,
    count,
    fresh_bindings,
    narrow,
    no_rows,
    quick_count,
    resolve,
    thinned,
)
from gotools.patterns._memo import KEY, N, P, SEED, STAMP, UNKNOWN, find, key_of_test
from gotools.patterns._tests import CHOOSE, CHOOSE_BY, NOTHING, WIDTH, key_of

COVERAGE, COMPRESSION, ENTROPY, LAPLACE, POSONLY = 0, 1, 2, 3, 4
BREADTH, BEST, BEAM = 0, 1, 2
LOOK_BACK = 8
"""A known P is mended by the examples gone since as long as these are fewer than one in so many."""

OPPOSITE, LIBERTY_CNT, STONE_CNT, BLOCK_ON_POS, BLOCK_COLOR = 1, 2, 3, 4, 5
"""Kinds of literals that the constraints name."""


class Settings(NamedTuple):
    """Limits and choices of one search."""

    nodes: int
    noise: int
    min_body: int
    max_body: int
    score: int
    search: int
    beam: int
    enough: int  # positives of the whole set: a clause that covers so many ends the search


class Tree(NamedTuple):
    """The clauses searched, numbered from 1 as in Aleph (row 0 is unused)."""

    parent: np.ndarray  # int32[nodes+2]
    literal: np.ndarray  # int32[nodes+2]: the last literal; -1 for a clause that was dropped
    length: np.ndarray  # int32[nodes+2]: literals, head included
    family: np.ndarray  # int32[nodes+2]: the expansion that made it
    p: np.ndarray  # int32[nodes+2]
    n: np.ndarray  # int32[nodes+2]
    value: np.ndarray  # float64[nodes+2]: score
    key: np.ndarray  # uint64[nodes+2]: see _memo.py
    last_of: np.ndarray  # int32[nodes+2]: last node of a family


@kernel
def value_of(score, p, n, length, total_n):
    """Return the score of a clause of `length` literals (head included) that covers p and n.

    Sources: Muggleton 1995 (compression), 1996 (posonly); the Aleph manual (the others). total_n -- all counter-examples.
    """
    if score == COVERAGE:
        return np.float64(p - n)
    if score == COMPRESSION:
        return np.float64(p - n - length + 1)
    if score == LAPLACE:
        return (p + 1.0) / (p + n + 2.0)
    if score == POSONLY:
        return np.log(np.float64(p)) + np.log(total_n + 2.0) - (length + 1.0) / p - np.log(n + 1.0)
    share = p / (p + n)
    if share == 1.0:
        return 0.0
    if share <= 0.5:
        return -1.0
    return share * np.log2(share) + (1 - share) * np.log2(1 - share)


@kernel
def goes_before(tree, a, b, search):
    """Tell whether open node a is expanded before b: shorter first (or only better first), then better, then older."""
    if search != BEST and tree.length[a] != tree.length[b]:
        return tree.length[a] < tree.length[b]
    if tree.value[a] != tree.value[b]:
        return tree.value[a] > tree.value[b]
    return a < b


@kernel
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


@kernel
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


@kernel
def path_to(tree, node, path):
    """Write the literals of a node into `path`, head first; returns how many."""
    length = tree.length[node]
    for k in range(length - 1, -1, -1):
        path[k] = tree.literal[node]
        node = tree.parent[node]
    return length


@kernel
def pruned(literals, path, length, new):
    """Tell whether the body says `opposite` twice, or counts liberties or stones of one block twice."""
    kind = literals.kind[new]
    if kind == OPPOSITE or kind == LIBERTY_CNT or kind == STONE_CNT:
        for k in range(1, length):
            if literals.kind[path[k]] == kind and (kind == OPPOSITE or literals.block[path[k]] == literals.block[new]):
                return True
    return False


@kernel
def acceptable(literals, path, length, seen, min_body):
    """Tell whether a clause fulfils the integrity constraints of the specification.

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


@kernel
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


@kernel
def search(facts, pos, neg, memo, low, high, literals, settings, variables):
    """Find the best acceptable clause among the subsets of a bottom clause.

    pos, neg -- Masks of the positives still uncovered and of the counter-examples; memo -- Memo over `pos`
    low, high -- int32[intervals]

    Returns (P, N, the clauses searched, int32[]: the literals of the body in order; empty where no clause will do).
    """
    size = settings.nodes + 2
    tree = Tree(
        np.zeros(size, np.int32),
        np.full(size, -1, np.int32),
        np.zeros(size, np.int32),
        np.zeros(size, np.int32),
        np.zeros(size, np.int32),
        np.zeros(size, np.int32),
        np.zeros(size, np.float64),
        np.zeros(size, np.uint64),
        np.zeros(size, np.int32),
    )
    heap = np.empty(size, np.int32)
    path = np.zeros(settings.max_body + 2, np.int32)
    follow = np.empty(2 * literals.op.shape[0] + 2, np.int32)
    popped = np.zeros(settings.max_body + 2, np.int64)
    seen = np.zeros(variables, np.int32)
    test = np.zeros(WIDTH, np.int32)
    tests = np.zeros((settings.max_body + 2, WIDTH), np.int32)
    where, shares = fresh_bindings(variables)
    is_bound = np.zeros(variables, np.bool_)
    is_next = np.zeros(literals.op.shape[0], np.bool_)
    n_pos, n_neg = np.count_nonzero(pos.base), neg.active.shape[0]
    # the seed itself is the clause to beat: P = 1, N = 0
    best = 1.0 if settings.score == COVERAGE or settings.score == COMPRESSION else -np.inf
    best_p, best_n, best_node = 0, 0, 0

    offsets = facts.window.shape[0]
    table, gone = memo.table, memo.state[0]
    memo.state[1] += 1
    nobody = no_rows()
    everybody = np.empty(0, np.int32)
    tree.literal[1] = 0
    tree.length[1] = 1
    tree.family[1] = 1
    tree.p[1] = n_pos
    tree.n[1] = n_neg
    tree.value[1] = value_of(settings.score, n_pos, n_neg, 1, n_neg)
    tree.last_of[1] = 1
    heap[0] = 1
    opened = 1
    last = 1
    family = 1
    while opened > 0 and last < settings.nodes and best_p != settings.enough:
        node = heap[0]
        opened = pop(heap, opened, tree, settings.search)
        if hopeless(settings.score, tree.p[node], tree.length[node], best, n_neg):
            continue
        if settings.search == BEAM:
            popped[tree.length[node]] += 1
            if popped[tree.length[node]] > settings.beam:
                continue
        family += 1
        length = path_to(tree, node, path)
        axes = follow_path(literals, path, length, offsets, where, shares, is_bound, tests)
        pos_rows = neg_rows = gone_rows = nobody
        pos_known = neg_known = False
        gone_since = -1
        found = children(tree, node, literals, path, length, is_bound, is_next, follow)
        for c in range(found):
            if last >= settings.nodes or best_p == settings.enough:
                break
            last += 1
            new = follow[c]
            if pruned(literals, path, length, new):
                continue
            resolve(literals.op[new], where, shares, axes, offsets, test)
            if test[0] == NOTHING:
                key = tree.key[node]
                p, n, row = tree.p[node], tree.n[node], -1
            else:
                key = tree.key[node] + key_of_test(test, axes)
                row = find(table, key)
                if row < 0:
                    row = -1 - row
                    table[row, KEY], table[row, N], table[row, STAMP] = np.int64(key), UNKNOWN, UNKNOWN
                table[row, SEED] = memo.state[1]
                n = table[row, N]
                since = table[row, STAMP]
                if since >= 0 and since < gone and (gone - since) * LOOK_BACK < n_pos:
                    if since != gone_since:
                        gone_since = since
                        gone_rows = rows_of(facts, pos, low, high, tests, length, memo.gone[since:gone])
                    table[row, P] -= counted(facts, pos, low, high, gone_rows, test)
                elif since != gone:
                    if not pos_known:
                        pos_known = True
                        pos_rows = rows_of(facts, pos, low, high, tests, length, everybody)
                    table[row, P] = counted(facts, pos, low, high, pos_rows, test)
                table[row, STAMP] = gone
                p = table[row, P]
            if p < 1 or hopeless(settings.score, p, length + 1, best, n_neg):
                continue
            if n == UNKNOWN:
                if not neg_known:
                    neg_known = True
                    neg_rows = rows_of(facts, neg, low, high, tests, length, everybody)
                n = counted(facts, neg, low, high, neg_rows, test)
                table[row, N] = n
            value = value_of(settings.score, p, n, length + 1, n_neg)
            tree.parent[last] = node
            tree.literal[last] = new
            tree.length[last] = length + 1
            tree.family[last] = family
            tree.key[last] = key
            tree.p[last] = p
            tree.n[last] = n
            tree.value[last] = value
            if length < settings.max_body:
                opened = push(heap, opened, last, tree, settings.search)
            if n <= settings.noise and value > best and p > 1:
                path[length] = new
                if acceptable(literals, path, length + 1, seen, settings.min_body):
                    best, best_p, best_n, best_node = value, p, n, last
        tree.last_of[family] = last
    if best_node == 0:
        return 0, 0, last, np.empty(0, np.int32)
    length = path_to(tree, best_node, path)
    return best_p, best_n, last, path[1:length].copy()


@kernel
def hopeless(score, p, length, best, total_n):
    """Tell whether neither a clause that covers p positives nor any refinement of it can beat `best`."""
    return value_of(score, p, 0, length, total_n) <= best


@kernel
def follow_path(literals, path, length, offsets, where, shares, is_bound, tests):
    """Bind the variables of a clause anew and write what its literals demand into `tests`; returns its open slots.

    where, shares, is_bound -- the bindings, overwritten; tests -- int32[>= length, WIDTH]
    """
    where[:] = UNBOUND
    where[1] = OWN
    is_bound[:] = False
    axes = 0
    for k in range(length):
        literal = path[k]
        if k > 0:
            resolve(literals.op[literal], where, shares, axes, offsets, tests[k])
            axes = bind(literals.op[literal], where, shares, axes, offsets)
        for m in range(literals.outputs.shape[1]):
            if literals.outputs[literal, m] >= 0:
                is_bound[literals.outputs[literal, m]] = True
    return axes


@kernel
def rows_of(facts, masks, low, high, tests, length, some):
    """Return the rows that the conditions tests[1:length] leave; those with masks first, which commutes and is cheap.

    some -- int32[]: look at these examples only, whether they count or not; empty for all that count
    """
    offsets, intervals = facts.window.shape[0], low.shape[0]
    givens, properties = facts.given.shape[0], facts.properties.shape[0]
    few = some.shape[0]
    bits = np.full(few, 255, np.uint8) if few > 0 else masks.base.copy()
    rest = 0
    for k in range(1, length):
        kind = tests[k, 0]
        if kind == NOTHING:
            continue
        key = key_of(tests[k], offsets, intervals, givens, properties)
        row = masks.row_of[key] if key >= 0 else -1
        if row < 0 or kind == CHOOSE or kind == CHOOSE_BY:
            rest += 1
        elif few > 0:
            mask = masks.rows[row]
            for j in range(few):
                bits[j] &= mask[some[j]]
        else:
            mask = masks.rows[row]
            for j in range(bits.shape[0]):
                bits[j] &= mask[j]
    if few > 0:
        kept = np.flatnonzero(bits)
        rows = Rows(some[kept], bits[kept], np.empty((kept.shape[0], 0), np.uint8), np.empty(0, np.uint8))
    else:
        rows = thinned(Rows(np.empty(0, np.int32), np.empty(0, np.uint8), np.empty((0, 0), np.uint8), bits))
    if rest == 0:
        return rows
    for k in range(1, length):
        key = key_of(tests[k], offsets, intervals, givens, properties)
        kind = tests[k, 0]
        if key < 0 or masks.row_of[key] < 0 or kind == CHOOSE or kind == CHOOSE_BY:
            rows = narrow(facts, masks, low, high, rows, tests[k])
    return rows


@kernel
def counted(facts, masks, low, high, rows, test):
    """Count the examples of `rows` that fulfil the condition too, on the short way where its mask is known."""
    key = key_of(test, facts.window.shape[0], low.shape[0], facts.given.shape[0], facts.properties.shape[0])
    known = masks.row_of[key] if key >= 0 else -1
    if known >= 0:
        return quick_count(rows.dense, rows.example, rows.bits, masks.rows[known])
    return count(facts, masks, low, high, rows, test)
