"""A position as planes for a residual network, seen by the side to play.

     0   1 everywhere: so that the border is distinguished from empty points
     1   own stones                           2   the opponent's
     3-6 own chains of 1, 2, 3, 4 or more liberties
     7-10 the opponent's
     11  legal points
     12  a point that ko forbids
     13  the last move                        14  the move before it
     15  1 everywhere where the opponent has just passed
     16  chains in a ladder: those of one liberty that cannot escape, those of two that the other side can catch
     17  komi that the side to play receives, in 20 points
     18  strength of the side to play, as records have it

    x:  float32[(size + 2)**2 * PLANES], with the border of kernels/convolution.py

Rows begin at the bottom, as those of points do.
"""

import numpy as np

from gotools.games.go.kernels.constants import PASS
from gotools.games.go.kernels.game import KOMI2, PASS_MOVE
from gotools.games.go.kernels.ladders import caught, defend, new_reader
from gotools.games.go.kernels.rules import (
    COLOUR,
    HEAD,
    KO,
    KO_COLOUR,
    LAST,
    LAST2,
    NEXT,
    PLANE,
    SIZE,
    STATE,
    STRIDE,
    TO_PLAY,
    load,
    pad,
    unpad,
    why_illegal,
)
from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.residual import STRENGTH, residual_network
from gotools.jit.kernels.seams import EVALUATE, FILL, JUDGE, ORDER, OWNERS, PLACE

PLANES = 19
_STONES, _CHAINS, _LEGAL, _KO, _LAST, _PASSED, _LADDER, _KOMI, _STRENGTH = 1, 3, 11, 12, 13, 15, 16, 17, 18
_MOST_LIBERTIES = 4
_KOMI_UNIT = 40.0
"""Half points of komi for an input of 1."""


@inner
def _liberties(state, head):
    """Count the liberties of a chain, 4 for more."""
    a = b = c = 0
    p = head
    while True:
        for d in (-STRIDE, -1, 1, STRIDE):
            q = p + d
            if state[COLOUR + q] == 0 and q != a and q != b and q != c:
                if a == 0:
                    a = q
                elif b == 0:
                    b = q
                elif c == 0:
                    c = q
                else:
                    return 4
        p = state[NEXT + p]
        if p == head:
            break
    return np.int64(a != 0) + np.int64(b != 0) + np.int64(c != 0)


@inner
def _in_ladder(state, head, liberties, reader):
    """Return whether a chain of one or two liberties is caught: of one where its owner moves, of two the other side."""
    cells, queue, seen, counts, tries = reader.cells, reader.queue, reader.seen, reader.counts, reader.tries
    for p in range((state[SIZE] + 2) * STRIDE):
        cells[0, p] = state[COLOUR + p]
    counts[1] = 0
    if liberties == 2:
        return caught(cells, 0, head, queue, seen, counts, tries)
    verdict = defend(cells, 0, head, queue, seen, counts)
    return verdict == 1 or (verdict == 2 and caught(cells, 1, head, queue, seen, counts, tries))


