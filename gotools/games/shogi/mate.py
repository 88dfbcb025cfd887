"""The goal of proof-number search in shogi: mate, by checks alone."""

from __future__ import annotations

from typing import Final

from gotools.game.goals import Goal, Question
from gotools.games.shogi.kernels.mate import mate_tries
from gotools.jit.kernels.seams import TO_PLAY

MATE: Final = Goal(mate_tries, lambda state, marks: (Question("mate", state[[TO_PLAY]]),), "nomate", sought=True)
