"""Self-play by n-tuples: of a move, only the windows that it changes are looked up.

states[g]       the state of each group of cells (kernels/tuples.py)
places[w]       where the pattern on window w stands in the table of a side
"""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, kernel, seam
from gotools.kernels.arrays import copy_to
from gotools.kernels.elementary import tanh
from gotools.kernels.random_numbers import below, chance, seed_random
from gotools.kernels.seams import CELLS, ONGOING, RULES, TO_PLAY
from gotools.learn.games.kernels.selfplay import ROWS, best_place, drawn
from gotools.search.kernels.plain import final, sign, without_pass

TABLE = types.float32[:, ::1]
"""Entries of both sides to play: float32[2, entries]."""


class TupleLayout(NamedTuple):
    """The windows of a board and where their patterns stand; see `Tuples` (learn/tuples/tuples.py)."""

    parts: np.ndarray
    holders: np.ndarray


LAYOUT = typeof(TupleLayout(np.zeros((1, 1, 1), np.int32), np.zeros((1, 1), np.int32)))


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
def _gain(group, old, new, layout, places, entries, known):
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
    """Return the sum of the entries of room.after, from that of the states."""
    changed, group = 0, -1
    for g in range(len(states)):
        if room.after[g] != states[g]:
            changed += 1
            group = g
    if changed == 1:
        return base + _gain(group, states[group], room.after[group], layout, places, entries, room.known)
    set_places(room.after, layout, room.places)
    total = 0.0
    for window in range(len(places)):
        total += entries[room.places[window]]
    return total


class Room(NamedTuple):
    """What the value of a move is found with: the position after it, its groups and places, entries before it."""

    target: np.ndarray
    after: np.ndarray
    places: np.ndarray
    known: np.ndarray


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
    entries = table[2 - side]
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


@seam(types.void(types.int64, types.int64, types.int32[::1], types.float64, types.float64, TABLE, LAYOUT, RULES,
                 types.FunctionType(CELLS), ROWS))  # fmt: skip
def play_games(first, seed, start, epsilon, temperature, table, layout, rules, look, rows):
    """Play games number first.. against oneself, one for each row; each has its own random numbers.

    start -- int32[cells], the position at the start; look -- writes the states of its groups
    """
    random = np.empty(1, np.uint64)
    state, target = np.empty_like(start), np.empty_like(start)
    found, scores = np.empty(rules.longest, np.int32), np.empty(rules.longest)
    states, after = np.empty(layout.parts.shape[0], np.uint8), np.empty(layout.parts.shape[0], np.uint8)
    places, room = np.empty(layout.parts.shape[2], np.int32), new_room(start, layout)
    for game in range(len(rows.lengths)):
        seed_random(random, seed * 0x9E3779B1 + first + game)
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
