"""What a selective search leaves out, and by how much it reduces the depth of late moves.

Beside the principal variation, where the side to play is not threatened and nothing is decided:

    a position far better than needed a few plies before the leaves is not searched    (reverse futility)
    nor one that is still good enough after the other side moves twice                 (null move)
    quiet moves far worse than needed are left out a few plies before the leaves       (futility)
    and so are those that come late in the order                                       (late moves)

Everywhere quiet moves that come late are searched less deep, by log(depth) * log(number), and again in full where they
look better. Noisy moves are never quiet, nor are the table's move and the killers; where an ordering chooses the
candidates all moves are but the first.

Sources: Donninger 1993 (null move); Heinz 1998 (futility); Romstad 2006 (reductions of late moves).
"""

import numpy as np

from gotools.jit import inlined
from gotools.search.kernels.tables import INFINITE, scaled

LATE = 64
"""Moves of a node that reductions tell apart."""
NEAR = 3
"""Plies before the leaves up to which positions and moves are left out by their value or number."""
KEPT = 12
"""Quiet moves that are never left out for their number; there are EACH more for each square of the depth left."""
EACH = 8
SKIP_FROM = 3
"""Depth left from which on null moves are tried."""
_REDUCED_FROM = 3
"""Depth left, and number of a move counted from 0, from which on moves are reduced."""


def reductions(deepest):
    """Return int64[deepest + 1, LATE]: plies by which a quiet move is reduced, by the depth left and its number."""
    depth, number = (np.log(np.maximum(np.arange(n), 1)) for n in (deepest + 1, LATE))
    amounts = (0.3 + depth[:, None] * number[None, :] / 2.0).astype(np.int64)
    amounts[:_REDUCED_FROM] = 0
    amounts[:, :_REDUCED_FROM] = 0
    return amounts


@inlined
def asks(selective, ply, alpha, beta, scale):
    """Return whether positions and moves of a node may be left out; scale -- the least value of a victory."""
    decided = scaled(scale)
    return selective != 0 and ply > 0 and beta - alpha == 1 and -decided < alpha and beta < decided


@inlined
def is_beyond(static, depth, beta, margin):
    """Return whether a position is so much better than needed that its search can be left out."""
    return static != INFINITE and margin > 0 and depth <= NEAR and static - margin * depth >= beta


@inlined
def may_skip(static, depth, beta, before, skip):
    """Return whether a null move is tried; before -- the move that led here, which is none itself."""
    return static != INFINITE and skip >= 0 and depth >= SKIP_FROM and static >= beta and before != skip


@inlined
def skipped_depth(depth):
    """Return the plies to search after a null move, with `depth` left."""
    return depth - 3 - depth // 6


@inlined
def is_futile(static, depth, number, alpha, margin):
    """Return whether a quiet move need not be searched: it comes late, or can hardly make good what is missing."""
    if static == INFINITE or depth > NEAR:
        return False
    return number > KEPT + EACH * depth * depth or (margin > 0 and static + margin * (depth + 1) <= alpha)


@inlined
def reduction(reductions, depth, number, aside):
    """Return by how many plies a quiet move is searched less deep; aside -- not on the principal variation."""
    amount = reductions[depth, min(number, LATE - 1)] - (0 if aside else 1)
    return max(0, min(amount, depth - 1))
