"""The owners of points and the fate of stones when a position is played to its end many times.

owned     int32[PLANE]   by padded point: ends in which black owns it less ends in which white does
sharing   int32[PLANE]   at stones: ends in which the stone's chain stands and has a liberty that neither side owns
"""

import numpy as np

from gotools.games.go.estimate.kernels.settling import settle
from gotools.games.go.kernels.constants import NONE
from gotools.games.go.kernels.playouts import play_out
from gotools.games.go.kernels.rules import (
    BORDER,
    COLOUR,
    LAST,
    LAST2,
    NEXT,
    PLANE,
    SIZE,
    STATE,
    STRIDE,
    TO_PLAY,
    copy,
)
from gotools.jit import inner, kernel


@inner
def _begin(state, colour, target):
    """Copy a position; a colour is to play, and there is no last move to answer."""
    copy(target, state)
    target[TO_PLAY] = colour
    target[LAST] = NONE
    target[LAST2] = NONE


@inner
def _owner(state, p):
    """Return the colour of a point at the end: its stone's, or that of all stones beside it; 3 for neither.

    An empty point among empty points belongs to no one; ends have next to none.
    """
    colours = state[COLOUR + p]
    if colours == 0:
        for d in (-STRIDE, -1, 1, STRIDE):
            if state[COLOUR + p + d] != BORDER:
                colours |= state[COLOUR + p + d]
    return colours


@inner
def _add_owners(state, owned):
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            owner = _owner(state, p)
            if owner == 1:
                owned[p] += 1
            elif owner == 2:
                owned[p] -= 1


@inner
def _add_sharing(before, state, seen, mark, sharing):
    """Count the stones of `before` that stand at the end in chains with a liberty of both colours.

    seen -- int32[PLANE] without `mark`; written
    """
    for y in range(1, state[SIZE] + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + state[SIZE]):
            if state[COLOUR + p] != 0 or _owner(state, p) != 3:
                continue
            for d in (-STRIDE, -1, 1, STRIDE):
                q = p + d
                while (state[COLOUR + q] == 1 or state[COLOUR + q] == 2) and seen[q] != mark:
                    seen[q] = mark
                    sharing[q] += state[COLOUR + q] == before[COLOUR + q]
                    q = state[NEXT + q]


@kernel
def sum_owners(state, to_play, games, random, owned):
    """Play a position to the end many times, with knowledge of captures, ataris and patterns; add up the owners."""
    end = np.empty(STATE, np.int32)
    played = np.empty(3 * state[SIZE] * state[SIZE] + 50, np.int32)  # some boards of 2x2 would go on and on
    for _ in range(games):
        _begin(state, to_play, end)
        play_out(end, random, played, True)
        _add_owners(end, owned)


@kernel
def sum_settled(state, games, random, owned, sharing):
    """Settle a finished position many times, black beginning in every second game; add up owners and shared chains."""
    end = np.empty(STATE, np.int32)
    seen = np.zeros(PLANE, np.int32)
    for game in range(games):
        _begin(state, 1 + game % 2, end)
        settle(end, random)
        _add_owners(end, owned)
        _add_sharing(state, end, seen, game + 1, sharing)
