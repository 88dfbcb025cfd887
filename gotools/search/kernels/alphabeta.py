"""Alpha-beta for any game: negamax with a transposition table, principal variations, killers, history, quiescence.

    ply      0         1         2     ...   depth      depth + 1 ...
           root    best N    best N          leaf: quiescence -> evaluate
    states[ply]  moves[ply], scores[ply]  killers[ply]  lines[ply, ply:ends[ply]]

Values are int64 inside: SCALE is won, for the side to play; so the result is that of plain minimax to the last digit,
over the same moves: all worthy ones, or the `widths[depth]` best by the ordering (and the last listed, in Go the pass).
For that an entry of the table counts only at the depth that it was searched to; at others it names the move to try
first.
Killers and history change only the order, and so does knowledge where it neither prunes nor sets penalties. The table's
move and the killers are then tried before any move is scored: most nodes end there. With reductions the value is no
longer exact. A penalty is paid by the side that makes a move, for its low score: minimax of a game with such penalties.
With extensions a move that makes a threat costs no depth, up to a number of plies in a line: minimax of that tree.

Sources: Knuth and Moore 1975; Marsland 1986 (principal variation search); Schaeffer 1989 (history); Plaat 1996.
"""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.elementary import log
from gotools.jit.kernels.seams import (
    KEY,
    LEGAL,
    ONGOING,
    RULES,
    SCORER,
    THREATENED,
    TO_PLAY,
    VALUER,
    Scorer,
    Valuer,
    record,
)
from gotools.search.kernels.knowledge import bring_best, keep_best, mix, penalty_of

SCALE = 1_000_000
INFINITE = 4 * SCALE
DEEPEST = 64
"""Plies of the search proper, and of quiescence beyond it together at most twice that."""
PLIES = 2 * DEEPEST
NODES, NODE_LIMIT, STOPPED, ROOT_MOVES, ROOT_BEST, ROOT_VALUE, SEARCHED, FARTHEST = range(8)
_EXACT, _LOWER, _UPPER = 1, 2, 3
NO_MOVE = -1
_NONE_AHEAD = -1
"""No move is tried before the others are ranked: they are already."""
_FIRST_REDUCED = 4
"""Moves of a node that are never reduced."""
_ROOM_WORD = np.int64(0x2545F4914F6CDD1D)


class Tables(NamedTuple):
    """What a search works with.

    keys, entries  -- int64[2**k], the transposition table: hash, and the packed value, depth, bound, move
    states         -- int32[PLIES, cells]
    moves, scores  -- [PLIES, longest]
    killers        -- int32[PLIES, 2]
    history        -- int64[3, moves], by side
    lines, ends    -- int32[PLIES, PLIES] and int32[PLIES]: the best line from each ply
    penalties      -- int64[PLIES, moves], what a move costs for its low score
    second_scores  -- float64[longest], of the second ordering
    root_values, root_nodes -- int64[longest], of each root move; its value is exact for the best only
    counters       -- int64[8]: NODES .. FARTHEST above. FARTHEST: the ply that extended lines may reach
    stop           -- int32[1], set to 1 from outside
    """

    keys: np.ndarray
    entries: np.ndarray
    states: np.ndarray
    moves: np.ndarray
    scores: np.ndarray
    killers: np.ndarray
    history: np.ndarray
    lines: np.ndarray
    ends: np.ndarray
    penalties: np.ndarray
    second_scores: np.ndarray
    root_values: np.ndarray
    root_nodes: np.ndarray
    counters: np.ndarray
    stop: np.ndarray


class Plan(NamedTuple):
    """How to search.

    widths      -- int64[DEEPEST + 1], candidates kept by depth left; 0 keeps all
    order_from  -- depth left from which on the orderings score moves; below, killers and history order alone
    quiescence  -- plies of noisy moves after the last
    reductions  -- search late moves one ply less, and again in full where they look better
    extensions  -- plies by which a line may become longer, one for each threat in it
    penalty     -- what a move costs for each unit that its score is below the best, in parts of SCALE
    weight, second_weight -- what a unit of the orderings' scores counts beside history, which counts 0 to 1
    """

    widths: np.ndarray
    order_from: int
    quiescence: int
    reductions: int
    extensions: int
    penalty: float
    weight: float
    second_weight: float


class Knowledge(NamedTuple):
    """What a search knows beside the rules.

    scorer -- scores moves, prunes and sets penalties where the plan says so; second -- only orders
    valuer -- values positions at the leaves; noisy -- lists the moves searched before that
    threatened -- says whether the side to play must answer a threat; a move that makes one costs no depth (extensions)
    key    -- distinguishes positions by all that the ordering looks at
    scale  -- what an evaluation of 1 is worth beside decided games
    """

    scorer: Scorer
    second: Scorer
    valuer: Valuer
    noisy: object
    threatened: object
    key: object
    scale: float


