"""Rules of nim. state: | SIZE | TO_PLAY | HEAPS (7), 0 to 7 counters each |    a move is 8 * heap + counters taken"""

import numpy as np

from gotools.jit import seam
from gotools.jit.kernels.basics import below, copy_to
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import AFTER, EVALUATE, INPUTS, KEY, LEGAL, ONGOING, OUTCOME, PLAYOUT, START, TO_PLAY


@seam(START)
def start(state, size):
    state[:] = size
    state[TO_PLAY] = 1


@seam(LEGAL)
def legal(state, moves):
    n = 0
    for heap in range(7):
        for taken in range(1, state[2 + heap] + 1):
            moves[n] = 8 * heap + taken
            n += 1
    return n


@seam(LEGAL)
def noisy(state, moves):
    return 0


@seam(AFTER)
def after(state, move, target):
    copy_to(target, state)
    target[2 + move // 8] -= move % 8
    target[TO_PLAY] = 3 - state[TO_PLAY]


@seam(OUTCOME)
def outcome(state):
    return ONGOING if state[2:].max() > 0 else -1.0


@seam(KEY)
def key(state):
    number = state[TO_PLAY]
    for heap in range(7):
        number = 8 * number + state[2 + heap]
    return number


@seam(PLAYOUT)
def playout(state, random, played):
    moves, mine, played[0] = np.empty(49, np.int32), state[TO_PLAY], 0
    while outcome(state) == ONGOING and played[0] + 1 < len(played):
        played[0] += 1
        played[played[0]] = moves[below(random, legal(state, moves))]
        after(state.copy(), played[played[0]], state)
    return 0.0 if outcome(state) == ONGOING else -1.0 if state[TO_PLAY] == mine else 1.0


@seam(INPUTS)
def nim_sum(state, x):
    total = 0
    for heap in range(7):
        total ^= state[2 + heap]
    x[0] = 1.0 if total > 0 else -1.0


@seam(EVALUATE)
def value(state, numbers):
    x = np.empty(1, np.float64)
    nim_sum(state, x)
    return network_value(x, numbers)
