"""Inputs of networks, for the side to play: what is its own counts up, what is the other's down.

raw:      32 squares, from the side's own back row on: 1 for a man, KING_WORTH for a king
samuel:   9 terms of the polynomial of Samuel (1959) by his names, TERMS
windows:  91 sums of raw, over the windows of 3x3 to 8x8 fields of the board, those of Blondie24
"""

import numpy as np

from draughts_game.kernels.rules import COUNT, KING, NEXT, ROWS, SQUARES, directions, owner, step
from gotools.jit import inner, seam
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import EVALUATE, INPUTS, TO_PLAY

KING_WORTH = 1.5
"""Men that a king is worth, as Samuel has it."""
TERMS = ("men", "kings", "ADV", "BACK", "CENT", "KCENT", "MOB", "OREO", "POLE")
WINDOWS = sum((ROWS + 1 - n) ** 2 for n in range(3, ROWS + 1))
ADVANCE = np.array([0.0, 0.0, -1.0, -1.0, 1.0, 1.0, 0.0, 0.0])
"""Of a man by its row."""
CENTRE = np.isin(np.arange(COUNT), [9, 10, 13, 14, 17, 18, 21, 22])


@inner
def own(square, side):
    """Return a square as its side counts: Black from the top, White from the bottom."""
    return square if side == 1 else COUNT - 1 - square


@seam(INPUTS)
def raw(state, x):
    """Fill float64[32] with the pieces."""
    mine = state[TO_PLAY]
    for square in range(COUNT):
        piece = state[SQUARES + square]
        worth = 0.0 if piece == 0 else KING_WORTH if piece > KING else 1.0
        x[own(square, mine)] = worth if owner(piece) == mine else -worth


@inner
def _is_alone(state, square):
    """Return whether all squares around a square are empty."""
    for direction in range(4):
        there = NEXT[square, direction]
        if there >= 0 and state[SQUARES + there] != 0:
            return False
    return True


@inner
def holds(state, side, square):
    """Return whether a side has a piece on a square, as it counts."""
    return owner(state[SQUARES + own(square, side)]) == side


@inner
def _add_terms(state, side, sign, x):
    """Add the terms of a side, times a sign, to float64[9]."""
    kings, others = 0, 0
    for square in range(COUNT):
        piece, row = state[SQUARES + square], own(square, side) // 4
        king = piece > KING
        if owner(piece) != side:
            others += king
            continue
        kings += king
        x[1 if king else 0] += sign
        x[5 if king else 4] += sign * CENTRE[square]
        x[2] += 0.0 if king else sign * ADVANCE[row]
        first, end = directions(piece)
        for direction in range(first, end):
            x[6] += sign * (step(state, square, direction) >= 0)
        x[8] += sign * (not king and _is_alone(state, square))
    if others == 0 and holds(state, side, 0) and holds(state, side, 2):
        x[3] += sign
    if kings == 0 and holds(state, side, 1) and holds(state, side, 2) and holds(state, side, 6):
        x[7] += sign


@seam(INPUTS)
def samuel(state, x):
    """Fill float64[9] with Samuel's terms."""
    for term in range(len(TERMS)):
        x[term] = 0.0
    _add_terms(state, state[TO_PLAY], 1.0, x)
    _add_terms(state, 3 - state[TO_PLAY], -1.0, x)


@seam(INPUTS)
def windows(state, x):
    """Fill float64[91] with the sums of windows, by the sums of what lies above and to the left of each corner."""
    pieces = np.empty(COUNT, np.float64)
    raw(state, pieces)
    sums = np.zeros((ROWS + 1, ROWS + 1), np.float64)
    for row in range(ROWS):
        for column in range(ROWS):
            dark = (row + column) % 2 == 1
            here = pieces[4 * row + column // 2] if dark else 0.0
            sums[row + 1, column + 1] = sums[row, column + 1] + sums[row + 1, column] - sums[row, column] + here
    at = 0
    for n in range(3, ROWS + 1):
        for row in range(ROWS + 1 - n):
            for column in range(ROWS + 1 - n):
                right, low = column + n, row + n
                x[at] = sums[low, right] - sums[row, right] - sums[low, column] + sums[row, column]
                at += 1


@seam(EVALUATE)
def raw_value(state, numbers):
    """Value a position by a network over the squares."""
    x = np.empty(COUNT, np.float64)
    raw(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def samuel_value(state, numbers):
    """Value a position by a network over Samuel's terms; of one layer it is his polynomial."""
    x = np.empty(len(TERMS), np.float64)
    samuel(state, x)
    return network_value(x, numbers)


@seam(EVALUATE)
def windows_value(state, numbers):
    """Value a position by a network over the windows."""
    x = np.empty(WINDOWS, np.float64)
    windows(state, x)
    return network_value(x, numbers)
