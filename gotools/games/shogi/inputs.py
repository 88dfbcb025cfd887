"""Inputs of networks for shogi: pieces on their squares, by their distance to the kings, or how many there are.

And the fixed evaluation: what pieces are worth.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from gotools.game.traits import FeatureSet, Heuristic
from gotools.games.shogi import board as b
from gotools.games.shogi.kernels import inputs as i
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels import values as v

_MOST: Final = {"P": 18.0, "L": 4.0, "N": 4.0, "S": 4.0, "G": 4.0, "B": 2.0, "R": 2.0}
"""Pieces of each kind in a game: differences that material hardly comes near to are half of it."""
_IN_HAND: Final = tuple(f"{letter} in hand" for letter in b.LETTERS[: p.HAND])


def _name(kind: int) -> str:
    return b.piece_text(kind)


_KINDS_COUNTED: Final = np.concatenate([np.repeat([*range(i.ON_BOARD), -1], p.SQUARES), i.ON_BOARD + np.arange(p.HAND)])
"""The input of `material` in which each input of `raw` is counted: kings are in none."""

RAW: Final = FeatureSet(
    name="raw",
    labels=lambda size: (*(f"{_name(kind)} {square}" for kind in i.KINDS for square in b.NAMES), *_IN_HAND),
    scales=lambda size: np.ones(i.RAW),
    inputs=i.raw,
    evaluate=i.raw_value,
    coarser="material",
    counted=lambda size: _KINDS_COUNTED,
)
_COUNTED_BY_KINGS: Final = np.concatenate(
    [
        np.repeat(np.arange(i.ON_BOARD), i.FARTHEST),
        np.full(i.ON_BOARD * i.FARTHEST, -1),
        i.ON_BOARD + np.arange(p.HAND),
    ]
)
"""The input of `material` in which each input of `kings` is counted: those from the other king are in none."""

KINGS: Final = FeatureSet(
    name="kings",
    labels=lambda size: (
        *(
            f"{_name(kind)} {away} from the {king} king"
            for king in ("own", "other")
            for kind in i.KINDS[: i.ON_BOARD]
            for away in range(1, i.FARTHEST + 1)
        ),
        *_IN_HAND,
    ),
    scales=lambda size: np.ones(i.KINGS),
    inputs=i.kings,
    evaluate=i.kings_value,
    coarser="material",
    counted=lambda size: _COUNTED_BY_KINGS,
)
MATERIAL: Final = FeatureSet(
    name="material",
    labels=lambda size: (*map(_name, i.KINDS[: i.ON_BOARD]), *_IN_HAND),
    scales=lambda size: 2.0 / np.array([*(_MOST[_name(kind)[-1]] for kind in i.KINDS[: i.ON_BOARD]), *_MOST.values()]),
    inputs=i.material,
    evaluate=i.material_value,
)


_WORTH_IN_HAND: Final = (1, 3, 4, 5, 6, 9, 11)
"""Of P L N S G B R."""
_HALF: Final = 20.0


def _worths() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    numbers = np.zeros(v.HALF + 1)
    numbers[: p.OTHER] = v.WORTH
    numbers[v.HANDS + 1 : v.HALF] = _WORTH_IN_HAND
    numbers[p.KING] = 0.0
    numbers[v.HALF] = _HALF
    return numbers


MATERIAL_HEURISTIC: Final = Heuristic("material", v.material, _worths())
