"""Self-play by tables of patterns: of a move, only the windows that it changes are looked up, not the whole board.

Local shapes (kernels/windows.py) read the position from the cells of the board:

    at[w]            the entry of the table for the pattern on window w
    touched[cell]    the 14 windows that hold a cell
    powers[cell]     what a stone of side 1 there adds to their entries
    gains[s, cell]   what a stone of side s would add to the sum; valid while fresh[s, cell]: until a cell near changes

A move that takes no stones changes 14 windows of some 200; one that does is made and unmade on the entries.

N-tuples (kernels/tuples.py) read it from the states of groups of cells, and have a table for each side to play:

    states[g]        the state of each group
    places[w]        the place of the pattern on window w in the table of a side
"""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.basics import below, chance, copy_to, largest, seed_random
from gotools.jit.kernels.elementary import tanh
from gotools.jit.kernels.seams import CELLS, CHANGES, FLOATS, ONGOING, RULES, SCORER, TO_PLAY, Scorer, record
from gotools.jit.kernels.windows import TABLE, TILT, TURN
from gotools.search.kernels.knowledge import keep_best, penalty_of
from gotools.search.kernels.plain import final, sign, without_pass
from gotools.values.games.kernels.selfplay import ROWS, best_place, drawn

_DECIDED = 1e6
"""Larger than any sum of entries: the score of a move that wins at once."""
SEED_STEP = 0x9E3779B1
"""The seeds of two runs lie this far apart, so that their games do not share random numbers."""


class ShapeLayout(NamedTuple):
    """The windows of a board and the weights behind their patterns; see `Shapes` (values/td/shapes.py)."""

    placed: np.ndarray
    free: np.ndarray
    begins: np.ndarray
    free_begins: np.ndarray
    touched: np.ndarray
    powers: np.ndarray
    near: np.ndarray
    turn: int
    tilt: int


class TupleLayout(NamedTuple):
    """The windows of a board and the places of their patterns; see `Tuples` (values/td/tuples.py)."""

    parts: np.ndarray
    holders: np.ndarray


class GridFunctions(NamedTuple):
    """The functions of a game's Grid that kernels need."""

    cells: object
    changes: object


class GuidedPolicy(NamedTuple):
    """How moves are chosen; see Policy and Guide in values/games/selfplay.py.

    width -- moves of the guide that are scored, 0 for all; penalty -- of moves that it scores below its best
    """

    epsilon: float
    temperature: float
    width: int
    penalty: float
    scorer: Scorer


class Room(NamedTuple):
    """Working memory for the values of moves: the position after a move, its groups and places, entries before it."""

    target: np.ndarray
    after: np.ndarray
    places: np.ndarray
    known: np.ndarray


_COLUMN, _PAIRS = np.zeros(1, np.int32), np.zeros((1, 1), np.int32)
SHAPES = typeof(ShapeLayout(_COLUMN, _COLUMN, _COLUMN, _COLUMN, _PAIRS, _PAIRS, _PAIRS, 0, 0))
TUPLES = typeof(TupleLayout(np.zeros((1, 1, 1), np.int32), _PAIRS))
SIDE_TABLES = types.float32[:, ::1]
"""Entries of n-tuples for both sides to play: float32[2, entries]."""
GRID = record(GridFunctions, CELLS, CHANGES)
POLICY = record(GuidedPolicy, types.float64, types.float64, types.int64, types.float64, SCORER)


# ---- local shapes ----


@kernel
def set_codes(board, touched, powers, codes):
    """Fill the codes of all windows of uint8[cells]."""
    codes[:] = 0
    for cell in range(len(touched)):
        for i in range(touched.shape[1]):
            if touched[cell, i] < 0:
                break
            codes[touched[cell, i]] += board[cell] * powers[cell, i]


@inner
def _change(cell, digit, shapes, at, fresh):
    """Add a stone to the entries of all windows (digit 1 or 2) or take one out (-1, -2)."""
    for i in range(shapes.touched.shape[1]):
        window = shapes.touched[cell, i]
        if window < 0:
            break
        at[window] += digit * shapes.powers[cell, i]
    for i in range(shapes.near.shape[1]):
        other = shapes.near[cell, i]
        if other < 0:
            break
        fresh[0, other] = 0
        fresh[1, other] = 0


@inner
def _gain(cell, side, shapes, at, table):
    """Return what a stone on an empty cell adds to the sum of all windows."""
    gain = np.float32(0.0)
    for i in range(shapes.touched.shape[1]):
        window = shapes.touched[cell, i]
        if window < 0:
            break
        gain += table[at[window] + side * shapes.powers[cell, i]] - table[at[window]]
    return gain