def new_tables(cells, longest, moves, bits):
    """Make what a search of a game works with; the transposition table has 2**bits entries."""
    return Tables(
        keys=np.zeros(1 << bits, np.int64),
        entries=np.zeros(1 << bits, np.int64),
        states=np.zeros((PLIES + 1, cells), np.int32),
        moves=np.zeros((PLIES + 1, longest), np.int32),
        scores=np.zeros((PLIES + 1, longest)),
        killers=np.zeros((PLIES + 1, 2), np.int32),
        history=np.zeros((3, moves), np.int64),
        lines=np.zeros((PLIES + 1, PLIES + 1), np.int32),
        ends=np.zeros(PLIES + 2, np.int32),
        penalties=np.zeros((PLIES + 1, moves), np.int64),
        second_scores=np.zeros(longest),
        root_values=np.zeros(longest, np.int64),
        root_nodes=np.zeros(longest, np.int64),
        counters=np.zeros(8, np.int64),
        stop=np.zeros(1, np.int32),
    )


TABLES = typeof(new_tables(1, 1, 1, 0))
PLAN = typeof(Plan(np.zeros(1, np.int64), 0, 0, 0, 0, 0.0, 0.0, 0.0))
KNOWLEDGE = record(Knowledge, SCORER, SCORER, VALUER, LEGAL, THREATENED, KEY, types.float64)


@inner
def scaled(value):
    return np.int64(np.rint(value * SCALE))


@inner
def stopped(tables):
    """Count a node, unless the search has to end; say whether it has to."""
    counters = tables.counters
    if tables.stop[0] != 0 or counters[NODES] >= counters[NODE_LIMIT]:
        counters[STOPPED] = 1
    if counters[STOPPED] != 0:
        return True
    counters[NODES] += 1
    return False


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


@inner
def _rank_candidates(tables, ply, n, first):
    """Put the table's move before the others, which stand by their scores."""
    for i in range(n):
        if tables.moves[ply, i] == first:
            tables.scores[ply, i] = 8e18


@inner
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
def _rank_by_history(tables, ply, side, begin, n):
    """Score the moves from `begin` on by how often they refuted positions."""
    for i in range(begin, n):
        tables.scores[ply, i] = tables.history[side, tables.moves[ply, i]]


@inner
def _add_history(tables, ply, side, begin, n):
    """Add the history to the scores: its logarithm as a part of the largest one, 0 to 1."""
    scores, most = tables.scores[ply], 0
    for i in range(begin, n):
        most = max(most, tables.history[side, tables.moves[ply, i]])
    share = 1.0 / log(2.0 + most)
    for i in range(begin, n):
        often = tables.history[side, tables.moves[ply, i]]
        scores[i] = scores[i] + share * log(1.0 + often)


@inner
def _reward(tables, ply, side, move, depth):
    """Remember a move that refuted its node."""
    if tables.killers[ply, 0] != move:
        tables.killers[ply, 1] = tables.killers[ply, 0]
        tables.killers[ply, 0] = move
    tables.history[side, move] += depth * depth


@inner
def extend_line(tables, ply, move):
    """Make the line of a ply the move and the line of the next ply."""
    tables.lines[ply, ply] = move
    end = tables.ends[ply + 1]
    for i in range(ply + 1, end):
        tables.lines[ply, i] = tables.lines[ply + 1, i]
    tables.ends[ply] = end


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
    best = scaled(knowledge.scale * knowledge.valuer.evaluate(state, knowledge.valuer.numbers))
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


@inner
def probe(tables, word, depth, alpha, beta):
    """Look a position up; returns the move to try first, and its value where that settles the node, else INFINITE."""
    slot = word & (len(tables.keys) - 1)
    entry = tables.entries[slot]
    if tables.keys[slot] != word or entry == 0:
        return NO_MOVE, INFINITE
    first, bound, value = entry & 0xFFFFF, entry >> 20 & 0xF, entry >> 32
    if (entry >> 24 & 0xFF) == depth:
        if bound == _EXACT or (bound == _LOWER and value >= beta) or (bound == _UPPER and value <= alpha):
            return first, value
    return first, INFINITE


@inner
def store(tables, word, depth, alpha, beta, best, best_move):
    """Keep what a node was found to be worth; newer entries replace older ones."""
    slot = word & (len(tables.keys) - 1)
    bound = _EXACT if alpha < best < beta else (_LOWER if best >= beta else _UPPER)
    tables.keys[slot] = word
    tables.entries[slot] = (best << 32) | (depth << 24) | (bound << 20) | best_move


