"""Orderings of moves in a search: the best kept, two mixed, penalties; functions for a search that knows nothing."""

from gotools.jit import inner, kernel, seam
from gotools.jit.kernels.seams import EVALUATE, ORDER, THREATENED

MOST_UNITS = 8.0
"""Units of score below the best move's that a penalty grows with at most."""


@inner
def bring_best(moves, scores, i, n):
    """Bring the best of the moves i.. to place i, the first of equal ones; the others keep their order.

    Returns the move.
    """
    best = i
    for j in range(i + 1, n):
        if scores[j] > scores[best]:
            best = j
    move, score = moves[best], scores[best]
    for j in range(best, i, -1):
        moves[j] = moves[j - 1]
        scores[j] = scores[j - 1]
    moves[i] = move
    scores[i] = score
    return move


@inner
def keep_best(moves, scores, n, width):
    """Bring the `width` best of n moves to the front, best first, ties by their place; returns how many that are."""
    kept = min(width, n)
    for i in range(kept):
        bring_best(moves, scores, i, n)
    return kept


@inner
def penalty_of(score, best, penalty):
    """Return what a move costs: `penalty` for each unit that its score is below the best, up to MOST_UNITS."""
    return penalty * min(best - score, MOST_UNITS)


@kernel
def mix(scores, seconds, n, weight, second_weight):
    """Add the scores of a second ordering to those of the first, each with its weight."""
    for i in range(n):
        scores[i] = weight * scores[i] + second_weight * seconds[i]


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
