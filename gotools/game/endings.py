"""The goal of proof-number search in games that are played out: to win. What neither side can force is a draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.game.traits import Goal, Question
from gotools.jit.kernels.seams import TO_PLAY


def _ask(state: NDArray[np.int32], marks: Sequence[tuple[str, int]]) -> tuple[Question, Question]:
    """Return whether the side to play wins, and whether the other one does."""
    side = state[[TO_PLAY]]
    return Question("win", side), Question("loss", 3 - side)


def ending(tries: Any) -> Goal:
    """Return the goal to win, by what lists the moves until the game is over (`Goal.tries`)."""
    return Goal(tries, _ask, "draw")
