"""Liberties of chains, counted as far as a question needs: atari, self-atari, eyes.

States and padded points are those of rules.py. A chain has at most a quarter of its pseudo-liberties in distinct
ones, so most questions end at the number in LIBS; else the stones are walked until enough liberties are found.
"""

from gotools.games.go.kernels.rules import BORDER, COLOUR, HEAD, LIBS, NEXT, STRIDE
from gotools.jit import kernel


@kernel
def only_liberty(state, p):
    """Return the one liberty of the chain at p, 0 if it has several."""
    head = state[HEAD + p]
    if state[LIBS + head] > 4:  # one empty point counts four times at most
        return 0
    found = 0
    q = head
    while True:
        for d in (-STRIDE, -1, 1, STRIDE):
            if state[COLOUR + q + d] == 0 and q + d != found:
                if found != 0:
                    return 0
                found = q + d
        q = state[NEXT + q]
        if q == head:
            return found


@kernel
def is_own_eye(state, p, colour):
    """Return whether an empty point is a single-point eye of a colour.

    All neighbours are its stones, and of the diagonal points at most one, at the edge none, is the opponent's.
    """
    for d in (-STRIDE, -1, 1, STRIDE):
        beside = state[COLOUR + p + d]
        if beside != colour and beside != BORDER:
            return False
    lost = 0
    edge = 0
    for d in (-STRIDE - 1, -STRIDE + 1, STRIDE - 1, STRIDE + 1):
        beside = state[COLOUR + p + d]
        if beside == BORDER:
            edge = 1
        elif beside == 3 - colour:
            lost += 1
    return lost + edge < 2


@kernel
def is_self_atari(state, p, colour):
    """Return whether a legal move that captures nothing leaves its own chain a single liberty."""
    found = 0
    for d in (-STRIDE, -1, 1, STRIDE):
        if state[COLOUR + p + d] == 0:
            if found != 0:
                return False
            found = p + d
    for d in (-STRIDE, -1, 1, STRIDE):
        beside = state[COLOUR + p + d]
        if beside == 3 - colour:
            if only_liberty(state, p + d) == p:
                return False
        elif beside == colour:
            head = state[HEAD + p + d]
            q = head
            while True:
                for e in (-STRIDE, -1, 1, STRIDE):
                    liberty = q + e
                    if state[COLOUR + liberty] == 0 and liberty != p and liberty != found:
                        if found != 0:
                            return False
                        found = liberty
                q = state[NEXT + q]
                if q == head:
                    break
    return True
