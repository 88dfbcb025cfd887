"""Captures first: the order of moves that programs of Go have without any learning."""

from gotools.go.kernels.game import PASS_MOVE
from gotools.go.kernels.liberties import only_liberty
from gotools.go.kernels.rules import COLOUR, HEAD, NEXT, STRIDE, TO_PLAY
from gotools.jit import seam
from gotools.kernels.seams import ORDER


@seam(ORDER)
def captures_first(state, moves, n, scores, numbers):
    """Score a move by the stones that it captures."""
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
