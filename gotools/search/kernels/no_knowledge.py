"""No knowledge: the ordering, the evaluation and the threats that know nothing, so that a search can do without."""

from gotools.jit import seam
from gotools.kernels.seams import EVALUATE, ORDER, THREATENED


@seam(ORDER)
def no_order(state, moves, n, scores, numbers):
    """Score all moves alike."""
    for i in range(n):
        scores[i] = 0.0


@seam(EVALUATE)
def no_value(state, numbers):
    """Value every position 0."""
    return 0.0


@seam(THREATENED)
def no_threat(state):
    """Return that nothing threatens."""
    return False
