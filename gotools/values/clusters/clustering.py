"""Find the centres of good and of bad moves: k-means from several random starts, of which the best is kept.

k-means works in the metric's space (see clusters.py); a centre is the mean of the moves of its cluster.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.blas import use_common_blas
from gotools.base.errors import GotoolsError
from gotools.base.phases import UNWATCHED, Watch
from gotools.game.learning import MoveFeatures
from gotools.values.clusters.clusters import (
    ALL,
    CHUNK,
    GOOD,
    KINDS,
    Centre,
    Clusters,
    Floats,
    between,
    distances,
    into_space,
)
from gotools.values.clusters.settings import ClusterSettings
from gotools.work.workers import Task, Workers, threads

LEAST_DEVIATION: Final = 0.05
"""A feature that hardly varies would dominate all others, and exceed the integers of the kernel."""
RIDGE: Final = 0.01
"""Added to the variances of standardised features, which are 1, so that their covariance inverts."""
DIGITS: Final = 5
"""Digits of centres, means and deviations, so that people can read a file of them."""
_ALL_ROWS: Final = 50_000
"""Largest number of moves of which k-means uses all in each step; above it takes mini-batches."""
_BATCH: Final = 4096

Start = tuple[Floats, float]
"""Centres in the features' own units, and their quality."""


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """The moves to cluster.

    features -- int16[n, features]
    good     -- bool[n]: good or bad
    stage    -- uint8[n]: number of the stage; None: one set of centres for all stages
    id       -- function that returns the id of a row
    """

    features: NDArray[np.int16]
    good: NDArray[np.bool_]
    stage: NDArray[np.uint8] | None = None
    id: Callable[[int], str] = str

    def rows(self, number: int, kind: str | None = None) -> NDArray[np.int64]:
        """Return the rows of a stage, given by its number, and of a kind."""
        wanted = np.ones(len(self.good), np.bool_) if kind is None else self.good == (kind == GOOD)
        if self.stage is not None:
            wanted &= self.stage == number
        return np.flatnonzero(wanted)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The result of clustering.

    typical -- int64[centres]: the row of the move of its kind that is nearest to each centre
    quality -- for each stage and kind, see `quality`
    """

    clusters: Clusters
    typical: NDArray[np.int64]
    quality: dict[tuple[str, str], float] = field(default_factory=dict)


def cluster_moves(
    moves: Moves,
    vocabulary: MoveFeatures,
    game: str,
    settings: ClusterSettings,
    made: dict[str, str],
    jobs: int = 1,
    watch: Watch = UNWATCHED,
    workers: Workers | None = None,
) -> Found:
    """Find the centres of good and of bad moves, of each stage where the moves have stages.

    game    -- its name
    made    -- how the moves were chosen, for people
    jobs    -- threads, one for each start, so that the centres are the same on any number of cores
    workers -- make the starts in place of threads
    watch   -- shows the phases; the phase of the starts has settings.starts steps for each kind and stage

    Raises GotoolsError if a stage has no good or bad moves, or fewer different ones than centres.
    """
    import sklearn.cluster  # noqa: F401  loads the libraries whose threads are limited here
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    stages = (ALL,) if moves.stage is None else vocabulary.stages
    watch.phase("random starts", settings.starts * len(KINDS) * len(stages))
    with (
        threadpool_limits(1),
        threads(jobs, partial(threadpool_limits, 1)) as pool,  # limits hold only for the thread that sets them
        # k-means warns of moves that the space of cosine makes one; it is one switch for all threads
        warnings.catch_warnings(action="ignore", category=ConvergenceWarning),
    ):
        plain = Clusters(game, vocabulary.names, settings.metric, *_scaling(moves.features), None, 1.0, (), made)
        if settings.metric == "mahalanobis":
            plain = replace(plain, covariance=_covariance(plain, moves.features))
        centres: list[Centre] = []
        qualities: dict[tuple[str, str], float] = {}
        for number, stage in enumerate(stages):
            for place, kind in enumerate(KINDS):
                features = moves.features[moves.rows(number, kind)]
                _check_distinct(features, settings.k, stage, kind)
                chance = np.random.default_rng([settings.seed, number, place])
                seeds = chance.integers(1 << 31, size=settings.starts).tolist()
                given = plain, features, settings.k
                if workers is None:
                    starts = pool.map(Starts(*given).one, seeds)
                else:
                    starts = workers.each(Task(Starts.one, _begin, (families(), *given)), seeds)
                found: list[Start] = []
                for start in starts:
                    found.append(start)
                    watch.advance()
                points, qualities[stage, kind] = min(found, key=lambda start: start[1])
                centres += [Centre(stage, kind, point) for point in points]
        watch.phase("typical moves")
        clusters, typical = _described(replace(plain, centres=tuple(centres)), moves)
    names = {key: " ".join(("quality", *key)).replace(f" {ALL} ", " ") for key in qualities}
    made = {**made, **{names[key]: f"{value:.4g}" for key, value in qualities.items()}}
    return Found(replace(clusters, made=made), typical, qualities)


def _scaling(features: NDArray[np.int16]) -> tuple[Floats, Floats]:
    """Return mean and deviation of each feature; the deviation of a constant one is 1."""
    if not len(features):
        raise GotoolsError("no moves to learn from")
    columns = features.T  # one column at a time saves a copy of the table as float64
    deviation = np.array([column.std() for column in columns])
    deviation = np.where(deviation > 0, np.maximum(deviation, LEAST_DEVIATION), 1.0)
    return np.array([column.mean() for column in columns]).round(DIGITS), deviation.round(DIGITS)


def _covariance(clusters: Clusters, features: NDArray[np.int16]) -> Floats:
    """Return the covariance of the standardised features, with 1 for the variance of one that is constant."""
    total = np.zeros((features.shape[1],) * 2)
    for begin in range(0, len(features), CHUNK):
        standardised = clusters.standardised(features[begin : begin + CHUNK])
        total += standardised.T @ standardised
    total /= len(features)
    variance = np.diag(total)
    constant = features.min(axis=0) == features.max(axis=0)
    np.fill_diagonal(total, np.where(constant, 1.0, variance) + RIDGE)
    return np.asarray((total + total.T) / 2).round(DIGITS)


def _check_distinct(features: NDArray[np.int16], count: int, stage: str, kind: str) -> None:
    """Raise GotoolsError where there are fewer different moves than centres are wanted."""
    different = 0
    for some in (features[: 10 * count], features):  # of many moves the first few will do
        different = len(np.unique(some, axis=0)) if len(some) else 0
        if different >= count:
            return
    what = f"{kind} moves" + ("" if stage == ALL else f" in the stage {stage!r}")
    if not different:
        raise GotoolsError(f"no {what}")
    raise GotoolsError(
        f"{what}: {different:,} different, fewer than {count:,} centres; give more games or a smaller --k"
    )


def _described(clusters: Clusters, moves: Moves) -> tuple[Clusters, NDArray[np.int64]]:
    """Add to the centres the numbers of moves near them, and the unit of scores; also return the typical rows."""
    gaps = np.zeros(len(moves.good))
    described: list[Centre] = []
    typical: list[NDArray[np.int64]] = []
    for number, stage in enumerate(clusters.stages):
        centres = [centre for centre in clusters.centres if centre.stage == stage]
        near, nearest = _near(clusters, stage, moves, number, gaps)
        for centre, (good, bad), row in zip(centres, near.T.tolist(), nearest.tolist(), strict=True):
            described.append(replace(centre, good=good, bad=bad, typical=moves.id(row)))
        typical.append(nearest)
    unit = float(f"{gaps.std():.6g}") or 1.0
    return replace(clusters, centres=tuple(described), unit=unit), np.concatenate(typical)


def _near(
    clusters: Clusters, stage: str, moves: Moves, number: int, gaps: Floats
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return int64[2, centres], numbers of good and bad moves nearest to each centre, and the nearest row of its kind.

    Fill `gaps` with the differences of distances of the stage's rows.
    """
    good_centres = np.array([centre.kind == GOOD for centre in clusters.centres if centre.stage == stage])
    each = np.arange(len(good_centres))
    near = np.zeros((2, len(each)), np.int64)
    least, nearest = np.full(len(each), np.inf), np.zeros(len(each), np.int64)
    for some, good, bad in distances(clusters, stage, moves.features, moves.rows(number)):
        gaps[some] = bad.min(axis=1) - good.min(axis=1)
        far = np.hstack([good, bad])
        good_moves = moves.good[some]
        for which, rows in enumerate((good_moves, ~good_moves)):
            near[which] += np.bincount(far[rows].argmin(axis=1), minlength=len(each))
        far[good_moves[:, None] != good_centres] = np.inf
        first = far.argmin(axis=0)
        closer = far[first, each] < least
        least[closer], nearest[closer] = far[first, each][closer], some[first][closer]
    return near, nearest