@seam(FILL)
def fill_planes(state, strength, x):
    """Fill the planes of a position."""
    size, colour = state[SIZE], state[TO_PLAY]
    komi = state[KOMI2] / _KOMI_UNIT if colour == 2 else -state[KOMI2] / _KOMI_UNIT
    for i in range((size + 2) * (size + 2) * PLANES):
        x[i] = 0.0
    reader = new_reader()
    liberties, laddered = np.zeros(PLANE, np.int64), np.zeros(PLANE, np.bool_)
    passed = state[LAST] == PASS
    for y in range(size):
        for column in range(size):
            p = (y + 1) * STRIDE + column + 1
            at = ((y + 1) * (size + 2) + column + 1) * PLANES
            x[at] = 1.0
            x[at + _KOMI] = komi
            x[at + _STRENGTH] = strength
            if passed:
                x[at + _PASSED] = 1.0
            stone = state[COLOUR + p]
            if stone == 0:
                verdict = why_illegal(state, p, colour, False)
                if verdict == 0:
                    x[at + _LEGAL] = 1.0
                if p == state[KO] and state[KO_COLOUR] == colour:
                    x[at + _KO] = 1.0
                continue
            head = state[HEAD + p]
            if liberties[head] == 0:
                liberties[head] = _liberties(state, head)
                laddered[head] = liberties[head] < 3 and _in_ladder(state, head, liberties[head], reader)
            side = 0 if stone == colour else 1
            x[at + _STONES + side] = 1.0
            x[at + _CHAINS + side * _MOST_LIBERTIES + liberties[head] - 1] = 1.0
            if laddered[head]:
                x[at + _LADDER] = 1.0
    for i in range(2):
        p = state[LAST + i]
        if p > 0:
            point = unpad(p, size)
            at = ((point // size + 1) * (size + 2) + point % size + 1) * PLANES
            x[at + _LAST + i] = 1.0


@kernel
def planes_of_rows(board, size, to_play, ko, last, last2, komi2, strength, x):
    """Fill the planes of many positions of one board size.

    board, to_play, ko, last, last2 -- as the columns of GoExamples
    komi2    -- int16[n]: twice the komi; strength -- float32[n]
    x        -- float32[n, (size + 2)**2 * PLANES]
    """
    state = np.zeros(STATE, np.int32)
    for i in range(len(board)):
        load(state, board[i], size)
        state[TO_PLAY] = state[KO_COLOUR] = to_play[i]
        state[KO], state[KOMI2] = pad(ko[i], size), komi2[i]
        state[LAST], state[LAST2] = pad(last[i], size), pad(last2[i], size)
        fill_planes(state, strength[i], x[i])


@seam(PLACE)
def place(state, move):
    """Return the number of a point, row after row from the bottom; the pass comes last."""
    size = state[SIZE]
    return size * size if move == PASS_MOVE else unpad(move, size)


@seam(OWNERS)
def owners(state, owned):
    """Write who owns each point by area, where no stone is dead; returns the points that black is ahead, less komi."""
    size = state[SIZE]
    seen = np.zeros(PLANE, np.bool_)
    region = np.empty(PLANE, np.int32)
    lead = -0.5 * state[KOMI2]
    for y in range(size):
        for column in range(size):
            p = (y + 1) * STRIDE + column + 1
            if state[COLOUR + p] != 0:
                owned[y * size + column] = 3 - 2 * state[COLOUR + p]
                lead += owned[y * size + column]
                continue
            if seen[p]:
                continue
            seen[p] = True
            region[0] = p
            done, found, touches = 0, 1, 0
            while done < found:
                for d in (-STRIDE, -1, 1, STRIDE):
                    q = region[done] + d
                    beside = state[COLOUR + q]
                    if beside == 0 and not seen[q]:
                        seen[q] = True
                        region[found] = q
                        found += 1
                    elif beside == 1 or beside == 2:
                        touches |= beside
                done += 1
            owner = 1 if touches == 1 else (-1 if touches == 2 else 0)
            lead += owner * found
            for i in range(found):
                owned[unpad(region[i], size)] = owner
    return lead


@seam(JUDGE)
def judge_planes(state, moves, n, scores, numbers):
    """Score moves by the logits of a policy, and value the position."""
    size = state[SIZE]
    x = np.empty((size + 2) * (size + 2) * PLANES, np.float32)
    fill_planes(state, np.float32(numbers[STRENGTH]), x)
    policy, out = np.empty(size * size + 1, np.float32), np.empty(2)
    residual_network(x, numbers, size, size, policy, np.empty(0, np.float32), out)
    for i in range(n):
        scores[i] = policy[place(state, moves[i])]
    return out[0]


@seam(ORDER)
def order_planes(state, moves, n, scores, numbers):
    """Score moves by the logits of a policy; numbers -- those of judge_planes, as int64."""
    judge_planes(state, moves, n, scores, numbers.view(np.float64))


@seam(EVALUATE)
def value_planes(state, numbers):
    """Value a position."""
    return judge_planes(state, np.empty(0, np.int32), 0, np.empty(0), numbers)
