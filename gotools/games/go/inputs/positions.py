"""What learners see of a position of Go: inputs of networks, planes, and the board for local patterns."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.learning import FeatureSet, Grid, Planes
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.inputs.kernels import mixed as m
from gotools.games.go.inputs.kernels import planes as k
from gotools.games.go.inputs.kernels import thesis8 as t
from gotools.games.go.inputs.kernels.grid import cells, changes, value_of_shapes
from gotools.games.go.points import vertex

_MOST: Final = (20.0, 20.0, 20.0, 8.0, 10.0, 20.0, 10.0, 10.0)
"""Of `thesis8` on 9x9; 19 of 20 positions of random games are within them."""


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


RAW: Final = FeatureSet(
    name="raw",
    labels=lambda size: tuple(vertex(point, size) for point in range(size * size)),
    scales=lambda size: np.ones(size * size),
    inputs=m.inputs_raw,
    evaluate=m.value_raw,
)
"""One input a point: 1 own stone, -1 the opponent's, 0 empty."""


_LIBERTIES: Final = ("1 liberty", "2 liberties", "3 liberties", "4 or more liberties")


def _fill_rows(rows: GoExamples, komi2: NDArray[np.int16], strength: NDArray[np.float32]) -> NDArray[np.float32]:
    """See `Planes.fill_rows`."""
    size = int(rows.size[0])
    x = np.empty((len(rows), (size + 2) ** 2 * k.PLANES), np.float32)
    k.planes_of_rows(rows.board, size, rows.to_play, rows.ko, rows.last, rows.last2, komi2, strength, x)
    return x


PLANES: Final = Planes(
    names=(
        "board",
        "own stones",
        "opponent's stones",
        *(f"own chains of {count}" for count in _LIBERTIES),
        *(f"opponent's chains of {count}" for count in _LIBERTIES),
        "legal points",
        "ko",
        "last move",
        "move before the last",
        "the opponent passed",
        "chains in a ladder",
        "komi",
        "strength",
    ),
    shape=lambda size: (size, size),
    symmetries=8,
    fill=k.fill_planes,
    place=k.place,
    owners=k.owners,
    judge=k.judge_planes,
    order=k.order_planes,
    evaluate=k.value_planes,
    fill_rows=_fill_rows,
)


GRID: Final = Grid(
    shape=lambda size: (size, size), symmetries=8, cells=cells, changes=changes, evaluate=value_of_shapes
)
