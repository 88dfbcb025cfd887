"""Alpha-beta without a table, for players who learn: over the worthy moves, by the signs of outcomes.

A decided position is worth exactly 1, 0 or -1, however far off it is. A pass, in a game that has one, is a move only
where there is no other.
"""

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from gotools.jit import inner, seam
from gotools.kernels.arrays import copy_to
from gotools.kernels.seams import ONGOING, RULES, TO_PLAY, VALUER

WIDE = 2.0
"""Beyond every value."""


class Scratch(NamedTuple):
    """What a search works with.

    states -- int32[depth + 1, cells]
    moves  -- int32[depth + 1, longest]
    lines  -- int32[depth + 1, depth + 1]: the moves from the position of a ply to its leaf, ended by -1
    limit  -- positions that are not decided are worth at most this; below 1, decided ones stand out
    """

    states: np.ndarray
    moves: np.ndarray
    lines: np.ndarray
    limit: float


def new_scratch(cells, longest, depth, limit):
    """Make what one thread needs to search `depth` plies deep."""
    return Scratch(
        states=np.zeros((depth + 1, cells), np.int32),
        moves=np.zeros((depth + 1, longest), np.int32),
        lines=np.full((depth + 1, depth + 1), -1, np.int32),
        limit=limit,
    )


SCRATCH = typeof(new_scratch(1, 1, 1, 1.0))


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


@seam(types.float64(types.int64, types.int64, types.float64, types.float64, SCRATCH, RULES, VALUER))
def search(ply, depth, alpha, beta, scratch, rules, valuer):
    """Value the position of a ply for its side to play, `depth` plies deep, by alpha-beta; fail-soft.

    lines[ply] becomes the way to its leaf where the value lies between alpha and beta.
    """
    state, lines = scratch.states[ply], scratch.lines
    lines[ply, 0] = -1
    value = rules.outcome(state)
    if value != ONGOING:
        return sign(value)
    if depth <= 0:
        return min(max(valuer.evaluate(state, valuer.numbers), -scratch.limit), scratch.limit)
    moves, target = scratch.moves[ply], scratch.states[ply + 1]
    n = without_pass(moves, rules.worthy(state, moves), rules.pass_move)
    best = -WIDE
    for i in range(n):
        rules.after(state, moves[i], target)
        found = -search(ply + 1, depth - 1, -beta, -max(alpha, best), scratch, rules, valuer)
        if found > best:
            best = found
            if best > alpha:
                lines[ply, 0] = moves[i]
                for j in range(depth - 1):
                    lines[ply, j + 1] = lines[ply + 1, j]
                if depth < lines.shape[1]:
                    lines[ply, depth] = -1
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
