"""Self-play by n-tuples: of a move, only the windows that it changes are looked up.

codes[w]        the code of window w as the board stands
touched[cell]   the windows that hold a cell
powers[cell]    what a unit of its state adds to their codes
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

    windows: np.ndarray
    places: np.ndarray
    touched: np.ndarray
    powers: np.ndarray


_TABLE = np.zeros((1, 1), np.int32)
LAYOUT = typeof(TupleLayout(_TABLE, np.zeros(1, np.int32), _TABLE, _TABLE))


@kernel
def set_codes(board, layout, codes):
    """Fill the codes of all windows of uint8[cells], as places in the table of a side."""
    for window in range(len(codes)):
        codes[window] = layout.places[window]
    for cell in range(len(board)):
        if board[cell] != 0:
            for i in range(layout.touched.shape[1]):
                window = layout.touched[cell, i]
                if window < 0:
                    break
                codes[window] += board[cell] * layout.powers[cell, i]


@inner
def change_codes(board, after, layout, codes):
    """Bring codes from one board to another."""
    for cell in range(len(board)):
        step = np.int32(after[cell]) - np.int32(board[cell])
        if step != 0:
            for i in range(layout.touched.shape[1]):
                window = layout.touched[cell, i]
                if window < 0:
                    break
                codes[window] += step * layout.powers[cell, i]


@inner
def look_up(codes, entries, found):
    """Fill the entries at all codes; returns their sum."""
    total = 0.0
    for window in range(len(codes)):
        found[window] = entries[codes[window]]
        total += found[window]
    return total


@inner
def _gain(board, after, layout, codes, entries, known, steps, touched):
    """Return what the sum becomes on another board less what it is on this one.

    known -- the entries at the codes of this board; steps -- int32[windows] of zeros, and again afterwards
    touched -- int32[windows], room
    """
    count = 0
    for cell in range(len(board)):
        step = np.int32(after[cell]) - np.int32(board[cell])
        if step != 0:
            for i in range(layout.touched.shape[1]):
                window = layout.touched[cell, i]
                if window < 0:
                    break
                if steps[window] == 0:
                    touched[count] = window
                    count += 1
                steps[window] += step * layout.powers[cell, i]
    gain = 0.0
    for i in range(count):
        window = touched[i]
        gain += entries[codes[window] + steps[window]] - known[window]
        steps[window] = 0
    return gain


class Room(NamedTuple):
    """What the value of a move is found with; see `_gain`."""

    target: np.ndarray
    after: np.ndarray
    known: np.ndarray
    steps: np.ndarray
    touched: np.ndarray


@inner
def new_room(start, layout):
    """Make room for positions like the one at the start."""
    windows = len(layout.windows)
    after, known = np.empty(len(layout.touched), np.uint8), np.empty(windows, np.float32)
    return Room(np.empty_like(start), after, known, np.zeros(windows, np.int32), np.empty(2 * windows, np.int32))


@inner
def set_scores(found, n, state, board, layout, codes, table, rules, cells, room, scores):
    """Value the positions after some moves for the side that makes them: 1, 0, -1 or between."""
    side = state[TO_PLAY]
    entries = table[2 - side]
    base = look_up(codes, entries, room.known)
    for i in range(n):
        rules.after(state, found[i], room.target)
        end = rules.outcome(room.target)
        if end != ONGOING:
            scores[i] = -sign(end)
        else:
            cells(room.target, room.after)
            total = base + _gain(board, room.after, layout, codes, entries, room.known, room.steps, room.touched)
            scores[i] = tanh(total if side == 1 else -total)


@seam(types.void(types.int64, types.int64, types.int32[::1], types.float64, types.float64, TABLE, LAYOUT, RULES,
                 types.FunctionType(CELLS), ROWS))  # fmt: skip
def play_games(first, seed, start, epsilon, temperature, table, layout, rules, cells, rows):
    """Play games number first.. against oneself, one for each row; each has its own random numbers.

    start -- int32[cells], the position at the start
    """
    random = np.empty(1, np.uint64)
    state, target = np.empty_like(start), np.empty_like(start)
    found, scores = np.empty(rules.longest, np.int32), np.empty(rules.longest)
    board, after = np.empty(len(layout.touched), np.uint8), np.empty(len(layout.touched), np.uint8)
    codes, room = np.empty(len(layout.windows), np.int32), new_room(start, layout)
    for game in range(len(rows.lengths)):
        seed_random(random, seed * 0x9E3779B1 + first + game)
        copy_to(state, start)
        cells(state, board)
        set_codes(board, layout, codes)
        length = 0
        while length < rows.moves.shape[1] and rules.outcome(state) == ONGOING:
            n = without_pass(found, rules.worthy(state, found), rules.pass_move)
            explored = chance(random, epsilon)
            if explored:
                chosen = below(random, n)
            else:
                set_scores(found, n, state, board, layout, codes, table, rules, cells, room, scores)
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
            cells(state, after)
            change_codes(board, after, layout, codes)
            board, after = after, board
            length += 1
        rows.lengths[game] = length
        rows.outcomes[game] = final(state, target, rules)
