"""The end of a game as a goal of proof-number search."""

from gotools.jit import inner
from gotools.jit.kernels.seams import REACHED, TO_PLAY


@inner
def ended(state, value, goal):
    """Return whether a finished game, by its value for the side to play, is won by the side goal[0]: REACHED, or 0."""
    return REACHED if (value if state[TO_PLAY] == goal[0] else -value) > 0.0 else 0
