"""The search for the best clause among the subsets of a bottom clause.

Clauses are tried in the order of the tree (see tree.py). P and N of most come from the memo (see memo.py); for the
others P is counted first, and N only if they can still beat the best. A node keeps no examples: they are found anew
when something must be counted below it, which costs as much as one to five counts and bounds the memory.
"""

from typing import NamedTuple

import numpy as np

from gotools.jit import inner, kernel
from gotools.jit.kernels.elementary import LOG2_E, log
from gotools.rules.clauses.kernels.clauses import (
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
from gotools.rules.clauses.kernels.conditions import CHOOSE, CHOOSE_BY, CONDITION_WIDTH, NOTHING, key_of
from gotools.rules.cover.kernels.memo import KEY, SEED, STAMP, UNKNOWN, N, P, find, key_of_test, mixed
from gotools.rules.cover.kernels.tree import BEAM, acceptable, children, new_tree, path_to, pop, pruned, push

COVERAGE, COMPRESSION, ENTROPY, LAPLACE, POSONLY = 0, 1, 2, 3, 4
LOOK_BACK = 8
"""A known P is updated from the examples gone since, as long as fewer than one in this number are gone."""


class SearchSettings(NamedTuple):
    """Limits and choices of one search."""

    nodes: int
    noise: int
    min_body: int
    max_body: int
    score: int
    search: int
    beam: int
    enough: int  # positives of the whole set: a clause that covers this number ends the search
    seed: int  # of the numbers that clauses draw


@inner
def value_of(score, p, n, length, total_n):
    """Return the score of a clause of `length` literals (head included) that covers p and n.

    Sources: Muggleton 1995 (compression), 1996 (posonly); the Aleph manual. total_n -- all counter-examples.
    """
    if score == COVERAGE:
        return np.float64(p - n)
    if score == COMPRESSION:
        return np.float64(p - n - length + 1)
    if score == LAPLACE:
        return (p + 1.0) / (p + n + 2.0)
    if score == POSONLY:
        return log(np.float64(p)) + log(total_n + 2.0) - (length + 1.0) / p - log(n + 1.0)
    share = p / (p + n)
    if share == 1.0:
        return 0.0
    if share <= 0.5:
        return -1.0
    return (share * log(share) + (1 - share) * log(1 - share)) * LOG2_E


class Work(NamedTuple):
    """What a search works with, besides the tree: room for paths, bindings and conditions; no rows, made once."""

    heap: np.ndarray
    path: np.ndarray
    follow: np.ndarray
    opened: np.ndarray
    seen: np.ndarray
    test: np.ndarray
    tests: np.ndarray
    where: np.ndarray
    shares: np.ndarray
    is_bound: np.ndarray
    is_next: np.ndarray
    nothing: Rows
    all_rows: np.ndarray


@inner
def new_work(size, settings, literals, variables):
    """Return room for a search of `size` nodes."""
    where, shares = fresh_bindings(variables)
    return Work(
        np.empty(size, np.int32),
        np.zeros(settings.max_body + 2, np.int32),
        np.empty(2 * literals.op.shape[0] + 2, np.int32),
        np.zeros(settings.max_body + 2, np.int64),
        np.zeros(variables, np.int32),
        np.zeros(CONDITION_WIDTH, np.int32),
        np.zeros((settings.max_body + 2, CONDITION_WIDTH), np.int32),
        where,
        shares,
        np.zeros(variables, np.bool_),
        np.zeros(literals.op.shape[0], np.bool_),
        no_rows(),
        np.empty(0, np.int32),
    )


@inner
def _plant(tree, heap, n_pos, n_neg, score):
    """Make the clause without a body the root of a tree, and open it."""
    tree.literal[1] = 0
    tree.length[1] = 1
    tree.family[1] = 1
    tree.p[1] = n_pos
    tree.n[1] = n_neg
    tree.value[1] = value_of(score, n_pos, n_neg, 1, n_neg)
    tree.last_of[1] = 1
    heap[0] = 1


@inner
def _add(tree, child, node, literal, family, key, p, n, value):
    """Add a clause to the tree: that of `node` and a literal."""
    tree.parent[child] = node
    tree.literal[child] = literal
    tree.length[child] = tree.length[node] + 1
    tree.family[child] = family
    tree.key[child] = key
    tree.p[child] = p
    tree.n[child] = n
    tree.value[child] = value


@inner
def _row_of(memo, key):
    """Return the row of a key in the memo, a new one if it is not there, and note that this seed has come upon it."""
    table = memo.table
    row = find(table, key)
    if row < 0:
        row = -1 - row
        table[row, KEY], table[row, N], table[row, STAMP] = np.int64(key), UNKNOWN, UNKNOWN
    table[row, SEED] = memo.state[1]
    return row


class Best(NamedTuple):
    """The best acceptable clause so far: its score, P, N and node in the tree, 0 for none."""

    value: float
    p: int
    n: int
    node: int


@kernel
def search(facts, pos, neg, memo, low, high, literals, settings, variables, example):
    """Find the best acceptable clause among the subsets of a bottom clause.

    pos, neg -- Masks of the positives still uncovered and of the counter-examples; memo -- CountMemo over `pos`
    low, high -- int32[intervals]; example -- the number of the positive that the bottom clause is of

    Returns (P, N, the clauses searched, int32[]: the literals of the body in order; empty if no clause is acceptable).
    """
    salt = mixed(mixed(np.uint64(settings.seed)) + np.uint64(example))
    tree = new_tree(settings.nodes + 2, settings.search, salt)
    work = new_work(settings.nodes + 2, settings, literals, variables)
    n_pos, n_neg = np.count_nonzero(pos.base), neg.active.shape[0]
    # the seed itself is the clause to beat: P = 1, N = 0
    beaten = 1.0 if settings.score == COVERAGE or settings.score == COMPRESSION else -np.inf
    best = Best(beaten, 0, 0, 0)
    memo.state[1] += 1
    _plant(tree, work.heap, n_pos, n_neg, settings.score)
    opened = last = family = 1
    while opened > 0 and last < settings.nodes and best.p != settings.enough:
        node = work.heap[0]
        opened = pop(work.heap, opened, tree, settings.search)
        length = np.int64(tree.length[node])
        if hopeless(settings.score, tree.p[node], length, best.value, n_neg):
            continue
        if settings.search == BEAM:
            work.opened[length] += 1
            if work.opened[length] > settings.beam:
                continue
        family += 1
        opened, last, best = _expand(
            facts, pos, neg, memo, low, high, literals, settings, tree, work, node, family, n_pos, opened, last, best
        )
        tree.last_of[family] = last
    if best.node == 0:
        return 0, 0, last, np.empty(0, np.int32)
    length = path_to(tree, best.node, work.path)
    return best.p, best.n, last, work.path[1:length].copy()


@inner
def _expand(
    facts, pos, neg, memo, low, high, literals, settings, tree, work, node, family, n_pos, opened, last, best
):  # fmt: skip
    """Try every clause that a node and one more literal make, and add those to the tree that may lead to a better one.

    family, n_pos -- the number of these clauses as children of one node; positives still uncovered

    Returns how many nodes are open, how many clauses were searched, and the best of all.
    """
    heap, path, test, tests = work.heap, work.path, work.test, work.tests
    table, gone, n_neg = memo.table, memo.state[0], neg.active.shape[0]
    offsets, length = facts.window.shape[0], np.int64(tree.length[node])
    path_to(tree, node, path)
    axes = follow_path(literals, path, length, offsets, work.where, work.shares, work.is_bound, tests)
    pos_rows = neg_rows = gone_rows = work.nothing
    pos_known, neg_known, gone_since = False, False, -1
    for c in range(children(tree, node, literals, path, length, work.is_bound, work.is_next, work.follow)):
        if last >= settings.nodes or best.p == settings.enough:
            break
        last += 1
        new = work.follow[c]
        if pruned(literals, path, length, new):
            continue
        resolve(literals.op[new], work.where, work.shares, axes, offsets, test)
        if test[0] == NOTHING:
            key, p, n, row = tree.key[node], tree.p[node], tree.n[node], -1
        else:
            key = tree.key[node] + key_of_test(test, axes)
            row = _row_of(memo, key)
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
                    pos_rows = rows_of(facts, pos, low, high, tests, length, work.all_rows)
                table[row, P] = counted(facts, pos, low, high, pos_rows, test)
            table[row, STAMP] = gone
            p = table[row, P]
        if p < 1 or hopeless(settings.score, p, length + 1, best.value, n_neg):
            continue
        if n == UNKNOWN:
            if not neg_known:
                neg_known = True
                neg_rows = rows_of(facts, neg, low, high, tests, length, work.all_rows)
            n = counted(facts, neg, low, high, neg_rows, test)
            table[row, N] = n
        value = value_of(settings.score, p, n, length + 1, n_neg)
        _add(tree, last, node, new, family, key, p, n, value)
        if length < settings.max_body:
            opened = push(heap, opened, last, tree, settings.search)
        if n <= settings.noise and value > best.value and p > 1:
            path[length] = new
            if acceptable(literals, path, length + 1, work.seen, settings.min_body):
                best = Best(value, p, n, last)
    return opened, last, best


@inner
def hopeless(score, p, length, best, total_n):
    """Return whether neither a clause that covers p positives nor any refinement of it can beat `best`."""
    return value_of(score, p, 0, length, total_n) <= best


@inner
def follow_path(literals, path, length, offsets, where, shares, is_bound, tests):
    """Bind the variables of a clause anew, write the conditions of its literals into `tests`, return its open slots.

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


@inner
def rows_of(facts, masks, low, high, tests, length, some):
    """Return the rows that the conditions tests[1:length] leave; those with masks first, which commutes and is cheap.

    some -- int32[]: only these examples, whether they count or not; empty for all that count
    """
    offsets, intervals = facts.window.shape[0], low.shape[0]
    givens, properties, measures = facts.given.shape[0], facts.properties.shape[0], facts.measure.shape[0]
    few = some.shape[0]
    bits = np.full(few, 255, np.uint8) if few > 0 else masks.base.copy()
    rest = 0
    for k in range(1, length):
        kind = tests[k, 0]
        if kind == NOTHING:
            continue
        key = key_of(tests[k], offsets, intervals, givens, properties, measures)
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
        key = key_of(tests[k], offsets, intervals, givens, properties, measures)
        kind = tests[k, 0]
        if key < 0 or masks.row_of[key] < 0 or kind == CHOOSE or kind == CHOOSE_BY:
            rows = narrow(facts, masks, low, high, rows, tests[k])
    return rows


@inner
def counted(facts, masks, low, high, rows, test):
    """Count the examples of `rows` that fulfil the condition too, faster where its mask is known."""
    givens, properties, measures = facts.given.shape[0], facts.properties.shape[0], facts.measure.shape[0]
    key = key_of(test, facts.window.shape[0], low.shape[0], givens, properties, measures)
    known = masks.row_of[key] if key >= 0 else -1
    if known >= 0:
        return quick_count(rows.dense, rows.example, rows.bits, masks.rows[known])
    return count(facts, masks, low, high, rows, test)
