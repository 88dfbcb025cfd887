"""Go: the moves of a search that captures a chain, or saves it, within a region of the board.

    goal:  | attacker | TARGET | THREATS | REGION (420) |

TARGET   a stone of the chain; the goal is reached when it is taken off
THREATS  the side that has a threat for every ko: it retakes at once, and the other has to wait
REGION   1 for the points (padded) where both sides play. The defender may pass, the attacker not
"""

from gotools.games.go.kernels.constants import NONE
from gotools.games.go.kernels.game import PASS_MOVE
from gotools.games.go.kernels.liberties import is_own_eye, only_liberty
from gotools.games.go.kernels.rules import COLOUR, KO, NEXT, PLANE, SIZE, STRIDE, TO_PLAY, why_illegal
from gotools.jit import inner, seam
from gotools.jit.kernels.seams import REACHED, TRIES

TARGET, THREATS, REGION = 1, 2, 3
GOAL = REGION + PLANE


@inner
def _list_rescues(state, target, moves):
    """List how a chain may get out of atari: by its liberty, by taking a chain beside it that is in atari; else pass.

    Who does anything else loses the chain by the next move.
    """
    colour, n = state[TO_PLAY], 0
    liberty = only_liberty(state, target)
    if why_illegal(state, liberty, colour, False) == 0:
        moves[n] = liberty
        n += 1
    p = target
    while True:
        for d in (-STRIDE, -1, 1, STRIDE):
            if state[COLOUR + p + d] == 3 - colour:
                taking = only_liberty(state, p + d)
                new = taking != 0 and why_illegal(state, taking, colour, False) == 0
                for i in range(n):
                    new = new and moves[i] != taking
                if new:
                    moves[n] = taking
                    n += 1
        p = state[NEXT + p]
        if p == target:
            break
    if n == 0:
        moves[n] = PASS_MOVE
        n += 1
    return n


@inner
def _list_region(state, goal, attacks, moves):
    """List the legal moves in the region; of the attacker without own eyes, of the defender with the pass."""
    size, colour, n = state[SIZE], state[TO_PLAY], 0
    for y in range(1, size + 1):
        for p in range(y * STRIDE + 1, y * STRIDE + 1 + size):
            if (
                goal[REGION + p] != 0
                and state[COLOUR + p] == 0
                and not (attacks and is_own_eye(state, p, colour))
                and why_illegal(state, p, colour, False) == 0
            ):
                moves[n] = p
                n += 1
    if not attacks:
        moves[n] = PASS_MOVE
        n += 1
    return n


@seam(TRIES)
def capture_tries(state, goal, moves):
    """List the moves by which a chain may be taken or saved; see kernels/seams.py."""
    attacks, target = state[TO_PLAY] == goal[0], goal[TARGET]
    if state[COLOUR + target] != 3 - goal[0]:
        return REACHED
    ko = state[KO]
    if state[TO_PLAY] == goal[THREATS]:
        state[KO] = NONE
    liberty = only_liberty(state, target)
    if attacks and liberty != 0 and why_illegal(state, liberty, state[TO_PLAY], False) == 0:
        moves[0] = liberty
        n = 1
    elif not attacks and liberty != 0:
        n = _list_rescues(state, target, moves)
    else:
        n = _list_region(state, goal, attacks, moves)
    state[KO] = ko
    return n
