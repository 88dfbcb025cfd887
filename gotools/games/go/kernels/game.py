"""Go for search: the functions of kernels/seams.py.

A move is a padded point (see rules.py) or PASS_MOVE. Two passes in a row end the game; its value is the area score
less komi, no stone is dead. Simple ko only: in a real game the caller removes moves that superko forbids at the root.
The header holds, besides what the rules need, KOMI2.
"""

import numpy as np

from gotools.games.go.kernels.constants import NONE, PASS
from gotools.games.go.kernels.liberties import is_own_eye, is_self_atari, only_liberty
from gotools.games.go.kernels.rules import (
    COLOUR,
    HASH_HIGH,
    HASH_LOW,
    HEAD,
    KO,
    KO_COLOUR,
    LAST,
    LAST2,
    NEXT,
    SIZE,
    STRIDE,
    TO_PLAY,
    area_score,
    copy,
    pass_turn,
    put,
    start,
    why_illegal,
)
from gotools.jit import inner, seam
from gotools.jit.kernels.seams import AFTER, KEY, LEGAL, ONGOING, ORDER, OUTCOME, START, THREATENED

KOMI2 = 10
"""Header entry: twice the komi."""
PASS_MOVE = 0
HALF_WON = 10.0
"""Points ahead that are worth 0.5."""

_KO_WORD = np.int64(0x3C6EF372FE94F82B)
_WHITE_WORD = np.int64(0x1B56C4E9D3A2F871)
_PASS_WORD = np.int64(0x5851F42D4C957F2D)


@seam(START)
def start_game(state, size):
    """Make the empty board; komi 0."""
    start(state, size)


@inner
def _list_moves(state, moves, eyes):
    """List the legal moves, pass last; own single-point eyes only with `eyes`."""
    size = state[SIZE]
    colour = state[TO_PLAY]
    if state[LAST] == PASS and state[LAST2] == PASS:
        return 0
    n = 0
    for y in range(1, size + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + size):
            if (
                state[COLOUR + p] == 0
                and (eyes or not is_own_eye(state, p, colour))
                and why_illegal(state, p, colour, False) == 0
            ):
                moves[n] = p
                n += 1
    moves[n] = PASS_MOVE
    return n + 1


@seam(LEGAL)
def legal(state, moves):
    """List the legal moves: no suicide, simple ko; pass last."""
    return _list_moves(state, moves, True)


@seam(LEGAL)
def worthy(state, moves):
    """List the legal moves that fill no own single-point eye; pass last."""
    return _list_moves(state, moves, False)


@seam(AFTER)
def after(state, move, target):
    """Write the position after a legal move."""
    copy(target, state)
    if move == PASS_MOVE:
        pass_turn(target, state[TO_PLAY])
    else:
        put(target, move, state[TO_PLAY])


@inner
def points_to_value(points):
    """Turn points ahead into a value in (-1, 1); grows with every point."""
    return points / (abs(points) + HALF_WON)


@inner
def ahead(state):
    """Return by how many points the side to play is ahead on area, no stone dead, komi taken into account."""
    points = area_score(state) - 0.5 * state[KOMI2]
    return points if state[TO_PLAY] == 1 else -points


@seam(OUTCOME)
def outcome(state):
    """Value the position after two passes; ONGOING before."""
    if state[LAST] != PASS or state[LAST2] != PASS:
        return ONGOING
    return points_to_value(ahead(state))


@seam(KEY)
def key(state):
    """Mix the stones, the side to play, a ko that binds it, and whether the last move was a pass."""
    word = np.int64(state[HASH_HIGH]) << np.int64(32) | (np.int64(state[HASH_LOW]) & np.int64(0xFFFFFFFF))
    if state[TO_PLAY] == 2:
        word ^= _WHITE_WORD
    if state[KO] != NONE and state[KO_COLOUR] == state[TO_PLAY]:
        word ^= _KO_WORD * np.int64(2 * state[KO] + 1)
    if state[LAST] == PASS:
        word ^= _PASS_WORD
    return word


@seam(THREATENED)
def threatened(state):
    """Return whether the last move put a chain of the side to play in atari."""
    last, colour = state[LAST], state[TO_PLAY]
    if last == NONE or last == PASS:
        return False
    for d in (-STRIDE, -1, 1, STRIDE):
        if state[COLOUR + last + d] == colour and only_liberty(state, last + d) != 0:
            return True
    return False


@seam(LEGAL)
def noisy(state, moves):
    """List captures, then moves that save an own chain from atari by its last liberty, each once."""
    size = state[SIZE]
    colour = state[TO_PLAY]
    n = 0
    for capture in (True, False):
        for y in range(1, size + 1):
            for p in range(y * STRIDE + 1, y * STRIDE + 1 + size):
                wanted = 3 - colour if capture else colour
                if state[COLOUR + p] != wanted or state[HEAD + p] != p:
                    continue
                liberty = only_liberty(state, p)
                if liberty == 0 or why_illegal(state, liberty, colour, False) != 0:
                    continue
                if not capture and is_self_atari(state, liberty, colour):
                    continue
                new = True
                for i in range(n):
                    new = new and moves[i] != liberty
                if new:
                    moves[n] = liberty
                    n += 1
    return n


@seam(ORDER)
def captures_first(state, moves, n, scores, numbers):
    """Score a move by the stones that it captures: the order that programs of Go have without any learning."""
    other = 3 - state[TO_PLAY]
    for i in range(n):
        taken, p = 0, moves[i]
        if p != PASS_MOVE:
            for d in (-STRIDE, -1, 1, STRIDE):
                if state[COLOUR + p + d] != other or only_liberty(state, p + d) != p:
                    continue
                head = state[HEAD + p + d]
                new = True
                for e in (-STRIDE, -1, 1, STRIDE):
                    if e < d and state[COLOUR + p + e] == other and state[HEAD + p + e] == head:
                        new = False
                if not new:
                    continue
                q = head
                while True:
                    taken += 1
                    q = state[NEXT + q]
                    if q == head:
                        break
        scores[i] = taken
