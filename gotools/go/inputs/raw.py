"""The inputs of a network that sees only the stones."""

from __future__ import annotations

from typing import Final

import numpy as np

from gotools.game import FeatureSet
from gotools.go.inputs.kernels import raw as _raw
from gotools.go.points import vertex

RAW: Final = FeatureSet(
    name="raw",
    labels=lambda size: tuple(vertex(point, size) for point in range(size * size)),
    scales=lambda size: np.ones(size * size),
    inputs=_raw.inputs_raw,
    evaluate=_raw.value_raw,
)
"""One input a point: 1 own stone, -1 the opponent's, 0 empty."""
