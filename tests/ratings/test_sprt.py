"""The sequential test on pairs and the estimates from pairs: closed forms, brute force, and rates by simulation."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import binomtest, invgauss
from support.simulated_pairs import (
    CONDITIONS,
    Conditions,
    fixed_matches,
    pair_distribution,
    run_tests,
    tolerance,
)

from gotools.base.errors import GotoolsError
from gotools.ratings.sprt import (
    PAIR_SCORES,
    WIDEST,
    Estimate,
    PairCounts,
    Sprt,
    dispersion,
    elo_after_stop,
    elo_of_pairs,
    elo_of_score,
    lower_exit_by,
    pair_counts,
    parse_sprt,
    score_of_elo,
    upper_exit_by,
)

COUNTS = st.tuples(*[st.one_of(st.just(0), st.integers(0, 5), st.integers(0, 3000)) for _ in range(5)])
TESTS = st.sampled_from(
    [Sprt(0, 5), Sprt(0, 20), Sprt(0, 100), Sprt(-10, 0), Sprt(300, 320), Sprt(-500, 500, 0.01, 0.1)]
)
EXTREMES = [(0, 0, 0, 0, n) for n in (1, 50, 10**6)] + [(n, 0, 0, 0, 0) for n in (1, 50, 10**6)] + [(0, 0, 500, 0, 0)]


def counted(row: np.ndarray) -> PairCounts:
    return tuple(int(pairs) for pairs in row)  # type: ignore[return-value]


# --- parameters


def test_walds_bounds() -> None:
    assert Sprt(0, 20).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 20, alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("elo0=0,elo1=20", Sprt(0, 20)),
        (" elo1 = 5.5 , elo0 = -1e1 ", Sprt(-10, 5.5)),
        ("alpha=0.01,elo0=0,elo1=10,beta=.1", Sprt(0, 10, 0.01, 0.1)),
    ],
)
def test_text_of_a_test(text: str, expected: Sprt) -> None:
    assert parse_sprt(text) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("elo0=0,elo2=20", "unknown key 'elo2'; did you mean elo"),
        ("elo0=0,elo1=20,alfa=0.1", "did you mean alpha?"),
        ("elo0=0,elo1=20,BETA=0.1", "did you mean beta?"),
        ("elo1=20", "elo0 missing"),
        ("alpha=0.1", "elo0 and elo1 missing"),
        ("", "not KEY=VALUE"),
        ("elo0=0,elo1", "'elo1' is not KEY=VALUE"),
        ("elo0=0,elo1=20,elo1=30", "elo1 is given twice"),
        ("elo0=0,elo1=much", "elo1=much is not a number"),
        ("elo0=nan,elo1=20", "elo0 is nan"),
        ("elo0=0,elo1=inf", "elo1 is inf"),
        ("elo0=20,elo1=20", "elo0=20 has to be less than elo1=20"),
        ("elo0=0,elo1=1e9", "within ±2000 Elo"),
        ("elo0=0,elo1=20,alpha=0", "alpha=0 has to be between 0 and 1"),
        ("elo0=0,elo1=20,beta=1", "beta=1 has to be between 0 and 1"),
        ("elo0=0,elo1=20,alpha=0.6,beta=0.4", "less than 1 together"),
    ],
)
def test_a_bad_text_is_refused(text: str, problem: str) -> None:
    with pytest.raises(GotoolsError) as error:
        parse_sprt(text)
    assert problem in str(error.value)


PIECES = st.sampled_from(["elo0", "elo1", "alpha", "beta", "=", ",", "0", "20", "0.05", "-", "nan", "1e400", " "])


@given(st.one_of(st.text(), st.lists(PIECES).map("".join)))
def test_any_text_gives_a_test_or_a_message(text: str) -> None:
    try:
        sprt = parse_sprt(text)
    except GotoolsError as error:
        assert "\n" not in str(error) or "\n" in text
    else:
        assert sprt.elo0 < sprt.elo1 and sprt.bounds[0] < 0 < sprt.bounds[1]


def test_incomplete_pairs_are_not_counted() -> None:
    scores = [(0, 0), (0.5, 0), (0, 1), (0.5, 0.5), (1, 0.5), (1, 1), (1, 1), (1,), (), (1, None), (None, None)]
    assert pair_counts(scores) == (1, 1, 2, 1, 2)


# --- the log-likelihood ratio


def best_log_likelihood(counts: PairCounts, score: float) -> float:
    """Maximise the likelihood over the distributions of that mean, by a general optimiser."""
    n = np.maximum(counts, 0.1)  # what an empty cell is taken for

    def loss(log_chances: np.ndarray) -> float:
        return -float(n @ log_chances)

    constraints = [
        {"type": "eq", "fun": lambda log_chances: np.exp(log_chances).sum() - 1},
        {"type": "eq", "fun": lambda log_chances: np.exp(log_chances) @ PAIR_SCORES - score},
    ]
    start = np.log((n + 1) / (n + 1).sum())
    found = minimize(
        loss, start, constraints=constraints, bounds=[(-25, 0)] * 5, options={"maxiter": 500, "ftol": 1e-12}
    )
    assert found.success, found.message
    return -float(found.fun)


@pytest.mark.parametrize("counts", [(10, 7, 30, 12, 14), (3, 0, 90, 0, 8), (200, 10, 650, 20, 240), (0, 5, 50, 20, 0)])
@pytest.mark.parametrize("sprt", [Sprt(0, 20), Sprt(-50, 100), Sprt(60, 90)])
def test_the_ratio_is_that_of_the_best_distributions(counts: PairCounts, sprt: Sprt) -> None:
    assert dispersion(np.array(counts, dtype=float)) < 1
    expected = best_log_likelihood(counts, sprt.scores[1]) - best_log_likelihood(counts, sprt.scores[0])
    assert sprt.llr(counts) == pytest.approx(expected, abs=1e-4)


def test_where_all_is_won_the_ratio_is_that_of_independent_games() -> None:
    sprt = Sprt(0, 20)
    for pairs in (1, 10, 50):
        assert sprt.llr((0, 0, 0, 0, pairs)) == pytest.approx(2 * pairs * math.log(score_of_elo(20) / 0.5))
        assert sprt.llr((pairs, 0, 0, 0, 0)) == pytest.approx(2 * pairs * math.log(score_of_elo(-20) / 0.5))


def test_a_hundred_to_nothing_decides() -> None:
    sprt = Sprt(0, 20)
    assert sprt.verdict((0, 0, 0, 0, 50)) == "h1"
    assert sprt.verdict((50, 0, 0, 0, 0)) == "h0"
    assert sprt.verdict((0, 0, 60, 0, 0)) == "h0"  # each pair one all
    assert sprt.verdict((0, 0, 0, 0, 0)) is None
    assert Sprt(-20, 20).verdict((0, 0, 500, 0, 0)) is None


def test_identical_games_are_not_counted_twice() -> None:
    sprt = Sprt(0, 20)
    apart, alike = sprt.llr((250, 0, 500, 0, 350)), sprt.llr((500, 0, 0, 0, 600))
    assert 0 < 1.8 * alike < apart


@given(TESTS, COUNTS)
@example(Sprt(0, 20), (0, 0, 0, 0, 0))
@example(Sprt(0, 20), (10**6, 0, 0, 0, 10**6))
def test_the_ratio_is_finite_and_rises_with_won_pairs(sprt: Sprt, counts: PairCounts) -> None:
    ratio = sprt.llr(counts)
    assert math.isfinite(ratio)
    assert any(counts) or ratio == 0.0
    slack = 1e-7 * (1 + abs(ratio))
    lost, _, _, _, won = counts
    assert sprt.llr((lost, *counts[1:4], won + 1)) >= ratio - slack
    assert sprt.llr((lost + 1, *counts[1:4], won)) <= ratio + slack
    turned = Sprt(-sprt.elo1, -sprt.elo0).llr(counts[::-1])
    assert turned == pytest.approx(-ratio, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("sprt", [Sprt(0, 5), Sprt(0, 100), Sprt(500, 600)])
def test_extreme_results_have_a_finite_ratio(sprt: Sprt) -> None:
    assert all(math.isfinite(sprt.llr(counts)) for counts in EXTREMES)
    assert sprt.verdict((0, 0, 0, 0, 10**6)) == "h1" and sprt.verdict((10**6, 0, 0, 0, 0)) == "h0"


# --- error rates


def check_error_rates(sprt: Sprt, played: Conditions, runs: int) -> None:
    wrongly_h1, _ = run_tests(sprt, pair_distribution(sprt.elo0, played), runs, seed=1)
    rightly_h1, _ = run_tests(sprt, pair_distribution(sprt.elo1, played), runs, seed=2)
    assert wrongly_h1.mean() <= sprt.alpha + tolerance(sprt.alpha, runs)
    assert (~rightly_h1).mean() <= sprt.beta + tolerance(sprt.beta, runs)


@pytest.mark.parametrize("played", [CONDITIONS[0], CONDITIONS[-1]], ids=str)
@pytest.mark.parametrize("levels", [(0.05, 0.05), (0.01, 0.1)], ids=str)
def test_errors_are_within_alpha_and_beta(levels: tuple[float, float], played: Conditions) -> None:
    check_error_rates(Sprt(0, 100, *levels), played, 400)


def test_hypotheses_far_from_equality_keep_to_alpha_and_beta() -> None:
    check_error_rates(Sprt(500, 600), Conditions(openings=300), 300)


def test_pairs_of_like_games_keep_to_alpha_and_beta() -> None:
    """Engines without chance may play one game twice: then a pair is worth one game, not two."""
    sprt = Sprt(0, 40)
    for elo in (sprt.elo0, sprt.elo1):
        score = score_of_elo(elo)
        accepted, _ = run_tests(sprt, np.array([1 - score, 0, 0, 0, score]), 500, seed=3)
        assert (accepted != (elo == sprt.elo1)).mean() <= 0.05 + tolerance(0.05, 500)


@pytest.mark.slow
@pytest.mark.parametrize("played", CONDITIONS, ids=str)
@pytest.mark.parametrize("levels", [(0.05, 0.05), (0.01, 0.1)], ids=str)
@pytest.mark.parametrize("elos", [(0, 10), (0, 20), (-10, 0), (0, 100)], ids=str)
def test_errors_are_within_alpha_and_beta_everywhere(
    elos: tuple[float, float], levels: tuple[float, float], played: Conditions
) -> None:
    check_error_rates(Sprt(*elos, *levels), played, 2000 if elos[1] >= 20 else 400)


def test_common_openings_save_games() -> None:
    """A spread of openings leaves pairs less variance than independent games, and the test ends sooner."""
    sprt = Sprt(0, 100)
    even, spread = (
        run_tests(sprt, pair_distribution(100, Conditions(openings=sd)), 500, seed=4)[1].sum() for sd in (0, 300)
    )
    assert spread < 0.8 * even


# --- Brownian motion


def upper_exit_by_series(time: float, drift: float, variance: float, lower: float, upper: float) -> float:
    """The twin: what is reached at all, less what is reached later, by eigenfunctions. Not for short times."""
    width, pull = upper - lower, drift / variance
    ever = -lower / width  # martingales: the motion itself, or its exponential
    if drift != 0:
        ever = math.expm1(2 * pull * lower) / math.expm1(2 * pull * (lower - upper))
    later = 0.0
    for k in range(1, 200):
        rate = drift**2 / (2 * variance) + (k * math.pi / width) ** 2 * variance / 2
        later -= (-1) ** k * k * math.sin(k * math.pi * -lower / width) * math.exp(-rate * time) / rate
    return ever - later * math.pi * variance / width**2 * math.exp(pull * upper)


@pytest.mark.parametrize("bounds", [(-2.9, 2.9), (-1.0, 4.0), (-6.0, 0.5)])
def test_exit_times_by_images_and_by_eigenfunctions(bounds: tuple[float, float]) -> None:
    for time, drift in product((3.0, 20.0, 500.0), (-0.4, -0.05, 0.0, 0.01, 0.3)):
        expected = upper_exit_by_series(time, drift, 0.7, *bounds)
        assert upper_exit_by(time, drift, 0.7, *bounds) == pytest.approx(expected, abs=1e-9), (time, drift)


def test_one_far_bound_leaves_the_inverse_gaussian() -> None:
    drift, variance, upper = 0.5, 1.5, 3.0
    mean, shape = upper / drift, upper**2 / variance
    expected = invgauss(mu=mean / shape, scale=shape).cdf(4.0)
    assert upper_exit_by(4.0, drift, variance, -1000.0, upper) == pytest.approx(expected, abs=1e-9)


@given(st.floats(0.01, 1e6), st.floats(-50, 50), st.floats(1e-9, 10), st.floats(-1e3, -0.01), st.floats(0.01, 1e3))
def test_exit_probabilities_are_probabilities(t: float, drift: float, variance: float, low: float, high: float) -> None:
    assume(variance * t < 1e5 * (high - low) ** 2)
    up, down = upper_exit_by(t, drift, variance, low, high), lower_exit_by(t, drift, variance, low, high)
    assert 0 <= up <= 1 and 0 <= down <= 1 and up + down <= 1 + 1e-9


# --- estimates


def test_elo_of_a_score() -> None:
    assert elo_of_score(0.75) == pytest.approx(400 * math.log10(3))
    assert elo_of_pairs((10, 0, 30, 0, 60)).elo == pytest.approx(190.8485, abs=1e-4)
    assert elo_of_pairs((0, 12, 0, 12, 0)).elo == 0.0


@pytest.mark.parametrize("counts", [(25, 0, 50, 0, 25), (1, 0, 18, 0, 81), (0, 0, 0, 0, 50), (1, 0, 2, 0, 1)])
def test_the_interval_of_independent_games_is_wilsons(counts: PairCounts) -> None:
    points, pairs = round(2 * sum(np.multiply(counts, PAIR_SCORES))), sum(counts)
    for level in (0.8, 0.95):
        expected = binomtest(points, 2 * pairs).proportion_ci(level, method="wilson")
        estimate = elo_of_pairs(counts, level)
        assert score_of_elo(estimate.low) == pytest.approx(expected.low, abs=1e-9)
        assert score_of_elo(estimate.high) == pytest.approx(expected.high, abs=1e-9)


def test_superiority_agrees_with_the_interval() -> None:
    counts = (20, 3, 40, 5, 33)
    superiority = elo_of_pairs(counts).superiority
    assert elo_of_pairs(counts, level=2 * superiority - 1).low == pytest.approx(0, abs=1e-6)


@given(TESTS, COUNTS)
@example(Sprt(0, 20), (0, 0, 0, 0, 0))
@example(Sprt(0, 20), (1, 0, 0, 0, 10**6))
@example(Sprt(0, 20), (0, 0, 0, 0, 50))
def test_estimates_are_finite_and_in_order(sprt: Sprt, counts: PairCounts) -> None:
    for estimate in (elo_of_pairs(counts), elo_after_stop(sprt, counts)):
        assert -4000 <= estimate.low <= estimate.elo <= estimate.high <= 4000
        assert 0 <= estimate.superiority <= 1
    narrow, wide = elo_after_stop(sprt, counts, 0.5), elo_after_stop(sprt, counts, 0.99)
    assert wide.low <= narrow.low <= narrow.high <= wide.high


@given(TESTS, COUNTS)
def test_exchanging_the_engines_turns_the_estimates(sprt: Sprt, counts: PairCounts) -> None:
    turned = Sprt(-sprt.elo1, -sprt.elo0, sprt.beta, sprt.alpha)
    for one, other in (
        (elo_of_pairs(counts), elo_of_pairs(counts[::-1])),
        (elo_after_stop(sprt, counts), elo_after_stop(turned, counts[::-1])),
    ):
        assert (one.elo, one.low, one.high) == pytest.approx((-other.elo, -other.high, -other.low), rel=1e-3, abs=1e-3)
        assert one.superiority == pytest.approx(1 - other.superiority, abs=1e-6)


def test_a_test_that_goes_on_has_the_plain_estimate() -> None:
    assert elo_after_stop(Sprt(0, 20), (10, 0, 30, 0, 12)) == elo_of_pairs((10, 0, 30, 0, 12))


def covered(estimates: list[Estimate], elo: float) -> float:
    return float(np.mean([estimate.low <= elo <= estimate.high for estimate in estimates]))


def above(estimates: list[Estimate], elo: float) -> float:
    return float(np.mean([estimate.elo > elo for estimate in estimates]))


@pytest.mark.parametrize("pairs", [50, 200, 1000])
@pytest.mark.parametrize("elo", [0, 100, 200])
@pytest.mark.parametrize("played", [CONDITIONS[0], CONDITIONS[-1]], ids=str)
def test_intervals_of_matches_cover(played: Conditions, elo: float, pairs: int) -> None:
    matches = fixed_matches(pair_distribution(elo, played), pairs, 4000, seed=5)
    rows, times = np.unique(matches, axis=0, return_counts=True)
    inside = [estimate.low <= elo <= estimate.high for estimate in (elo_of_pairs(counted(row)) for row in rows)]
    assert 0.94 - tolerance(0.94, 4000) <= np.average(inside, weights=times) <= 0.96 + tolerance(0.96, 4000)


def check_after_stop(sprt: Sprt, elo: float, played: Conditions, runs: int, most: float) -> None:
    _, stopped = run_tests(sprt, pair_distribution(elo, played), runs, seed=6)
    estimates = [elo_after_stop(sprt, counted(row)) for row in stopped]
    assert 0.47 - tolerance(0.5, runs) <= above(estimates, elo) <= 0.53 + tolerance(0.5, runs)
    assert 0.94 - tolerance(0.94, runs) <= covered(estimates, elo) <= most + tolerance(most, runs)


@pytest.mark.parametrize("elo", [0, 60])
def test_the_estimate_after_a_stop_is_median_unbiased_and_covers(elo: float) -> None:
    check_after_stop(Sprt(0, 60), elo, Conditions(black=60), 500, most=0.96)


def test_the_plain_estimate_after_a_stop_is_not_median_unbiased() -> None:
    """Why elo_after_stop exists."""
    _, stopped = run_tests(Sprt(0, 60), pair_distribution(60, Conditions()), 500, seed=7)
    assert above([elo_of_pairs(counted(row)) for row in stopped], 60) > 0.58


@pytest.mark.slow
@pytest.mark.parametrize("elo", [-20, 0, 10, 20, 40])
@pytest.mark.parametrize("played", [CONDITIONS[0], CONDITIONS[-1]], ids=str)
def test_the_estimate_after_a_long_test(played: Conditions, elo: float) -> None:
    check_after_stop(Sprt(0, 20), elo, played, 2000, most=0.97)


def test_a_match_won_or_lost_throughout_has_an_open_end_on_that_side_alone() -> None:
    won, lost = elo_of_pairs((0, 0, 0, 0, 10)), elo_of_pairs((10, 0, 0, 0, 0))
    assert won.high == WIDEST and -WIDEST < won.low < won.elo < WIDEST
    assert lost.low == -WIDEST and -WIDEST < lost.elo < lost.high < WIDEST
