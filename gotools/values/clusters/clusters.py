"""Centres of good and bad moves: the score of a move, and the same in integers for the search.

Features are standardised by mean and deviation of all moves learned from, good and bad. Each metric measures in its own
space:

    euclid, manhattan   standardised features; euclid is squared
    cosine              standardised features divided by their length; the distance is 1 - cosine
    mahalanobis         standardised features, whitened: their covariance is the identity; squared

The score of a move is its distance to the nearest bad centre minus its distance to the nearest good one, in standard
deviations of this difference over the moves learned from.

Source: Machine learning for a shogi program, Habr 208580 (docs/decisions.md, Sources).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, get_args

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.learning import MoveFeatures
from gotools.jit.kernels import clusters as k
from gotools.values.clusters.settings import Metric

METRICS: Final = get_args(Metric)
GOOD, BAD = "good", "bad"
KINDS: Final = (GOOD, BAD)
ALL: Final = "all"
"""The stage of centres that hold for the whole game."""
MOST_CENTRES: Final = 1000
"""Largest number of centres of a stage, good and bad together."""
CHUNK: Final = 16_384
"""Rows whose distances to all centres are held at once: some MB."""
_MOST_BITS, _LEAST_BITS = 20, 8
"""Bits after the binary point of distances as integers, at most and at least."""
_LARGEST: Final = float(1 << 30)
_SQUARE_BITS: Final = _LEAST_BITS
"""The same for |z|^2, whose square root has half of them."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Centre:
    """The middle of a cluster of moves.

    stage     -- of the game, or ALL
    kind      -- GOOD or BAD
    point     -- float64[features]: means of the moves of the cluster, in the features' own units
    good, bad -- number of moves of each kind for which it is the nearest centre of the stage
    typical   -- id of the move of its kind that is nearest to it
    """

    stage: str
    kind: str
    point: Floats
    good: int = 0
    bad: int = 0
    typical: str = "-"


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Centres of good and bad moves, and the metric.

    names      -- of the features
    mean, deviation -- float64[features], of good and bad moves together
    covariance -- float64[features, features] of the standardised features, positive definite; for mahalanobis only
    unit       -- standard deviation of the difference of distances over the moves learned from
    centres    -- by stage, good before bad
    made       -- how they were made, for people
    """

    game: str
    names: tuple[str, ...]
    metric: str
    mean: Floats
    deviation: Floats
    covariance: Floats | None
    unit: float
    centres: tuple[Centre, ...]
    made: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Clusters({self.game!r}, centres={len(self.centres)}, metric={self.metric!r}, stages={self.stages})"

    @property
    def stages(self) -> tuple[str, ...]:
        """Return the stages that have centres of their own, in the game's order; or ALL."""
        return tuple(dict.fromkeys(centre.stage for centre in self.centres))

    def points(self, stage: str, kind: str) -> Floats:
        """Return float64[n, features], the centres of a stage and kind in the features' own units."""
        found = [centre.point for centre in self.centres if (centre.stage, centre.kind) == (stage, kind)]
        return np.array(found, np.float64).reshape(-1, len(self.names))

    def standardised(self, values: NDArray[Any]) -> Floats:
        """Return features of moves or centres as standard deviations from the mean."""
        return np.asarray((values - self.mean) / self.deviation)


# ---- distances ----


def into_space(clusters: Clusters, values: NDArray[Any]) -> Floats:
    """Return features of moves or centres (a row each) as points of the metric's space."""
    points = clusters.standardised(values)
    if clusters.metric == "cosine":
        length = np.sqrt((points**2).sum(axis=1, keepdims=True))
        return np.asarray(points / np.where(length > 0, length, 1.0))
    if clusters.metric == "mahalanobis":
        return np.asarray(points @ np.linalg.cholesky(_inverse(clusters)))
    return points


def _inverse(clusters: Clusters) -> Floats:
    """Return the inverse of the covariance; without one, standardised features count as independent."""
    covariance = np.eye(len(clusters.names)) if clusters.covariance is None else clusters.covariance
    return np.asarray(np.linalg.inv(covariance))


def between(a: Floats, b: Floats, metric: str) -> Floats:
    """Return the distance of each row of a to each row of b, both in the metric's space."""
    from scipy.spatial.distance import cdist

    if metric == "cosine":
        return np.asarray(1.0 - a @ b.T)
    return np.asarray(cdist(a, b, "cityblock" if metric == "manhattan" else "sqeuclidean"))


def distances(
    clusters: Clusters, stage: str, features: NDArray[Any], rows: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], Floats, Floats]]:
    """Yield some of the rows at a time, and their distances to the good and to the bad centres of a stage."""
    good, bad = (into_space(clusters, clusters.points(stage, kind)) for kind in KINDS)
    for begin in range(0, len(rows), CHUNK):
        some = rows[begin : begin + CHUNK]
        points = into_space(clusters, features[some])
        yield some, between(points, good, clusters.metric), between(points, bad, clusters.metric)


