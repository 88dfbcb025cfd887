"""Connect-4 positions with their exact scores, from ../shared/data/connect4."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from support.needs import SHARED

from gotools.games.connect4.connect4 import CONNECT4
from gotools.games.connect4.kernels.rules import WORTH

SETS = ("test_l3_r1", "test_l2_r1", "test_l2_r2", "test_l1_r1", "test_l1_r2", "test_l1_r3")
"""Easiest first: l3 ends of games, l1 beginnings; r1 to r3 by the plies to look ahead."""


def scored_positions(name: str) -> list[tuple[str, int]]:
    """Return the positions of one set as (moves, score for the side to play); `position_of` plays the moves."""
    lines = (SHARED / "connect4" / f"{name}.txt").read_text(encoding="ascii").split("\n")
    return [(moves, int(score)) for moves, score in (line.split() for line in lines if line)]


def score_of(value: float) -> int:
    """Return the score of a value: 22 less the stones that the winner will have played, negative for the loser."""
    return round(2 * WORTH * value - WORTH * (value > 0) + WORTH * (value < 0))


def position_of(columns: str) -> NDArray[np.int32]:
    """Play the moves of a text such as "32164625" from the empty board."""
    state = CONNECT4.position()
    for text in columns:
        move = CONNECT4.parse_move(text, 7)
        assert move in CONNECT4.moves_of(state), columns
        state = CONNECT4.play(state, move)
    return state
