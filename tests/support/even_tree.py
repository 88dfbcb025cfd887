"""A game whose tree is even: so many moves everywhere, no end, and a value of its own at every node.

state: | SIZE (of moves) | TO_PLAY | NODE |    a move is 0 to SIZE - 1; the nodes below node x are SIZE * x + 1 + move
"""

import numpy as np

from gotools.game.game import Game
from gotools.jit import seam
from gotools.jit.kernels.seams import AFTER, EVALUATE, KEY, LEGAL, ONGOING, OUTCOME, PLAYOUT, SIZE, START, TO_PLAY
from gotools.search.knowledge import Evaluation

NODE = 2


@seam(START)
def start(state, size):
    state[SIZE], state[TO_PLAY], state[NODE] = size, 1, 0


@seam(LEGAL)
def legal(state, moves):
    for move in range(state[SIZE]):
        moves[move] = move
    return state[SIZE]


@seam(LEGAL)
def noisy(state, moves):
    return 0


@seam(AFTER)
def after(state, move, target):
    target[SIZE], target[TO_PLAY] = state[SIZE], 3 - state[TO_PLAY]
    target[NODE] = state[SIZE] * state[NODE] + 1 + move


@seam(OUTCOME)
def outcome(state):
    return ONGOING


@seam(KEY)
def key(state):
    return state[NODE] + 1


@seam(PLAYOUT)
def playout(state, random, played):
    played[0] = 0
    return 0.0


@seam(EVALUATE)
def value(state, numbers):
    """Value a node by the middle digits of a square: -0.9 to 0.9, hardly ever the same."""
    word = (np.int64(state[NODE]) + 12345) * 987654321 % 1000003
    return (word * word // 1000 % 1000000) / 1000000.0 * 1.8 - 0.9


EVEN_TREE = Game(
    name="even tree", cells=3, moves=8, longest=8, sizes=(3, 2, 4, 5), start=start, legal=legal, worthy=legal,
    after=after, outcome=outcome, key=key, noisy=noisy, playout=playout, move_text=lambda move, size: str(move),
    parse_move=lambda text, size: int(text), draw=lambda state: str(state[NODE]),
)  # fmt: skip
VALUES = Evaluation("of each node", value, np.zeros(1))
