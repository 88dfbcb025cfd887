"""The order in which alpha-beta tries moves: the table's, killers, then by orderings and history.

A move that refuted its node is remembered: as a killer of the ply, and in the history of its side.

Sources: Akl and Newborn 1977 (killers); Schaeffer 1989 (history).
"""

import numpy as np

from gotools.jit import inlined, inner, kernel
from gotools.jit.kernels.elementary import log
from gotools.jit.kernels.seams import TO_PLAY
from gotools.search.kernels.knowledge import bring_best, keep_best, mix, penalty_of
from gotools.search.kernels.tables import (
    NODES,
    NOTED,
    ROOT_BEST,
    ROOT_MOVES,
    ROOT_VALUE,
    SEARCHED,
    extend_line,
)

NONE_AHEAD = -1
"""No move is tried before the others are ranked: they are already."""
NOISY = 1e10
"""Added to the scores of noisy moves in a selective search: they come first."""


@inner
def _keep_candidates(moves, scores, n, width):
    """Bring the `width` best moves to the front, and the last move behind them; returns how many that are."""
    last = n - 1
    kept = keep_best(moves, scores, last, width)
    moves[kept] = moves[last]
    scores[kept] = scores[last]
    return kept + 1


@kernel
def set_penalties(penalties, moves, scores, n, penalty):
    """Set what each move costs, by its score."""
    best = scores[0]
    for i in range(1, n):
        best = max(best, scores[i])
    for i in range(n):
        penalties[moves[i]] = np.int64(penalty_of(scores[i], best, penalty))


@inlined
def _rank_candidates(tables, ply, n, first):
    """Put the table's move before the others, which stand by their scores."""
    for i in range(n):
        if tables.moves[ply, i] == first:
            tables.scores[ply, i] = 8e18


@inlined
def _bring(moves, place, n, move):
    """Bring a move to a place, if it stands there or behind; returns the place after it, or the place itself."""
    for i in range(place, n):
        if moves[i] == move:
            for j in range(i, place, -1):
                moves[j] = moves[j - 1]
            moves[place] = move
            return place + 1
    return place


@inner
def _bring_ahead(tables, ply, n, first):
    """Bring the table's move and the killers to the front, where they are among the moves; returns how many are."""
    ahead = _bring(tables.moves[ply], 0, n, first)
    ahead = _bring(tables.moves[ply], ahead, n, np.int64(tables.killers[ply, 0]))
    return _bring(tables.moves[ply], ahead, n, np.int64(tables.killers[ply, 1]))


@inner
def _rank_by_history(moves, scores, n, history):
    """Score moves by how often they refuted positions."""
    for i in range(n):
        scores[i] = history[moves[i]]


@inner
def _add_history(moves, scores, n, history):
    """Add the history to the scores: its logarithm as a part of the largest one, 0 to 1."""
    most = 0
    for i in range(n):
        most = max(most, history[moves[i]])
    share = 1.0 / log(2.0 + most)
    for i in range(n):
        scores[i] = scores[i] + share * log(1.0 + history[moves[i]])


@inlined
def reward(tables, ply, side, move, depth):
    """Remember a move that refuted its node."""
    if tables.killers[ply, 0] != move:
        tables.killers[ply, 1] = tables.killers[ply, 0]
        tables.killers[ply, 0] = move
    tables.history[side, move] += depth * depth


@inner
def _put_first(moves, scores, n, noisy, count):
    """Let the noisy moves come before the others, in the order in which the game lists them."""
    for j in range(count):
        for i in range(n):
            if moves[i] == noisy[j]:
                scores[i] += NOISY * (count - j)
                break


@inner
def _rank_root(tables, first):
    """Keep the root's order, but for the move that the table names; returns the number of moves."""
    n, tables.counters[NOTED] = tables.counters[ROOT_MOVES], tables.counters[NODES]
    for i in range(n):
        tables.scores[0, i] = 1e18 if tables.moves[0, i] == first else -i
        tables.root_nodes[i] = 0
    return n


@inner
def note(tables, ply, i, move, found, better):
    """Keep the line of a better move, and of the root's move number i the value and the positions."""
    if ply == 0:
        tables.root_values[i] = found
        tables.root_nodes[i] = tables.counters[NODES] - tables.counters[NOTED]
        tables.counters[NOTED] = tables.counters[NODES]
        tables.counters[SEARCHED] = i + 1
        if better:
            tables.counters[ROOT_BEST] = move
            tables.counters[ROOT_VALUE] = found
    if better:
        extend_line(tables, ply, move)


@inner
def list_moves(tables, ply, depth, first, plan, rules, knowledge):
    """Fill moves[ply], scored where candidates are chosen or cost something; `first` is the move that the table names.

    Returns how many there are, and how many stand in their final order ahead of those to score; NONE_AHEAD: all do.
    """
    if ply == 0:
        return _rank_root(tables, first), NONE_AHEAD
    state, moves, scores = tables.states[ply], tables.moves[ply], tables.scores[ply]
    scorer, second = knowledge.scorer, knowledge.second
    n = rules.worthy(state, moves)
    if depth < plan.order_from or (plan.widths[depth] <= 0 and plan.penalty <= 0.0):
        return n, _bring_ahead(tables, ply, n, first)
    scorer.order(state, moves, n, scores, scorer.numbers)
    if plan.widths[depth] > 0:
        n = _keep_candidates(moves, scores, n, plan.widths[depth])
    if plan.penalty > 0.0:
        set_penalties(tables.penalties[ply], moves, scores, n, plan.penalty)
    if plan.second_weight > 0.0:
        second.order(state, moves, n, tables.second_scores, second.numbers)
        mix(scores, tables.second_scores, n, 1.0, plan.second_weight)
    _rank_candidates(tables, ply, n, first)
    return n, NONE_AHEAD


@inner
def score_rest(tables, ply, depth, begin, n, plan, knowledge):
    """Score the moves from number `begin` on: by history, and by the orderings too where they are asked.

    In a selective search noisy moves come first.
    """
    state = tables.states[ply]
    scorer, second = knowledge.scorer, knowledge.second
    moves, scores, count = tables.moves[ply, begin:], tables.scores[ply, begin:], n - begin
    history = tables.history[state[TO_PLAY]]
    if depth >= plan.order_from:
        scorer.order(state, moves, count, scores, scorer.numbers)
        second.order(state, moves, count, tables.second_scores, second.numbers)
        mix(scores, tables.second_scores, count, plan.weight, plan.second_weight)
        _add_history(moves, scores, count, history)
    else:
        _rank_by_history(moves, scores, count, history)
    if plan.selective != 0:
        noisy = tables.moves[ply + 1]  # of no use until the first move is searched
        _put_first(moves, scores, count, noisy, knowledge.noisy(state, noisy))


@inlined
def next_move(moves, scores, i, n, ahead):
    """Return the move number i of n, and whether a selective search may doubt it: it is quiet, and not the first.

    ahead -- how many moves stand before those that have scores; it doubts none of these
    """
    if i < ahead:
        return moves[i], False
    move = bring_best(moves, scores, i, n)
    return move, i > 0 and scores[i] < NOISY
