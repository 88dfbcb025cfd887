"""Clusters of moves: scores against plain sums, the kernel against scores, k-means against clouds that are known."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import spearmanr
from support.examples import gathering
from support.random_clusters import MAXIMA, random_clusters, random_moves

from gotools.base.errors import GotoolsError
from gotools.game.examples.described import described
from gotools.game.examples.negatives import unplayed_moves
from gotools.game.learning import MoveFeatures
from gotools.game.records.selection import Selection
from gotools.games.go.examples.examples import GoExamples, of_go
from gotools.games.go.go import GO
from gotools.games.go.inputs.move_features import MOVE_FEATURES
from gotools.games.go.kernels import rules as k
from gotools.jit.kernels.clusters import score_by_clusters
from gotools.values.clusters.clustering import Moves, cluster_moves, quality
from gotools.values.clusters.clusters import ALL, BAD, GOOD, KINDS, METRICS, Clusters, packed, scores
from gotools.values.clusters.settings import ClusterSettings, Metric

GAMES = Path(__file__).parents[2] / "examples/games"
THREE = MoveFeatures(("a", "b", "c"), (20, 30, 9), ("early", "late"), None, None)
"""A vocabulary of three features and two stages, without a game."""


# ---- the slow meaning ----


def plain_distance(clusters: Clusters, move: list[int], point: list[float]) -> float:
    """The definition of each metric, a number at a time."""
    scale = list(zip(clusters.mean.tolist(), clusters.deviation.tolist(), strict=True))
    x = [(value - mean) / deviation for value, (mean, deviation) in zip(move, scale, strict=True)]
    y = [(value - mean) / deviation for value, (mean, deviation) in zip(point, scale, strict=True)]
    apart = [a - b for a, b in zip(x, y, strict=True)]
    if clusters.metric == "euclid":
        return sum(d * d for d in apart)
    if clusters.metric == "manhattan":
        return sum(map(abs, apart))
    if clusters.metric == "cosine":
        return 1 - sum(a * b for a, b in zip(x, y, strict=True)) / (math.hypot(*x) * math.hypot(*y))
    assert clusters.covariance is not None
    solved = np.linalg.solve(clusters.covariance, apart).tolist()
    return sum(a * b for a, b in zip(apart, solved, strict=True))


def plain_score(clusters: Clusters, move: list[int], stage: str) -> float:
    nearest = [
        min(
            plain_distance(clusters, move, centre.point.tolist())
            for centre in clusters.centres
            if (centre.stage, centre.kind) == (stage, kind)
        )
        for kind in (BAD, GOOD)
    ]
    return (nearest[0] - nearest[1]) / clusters.unit


@pytest.mark.parametrize("stages", [False, True])
@pytest.mark.parametrize("metric", METRICS)
def test_a_score_is_the_distance_to_the_nearest_bad_centre_less_that_to_the_nearest_good_one(
    metric: str, stages: bool
) -> None:
    clusters, moves = random_clusters(metric, 1, stages), random_moves(60, 2)
    stage = (np.arange(60) % 3).astype(np.uint8)
    names = [MOVE_FEATURES.stages[number] if stages else ALL for number in stage]
    expected = [plain_score(clusters, move, name) for move, name in zip(moves.tolist(), names, strict=True)]
    assert scores(clusters, moves, stage) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_of_a_move_at_the_mean_cosine_says_nothing() -> None:
    clusters = replace(random_clusters("cosine"), mean=np.zeros(len(MAXIMA)))
    nowhere = np.zeros((1, len(MAXIMA)), np.int16)
    assert scores(clusters, nowhere).tolist() == [0.0]
    assert kernel_scores(clusters, nowhere).tolist() == [0.0]


# ---- whole numbers ----


def kernel_scores(
    clusters: Clusters, moves: NDArray[np.int16], stage: NDArray[np.uint8] | None = None
) -> NDArray[np.float64]:
    numbers, rows = packed(clusters, MOVE_FEATURES), moves.astype(np.int32)
    found = np.empty(len(moves))
    for number in range(3):
        some = np.flatnonzero(np.zeros(len(moves)) == number if stage is None else stage == number)
        part = np.empty(len(some))
        score_by_clusters(rows[some], len(some), number, numbers, part)
        found[some] = part
    return found


@given(
    metric=st.sampled_from(METRICS),
    seed=st.integers(0, 10_000),
    stages=st.booleans(),
    good=st.integers(1, 20),
    bad=st.integers(1, 20),
)
def test_whole_numbers_score_as_the_slow_meaning_does(
    metric: str, seed: int, stages: bool, good: int, bad: int
) -> None:
    clusters, moves = random_clusters(metric, seed, stages, good, bad), random_moves(200, seed + 1)
    spread = scores(clusters, moves).std() or 1.0
    clusters = replace(clusters, unit=float(spread))
    stage = np.random.default_rng(seed).integers(3, size=200).astype(np.uint8)
    found = kernel_scores(clusters, moves, stage if stages else None)
    assert np.abs(found - scores(clusters, moves, stage)).max() < 0.02  # of a standard deviation


@pytest.fixture(scope="module")
def real() -> tuple[GoExamples, NDArray[np.int16], NDArray[np.bool_], NDArray[np.uint8]]:
    """Moves of examples/games and as many that were not played, their features, which are good, their stages."""
    played = GoExamples.concat(list(map(of_go, gathering([str(GAMES)], Selection()).batches())))
    rows = GoExamples.concat([played, unplayed_moves(played, len(played), np.random.default_rng(1))])
    features, stage = described(rows)
    return rows, features, rows.label == 1, stage


@pytest.mark.parametrize("stages", [False, True])
@pytest.mark.parametrize("metric", METRICS)
def test_of_real_moves_both_say_the_same_and_good_moves_come_first(
    real: tuple[GoExamples, NDArray[np.int16], NDArray[np.bool_], NDArray[np.uint8]], metric: Metric, stages: bool
) -> None:
    _, features, good, stage = real
    moves = Moves(features, good, stage if stages else None)
    clusters = cluster_moves(moves, MOVE_FEATURES, "go", ClusterSettings(k=10, metric=metric, starts=2), {}).clusters
    slow, fast = scores(clusters, features, stage), kernel_scores(clusters, features, stage if stages else None)
    assert slow.std() == pytest.approx(1.0, rel=1e-4)
    assert np.abs(slow - fast).max() < 0.01
    assert spearmanr(slow, fast).statistic > 0.9999
    assert slow[good].mean() > slow[~good].mean() + 0.5


def test_the_search_s_order_is_that_of_the_scores(
    real: tuple[GoExamples, NDArray[np.int16], NDArray[np.bool_], NDArray[np.uint8]],
) -> None:
    rows, features, good, stage = real
    found = cluster_moves(Moves(features, good, stage), MOVE_FEATURES, "go", ClusterSettings(k=5, starts=1), {})
    numbers, expected = packed(found.clusters, MOVE_FEATURES), scores(found.clusters, features, stage)
    for row in range(0, len(rows), 37):
        size = int(rows.size[row])
        state = np.empty(GO.cells, np.int32)
        k.load(state, rows.board[row], size)
        state[k.TO_PLAY] = rows.to_play[row]
        state[k.LAST], state[k.LAST2] = k.pad(rows.last[row], size), k.pad(rows.last2[row], size)
        move, score = np.array([k.pad(rows.move[row], size)], np.int32), np.empty(1)
        MOVE_FEATURES.order(state, move, 1, score, numbers)
        assert score[0] == pytest.approx(expected[row], abs=0.05)


def test_numbers_that_lie_too_far_apart_are_refused() -> None:
    far = replace(random_clusters("euclid"), deviation=np.full(len(MAXIMA), 1e-7))
    with pytest.raises(GotoolsError, match="too many standard deviations apart"):
        packed(far, MOVE_FEATURES)
    with pytest.raises(GotoolsError, match="unit"):
        packed(replace(random_clusters("euclid"), unit=1e300), MOVE_FEATURES)


# ---- clustering ----


def clouds(middles: list[tuple[int, int, int]], count: int, seed: int) -> NDArray[np.int16]:
    """Draw moves within 1 of some points."""
    rng = np.random.default_rng(seed)
    return np.vstack([np.array(middle) + rng.integers(-1, 2, (count, 3)) for middle in middles]).astype(np.int16)


@pytest.mark.parametrize("metric", METRICS)
def test_clouds_far_from_each_other_are_found(metric: Metric) -> None:
    """Directions from the mean of all differ, too, so that cosine can separate the clouds."""
    good, bad = clouds([(3, 3, 4), (17, 3, 4)], 40, 1), clouds([(3, 27, 4), (17, 27, 4), (3, 27, 8)], 30, 2)
    features = np.vstack([good, bad])
    moves = Moves(features, np.arange(len(features)) < len(good), None, lambda row: f"move {row}")
    found = cluster_moves(moves, THREE, "none", ClusterSettings(k=2, metric=metric, starts=4, seed=3), {"last": "1"})
    centres = sorted((tuple(c.point.tolist()), c) for c in found.clusters.centres if c.kind == GOOD)
    for (point, centre), part in zip(centres, (good[:40], good[40:]), strict=True):
        assert point == pytest.approx(part.mean(axis=0), abs=1e-5)
        assert (centre.good, centre.bad) == (40, 0)
        row = int(centre.typical.removeprefix("move "))
        far = [plain_distance(found.clusters, move, centre.point.tolist()) for move in good.tolist()]
        assert far[row] == pytest.approx(min(far)) and row in found.typical
    assert sum(centre.bad for centre in found.clusters.centres) == 90
    values = scores(found.clusters, features)
    assert values[: len(good)].min() > values[len(good) :].max()
    assert values.std() == pytest.approx(1.0, rel=1e-4)
    assert found.clusters.made["last"] == "1" and float(found.clusters.made["quality good"]) > 0


def test_each_stage_has_centres_of_its_own() -> None:
    features = np.vstack([clouds([(5, 5, 5), (15, 25, 5)], 20, 1), clouds([(15, 25, 5), (5, 5, 5)], 20, 2)])
    good, stage = np.arange(80) % 40 < 20, (np.arange(80) >= 40).astype(np.uint8)
    found = cluster_moves(
        Moves(features, good, stage), THREE, "none", ClusterSettings(k=3, metric="euclid", starts=2), {}
    ).clusters
    assert found.stages == ("early", "late")
    assert [(c.stage, c.kind) for c in found.centres] == [(s, q) for s in THREE.stages for q in KINDS for _ in range(3)]
    values = scores(found, features, stage)
    assert values[good].min() > 0 > values[~good].max()
    moved = scores(found, features, 1 - stage)
    assert moved[good].max() < 0 < moved[~good].min()


@given(seed=st.integers(0, 1000), count=st.integers(2, 6), metric=st.sampled_from(METRICS[:2]))
def test_quality_is_the_mean_distance_within_clusters_for_the_distance_between_centres(
    seed: int, count: int, metric: str
) -> None:
    rng = np.random.default_rng(seed)
    rows, centres, labels = rng.random((50, 4)), rng.random((count, 4)), rng.integers(count, size=50)
    power = 2 if metric == "euclid" else 1

    def apart(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
        return sum(abs(x - y) ** power for x, y in zip(a.tolist(), b.tolist(), strict=True))

    within = 0.0
    for c in range(count):
        members = [row for row, label in zip(rows, labels, strict=True) if label == c]
        within += sum(apart(row, centres[c]) for row in members) / max(len(members), 1)
    between = sum(apart(a, b) for a in centres for b in centres)
    assert quality(rows, labels, centres, metric) == pytest.approx(within / between)


def test_the_best_of_more_starts_is_no_worse() -> None:
    features = random_moves(400, 5)
    moves = Moves(features, np.arange(400) % 2 == 0)
    one, many = (cluster_moves(moves, MOVE_FEATURES, "go", ClusterSettings(k=8, starts=n), {}).quality for n in (1, 6))
    assert all(many[key] <= one[key] for key in one) and many != one


def test_many_moves_are_taken_in_mini_batches_to_much_the_same_centres() -> None:
    good, bad = clouds([(3, 3, 4), (17, 3, 4)], 26_000, 1), clouds([(3, 27, 4), (17, 27, 4)], 26_000, 2)
    features = np.vstack([good, bad])
    moves = Moves(features, np.arange(len(features)) < len(good))
    found = cluster_moves(moves, THREE, "none", ClusterSettings(k=2, starts=2), {}).clusters
    for centre in found.centres:
        assert (centre.good, centre.bad) in ((26_000, 0), (0, 26_000))


def test_a_constant_feature_and_one_that_hardly_varies_do_no_harm() -> None:
    features = clouds([(5, 5, 0), (15, 25, 0)], 50, 1)
    features[:, 2] = 0
    features[:, 1] = np.arange(100) == 7  # varies, but hardly
    for metric in METRICS:
        moves = Moves(features, np.arange(100) < 50)
        found = cluster_moves(moves, THREE, "none", ClusterSettings(k=2, metric=metric, starts=2), {}).clusters
        assert found.deviation[2] == 1.0
        assert np.isfinite(scores(found, features)).all()
        assert len(packed(found, THREE)) > 0


@pytest.mark.parametrize(
    ("features", "good", "stage", "message"),
    [
        (np.zeros((0, 3)), [], None, "no moves"),
        (np.arange(30).reshape(10, 3), [True] * 10, None, "no bad moves"),
        (np.arange(30).reshape(10, 3), [False] * 10, None, "no good moves"),
        (np.arange(30).reshape(10, 3) % 2, [True] * 5 + [False] * 5, None, "good moves: 2 different, fewer than 3"),
        (np.arange(30).reshape(10, 3), [True, False] * 5, [0] * 10, "no good moves in the stage 'late'"),
    ],
)
def test_too_few_moves_are_reported(
    features: NDArray[np.int64], good: list[bool], stage: list[int] | None, message: str
) -> None:
    moves = Moves(
        features.astype(np.int16), np.array(good, np.bool_), None if stage is None else np.array(stage, np.uint8)
    )
    with pytest.raises(GotoolsError, match=message):
        cluster_moves(moves, THREE, "none", ClusterSettings(k=3, starts=1), {})