@inner
def _gain_with_captures(where, n, side, shapes, at, table):
    """Return what a move that takes stones adds to the sum; the entries are as before afterwards."""
    touched, powers = shapes.touched, shapes.powers
    gain = np.float32(0.0)
    for undo in range(2):
        for j in range(n):
            digit = side if j == 0 else side - 3  # the stone played, then stones of the other side taken out
            digit = -digit if undo else digit
            for i in range(touched.shape[1]):
                window = touched[where[j], i]
                if window < 0:
                    break
                if not undo:
                    gain -= table[at[window]]
                at[window] += digit * powers[where[j], i]
                if not undo:
                    gain += table[at[window]]
    return gain


@inner
def _score_by_shapes(found, n, state, shapes, table, rules, grid, at, gains, fresh, where, target, scores):
    """Score moves by what they add to the sum of all windows, for the side that makes them."""
    side = state[TO_PLAY]
    for i in range(n):
        changed = grid.changes(state, found[i], where)
        if changed == 1:
            cell = where[0]
            if fresh[side - 1, cell] == 0:
                gains[side - 1, cell] = _gain(cell, side, shapes, at, table)
                fresh[side - 1, cell] = 1
            gain = gains[side - 1, cell]
        else:
            gain = _gain_with_captures(where, changed, side, shapes, at, table)
        scores[i] = gain if side == 1 else -gain
        if rules.pass_move < 0:  # only in games without a pass does a move on the board end the game
            rules.after(state, found[i], target)
            end = rules.outcome(target)
            scores[i] = scores[i] if end == ONGOING else -_DECIDED * end


@inner
def _to_values(scores, likes, n, penalty, total):
    """Turn gains into values, less the penalties of moves that the guide scores below its best."""
    for i in range(n):
        scores[i] = tanh(scores[i] + total)
        if penalty > 0.0:
            scores[i] -= penalty_of(likes[i], likes[0], penalty)


@inner
def _sum_of(at, table):
    total = 0.0
    for entry in at:
        total += table[entry]
    return total


@seam(types.void(types.int64, types.int64, types.int32[::1], FLOATS, SHAPES, POLICY, RULES, GRID, ROWS))
def play_by_shapes(first, seed, start, numbers, shapes, policy, rules, grid, rows):
    """Play games number first.. against oneself, one for each row; each has its own random numbers.

    start -- int32[cells], the position at the start; numbers -- the table of the patterns' weights
    """
    table = numbers[TABLE:].view(np.float32)
    cells_here = len(shapes.touched)
    random = np.empty(1, np.uint64)
    state, target = np.empty_like(start), np.empty_like(start)
    longest = rules.longest
    found, where = np.empty(longest, np.int32), np.empty(cells_here + 1, np.int32)
    scores, likes = np.empty(longest), np.zeros(longest)
    moves, explored = rows.moves, rows.explored
    board, at = np.empty(cells_here, np.uint8), np.empty(len(shapes.begins), np.int32)
    gains, fresh = np.empty((2, cells_here), np.float32), np.zeros((2, cells_here), np.uint8)
    for game in range(len(rows.lengths)):
        seed_random(random, seed * SEED_STEP + first + game)
        copy_to(state, start)
        tilt = numbers[TILT] * grid.cells(state, board)
        set_codes(board, shapes.touched, shapes.powers, at)
        at += shapes.begins
        fresh[:] = 0
        length = 0
        while length < moves.shape[1] and rules.outcome(state) == ONGOING:
            n = without_pass(found, rules.worthy(state, found), rules.pass_move)
            side = state[TO_PLAY]
            if policy.width > 0:
                policy.scorer.order(state, found, n, likes, policy.scorer.numbers)
                n = keep_best(found, likes, n, policy.width)
            explored[game, length] = chance(random, policy.epsilon)
            if explored[game, length]:
                chosen = below(random, n)
            else:
                _score_by_shapes(found, n, state, shapes, table, rules, grid, at, gains, fresh, where, target, scores)
                # the best gain is the best value: the total is summed only where values themselves are compared
                if policy.temperature > 0.0 or (policy.width > 0 and policy.penalty > 0.0):
                    total = _sum_of(at, table) + tilt + (-numbers[TURN] if side == 1 else numbers[TURN])
                    _to_values(scores, likes, n, policy.penalty, total if side == 1 else -total)
                if policy.temperature > 0.0:
                    chosen = drawn(scores, n, policy.temperature, random)
                    explored[game, length] = scores[chosen] < largest(scores, n)
                else:
                    chosen = best_place(scores, n, random)
            move = found[chosen]
            changed = grid.changes(state, move, where)
            for j in range(changed):
                _change(where[j], side if j == 0 else side - 3, shapes, at, fresh)
            rules.after(state, move, target)
            state, target = target, state
            moves[game, length] = move
            length += 1
        rows.lengths[game] = length
        rows.outcomes[game] = final(state, target, rules)


