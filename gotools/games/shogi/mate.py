"""The goal of shogi's proof-number search: mate, by checks alone."""

from __future__ import annotations

from typing import Final

from gotools.game.traits import Goal
from gotools.games.shogi.kernels.mate import mate_tries

MATE: Final = Goal(mate_tries, "mate")
