"""What a selective search leaves out, and by how much it reduces the depth of late moves.

Beside the principal variation, where the side to play is not threatened:

    a position far better than needed a few plies before the leaves is not searched    (reverse futility)
    nor one that is still good enough after the other side moves twice                 (null move)
    quiet moves far worse than needed are left out a ply or two before the leaves      (futility)
    and so are those that come late in the order                                       (late moves)
    late moves are searched less deep, by log(depth) * log(number), and again in full where they look better

Sources: Donninger 1993 (null move); Heinz 1998 (futility); Romstad 2006 (reductions of late moves).
"""

import numpy as np

from gotools.jit import inner
from gotools.search.kernels.tables import SCALE

LATE = 64
"""Moves of a node that reductions tell apart."""
_NEAR = 3
"""Plies before the leaves up to which futility is asked."""
_SKIPPED = 2
"""Plies by which a search after a null move is less deep, at least."""


def reductions(deepest, divisor=200):
    """Return int64[deepest + 1, LATE]: plies by which a quiet move is reduced, by the depth left and its number."""
    depth, number = np.maximum(np.arange(deepest + 1), 1)[:, None], np.maximum(np.arange(LATE), 1)[None, :]
    amounts = (0.3 + np.log(depth) * np.log(number) / (divisor / 100)).astype(np.int64)
    amounts[:3] = 0
    amounts[:, :3] = 0
    return amounts


@inner
def skipped_depth(depth, tune):
    """Return the plies to search after a null move, with `depth` left."""
    return depth - 1 - tune[0] - depth // tune[12]


@inner
def is_beyond(static, depth, beta, margin, tune):
    """Return whether a position is so much better than needed that its search can be left out."""
    return tune[4] != 0 and margin > 0 and depth <= tune[1] and static - margin * depth >= beta and abs(beta) < SCALE


@inner
def is_futile(static, depth, number, alpha, margin, tune):
    """Return whether a quiet move need not be searched: it comes late, or can hardly make good what is missing."""
    if depth > tune[1]:
        return False
    return number > tune[2] + tune[3] * depth * depth or (
        tune[5] != 0 and margin > 0 and static + margin * (depth + 1) <= alpha
    )


@inner
def reduction(plan, depth, number, in_window):
    """Return by how many plies a quiet move is searched less deep; in_window -- on the principal variation."""
    amount = plan.reductions[depth, min(number, LATE - 1)]
    return max(0, min(amount - in_window, depth - 1))