# ---- n-tuples ----


@kernel
def set_places(states, layout, places):
    """Fill the places of the patterns on all windows of uint8[groups]."""
    for window in range(len(places)):
        places[window] = 0
    for group in range(len(states)):
        part = layout.parts[group, states[group]]
        for window in range(len(places)):
            places[window] += part[window]


@inner
def change_places(states, after, layout, places):
    """Bring places from one position to another."""
    for group in range(len(states)):
        if after[group] != states[group]:
            old, new = layout.parts[group, states[group]], layout.parts[group, after[group]]
            for window in range(len(places)):
                places[window] += new[window] - old[window]


@inner
def look_up(places, entries, found):
    """Fill the entries at all places; returns their sum."""
    total = 0.0
    for window in range(len(places)):
        found[window] = entries[places[window]]
        total += found[window]
    return total


@inner
def _gain_of_group(group, old, new, layout, places, entries, known):
    """Return what the sum becomes when one group changes its state, less what it was.

    known -- the entries at the places as they are
    """
    before, after, holders = layout.parts[group, old], layout.parts[group, new], layout.holders[group]
    gain = 0.0
    for i in range(len(holders)):
        window = holders[i]
        if window < 0:
            break
        gain += entries[places[window] + after[window] - before[window]] - known[window]
    return gain


@inner
def _total(base, states, layout, places, entries, room):
    """Return the sum of the entries of room.after, from the sum of the states."""
    changed, group = 0, -1
    for g in range(len(states)):
        if room.after[g] != states[g]:
            changed += 1
            group = g
    if changed == 1:  # the usual case by far: only the windows over one group differ
        return base + _gain_of_group(group, states[group], room.after[group], layout, places, entries, room.known)
    set_places(room.after, layout, room.places)
    total = 0.0
    for window in range(len(places)):
        total += entries[room.places[window]]
    return total


@inner
def new_room(start, layout):
    """Make room for positions like the one at the start."""
    groups, windows = layout.parts.shape[0], layout.parts.shape[2]
    after, places = np.empty(groups, np.uint8), np.empty(windows, np.int32)
    return Room(np.empty_like(start), after, places, np.empty(windows, np.float32))


@inner
def set_scores(found, n, state, states, layout, places, table, rules, look, room, scores):
    """Value the positions after some moves for the side that makes them: 1, 0, -1 or between."""
    side = state[TO_PLAY]
    entries = table[2 - side]  # of the other side, which is to play after the move
    base = look_up(places, entries, room.known)
    for i in range(n):
        rules.after(state, found[i], room.target)
        end = rules.outcome(room.target)
        if end != ONGOING:
            scores[i] = -sign(end)
        else:
            look(room.target, room.after)
            total = _total(base, states, layout, places, entries, room)
            scores[i] = tanh(total if side == 1 else -total)


@seam(types.void(types.int64, types.int64, types.int32[::1], types.float64, types.float64, SIDE_TABLES, TUPLES, RULES,
                 types.FunctionType(CELLS), ROWS))  # fmt: skip
def play_by_tuples(first, seed, start, epsilon, temperature, table, layout, rules, look, rows):
    """Play games number first.. against oneself, one for each row; each has its own random numbers.

    start -- int32[cells], the position at the start; look -- writes the states of its groups
    """
    random = np.empty(1, np.uint64)
    state, target = np.empty_like(start), np.empty_like(start)
    found, scores = np.empty(rules.longest, np.int32), np.empty(rules.longest)
    states, after = np.empty(layout.parts.shape[0], np.uint8), np.empty(layout.parts.shape[0], np.uint8)
    places, room = np.empty(layout.parts.shape[2], np.int32), new_room(start, layout)
    for game in range(len(rows.lengths)):
        seed_random(random, seed * SEED_STEP + first + game)
        copy_to(state, start)
        look(state, states)
        set_places(states, layout, places)
        length = 0
        while length < rows.moves.shape[1] and rules.outcome(state) == ONGOING:
            n = without_pass(found, rules.worthy(state, found), rules.pass_move)
            explored = chance(random, epsilon)
            if explored:
                chosen = below(random, n)
            else:
                set_scores(found, n, state, states, layout, places, table, rules, look, room, scores)
                if temperature > 0.0:
                    chosen = drawn(scores, n, temperature, random)
                    best = best_place(scores, n, random)
                    explored = scores[chosen] < scores[best]
                else:
                    chosen = best_place(scores, n, random)
            rows.explored[game, length] = explored
            rows.moves[game, length] = found[chosen]
            rules.after(state, found[chosen], target)
            state, target = target, state
            look(state, after)
            change_places(states, after, layout, places)
            states, after = after, states
            length += 1
        rows.lengths[game] = length
        rows.outcomes[game] = final(state, target, rules)
