"""The features of moves, by which clusters and orders of moves tell them apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gotools.game.examples.examples import Examples
from gotools.game.learning import MoveFeatures


def described(rows: Examples) -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
    """Return the features of every row's move, int16[n, features], and the stage of its position, uint8[n].

    Raises GotoolsError for a game without features of moves.
    """
    vocabulary = rows.of.need(MoveFeatures)
    if vocabulary.describe is not None:
        return vocabulary.describe(rows)
    features, stages = np.empty((len(rows), len(vocabulary.names)), np.int16), np.empty(len(rows), np.uint8)
    one, found = np.empty(1, np.int32), np.empty((1, len(vocabulary.names)), np.int32)
    for row, (place, size) in enumerate(zip(rows.move.tolist(), rows.size.tolist(), strict=True)):
        one[0] = rows.of.move_at(place, size)
        stages[row] = vocabulary.measure(rows.state(row), one, 1, found)
        features[row] = found[0]
    return features, stages
