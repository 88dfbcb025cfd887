"""Games played to the end at random: light ones, and ones that know captures, ataris and 3x3 patterns.

The empty points stand in an array, in no order; a move takes its point out, a capture fills the array anew. No playout
fills an own single-point eye. It ends after two passes in a row, or where `played` is full; the score is the area of
the board as it stands, which is right as soon as only eyes are empty.
"""

import numpy as np

from gotools.games.go.kernels.game import KOMI2, PASS_MOVE, ahead
from gotools.games.go.kernels.liberties import is_own_eye, is_self_atari, only_liberty
from gotools.games.go.kernels.local_weights import ELSEWHERE, NEIGHBOURS, WEIGHTS
from gotools.games.go.kernels.rules import (
    COLOUR,
    HEAD,
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
from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.basics import below
from gotools.jit.kernels.seams import PLAYOUT

MARGIN = 0.1
"""Share of a playout's value that depends on the margin; the rest depends on the winner alone."""
ROOM = 400
"""Entries of the arrays of points."""


@inner
def list_empty(state, empties):
    """List the empty points; returns how many."""
    size = state[SIZE]
    n = 0
    for y in range(1, size + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + size):
            empties[n] = p
            n += state[COLOUR + p] == 0
    return n


@inner
def take_out(empties, count, p):
    """Take a point out of the list, the last one into its place; returns how many are left."""
    for i in range(count - 1, -1, -1):
        if empties[i] == p:
            empties[i] = empties[count - 1]
            return count - 1
    return count


@inner
def _random_point(state, colour, empties, count, random, careful):
    """Draw a legal point that is not an own eye; PASS_MOVE without any.

    careful -- put no own chain into atari without a capture, unless nothing else is left
    """
    kept = 0
    left = count
    while left > 0:
        i = below(random, left)
        p = empties[i]
        left -= 1
        empties[i] = empties[left]
        empties[left] = p
        if is_own_eye(state, p, colour) or why_illegal(state, p, colour, False) != 0:
            continue
        if careful and is_self_atari(state, p, colour):
            if kept == 0:
                kept = p
            continue
        return p
    return kept


@inner
def _escape(state, head, liberty, colour, random):
    """Find a move for a chain in atari: capture beside it, or extend to two liberties; PASS_MOVE if neither helps."""
    q = head
    found = PASS_MOVE
    many = 0
    while True:
        for d in (-STRIDE, -1, 1, STRIDE):
            if state[COLOUR + q + d] == 3 - colour:
                p = only_liberty(state, q + d)
                if p != 0 and why_illegal(state, p, colour, False) == 0:
                    many += 1
                    if below(random, many) == 0:
                        found = p
        q = state[NEXT + q]
        if q == head:
            break
    if found == PASS_MOVE and not is_self_atari(state, liberty, colour):
        if why_illegal(state, liberty, colour, False) == 0:
            found = liberty
    return found


@inner
def urgent_answer(state, last, colour, random):
    """Find an urgent answer to the last move: take its chain, or save one beside it; PASS_MOVE without any."""
    if state[COLOUR + last] == 3 - colour:
        p = only_liberty(state, last)
        if p != 0 and why_illegal(state, p, colour, False) == 0:
            return p
    for d in (-STRIDE, -1, 1, STRIDE):
        if state[COLOUR + last + d] == colour:
            liberty = only_liberty(state, last + d)
            if liberty != 0:
                p = _escape(state, state[HEAD + last + d], liberty, colour, random)
                if p != PASS_MOVE:
                    return p
    return PASS_MOVE


@kernel
def around(state, p):
    """Return the code of the eight points around p (see local_weights.py), colours as they are on the board."""
    code = 0
    shift = 0
    for d in NEIGHBOURS:
        code |= state[COLOUR + p + d] << shift
        shift += 2
    return code


@inner
def _local_point(state, last, colour, random):
    """Draw a point beside the last move by the patterns around; PASS_MOVE for one elsewhere."""
    total = np.int64(ELSEWHERE)
    for d in NEIGHBOURS:
        if state[COLOUR + last + d] == 0:
            total += WEIGHTS[colour - 1, around(state, last + d)]
    draw = below(random, total) - ELSEWHERE
    if draw < 0:
        return PASS_MOVE
    for d in NEIGHBOURS:
        p = last + d
        if state[COLOUR + p] == 0:
            draw -= WEIGHTS[colour - 1, around(state, p)]
            if draw < 0:
                if is_own_eye(state, p, colour) or why_illegal(state, p, colour, False) != 0:
                    return PASS_MOVE
                return PASS_MOVE if is_self_atari(state, p, colour) else p
    return PASS_MOVE


@kernel
def play_out(state, random, played, knowing):
    """Play to the end; played[0] becomes the number of moves, the moves follow.

    knowing -- use captures, ataris and patterns; else all legal points but own eyes are equally likely
    """
    empties = np.empty(ROOM, np.int32)
    count = list_empty(state, empties)
    taken = state[TAKEN_BLACK] + state[TAKEN_WHITE]
    n = 0
    passes = 0
    while passes < 2 and n + 1 < len(played):
        colour = state[TO_PLAY]
        last = state[LAST]
        p = PASS_MOVE
        if knowing and last > 0:
            p = urgent_answer(state, last, colour, random)
            if p == PASS_MOVE:
                p = _local_point(state, last, colour, random)
        if p == PASS_MOVE:
            p = _random_point(state, colour, empties, count, random, knowing)
        n += 1
        played[n] = p
        if p == PASS_MOVE:
            pass_turn(state, colour)
            passes += 1
            continue
        passes = 0
        put(state, p, colour)
        if state[TAKEN_BLACK] + state[TAKEN_WHITE] != taken:
            taken = state[TAKEN_BLACK] + state[TAKEN_WHITE]
            count = list_empty(state, empties)
        else:
            count = take_out(empties, count, p)
    played[0] = n


@seam(PLAYOUT)
def playout(state, random, played):
    """Play to the end with captures, ataris and patterns; the value is nearly 1 for a victory, nearly -1 for a loss."""
    mine = state[TO_PLAY]
    play_out(state, random, played, True)
    points = ahead(state)
    if state[TO_PLAY] != mine:
        points = -points
    share = points / (state[SIZE] * state[SIZE] + abs(0.5 * state[KOMI2]))
    won = 1.0 if points > 0 else (-1.0 if points < 0 else 0.0)
    return (1.0 - MARGIN) * won + MARGIN * share
