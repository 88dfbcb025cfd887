"""The eight inputs of the thesis for networks; kernels/thesis8.py defines them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game import FeatureSet
from gotools.go.inputs.kernels import thesis8 as t

_MOST: Final = (20.0, 20.0, 20.0, 8.0, 10.0, 20.0, 10.0, 10.0)
"""On 9x9; 19 of 20 positions of random games are within them."""


def _scales(size: int) -> NDArray[np.float64]:
    """Return scales from differences that games seldom exceed; in random games they grow with the board's side."""
    return 9.0 / (size * np.array(_MOST))


THESIS8: Final = FeatureSet(
    name="thesis8",
    labels=lambda size: t.INPUT_NAMES,
    scales=_scales,
    inputs=t.inputs_thesis8,
    evaluate=t.value_thesis8,
)