# ---- random starts ----


class Starts:
    """Random starts of k-means on moves of one kind.

    clusters -- with the metric, and no centres yet; features -- int16[n, features]; count -- number of centres
    """

    def __init__(self, clusters: Clusters, features: NDArray[np.int16], count: int) -> None:
        self._clusters, self._features, self._count = clusters, features, count
        self._rows = np.empty(features.shape, np.float32)
        for begin in range(0, len(self._rows), CHUNK):
            self._rows[begin : begin + CHUNK] = into_space(clusters, features[begin : begin + CHUNK])

    def one(self, seed: int) -> Start:
        """Return the result of a start."""
        labels = _k_means(self._rows, self._count, seed)
        points = _means(self._features, labels)
        return points, quality(self._rows, labels, into_space(self._clusters, points), self._clusters.metric)


def families() -> list[str]:
    """Return the families of processors that linear algebra was loaded for: its last bits depend on them."""
    import scipy.linalg  # noqa: F401
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import threadpool_info

    return sorted({str(one["architecture"]) for one in threadpool_info() if one.get("internal_api") == "openblas"})


def _begin(wanted: list[str], clusters: Clusters, features: NDArray[np.int16], count: int) -> Starts:
    """Prepare starts on a worker, in one thread. Raises GotoolsError if their last bits would differ."""
    from threadpoolctl import threadpool_limits

    use_common_blas()
    if (found := families()) != wanted:
        what = f"linear algebra for {', '.join(found)}, here for {', '.join(wanted)}: results could differ in their"
        raise GotoolsError(f"{what} last bits; start workers with OPENBLAS_CORETYPE={wanted[0] if wanted else ''}")
    threadpool_limits(1)
    warnings.filterwarnings("ignore", module="sklearn")
    return Starts(clusters, features, count)


