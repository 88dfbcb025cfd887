"""The process of two states as a game of gotools, so that its own learner learns the values of the policy `move`.

state: | SIZE | TO_PLAY | PLACE | GAIN | OVER |    moves: GO, and after it nature's GAINED or LOST; STOP ends the game

    place 0: GO, then GAINED: to place 1 for nothing
    place 1: GO, then GAINED: stays and gets 1; LOST: back to place 0, pays the cost

Side 1 moves by the policy, side 2 is nature. SIZE is the cost, and GAIN the gain so far, in hundredths: GAIN is the
tally of events that a learner rewards. A position after GO stands for its place: its value is that of the place, and
the difference to the next one after GO is r + gamma V(next) - V(place).
"""

from __future__ import annotations

import numpy as np

from gotools.game.game import Game
from gotools.game.learning import FeatureSet, Learning
from gotools.jit import seam
from gotools.jit.kernels.basics import copy_to
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import AFTER, EVALUATE, INPUTS, KEY, LEGAL, ONGOING, OUTCOME, PLAYOUT, START, TO_PLAY

GO, GAINED, LOST, STOP = range(4)
SIZE, PLACE, GAIN, OVER = 0, 2, 3, 4


@seam(START)
def start(state, size):
    """Begin in place 0."""
    state[:] = 0
    state[SIZE] = size
    state[TO_PLAY] = 1


@seam(LEGAL)
def legal(state, moves):
    """List what side 1 or nature may do."""
    if state[OVER] != 0:
        return 0
    moves[0], moves[1] = (GO, STOP) if state[TO_PLAY] == 1 else (GAINED, LOST)
    return 2


@seam(LEGAL)
def noisy(state, moves):
    """List nothing."""
    return 0


@seam(AFTER)
def after(state, move, target):
    """Write what a move makes of the process."""
    copy_to(target, state)
    target[TO_PLAY] = 3 - state[TO_PLAY]
    if move == STOP:
        target[OVER] = 1
    elif move != GO and state[PLACE] == 0:
        target[PLACE] = 1
    elif move == GAINED:
        target[GAIN] += 100
    elif move == LOST:
        target[PLACE] = 0
        target[GAIN] -= state[SIZE]


@seam(OUTCOME)
def outcome(state):
    """Value nothing: the end is not learned from."""
    return 0.0 if state[OVER] != 0 else ONGOING


@seam(KEY)
def key(state):
    """Tell places and sides apart."""
    return 2 * state[PLACE] + state[TO_PLAY]


@seam(PLAYOUT)
def playout(state, random, played):
    """Play nothing."""
    played[0] = 0
    return 0.0


@seam(EVALUATE)
def gain(state, numbers):
    """Return the gain so far in parts of 100, for the side to play."""
    return state[GAIN] if state[TO_PLAY] == 1 else -state[GAIN]


@seam(INPUTS)
def place(state, x):
    """Fill one input for each place, for the side to play."""
    x[:] = 0.0
    x[state[PLACE]] = 1.0 if state[TO_PLAY] == 1 else -1.0


@seam(EVALUATE)
def value(state, numbers):
    """Return the learned value of the place."""
    x = np.empty(2, np.float64)
    place(state, x)
    return network_value(x, numbers)


FEATURES = FeatureSet("place", lambda size: ("place 0", "place 1"), lambda size: np.ones(2), place, value)
WORDS = ("go", "gained", "lost", "stop")
PROCESS = Game(
    name="process", cells=5, moves=4, longest=2, sizes=(100,), start=start, legal=legal, worthy=legal, after=after,
    outcome=outcome, key=key, noisy=noisy, playout=playout, move_text=lambda move, size: WORDS[move],
    parse_move=lambda text, size: WORDS.index(text), draw=lambda state: f"place {state[PLACE]}",
    traits={"Learning": Learning(tally=f"{__name__}:gain")},
)  # fmt: skip
