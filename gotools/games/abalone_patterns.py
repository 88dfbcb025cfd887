"""Local patterns of Abalone as inputs of networks, with their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from gotools.game import FeatureSet
from gotools.games.kernels import abalone_patterns as k
from gotools.games.kernels.abalone_inputs import FORMATION

_HELD: Final = ("empty", "own", "other", "off")


def _names(window: str, patterns: Sequence[tuple[int, ...]]) -> list[str]:
    """Name patterns by what the cells of their windows hold."""
    return [f"{window}: {' '.join(_HELD[cell] for cell in cells)}" for cells in patterns]


def _labels() -> tuple[str, ...]:
    lines = (name for patterns in k.LINES for name in _names(f"line of {len(patterns[0])}", patterns))
    hexagons = _names("hexagon", k.HEXAGONS)
    return (*FORMATION[: k.MARBLES], *_names("triangle", k.TRIANGLES), *lines, *hexagons)


def _scales() -> list[float]:
    patterns = [label.partition(":")[0] for label in _LABELS[k.MARBLES :]]
    return [*_MOST_MARBLES, *(_MOST[window] for window in patterns)]


_LABELS: Final = _labels()
_MOST_MARBLES: Final = (3.0, 1.0, 3.0, 5.0, 5.0)
_MOST: Final = {"triangle": 10.0, "line of 3": 10.0, "line of 4": 7.0, "line of 5": 4.0, "hexagon": 3.0}
"""What inputs hardly exceed, by the window."""

PATTERNS: Final = FeatureSet(
    name="patterns",
    labels=lambda size: _LABELS,
    scales=lambda size: 1.0 / np.array(_scales()),
    inputs=k.patterns,
    evaluate=k.patterns_value,
)
