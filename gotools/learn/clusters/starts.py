"""Random starts of k-means, in threads or on a cluster, and the best of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.blas import use_common_blas
from gotools.errors import GotoolsError
from gotools.learn.clusters.clusters import CHUNK, Clusters, Floats, between, into_space
from gotools.phases import Watch
from gotools.workers import Task, Workers

DIGITS: Final = 5
"""Of centres and of what standardises, so that a file of them can be read."""
_ALL_ROWS: Final = 50_000
"""Moves of a kind up to which k-means looks at all of them in each step; it takes mini-batches of more."""
_BATCH: Final = 4096

Start = tuple[Floats, float]
"""Centres in the features' own units, and their quality."""


class Starts:
    """Moves of a kind, from which any number of starts finds centres.

    clusters -- with the metric, and no centres yet; features -- int16[n, features]; count -- centres
    """

    def __init__(self, clusters: Clusters, features: NDArray[np.int16], count: int) -> None:
        self._clusters, self._features, self._count = clusters, features, count
        self._rows = np.empty(features.shape, np.float32)
        for begin in range(0, len(self._rows), CHUNK):
            self._rows[begin : begin + CHUNK] = into_space(clusters, features[begin : begin + CHUNK])

    def one(self, seed: int) -> Start:
        """Return what came of a start."""
        labels = _k_means(self._rows, self._count, seed)
        points = _means(self._features, labels)
        return points, quality(self._rows, labels, into_space(self._clusters, points), self._clusters.metric)


def here_or_there(
    given: tuple[Clusters, NDArray[np.int16], int], seeds: list[int], pool: Executor, workers: Workers | None
) -> Iterator[Start]:
    """Return what comes of each start, in their order: in the threads of a pool, or from workers.

    given -- what `Starts` takes
    """
    if workers is None:
        return pool.map(Starts(*given).one, seeds)
    return workers.each(Task(_one, _begin, (families(), *given)), seeds)


def best(starts: Iterable[Start], watch: Watch) -> Start:
    """Return the start of the least quality; of equal ones the first."""
    found: Start | None = None
    for start in starts:
        if found is None or start[1] < found[1]:
            found = start
        watch.advance()
    assert found is not None
    return found


def families() -> list[str]:
    """Return for which families of processors linear algebra was loaded: by that its last bits differ."""
    import scipy.linalg  # noqa: F401
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import threadpool_info

    return sorted({str(one["architecture"]) for one in threadpool_info() if one.get("internal_api") == "openblas"})


def _begin(wanted: list[str], clusters: Clusters, features: NDArray[np.int16], count: int) -> Starts:
    """Prepare starts on a worker, in one thread. Raises GotoolsError where their last bits would differ."""
    from threadpoolctl import threadpool_limits

    use_common_blas()
    if (found := families()) != wanted:
        what = f"linear algebra for {', '.join(found)}, here for {', '.join(wanted)}: results could differ in their"
        raise GotoolsError(f"{what} last bits; start workers with OPENBLAS_CORETYPE={wanted[0] if wanted else ''}")
    threadpool_limits(1)
    warnings.filterwarnings("ignore", module="sklearn")
    return Starts(clusters, features, count)


def _one(starts: Starts, seed: int) -> Start:
    return starts.one(seed)


def quality(rows: NDArray[Any], labels: NDArray[np.integer], centres: Floats, metric: str) -> float:
    """Return how good a clustering is; smaller is better.

    It is the sum over clusters of the mean distance of their moves to the centre, divided by the sum of the distances
    of all centres to all (the seed's measure); inf where the centres are one.

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
    """Return the cluster of each row after one random start; there may be fewer than `count`, as none is empty."""
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
