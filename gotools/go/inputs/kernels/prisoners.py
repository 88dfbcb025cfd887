"""Prisoners, counted from the header of a state (go/kernels/rules.py): TAKEN_BLACK and TAKEN_WHITE are stones lost."""

from gotools.go.kernels.rules import TAKEN_BLACK, TAKEN_WHITE, TO_PLAY
from gotools.jit import inner, seam
from gotools.kernels.seams import EVALUATE


@inner
def prisoners_ahead(state):
    """Return the prisoners of the side to play less those of the other side; stones of a suicide count as taken."""
    for_black = state[TAKEN_WHITE] - state[TAKEN_BLACK]
    return for_black if state[TO_PLAY] == 1 else -for_black


@seam(EVALUATE)
def tally(state, numbers):
    """Count prisoners for the side to play; numbers are left alone."""
    return float(prisoners_ahead(state))
