"""Captures first: the score of a move is the number of stones that it takes off the board."""

import numpy as np
from support.searching import positions_at, worthy

from gotools.games.go.go import GO
from gotools.games.go.kernels.rules import TO_PLAY


def stones(state, colour):
    return GO.draw(state).split("A B")[0].count(".XO"[colour])


def test_a_move_is_worth_the_stones_that_it_captures():
    order, largest = GO.find_order("captures"), 0
    for state in positions_at(GO, 6, (12, 20, 30, 40), 12):
        moves = np.array(worthy(GO, state), np.int32)
        scores = np.full(len(moves), np.nan)
        order(state, moves, len(moves), scores, np.zeros(1, np.int64))
        other = 3 - state[TO_PLAY]
        taken = [stones(state, other) - stones(GO.play(state, int(move)), other) for move in moves]
        assert scores.tolist() == taken
        largest = max(largest, *taken)
    assert largest >= 3
