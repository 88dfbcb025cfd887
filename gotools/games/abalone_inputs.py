"""Inputs of networks for Abalone, and fixed evaluations to learn and play against."""

from __future__ import annotations

from typing import Final

import numpy as np

from gotools.game import FeatureSet, Heuristic
from gotools.games.abalone_board import NAMES
from gotools.games.kernels import abalone as k
from gotools.games.kernels import abalone_values as v

RAW: Final = FeatureSet(
    name="raw",
    labels=lambda size: NAMES,
    scales=lambda size: np.ones(k.CELLS),
    inputs=v.raw,
    evaluate=v.raw_value,
)

_MOST_STEPS: Final = k.EACH * v.OFF_THE_BOARD
_MOST_CONTACTS: Final = 29
"""Pairs of neighbours among 14 marbles (Harborth 1974)."""
_STEP, _CONTACT, _MARBLE = 1.0, 0.5, 5.0
_MOST: Final = _STEP * _MOST_STEPS + _CONTACT * _MOST_CONTACTS + _MARBLE * k.LOST
"""Beyond the largest value of a game that goes on, before it is scaled."""

CENTRE: Final = Heuristic("steps from the centre", v.centre, np.array([1.0 / (_MOST_STEPS + 1)]))
TERMINATOR: Final = Heuristic(
    "centre, contacts, marbles", v.terminator, np.array([_STEP, _CONTACT, _MARBLE]) / (_MOST + 1.0)
)
