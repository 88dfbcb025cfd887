"""The weights of the built-in evaluation (kernels/evaluation.py), and evaluations that count points alone.

They were fitted (logistic regression, Newton's method) to the owners of stones and empty points in 100 playouts of
each of 16,000 positions of 9x9 games of players of all strengths, most with some more moves that rules proposed.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.learning import Heuristic
from gotools.games.go.estimate.kernels.control import value_by_area, value_by_explicit
from gotools.games.go.estimate.kernels.evaluation import evaluate

__all__ = ["AREA", "EXPLICIT", "HEURISTIC", "WEIGHTS", "evaluate"]

WEIGHTS: Final[NDArray[np.float64]] = np.array(
    [
        0.00, 0.00, -1.71, -0.95, 0.03, 0.04, 0.25, 0.23, 0.43, 0.34, 0.55, 0.49, 0.89, 0.77, 0.00, 0.00, 0.37, 0.62,
        0.02, 0.04, 0.02, 0.08, 0.02, 0.10, 0.01, 0.07, -0.11, -0.12, 0.10, 0.14, 0.40, 0.44, 0.33, 0.24, -0.05,
        -0.31, -0.23, -0.46, -0.42, -0.35, -0.30, -0.24, -0.14, -0.02, -0.09, 0.08, 0.06, 0.04, 0.13, 0.15, 0.18,
        0.21, 0.18, 0.20, 0.17, 0.17, 0.23, 0.18, 0.24, 0.16, 0.30, 0.18, 0.21, 0.20, 0.17, 0.25, 0.23, 0.41, 0.42,
        0.07, 0.16, -0.04, 0.05, -0.04, 0.03, -0.05, 0.02, -0.02, 0.03, -0.09, -0.04, 0.08, 0.00, 0.06, 0.05, 0.13,
        0.11, -0.08, 0.09, 0.00, 0.00, 0.28, 0.62, 0.19, 0.24, 0.09, 0.12, 0.02, -0.03, -0.03, -0.07, -0.06, -0.03,
        -0.10, -0.09, 0.01, -0.01, -0.05, -0.06, -0.09, 0.01, -0.07, 0.09, 0.09, -0.05, 0.03, 0.05, 0.03, -0.02, 0.11,
        0.14, 0.00, 0.01, 0.01, 0.01, 0.07, 0.10, 0.14, 0.13, 0.16, 0.23, 0.50, -0.16, 0.16, 1.36, -0.64, -0.81,
        -0.82, -0.98, -0.73, -0.73, -0.53, -0.53, -0.33, -0.40, -0.21, -0.16, -0.04, -0.03, 0.10, 0.15, 0.21, 0.24,
        0.28, 0.39, 0.35, 0.45, 0.45, 0.50, 0.47, 0.59, 0.54, 0.68, 0.61, 0.73, 0.74, 0.84, -0.05, -0.11, -0.01,
        -0.07, 0.03, 0.02, 0.07, 0.09, 0.10, 0.10, 0.09, 0.12, 0.03, 0.07, -0.05, 0.05, -0.18, 0.10, 0.29, 0.32, 0.12,
        0.23, 0.00, 0.00, 0.66, 0.68, 0.34, 0.34, 0.18, 0.21, 0.10, 0.16, 0.04, 0.11, 0.02, 0.05, -0.06, -0.01, -0.00,
        -0.06, -0.07, 0.02, -0.04, 0.02, -0.06, -0.04, -0.11, -0.07, -0.15, -0.10, -0.19, -0.17, -0.22, -0.22, 0.00,
        0.26, 0.13, 0.08, 0.08, 0.05, 0.08, 0.08, 0.10, 0.21, 0.29, -0.04, 0.53, 0.87, 0.86, -0.90, -5.98, 15.64,
        -6.66, 0.29, 0.71, -3.50, 11.27, -0.20, 0.83
    ]
)  # fmt: skip

HEURISTIC: Final = Heuristic("stones, liberties, territory", evaluate, WEIGHTS)
"""For learning to play against."""
AREA: Final = Heuristic("area", value_by_area, np.zeros(1))
EXPLICIT: Final = Heuristic("explicit control", value_by_explicit, np.zeros(1))
"""As a finished game is counted, and as the thesis counts one (figure 2.15a); see kernels/control.py."""