def quality(rows: NDArray[Any], labels: NDArray[np.integer], centres: Floats, metric: str) -> float:
    """Return the quality of a clustering; smaller is better.

    It is the sum over clusters of the mean distance of their moves to the centre, divided by the sum of the distances
    between all centres; inf if all centres are the same.

    rows, centres -- in the metric's space; labels -- the centre of each row
    """
    sums = np.zeros(len(centres))
    for begin in range(0, len(rows), CHUNK):
        label = labels[begin : begin + CHUNK]
        far = between(rows[begin : begin + CHUNK].astype(np.float64), centres, metric)
        sums += np.bincount(label, far[np.arange(len(label)), label], len(centres))
    within = (sums / np.maximum(np.bincount(labels, minlength=len(centres)), 1)).sum()
    apart = between(centres, centres, metric).sum()
    return float(within / apart) if apart > 0 else float("inf")


def _k_means(rows: NDArray[np.float32], count: int, seed: int) -> NDArray[np.int64]:
    """Return the cluster of each row after one random start; empty clusters are dropped."""
    from sklearn.cluster import KMeans, MiniBatchKMeans

    if len(rows) <= _ALL_ROWS:
        found = KMeans(count, n_init=1, random_state=seed).fit(rows)
    else:
        found = MiniBatchKMeans(count, n_init=1, batch_size=_BATCH, random_state=seed).fit(rows)
    return np.asarray(np.unique(found.labels_, return_inverse=True)[1], np.int64)


def _means(features: NDArray[np.int16], labels: NDArray[np.int64]) -> Floats:
    """Return float64[clusters, features]: the mean of each cluster."""
    sums = [np.bincount(labels, column) for column in features.T]
    return np.asarray((np.array(sums) / np.bincount(labels)).T.round(DIGITS))