@inner
def _rank_root(tables, first):
    """Keep the root's order, but for the move that the table names; returns the number of moves."""
    n = tables.counters[ROOT_MOVES]
    for i in range(n):
        tables.scores[0, i] = 1e18 if tables.moves[0, i] == first else -i
        tables.root_nodes[i] = 0
    return n


@inner
def _note_root(tables, i, move, found, better, before):
    """Store the value of the root's move number i; better -- it is the best so far; before -- nodes before it."""
    tables.root_values[i] = found
    tables.root_nodes[i] = tables.counters[NODES] - before
    tables.counters[SEARCHED] = i + 1
    if better:
        tables.counters[ROOT_BEST] = move
        tables.counters[ROOT_VALUE] = found


@inner
def _list_moves(tables, ply, depth, first, plan, rules, knowledge):
    """Fill moves[ply], scored where candidates are chosen or cost something; `first` is the move that the table names.

    Returns how many there are, and how many stand in their final order ahead of those to score; _NONE_AHEAD: all do.
    """
    if ply == 0:
        return _rank_root(tables, first), _NONE_AHEAD
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
    return n, _NONE_AHEAD


@inner
def _score_rest(tables, ply, begin, n, known, plan, knowledge):
    """Score the moves from number `begin` on: by the orderings and history where they are `known`, else by history."""
    state = tables.states[ply]
    if not known:
        _rank_by_history(tables, ply, state[TO_PLAY], begin, n)
        return
    scorer, second = knowledge.scorer, knowledge.second
    moves, scores = tables.moves[ply, begin:], tables.scores[ply, begin:]
    scorer.order(state, moves, n - begin, scores, scorer.numbers)
    second.order(state, moves, n - begin, tables.second_scores, second.numbers)
    mix(scores, tables.second_scores, n - begin, plan.weight, plan.second_weight)
    _add_history(tables, ply, state[TO_PLAY], begin, n)


@seam(types.int64(types.int64, types.int64, types.int64, types.int64, TABLES, PLAN, RULES, KNOWLEDGE))
def search(ply, depth, alpha, beta, tables, plan, rules, knowledge):
    """Value the position states[ply] for its side to play, `depth` plies deep; fail-soft.

    At ply 0 the moves are the first counters[ROOT_MOVES] of moves[0]. When the search is stopped counters[STOPPED] is 1
    and the value means nothing; ROOT_BEST, ROOT_VALUE are then those of the root moves searched in full so far.
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
    room = tables.counters[FARTHEST] - ply - depth  # by how many plies lines from here may still become longer
    if plan.extensions > 0:
        word ^= _ROOM_WORD * np.int64(2 * room + 1)
    first, known_value = probe(tables, word, depth, alpha, beta)
    if ply > 0 and known_value != INFINITE:
        return known_value
    moves, scores = tables.moves[ply], tables.scores[ply]
    known = depth >= plan.order_from
    n, ahead = _list_moves(tables, ply, depth, first, plan, rules, knowledge)
    best, best_move, low = -INFINITE, NO_MOVE, alpha
    for i in range(n):
        if i == ahead:
            _score_rest(tables, ply, i, n, known, plan, knowledge)
        move = moves[i] if i < ahead else bring_best(moves, scores, i, n)
        rules.after(state, move, tables.states[ply + 1])
        before = tables.counters[NODES]
        penalty = tables.penalties[ply, move] if known and plan.penalty > 0.0 else 0
        a, b = -beta - penalty, -low - penalty  # the window of the side that answers
        extended = 1 if plan.extensions > 0 and room > 0 and knowledge.threatened(tables.states[ply + 1]) else 0
        reduced = 1 if plan.reductions != 0 and i >= _FIRST_REDUCED and depth >= 3 and extended == 0 else 0
        found = beta
        if i > 0:
            found = -penalty - search(ply + 1, depth - 1 + extended - reduced, b - 1, b, tables, plan, rules, knowledge)
        if i == 0 or (found > low and (found < beta or reduced != 0)):
            found = -penalty - search(ply + 1, depth - 1 + extended, a, b, tables, plan, rules, knowledge)
        if tables.counters[STOPPED] != 0:
            return 0
        better = found > max(best, low)
        if ply == 0:
            _note_root(tables, i, move, found, better, before)
        if better:
            extend_line(tables, ply, move)
        if found > best:
            best, best_move = found, move
            low = max(low, found)
        if low >= beta:
            _reward(tables, ply, state[TO_PLAY], move, depth)
            break
    # The root's moves are the caller's choice, not all of the position's: its value is of no use at other nodes.
    store(tables, word, depth if ply > 0 else 0, alpha, beta, best, best_move)
    return best
