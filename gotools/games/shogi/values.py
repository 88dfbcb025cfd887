"""What pieces of shogi are worth: the fixed evaluation."""

from __future__ import annotations

from typing import Final

import numpy as np

from gotools.game import Heuristic
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels import values as v

_IN_HAND: Final = (1, 3, 4, 5, 6, 9, 11)
"""Of P L N S G B R."""
_HALF: Final = 20.0


def _numbers() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    numbers = np.zeros(v.HALF + 1)
    numbers[: p.OTHER] = v.WORTH
    numbers[v.HANDS + 1 : v.HALF] = _IN_HAND
    numbers[p.KING] = 0.0
    numbers[v.HALF] = _HALF
    return numbers


MATERIAL: Final = Heuristic("material", v.material, _numbers())
