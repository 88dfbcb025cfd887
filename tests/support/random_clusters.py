"""Random clusters of Go's moves, and random moves: what the tests of clusters and of their file look at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gotools.games.go.inputs.move_features import MOVE_FEATURES
from gotools.values.clusters.clusters import ALL, BAD, GOOD, Centre, Clusters

MAXIMA = np.array(MOVE_FEATURES.most)


def random_moves(count: int, seed: int) -> NDArray[np.int16]:
    """Draw features of moves, small values being frequent as they are in games."""
    values = MAXIMA * np.random.default_rng(seed).random((count, len(MAXIMA))) ** 3
    return np.rint(values).astype(np.int16)


def random_clusters(metric: str, seed: int = 0, stages: bool = False, good: int = 5, bad: int = 3) -> Clusters:
    """Draw centres, some of which may be far away, for scales as they come from random moves."""
    rng = np.random.default_rng(seed)
    moves = random_moves(500, seed)
    mean, deviation = moves.mean(axis=0), np.maximum(moves.std(axis=0), 0.05)
    standardised = (moves - mean) / deviation
    covariance = np.cov(standardised.T) + 0.01 * np.eye(len(MAXIMA)) if metric == "mahalanobis" else None
    centres = [
        Centre(
            stage, kind, rng.random(len(MAXIMA)) * MAXIMA, int(rng.integers(99)), int(rng.integers(99)), f"a:{at} D4"
        )
        for stage in (MOVE_FEATURES.stages if stages else (ALL,))
        for kind, count in ((GOOD, good), (BAD, bad))
        for at in range(count)
    ]
    made = {"k": "5", "seed": "1"}
    return Clusters("go", MOVE_FEATURES.names, metric, mean, deviation, covariance, 2.5, tuple(centres), made)
