"""Inputs of networks for Abalone, local patterns among them, and fixed evaluations to learn and play against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from gotools.game.learning import FeatureSet, Heuristic
from gotools.games.abalone.board import NAMES
from gotools.games.abalone.kernels import inputs as i
from gotools.games.abalone.kernels import patterns as w
from gotools.games.abalone.kernels import piece_inputs as q
from gotools.games.abalone.kernels import rules as k
from gotools.games.abalone.kernels import values as v
from gotools.games.stones import stones

RAW: Final = FeatureSet(
    name="raw",
    labels=lambda size: NAMES,
    scales=lambda size: np.ones(k.CELLS),
    inputs=v.raw,
    evaluate=v.raw_value,
)

_ZONES: Final = ("in the centre", "in the middle", "on the edge", "lost")
_LOST: Final = tuple(f"{whose} marble {n} lost" for whose in ("own", "other's") for n in range(1, k.LOST + 1))

DIRECT: Final = FeatureSet(
    name="direct",
    labels=lambda size: (*NAMES, *_LOST),
    scales=lambda size: np.ones(i.DIRECT),
    inputs=i.direct,
    evaluate=i.direct_value,
)
SPATIAL: Final = FeatureSet(
    name="spatial",
    labels=lambda size: tuple(f"{whose} {zone}" for whose in ("own", "other's") for zone in _ZONES),
    scales=lambda size: 1.0 / np.array([7.0, 14.0, 14.0, 1.0] * 2),
    inputs=i.spatial,
    evaluate=i.spatial_value,
)
ATTRIBUTES: Final = FeatureSet(
    name="attributes",
    labels=lambda size: i.ATTRIBUTES,
    scales=lambda size: 1.0 / np.array([1.0, 7.0, 14.0, 7.0, 14.0, 14.0, 7.0, 4.0, 4.0]),
    inputs=i.attributes,
    evaluate=i.attributes_value,
)
ORIENTED: Final = FeatureSet(
    name="oriented",
    labels=lambda size: i.ORIENTED,
    scales=lambda size: 1.0 / np.array([1.0, 7.0, 14.0, 14.0, 14.0, 14.0, 7.0, 4.0, 14.0]),
    inputs=i.oriented,
    evaluate=i.oriented_value,
)
FORMATION: Final = FeatureSet(
    name="formation",
    labels=lambda size: i.FORMATION,
    scales=lambda size: 1.0 / np.array([3.0, 1.0, 3.0, 5.0, 5.0, 10.0, 8.0, 10.0, 3.0, 5.0, 10.0, 3.0]),
    inputs=i.formation,
    evaluate=i.formation_value,
)

_MOST_STEPS: Final = k.EACH * v.OFF_THE_BOARD
_MOST_CONTACTS: Final = 29
"""Pairs of neighbours among 14 marbles (Harborth 1974)."""
_STEP, _CONTACT, _MARBLE = 1.0, 0.5, 5.0
_MOST: Final = _STEP * _MOST_STEPS + _CONTACT * _MOST_CONTACTS + _MARBLE * k.LOST
"""Beyond the largest value of a game that goes on, before it is scaled."""

CENTRE: Final = Heuristic("steps from the centre", v.centre, np.array([1.0 / (_MOST_STEPS + 1), v.OFF_THE_BOARD]))
THESIS: Final = Heuristic(
    "steps from the centre, lost marbles none", v.centre, np.array([1.0 / (_MOST_STEPS + 1), 0.0])
)
TERMINATOR: Final = Heuristic(
    "centre, contacts, marbles", v.terminator, np.array([_STEP, _CONTACT, _MARBLE]) / (_MOST + 1.0)
)


_HELD: Final = ("empty", "own", "other", "off")


def _window_names(window: str, patterns: Sequence[tuple[int, ...]]) -> list[str]:
    """Name patterns by what the cells of their windows hold."""
    return [f"{window}: {' '.join(_HELD[cell] for cell in cells)}" for cells in patterns]


_PATTERN_LABELS: Final = (
    *i.FORMATION[: w.MARBLES],
    *_window_names("triangle", w.TRIANGLES),
    *(name for patterns in w.LINES for name in _window_names(f"line of {len(patterns[0])}", patterns)),
    *_window_names("hexagon", w.HEXAGONS),
)
_MARBLES: Final = (3.0, 1.0, 3.0, 5.0, 5.0)
_MOST_WINDOWS: Final = {"triangle": 10.0, "line of 3": 10.0, "line of 4": 7.0, "line of 5": 4.0, "hexagon": 3.0}
"""What inputs hardly exceed, by the window."""
_MOST_PATTERNS: Final = (
    *_MARBLES,
    *(_MOST_WINDOWS[label.partition(":")[0]] for label in _PATTERN_LABELS[w.MARBLES :]),
)

PATTERNS: Final = FeatureSet(
    name="patterns",
    labels=lambda size: _PATTERN_LABELS,
    scales=lambda size: 1.0 / np.array(_MOST_PATTERNS),
    inputs=w.patterns,
    evaluate=w.patterns_value,
)

PIECES: Final = stones("marble", NAMES, q.MOST, q.piece_inputs, q.piece_value)
