"""Games played on from a finished position until nothing is left to play; both sides leave a seki as it is.

shape     int32[LARGEST]   the stones (padded points) of a small chain
to_kill   int32[2]         for each colour: where to play once its last sacrifice is captured, 0 for nowhere

Moves are random, after captures and ataris, as in games/go/kernels/playouts.py, with two exceptions. A stone that
leaves its own chain one liberty is played only where it threatens to capture, and where its capture would leave one
eye. A false eye is not filled where the chain has no other safe liberty. Without these two rules one side of every
seki would die.
"""

import numpy as np

from gotools.games.go.kernels.game import PASS_MOVE
from gotools.games.go.kernels.liberties import is_own_eye, is_self_atari
from gotools.games.go.kernels.playouts import ROOM, list_empty, take_out, urgent_answer
from gotools.games.go.kernels.rules import (
    BORDER,
    COLOUR,
    LAST,
    NEXT,
    SIZE,
    STRIDE,
    TAKEN_BLACK,
    TAKEN_WHITE,
    TO_PLAY,
    pass_turn,
    put,
    why_illegal,
)
from gotools.jit import inner
from gotools.jit.kernels.basics import below

LARGEST_SHAPE = 6
"""Stones of the largest shape that leaves one eye when it is captured."""
MANY_LIBERTIES = 4
"""Liberties of a chain that make it needless to look for safe ones."""


@inner
def _list_joined(state, p, colour, shape):
    """List the chain that a stone on p would make; returns its size, LARGEST + 1 where it is larger."""
    shape[0] = p
    n = 1
    for d in (-STRIDE, -1, 1, STRIDE):
        if state[COLOUR + p + d] != colour:
            continue
        q = p + d
        known = False
        for i in range(n):
            known = known or shape[i] == q
        while not known:
            if n == LARGEST_SHAPE:
                return LARGEST_SHAPE + 1
            shape[n] = q
            n += 1
            q = state[NEXT + q]
            known = q == p + d
    return n


@inner
def _vital_point(state, shape, n):
    """Return the point that keeps the captured shape from becoming two eyes; 0 if nothing does.

    The shapes: three, square and T of four, bulky five, cross, rabbity six; and four bent around the corner. They are
    recognised by their links (pairs of neighbours) and the most links of one stone. One and two stones are one eye.
    """
    links = 0
    most = 0
    vital = 0
    corner = 0
    for i in range(n):
        here = 0
        borders = 0
        for d in (-STRIDE, -1, 1, STRIDE):
            borders += state[COLOUR + shape[i] + d] == BORDER
            for j in range(n):
                here += shape[j] == shape[i] + d
        links += here
        corner += here == 2 and borders == 2
        if here > most or (here == most and borders < 2):
            most = here
            vital = shape[i]
    links //= 2
    if n <= 3 or (n == 4 and (most == 3 or links == 4 or corner == 1)):
        return vital
    if (n == 5 and (most == 4 or links == 5)) or (n == 6 and most == 4 and links == 6):
        return vital
    return 0


@inner
def _has_only(state, stone, p, q):
    """Return whether the chain at `stone` has no liberties but p and q."""
    at = stone
    while True:
        for d in (-STRIDE, -1, 1, STRIDE):
            if state[COLOUR + at + d] == 0 and at + d != p and at + d != q:
                return False
        at = state[NEXT + at]
        if at == stone:
            return True


@inner
def _sacrifice(state, p, colour, shape):
    """Judge a stone that puts its own chain into atari: returns -1 where it is useless, else the vital point.

    It is useful where the stone is alone, or where the opponent must capture a shape that is one eye.
    """
    n = _list_joined(state, p, colour, shape)
    if n == 1:
        return 0
    vital = _vital_point(state, shape, n) if n <= LARGEST_SHAPE else 0
    if vital == 0:
        return -1
    left = 0
    for i in range(n):
        for d in (-STRIDE, -1, 1, STRIDE):
            if state[COLOUR + shape[i] + d] == 0 and shape[i] + d != p:
                left = shape[i] + d
    for i in range(n):
        for d in (-STRIDE, -1, 1, STRIDE):
            q = shape[i] + d
            if state[COLOUR + q] == 3 - colour and _has_only(state, q, p, left):
                return vital
    return -1


