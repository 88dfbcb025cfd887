"""Alpha-beta for any game: negamax with a transposition table, principal variations, killers, history, quiescence.

    ply      0         1         2     ...   depth      depth + 1 ...
           root    best N    best N          leaf: quiescence -> evaluate
    states[ply]  moves[ply], scores[ply]  killers[ply]  lines[ply, ply:ends[ply]]

Values are int64 inside: SCALE is won, for the side to play; so the result is that of plain minimax to the last digit,
over the same moves: all worthy ones, or the `widths[depth]` best by the ordering (and the last listed, in Go the pass).
For that an entry of the table counts only at the depth that it was searched to; at others it names the move to try
first.
Killers and history change only the order, and so does knowledge where it neither prunes nor sets penalties. The table's
move and the killers are then tried before any move is scored: most nodes end there. A penalty is paid by the side that
makes a move, for its low score: minimax of a game with such penalties. With extensions a move that makes a threat costs
no depth, up to a number of plies in a line: minimax of that tree.
A selective search (selective.py) is not exact: it leaves out what hardly matters, and takes deeper values of the table.

Sources: Knuth and Moore 1975; Marsland 1986 (principal variation search); Plaat 1996.
"""

import numpy as np
from numba import types

from gotools.jit import inlined, seam
from gotools.jit.kernels.seams import ONGOING, RULES, TO_PLAY
from gotools.search.kernels.move_order import list_moves, next_move, note, reward, score_rest
from gotools.search.kernels.selective import asks, is_beyond, is_futile, may_skip, reduction, skipped_depth
from gotools.search.kernels.tables import (
    FARTHEST,
    INFINITE,
    KNOWLEDGE,
    NO_MOVE,
    PLAN,
    PLIES,
    STOPPED,
    TABLES,
    extend_line,
    opened,
    scaled,
    stopped,
)
from gotools.search.kernels.transpositions import probe, store

_ROOM_WORD = np.int64(0x2545F4914F6CDD1D)


@inlined
def value_of(state, knowledge):
    """Return what the evaluation says of a position."""
    value = knowledge.valuer.evaluate(state, knowledge.valuer.numbers)
    return scaled(knowledge.scale * (opened(value) if knowledge.opens != 0 else value))


@seam(types.int64(types.int64, types.int64, types.int64, types.int64, TABLES, RULES, KNOWLEDGE))
def quiesce(ply, left, alpha, beta, tables, rules, knowledge):
    """Value the position of a ply: its evaluation, or the best that noisy moves make of it; fail-soft.

    left -- plies of noisy moves still allowed
    """
    tables.ends[ply] = ply
    if stopped(tables):
        return 0
    state = tables.states[ply]
    value = rules.outcome(state)
    if value != ONGOING:
        return scaled(value)
    best = value_of(state, knowledge)
    if left <= 0 or best >= beta or ply + 1 >= PLIES:
        return best
    alpha = max(alpha, best)
    moves = tables.moves[ply]
    for i in range(knowledge.noisy(state, moves)):
        rules.after(state, moves[i], tables.states[ply + 1])
        found = -quiesce(ply + 1, left - 1, -beta, -alpha, tables, rules, knowledge)
        if tables.counters[STOPPED] != 0:
            return 0
        if found > best:
            best = found
            if found > alpha:
                alpha = found
                extend_line(tables, ply, moves[i])
                if alpha >= beta:
                    break
    return best


@inlined
def _room_word(room, extensions, selective):
    """Return what tells positions apart by the plies by which lines from them may still become longer, where exact."""
    return _ROOM_WORD * np.int64(2 * room + 1) if extensions > 0 and selective == 0 else np.int64(0)


@seam(types.int64(types.int64, types.int64, types.int64, types.int64, TABLES, PLAN, RULES, KNOWLEDGE))
def search(ply, depth, alpha, beta, tables, plan, rules, knowledge):
    """Value the position states[ply] for its side to play, `depth` plies deep; fail-soft.

    At ply 0 the moves are the first counters[ROOT_MOVES] of moves[0]. When counters[STOPPED] is 1 it means nothing.
    """
    if depth <= 0:
        return quiesce(ply, plan.quiescence, alpha, beta, tables, rules, knowledge)
    tables.ends[ply], state = ply, tables.states[ply]
    if stopped(tables):
        return 0
    value = rules.outcome(state)
    if value != ONGOING:
        return scaled(value)
    room, aside = tables.counters[FARTHEST] - ply - depth, asks(plan.selective, ply, alpha, beta, knowledge.scale)
    word = knowledge.key(state) ^ _room_word(room, plan.extensions, plan.selective)
    first, known_value = probe(tables, word, depth, alpha, beta, aside)
    if ply > 0 and known_value != INFINITE:
        return known_value
    static = INFINITE if not aside or knowledge.threatened(state) else value_of(state, knowledge)
    if is_beyond(static, depth, beta, plan.margin):
        return static
    if may_skip(static, depth, beta, tables.made[ply - 1], plan.skip):
        rules.after(state, plan.skip, tables.states[ply + 1])
        tables.made[ply] = plan.skip
        found = -search(ply + 1, skipped_depth(depth), -beta, 1 - beta, tables, plan, rules, knowledge)
        if found >= beta or tables.counters[STOPPED] != 0:
            return beta
    n, ahead = list_moves(tables, ply, depth, first, plan, rules, knowledge)
    best, best_move, low = -INFINITE, NO_MOVE, alpha
    for i in range(n):
        if i == ahead:
            score_rest(tables, ply, depth, i, n, plan, knowledge)
        move, quiet = next_move(tables.moves[ply], tables.scores[ply], i, n, ahead)
        if quiet and is_futile(static, depth, i, low, plan.margin):
            best = max(best, low)
            continue
        rules.after(state, move, tables.states[ply + 1])
        tables.made[ply] = move
        penalty = tables.penalties[ply, move] if plan.penalty > 0.0 and depth >= plan.order_from else 0
        a, b = -beta - penalty, -low - penalty  # the window of the side that answers
        left = depth if plan.extensions > 0 and room > 0 and knowledge.threatened(tables.states[ply + 1]) else depth - 1
        shallow = left - reduction(plan.reductions, depth, i, aside) if quiet and left < depth else left
        found = beta if i == 0 else -penalty - search(ply + 1, shallow, b - 1, b, tables, plan, rules, knowledge)
        if shallow < left and found > low:
            found = -penalty - search(ply + 1, left, b - 1, b, tables, plan, rules, knowledge)
        if i == 0 or low < found < beta:
            found = -penalty - search(ply + 1, left, a, b, tables, plan, rules, knowledge)
        if tables.counters[STOPPED] != 0:
            return 0
        better = found > max(best, low)
        if better or ply == 0:
            note(tables, ply, i, move, found, better)
        if found > best:
            best, best_move, low = found, move, max(low, found)
        if low >= beta:
            reward(tables, ply, state[TO_PLAY], move, depth)
            break
    store(tables, word, depth if ply > 0 else 0, alpha, beta, best, best_move)  # the root's moves are not all moves
    return best
