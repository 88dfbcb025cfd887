"""Alpha-beta without a table, for players who learn: over the worthy moves, by the signs of outcomes.

A decided position is worth exactly 1, 0 or -1, however far off it is. A pass, in a game that has one, is a move only
where there is no other. Beyond the depth the search may go on with noisy moves (quiescence), which either side may
decline.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from gotools.jit import inner, seam
from gotools.jit.kernels.basics import copy_to
from gotools.jit.kernels.seams import LEGAL, ONGOING, RULES, TO_PLAY, VALUER, record

WIDE = 2.0
"""Beyond every value."""


class Scratch(NamedTuple):
    """What a search works with; its plies are the depth, and those of quiescence.

    states -- int32[plies + 1, cells]
    moves  -- int32[plies + 1, longest]
    lines  -- int32[plies + 1, plies + 1]: the moves from the position of a ply to its leaf, ended by -1
    limit  -- positions that are not decided are worth at most this; below 1, decided ones stand out
    quiescence -- plies of noisy moves after the last; noisy -- lists them
    """

    states: np.ndarray
    moves: np.ndarray
    lines: np.ndarray
    limit: float
    quiescence: int
    noisy: object


def new_scratch(cells, longest, depth, limit, quiescence, noisy):
    """Make what one thread needs to search `depth` plies deep, and some plies of noisy moves."""
    plies = depth + quiescence
    return Scratch(
        states=np.zeros((plies + 1, cells), np.int32),
        moves=np.zeros((plies + 1, longest), np.int32),
        lines=np.full((plies + 1, plies + 1), -1, np.int32),
        limit=limit,
        quiescence=quiescence,
        noisy=noisy,
    )


SCRATCH = record(
    Scratch, types.int32[:, ::1], types.int32[:, ::1], types.int32[:, ::1], types.float64, types.int64, LEGAL
)


@inner
def sign(value):
    """Return 1, -1 or 0."""
    return 1.0 if value > 0.0 else (-1.0 if value < 0.0 else 0.0)


@inner
def without_pass(moves, n, pass_move):
    """Take the pass out of a list of moves, unless there is nothing else; returns how many are left."""
    if pass_move < 0 or n < 2:
        return n
    kept = 0
    for i in range(n):
        if moves[i] != pass_move:
            moves[kept] = moves[i]
            kept += 1
    return kept


@inner
def extend_line(lines, ply, move):
    """Make the line of a ply a move and the line of the next ply."""
    line, rest = lines[ply], lines[ply + 1]
    line[0] = move
    for j in range(1, len(line)):
        line[j] = rest[j - 1]
        if line[j] < 0:
            break


@seam(types.float64(types.int64, types.int64, types.float64, types.float64, SCRATCH, RULES, VALUER))
def search(ply, depth, alpha, beta, scratch, rules, valuer):
    """Value the position of a ply for its side to play, `depth` plies deep, by alpha-beta; fail-soft.

    lines[ply] becomes the way to its leaf where the value lies between alpha and beta. Depths below 0 are those of
    quiescence.
    """
    state, lines = scratch.states[ply], scratch.lines
    lines[ply, 0] = -1
    value = rules.outcome(state)
    if value != ONGOING:
        return sign(value)
    moves, best = scratch.moves[ply], -WIDE
    if depth <= 0:
        best = min(max(valuer.evaluate(state, valuer.numbers), -scratch.limit), scratch.limit)
        if depth <= -scratch.quiescence or best >= beta:
            return best
        n = scratch.noisy(state, moves)
    else:
        n = without_pass(moves, rules.worthy(state, moves), rules.pass_move)
    for i in range(n):
        rules.after(state, moves[i], scratch.states[ply + 1])
        found = -search(ply + 1, depth - 1, -beta, -max(alpha, best), scratch, rules, valuer)
        if found > best:
            best = found
            if best > alpha:
                extend_line(lines, ply, moves[i])
            if best >= beta:
                break
    return best


@inner
def final(state, spare, rules):
    """Return 1, 0, -1 for the first side's victory, a draw, its loss; a game that is not over is passed out."""
    value = rules.outcome(state)
    if value == ONGOING and rules.pass_move >= 0:
        rules.after(state, rules.pass_move, spare)
        copy_to(state, spare)
        value = rules.outcome(state)
        if value == ONGOING:
            rules.after(state, rules.pass_move, spare)
            copy_to(state, spare)
            value = rules.outcome(state)
    if value == ONGOING:
        return 0.0
    return sign(value) if state[TO_PLAY] == 1 else -sign(value)