@inner
def _is_surrounded(state, p, colour):
    """Return whether all neighbours of an empty point are stones of a colour."""
    for d in (-STRIDE, -1, 1, STRIDE):
        beside = state[COLOUR + p + d]
        if beside != colour and beside != BORDER:
            return False
    return True


@inner
def _wastes_liberty(state, p, colour):
    """Return whether a stone on a surrounded point saves nothing and leaves few liberties, none of them surrounded."""
    others = np.empty(MANY_LIBERTIES, np.int32)
    n = 0
    for d in (-STRIDE, -1, 1, STRIDE):
        if state[COLOUR + p + d] != colour:
            continue
        in_atari = True
        q = p + d
        while True:
            for e in (-STRIDE, -1, 1, STRIDE):
                liberty = q + e
                if liberty == p or state[COLOUR + liberty] != 0:
                    continue
                in_atari = False
                if _is_surrounded(state, liberty, colour):
                    return False
                new = True
                for i in range(n):
                    new = new and others[i] != liberty
                if new:
                    others[n] = liberty
                    n += 1
                    if n == MANY_LIBERTIES:
                        return False
            q = state[NEXT + q]
            if q == p + d:
                break
        if in_atari:
            return False
    return True


@inner
def _random_point(state, colour, empties, count, random, shape, to_kill):
    """Draw one of the points that are worth playing; PASS_MOVE without any."""
    left = count
    while left > 0:
        i = below(random, left)
        p = empties[i]
        left -= 1
        empties[i] = empties[left]
        empties[left] = p
        if is_own_eye(state, p, colour) or why_illegal(state, p, colour, False) != 0:
            continue
        if _is_surrounded(state, p, colour) and _wastes_liberty(state, p, colour):
            continue
        if is_self_atari(state, p, colour):
            vital = _sacrifice(state, p, colour, shape)
            if vital < 0:
                continue
            to_kill[colour - 1] = vital
        return p
    return PASS_MOVE


@inner
def _next_move(state, empties, count, random, shape, to_kill):
    """Choose a move: the vital point after a sacrifice, an answer to a capture or atari, else a random one."""
    colour = state[TO_PLAY]
    vital = to_kill[colour - 1]
    to_kill[colour - 1] = 0
    if vital != 0 and state[COLOUR + vital] == 0 and why_illegal(state, vital, colour, False) == 0:
        return vital
    if state[LAST] > 0:
        p = urgent_answer(state, state[LAST], colour, random)
        if p != PASS_MOVE:
            return p
    return _random_point(state, colour, empties, count, random, shape, to_kill)


@inner
def settle(state, random):
    """Play until both sides pass, or a ko has gone on for too long."""
    empties = np.empty(ROOM, np.int32)
    shape = np.empty(LARGEST_SHAPE, np.int32)
    to_kill = np.zeros(2, np.int32)
    count = list_empty(state, empties)
    taken = state[TAKEN_BLACK] + state[TAKEN_WHITE]
    passes = 0
    for _ in range(3 * state[SIZE] * state[SIZE]):
        p = _next_move(state, empties, count, random, shape, to_kill)
        if p == PASS_MOVE:
            pass_turn(state, state[TO_PLAY])
            passes += 1
            if passes == 2:
                break
            continue
        passes = 0
        put(state, p, state[TO_PLAY])
        if state[TAKEN_BLACK] + state[TAKEN_WHITE] != taken:
            taken = state[TAKEN_BLACK] + state[TAKEN_WHITE]
            count = list_empty(state, empties)
        else:
            count = take_out(empties, count, p)
