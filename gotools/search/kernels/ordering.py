"""What searches and self-play do with the scores of moves: keep the best, mix two orderings, set penalties."""

from gotools.jit import inner, kernel

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