def scores(clusters: Clusters, features: NDArray[Any], stage: NDArray[np.uint8] | None = None) -> Floats:
    """Return the score of each move: the larger, the earlier it should be looked at.

    stage -- uint8[n]: the number of the stage of each move; not needed where one set of centres holds for all
    """
    scored = np.empty(len(features))
    for number, name in enumerate(clusters.stages):
        one = stage is None or name == ALL
        rows = np.arange(len(features)) if one else np.flatnonzero(stage == number)
        for some, good, bad in distances(clusters, name, features, rows):
            scored[some] = bad.min(axis=1) - good.min(axis=1)
    return scored / clusters.unit


# ---- integers ----


@np.errstate(all="ignore")  # overflow is detected below
def packed(clusters: Clusters, vocabulary: MoveFeatures) -> NDArray[np.int64]:
    """Return the numbers with which kernels/clusters.py scores moves like `scores`, except for rounding.

    Raises GotoolsError if distances differ too much for integers.
    """
    cosine = clusters.metric == "cosine"
    first = np.cumsum([0, *(most + 1 for most in vocabulary.most)])
    lanes = {kind: _lanes(max(len(clusters.points(stage, kind)) for stage in clusters.stages)) for kind in KINDS}
    tables = [[_parts(clusters, stage, kind, vocabulary) for kind in KINDS] for stage in clusters.stages]
    squares = np.concatenate(_standardised_values(clusters, vocabulary))[:, None] ** 2
    _room(_largest(squares, first))
    bits = _room(max(_largest(part, first) for table in tables for part in table))
    if not clusters.unit < _LARGEST:
        raise GotoolsError(f"the unit of scores, {clusters.unit:g}, is too large")
    unit = math.ldexp(clusters.unit, bits - _SQUARE_BITS // 2 if cosine else bits)
    words = [np.pad(first[:-1], (0, len(vocabulary.most) % 2))]
    for table in tables:
        columns = [_whole(part, bits, lanes[kind], first[1]) for part, kind in zip(table, KINDS, strict=True)]
        if cosine:
            columns.append(_whole(squares, _SQUARE_BITS, k.VECTOR, first[1]))
        words.append(np.hstack(columns))
    both = lanes[GOOD] + lanes[BAD]
    width = both + (k.VECTOR if cosine else 0)
    head = [k.COSINE if cosine else k.SUMS, len(tables), len(vocabulary.most), lanes[GOOD], both, width, first[-1]]
    whole = np.concatenate([part.ravel() for part in words]).astype(np.int32)
    return np.concatenate([np.array([*head, max(1, round(unit))], np.int64), whole.view(np.int64)])


def _lanes(count: int) -> int:
    return -(-count // k.VECTOR) * k.VECTOR


def _standardised_values(clusters: Clusters, vocabulary: MoveFeatures) -> list[Floats]:
    """Return all values of each feature, standardised."""
    scales = zip(vocabulary.most, clusters.mean, clusters.deviation, strict=True)
    return [(np.arange(most + 1) - mean) / deviation for most, mean, deviation in scales]


def _parts(clusters: Clusters, stage: str, kind: str, vocabulary: MoveFeatures) -> Floats:
    """Return the part of each value of each feature in the distance to each centre: float64[values, centres]."""
    values = _standardised_values(clusters, vocabulary)
    points = clusters.points(stage, kind)
    centres = clusters.standardised(points)
    if clusters.metric == "cosine":
        lengths = into_space(clusters, points)
        return np.vstack([-value[:, None] * lengths[:, f] for f, value in enumerate(values)])
    if clusters.metric == "mahalanobis":  # z S z, common to all centres, is left out; c S c is part of each feature's
        inverted = centres @ _inverse(clusters)
        return np.vstack([(centres[:, f] - 2 * value[:, None]) * inverted[:, f] for f, value in enumerate(values)])
    power = 2 if clusters.metric == "euclid" else 1
    return np.vstack([np.abs(value[:, None] - centres[:, f]) ** power for f, value in enumerate(values)])


def _largest(parts: Floats, first: NDArray[np.int64]) -> float:
    """Return an upper bound of the sums of one row of each feature."""
    return float(np.maximum.reduceat(np.abs(parts), first[:-1]).sum(axis=0).max())


def _room(largest: float) -> int:
    """Return the number of bits that a sum leaves below _LARGEST, at most _MOST_BITS."""
    bits = math.floor(math.log2(_LARGEST / max(largest, 1.0))) - 1 if math.isfinite(largest) else 0
    if bits < _LEAST_BITS:
        raise GotoolsError("centres and moves lie too many standard deviations apart to be scored in whole numbers")
    return min(bits, _MOST_BITS)


def _whole(parts: Floats, bits: int, lanes: int, of_first: int) -> NDArray[np.int64]:
    """Return parts as integers, padded to `lanes`; the first feature puts padding lanes far away."""
    whole = np.zeros((len(parts), lanes), np.int64)
    whole[:, : parts.shape[1]] = np.rint(np.ldexp(parts, bits))
    whole[:of_first, parts.shape[1] :] = _LARGEST
    return whole
