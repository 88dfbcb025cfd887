"""Alpha-beta in an order that is known to be the best, or the worst: what any order of moves can save, or cost.

    tables: the search whose positions are counted, as that of alphabeta.py: ply 0, 1 .. depth, then quiescence
    truth:  another one, not counted, which values the moves of a node of the first exactly: its ply 1 is such a move

PERFECT  the move of the largest value first. On a tree of b moves everywhere and d plies b^ceil(d/2) + b^floor(d/2) - 1
         leaves are then looked at, the least for any alpha-beta (Knuth and Moore 1975). The order of the others changes
         nothing there.
WORST    the moves by their values, the smallest first

`minimax` follows every line, without an order, a window or a table.

Beyond the depth noisy moves stand in the order of the game (quiescence). Trees of games are not even: another move that
refutes a node may need fewer positions than the best one, so PERFECT is very near to the least, but no bound.
"""

from numba import types

from gotools.jit import seam
from gotools.jit.kernels.basics import copy_to
from gotools.jit.kernels.seams import ONGOING, RULES
from gotools.search.kernels.alphabeta import quiesce, search
from gotools.search.kernels.knowledge import bring_best
from gotools.search.kernels.tables import (
    INFINITE,
    KNOWLEDGE,
    NO_MOVE,
    PLAN,
    ROOT_BEST,
    ROOT_MOVES,
    ROOT_VALUE,
    STOPPED,
    TABLES,
    extend_line,
    scaled,
    stopped,
)
from gotools.search.kernels.transpositions import probe, store

PERFECT, WORST = range(2)


@seam(
    types.void(types.int64, types.int64, types.int64, types.int64, types.int64, TABLES, TABLES, PLAN, RULES, KNOWLEDGE)
)
def score_by_value(way, ply, depth, n, word, tables, truth, plan, rules, knowledge):
    """Score the n moves of a ply by what they are worth, `depth` plies deep with themselves.

    PERFECT values the position, which is less work than all of its moves, and scores the best move 1, the others 0;
    the root's moves may be some of the position's, and each is valued. Scores mean nothing where a search is stopped.

    word -- the key of the position
    """
    state, moves, scores = tables.states[ply], tables.moves[ply], tables.scores[ply]
    if way == PERFECT and ply > 0:
        copy_to(truth.states[1], state)
        search(1, depth, -INFINITE, INFINITE, truth, plan, rules, knowledge)
        best, _ = probe(truth, word, depth, -INFINITE, INFINITE, False)
        for i in range(n):
            scores[i] = 1.0 if moves[i] == best else 0.0
    else:
        sign = 1.0 if way == PERFECT else -1.0
        for i in range(n):
            rules.after(state, moves[i], truth.states[1])
            scores[i] = -sign * search(1, depth - 1, -INFINITE, INFINITE, truth, plan, rules, knowledge)
    if truth.counters[STOPPED] != 0:
        tables.counters[STOPPED] = 1


@seam(
    types.int64(types.int64, types.int64, types.int64, types.int64, types.int64, TABLES, TABLES, PLAN, RULES, KNOWLEDGE)
)
def search_by_value(way, ply, depth, alpha, beta, tables, truth, plan, rules, knowledge):
    """Value the position states[ply] for its side to play, as `search` does; fail-soft.

    At ply 0 the moves are the first counters[ROOT_MOVES] of moves[0]; ROOT_BEST and ROOT_VALUE become the answer.
    """
    tables.ends[ply] = ply
    if depth <= 0:
        return quiesce(ply, plan.quiescence, alpha, beta, tables, rules, knowledge)
    if stopped(tables):
        return 0
    state = tables.states[ply]
    value = rules.outcome(state)
    if value != ONGOING:
        return scaled(value)
    word = knowledge.key(state)
    moves, scores = tables.moves[ply], tables.scores[ply]
    n = tables.counters[ROOT_MOVES] if ply == 0 else rules.worthy(state, moves)
    _, known = probe(tables, word, depth, alpha, beta, False)
    if ply > 0 and known != INFINITE:
        return known
    score_by_value(way, ply, depth, n, word, tables, truth, plan, rules, knowledge)
    best, best_move, low = -INFINITE, NO_MOVE, alpha
    for i in range(n):
        if tables.counters[STOPPED] != 0:
            return 0
        move = bring_best(moves, scores, i, n)
        rules.after(state, move, tables.states[ply + 1])
        found = beta
        if i > 0:
            found = -search_by_value(way, ply + 1, depth - 1, -low - 1, -low, tables, truth, plan, rules, knowledge)
        if i == 0 or low < found < beta:
            found = -search_by_value(way, ply + 1, depth - 1, -beta, -low, tables, truth, plan, rules, knowledge)
        if tables.counters[STOPPED] != 0:
            return 0
        if found > max(best, low):
            extend_line(tables, ply, move)
            if ply == 0:
                tables.counters[ROOT_BEST], tables.counters[ROOT_VALUE] = move, found
        if found > best:
            best, best_move = found, move
            low = max(low, found)
        if low >= beta:
            break
    store(tables, word, depth if ply > 0 else 0, alpha, beta, best, best_move)
    return best


@seam(types.int64(types.int64, types.int64, TABLES, PLAN, RULES, KNOWLEDGE))
def minimax(ply, depth, tables, plan, rules, knowledge):
    """Value the position of a ply by all lines of `depth` plies; at ply 0 moves and answer are as in search_by_value.

    Quiescence, which is no part of these lines, still leaves out what cannot matter in it.
    """
    tables.ends[ply] = ply
    if depth <= 0:
        return quiesce(ply, plan.quiescence, -INFINITE, INFINITE, tables, rules, knowledge)
    if stopped(tables):
        return 0
    state, moves = tables.states[ply], tables.moves[ply]
    value = rules.outcome(state)
    if value != ONGOING:
        return scaled(value)
    best = -INFINITE
    for i in range(tables.counters[ROOT_MOVES] if ply == 0 else rules.worthy(state, moves)):
        rules.after(state, moves[i], tables.states[ply + 1])
        found = -minimax(ply + 1, depth - 1, tables, plan, rules, knowledge)
        if tables.counters[STOPPED] != 0:
            return 0
        if found > best:
            best = found
            extend_line(tables, ply, moves[i])
            if ply == 0:
                tables.counters[ROOT_BEST], tables.counters[ROOT_VALUE] = moves[i], found
    return best
