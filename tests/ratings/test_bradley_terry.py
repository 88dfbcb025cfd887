"""Ratings by Bradley-Terry against closed forms, brute force, other programs' numbers, and simulation."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from statistics import NormalDist
from typing import Literal

import choix
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize
from support.tallies import ELO, KINDS, Row, matches, simulated, slow_likelihood, tally_of
from whr import whole_history_rating

from gotools.base.errors import GotoolsError
from gotools.ratings import bradley_terry
from gotools.ratings.bradley_terry import Ratings, apart, rate
from gotools.ratings.components import Disconnected
from gotools.ratings.games import GameClass, GameTally
from gotools.ratings.information import BorderedInverse, Dense, elimination_order
from gotools.ratings.likelihood import Likelihood
from gotools.ratings.settings import RatingSettings
from gotools.ratings.table import rated_rows

GOLDEN = Path(__file__).parents[1] / "golden"
ORDO_SCALE = (math.log(10) / 400) / (math.log(0.76 / 0.24) / 202)
"""Ordo's points to one Elo: 202 of them are 76 %."""
PLAIN = RatingSettings(prior=0.0, advantage=False)
FOUR: list[Row] = [
    (0, 1, 0, 5, 1, 3), (1, 0, 0, 4, 2, 5), (2, 0, 0, 3, 0, 2), (0, 3, 1, 4, 1, 1),
    (3, 1, 1, 2, 0, 2), (1, 2, 1, 1, 1, 4), (2, 3, 0, 3, 2, 2), (3, 2, 1, 1, 0, 3),
]  # fmt: skip


# Closed forms


@pytest.mark.parametrize(("won", "lost"), [(3, 1), (30, 10), (7, 5), (999, 1)])
def test_two_players_have_the_ratings_and_the_variance_of_the_textbook(won: int, lost: int) -> None:
    ratings = rate(matches("AB", {(0, 1): (won, lost)}), PLAIN)
    difference = 400 * math.log10(won / lost)
    assert ratings.elo == pytest.approx([difference / 2, -difference / 2], abs=1e-8)
    deviation = ELO * math.sqrt(1 / won + 1 / lost)
    low, high = difference - 1.959963985 * deviation, difference + 1.959963985 * deviation
    assert ratings.difference(0, 1) == pytest.approx((difference, low, high), rel=1e-6)
    assert ratings.superiority(0, 1) == pytest.approx(NormalDist().cdf(difference / deviation), abs=1e-7)


@pytest.mark.parametrize("factor", [1, 7, 1000])
def test_the_three_players_whom_other_programs_rate_too(factor: int) -> None:
    """75, 75 and 90 %: the ratings agree exactly. Printed by Ordo 1.2.6 and by BayesElo 0057 (prior 0, drawelo 0)."""
    results = {(0, 1): (3 * factor, factor), (1, 2): (3 * factor, factor), (0, 2): (9 * factor, factor)}
    ratings = rate(matches("ABC", results), PLAIN)
    assert ratings.elo == pytest.approx([190.848502, 0, -190.848502], abs=1e-5)
    assert pytest.approx(1.008785, abs=1e-6) == ORDO_SCALE
    assert ratings.elo[0] == pytest.approx(192.53 / ORDO_SCALE, abs=0.01)
    assert round(ratings.elo[0]) == 191  # BayesElo prints integers


def test_at_the_maximum_everybody_scores_what_is_expected_of_him() -> None:
    """The equations that Ordo solves."""
    tally, _ = simulated(30, 3000, seed=5)
    ratings = rate(tally, RatingSettings(prior=0.0))
    edge = ratings.elo[tally.black] - ratings.elo[tally.white] + ratings.advantage[0]
    games = tally.wins + tally.losses
    surplus = tally.wins - games / (1 + 10 ** (-edge / 400))
    assert np.abs(np.bincount(tally.black, surplus) - np.bincount(tally.white, surplus)).max() < 1e-8
    assert abs(surplus.sum()) < 1e-8


def test_one_class_of_games_between_equals_gives_the_advantage_of_its_score() -> None:
    ratings = rate(tally_of("AB", [(0, 1, 0, 60, 0, 40), (1, 0, 0, 60, 0, 40)]), RatingSettings(prior=0.0))
    assert ratings.elo == pytest.approx([0, 0], abs=1e-9)
    assert ratings.advantage == pytest.approx([400 * math.log10(1.5)], abs=1e-8)
    assert ratings.advantage_sd == pytest.approx([ELO / math.sqrt(200 * 0.24)], rel=1e-6)


def test_davidsons_draw_parameter_between_two_players() -> None:
    """Three outcomes, three free numbers: the model fits the shares exactly, nu = draws / sqrt(wins x losses)."""
    options = RatingSettings(prior=0.0, advantage=False, draws="davidson")
    ratings = rate(tally_of("AB", [(0, 1, 0, 40, 20, 10)]), options)
    assert ratings.draw_parameter == pytest.approx(20 / math.sqrt(400), rel=1e-9)
    assert ratings.difference(0, 1)[0] == pytest.approx(400 * math.log10(4), abs=1e-7)


# Brute force


def best_by_search(
    rows: list[Row], players: int, prior: float, davidson: bool
) -> tuple[np.ndarray, Callable[..., float]]:
    """Maximise the slow likelihood by a method that knows no derivatives of ours; ratings relative to the average."""
    classes = max(row[2] for row in rows) + 1
    drawn = davidson and any(row[4] for row in rows)

    def loss(x: np.ndarray) -> float:
        ratings = list(x[:players]) if prior else [0.0, *x[1:players]]
        nu = math.exp(x[-1]) if drawn else None
        return -slow_likelihood(rows, ratings, list(x[players : players + classes]), prior, nu)

    found = minimize(loss, np.zeros(players + classes + drawn), method="BFGS", options={"gtol": 1e-9, "maxiter": 1000})
    return found.x, loss


def in_one_gauge(x: np.ndarray, players: int) -> np.ndarray:
    return (x[:players] - x[:players].mean()) * ELO


@pytest.mark.parametrize("davidson", [False, True])
@pytest.mark.parametrize("prior", [0.0, 1.0, 3.5])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_ratings_are_what_a_search_finds(prior: float, davidson: bool) -> None:
    options = RatingSettings(prior=prior, draws="davidson" if davidson else "half")
    ratings = rate(tally_of("ABCD", FOUR), options)
    found, _ = best_by_search(FOUR, 4, prior, davidson)
    assert ratings.elo == pytest.approx(in_one_gauge(found, 4), abs=1e-3)
    assert ratings.advantage == pytest.approx(found[4:6] * ELO, abs=1e-3)
    if davidson:
        assert ratings.draw_parameter == pytest.approx(math.exp(found[-1]), rel=1e-5)


@st.composite
def small_tallies(draw: st.DrawFn) -> list[Row]:
    count = st.integers(0, 6)
    players, rows = draw(st.integers(2, 4)), []
    for black in range(players):
        for white in range(players):
            if black != white and draw(st.booleans()):
                rows.append((black, white, draw(st.integers(0, 1)), draw(count), draw(count), draw(count)))
    return [row for row in rows if sum(row[3:])]


@given(small_tallies(), st.sampled_from([0.5, 1.0, 4.0]))
@settings(max_examples=60)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_with_a_prior_any_small_tally_has_the_ratings_that_a_search_finds(rows: list[Row], prior: float) -> None:
    assume(rows)
    tally = tally_of("ABCD", rows)
    numbers = ["ABCD".index(name) for name in tally.players]
    kinds = [KINDS.index(kind) for kind in tally.classes]
    renumbered = [(numbers.index(b), numbers.index(w), kinds.index(k), x, y, z) for b, w, k, x, y, z in rows]
    try:
        ratings = rate(tally, RatingSettings(prior=prior))
    except Disconnected as error:
        assert len(error.groups) == len(apart(tally)) > 1
        return
    found, _ = best_by_search(renumbered, len(numbers), prior, False)
    assert ratings.elo == pytest.approx(in_one_gauge(found, len(numbers)), abs=2e-3)
    assert np.isfinite(ratings.elo).all() and np.isfinite(ratings.covariance).all()
    for i in range(len(numbers)):
        low, high = ratings.interval(i)
        assert low is not None and high is not None and low <= ratings.elo[i] <= high


@given(small_tallies())
@settings(max_examples=50)
def test_without_a_prior_no_small_tally_gives_a_number_that_is_none(rows: list[Row]) -> None:
    assume(rows)
    try:
        ratings = rate(tally_of("ABCD", rows), PLAIN)
    except Disconnected:
        return
    for i, mark in enumerate(ratings.bound):
        low, high = ratings.interval(i)
        found = {"": (True, True), ">": (True, False), "<": (False, True), "?": (False, False)}[mark]
        assert (low is not None, high is not None) == found
        assert all(math.isfinite(end) for end in (low, high) if end is not None)
        for j in range(len(ratings.players)):
            assert 0 <= ratings.superiority(i, j) <= 1
            assert ratings.superiority(i, j) + ratings.superiority(j, i) == pytest.approx(1)


@pytest.mark.parametrize("davidson", [False, True])
def test_gradient_and_information_are_the_derivatives_of_the_value(davidson: bool) -> None:
    columns = np.array(FOUR).T
    places, counts = columns[:3].astype(np.intp), columns[3:].astype(float)
    black, white, kind = places
    wins, draws, losses = counts
    likelihood = Likelihood(4, 2, black, white, kind, wins, draws, losses, 1.5, davidson)
    here, step = np.random.default_rng(2).normal(0, 0.7, likelihood.size), 1e-5
    at = likelihood.at(here)
    assert isinstance(at.information, Dense)
    for i in range(likelihood.size if davidson else likelihood.size - 1):
        there, back = here.copy(), here.copy()
        there[i] += step
        back[i] -= step
        slope = (likelihood.at(there).value - likelihood.at(back).value) / (2 * step)
        bend = (likelihood.at(back).gradient - likelihood.at(there).gradient) / (2 * step)
        assert at.gradient[i] == pytest.approx(slope, abs=1e-6)
        assert at.information.whole[i] == pytest.approx(bend, abs=1e-6)
    virtual = [float(x - here[4]) for x in here[:4]]
    nu = math.exp(here[-1]) if davidson else None
    assert at.value == pytest.approx(slow_likelihood(FOUR, virtual, list(here[5:7]), 1.5, nu), rel=1e-12)


def test_the_covariance_is_that_of_the_ratings_less_their_mean() -> None:
    """By the numeric Hessian of the slow likelihood, inverted without a gauge (pseudo-inverse)."""
    ratings = rate(tally_of("ABCD", FOUR), RatingSettings(prior=0.0))
    x = np.concatenate([ratings.elo, ratings.advantage]) / ELO
    hessian, h = np.zeros((6, 6)), 1e-4
    for i in range(6):
        for j in range(6):
            corners = 0.0
            for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                y = x.copy()
                y[i] += a * h
                y[j] += b * h
                corners += a * b * slow_likelihood(FOUR, list(y[:4]), list(y[4:]))
            hessian[i, j] = corners / (4 * h * h)
    by_hand = np.linalg.pinv(-hessian, rcond=1e-5) * ELO**2
    assert ratings.covariance == pytest.approx(by_hand[:4, :4], rel=1e-4, abs=0.1)
    assert ratings.covariance.sum(0) == pytest.approx(np.zeros(4), abs=1e-6)
    assert ratings.advantage_sd**2 == pytest.approx(by_hand.diagonal()[4:], rel=1e-4)


# Other programs


@pytest.mark.parametrize(("players", "games", "sd"), [(20, 10_000, 300), (60, 3_000, 150)])
def test_ratings_agree_with_choix(players: int, games: int, sd: float) -> None:
    tally, _ = simulated(players, games, seed=1, sd=sd, advantage=0.0)
    pairs = [
        pair
        for b, w, wins, losses in zip(tally.black, tally.white, tally.wins, tally.losses, strict=True)
        for pair in [(int(b), int(w))] * int(wins) + [(int(w), int(b))] * int(losses)
    ]
    theirs = choix.ilsr_pairwise(players, pairs, tol=1e-12, max_iter=1000) * ELO
    assert rate(tally, PLAIN).elo == pytest.approx(theirs - theirs.mean(), abs=1e-4)


def test_ratings_agree_with_ordo_on_its_scale() -> None:
    lines = [line.split() for line in (GOLDEN / "ordo_ratings.tsv").read_text().splitlines() if line[0] != "#"]
    rows: list[Row] = []
    for word, *numbers in lines:
        if word == "games":
            white, black, won, drawn, lost = map(int, numbers)
            rows.append((black, white, 0, lost, drawn, won))
    theirs = {f"p{line[1]}": float(line[2]) / ORDO_SCALE for line in lines if line[0] == "rating"}
    ratings = rate(tally_of([f"p{i}" for i in range(len(theirs))], rows), PLAIN)
    assert dict(zip(ratings.players, ratings.elo, strict=True)) == pytest.approx(theirs, abs=0.001)


def test_ratings_are_near_those_of_whole_history_rating_on_one_day() -> None:
    """It has a prior of its own, so only near."""
    tally, _ = simulated(8, 600, seed=3, sd=150, advantage=0.0)
    history = whole_history_rating.WHR()
    for b, w, wins, losses in zip(tally.black, tally.white, tally.wins, tally.losses, strict=True):
        for winner in "B" * int(wins) + "W" * int(losses):
            history.create_game(tally.players[b], tally.players[w], winner, 1, 0)
    history.iterate(60)
    theirs = np.array([history.ratings_for_player(name)[-1][1] for name in tally.players])
    assert rate(tally, PLAIN).elo == pytest.approx(theirs - theirs.mean(), abs=6)


# 0 % and 100 %


def test_ten_wins_of_ten_without_a_prior_are_a_bound() -> None:
    """A one-sided bound of the level: one who is as strong as the bound wins all ten with a chance of 1 - level."""
    ratings = rate(matches("AB", {(0, 1): (10, 0)}), PLAIN)
    for level in (0.5, 0.8, 0.95, 0.99, 0.9999):
        elo, low, high = ratings.difference(0, 1, level)
        assert low is not None and elo == low and high is None
        assert (1 + 10 ** (-low / 400)) ** -10 == pytest.approx(1 - level, rel=1e-3)
        turned = ratings.difference(1, 0, level)
        assert turned[1] is None and turned[2] == pytest.approx(-low, abs=1e-3)
    assert ratings.difference(0, 1)[1] == pytest.approx(182.7, abs=0.1)
    assert sorted(ratings.bound) in (["", "<"], ["", ">"])
    exact = 1 - 0.5**11  # by Bayes, from a uniform prior of the share
    assert ratings.superiority(0, 1) == pytest.approx(exact, abs=1e-3)


def test_with_a_prior_the_interval_at_100_percent_is_that_of_the_profile() -> None:
    """Two players and the prior's two drawn games: one free number, so the profile can be written down."""
    ratings = rate(matches("AB", {(0, 1): (10, 0)}), RatingSettings(advantage=False))

    def value(d: float) -> float:
        return slow_likelihood([(0, 1, 0, 10, 0, 0)], [d / 2, -d / 2], [0.0], 1.0) + math.log(2)

    top = minimize(lambda x: -value(x[0]), [3.0], method="BFGS", options={"gtol": 1e-10}).x[0]
    off = NormalDist().inv_cdf(0.975) ** 2 / 2
    low = brentq(lambda d: value(top) - value(d) - off, -5, top)
    high = brentq(lambda d: value(top) - value(d) - off, top, 20)
    assert ratings.difference(0, 1) == pytest.approx((top * ELO, low * ELO, high * ELO), abs=0.01)
    assert ratings.interval(0) == pytest.approx((low / 2 * ELO, high / 2 * ELO), abs=0.01)
    assert high - top > 1.5 * (top - low)  # far from even: Wald would be wrong
    assert ratings.superiority(0, 1) > 0.999


def test_a_group_that_only_wins_is_bounded_and_leaves_the_others_their_ratings() -> None:
    """A and B beat each other and everybody else; E loses all; C and D are rated as if alone."""
    rows = {
        (0, 1): (2, 3),
        (2, 3): (5, 4),
        (0, 2): (4, 0),
        (1, 3): (3, 0),
        (2, 4): (6, 0),
        (3, 4): (2, 0),
        (0, 3): (1, 0),
    }
    tally = matches("ABCDE", rows)
    ratings = rate(tally, PLAIN)
    assert ratings.bound == [">", ">", "", "", "<"]
    alone = rate(matches("CD", {(0, 1): (5, 4)}), PLAIN)
    assert ratings.elo[2:4] == pytest.approx(alone.elo, abs=1e-6)
    assert ratings.elo[:2].min() > ratings.elo[2:4].max() > ratings.elo[2:4].min() > ratings.elo[4]
    assert ratings.superiority(0, 1) < 0.5 < 0.99 < ratings.superiority(1, 2)


def test_those_between_whom_wins_lead_are_rated_and_bounds_stand_on_their_side() -> None:
    rows = {(0, 1): (3, 2), (1, 2): (4, 3), (2, 0): (2, 2), (3, 0): (5, 0), (1, 4): (6, 0)}
    ratings = rate(matches("ABCDE", rows), PLAIN)
    assert ratings.bound == ["", "", "", ">", "<"]
    alone = rate(matches("ABC", dict(list(rows.items())[:3])), PLAIN)
    assert ratings.elo[:3] == pytest.approx(alone.elo, abs=1e-6)
    assert ratings.elo[4] < ratings.elo[1]
    assert ratings.interval(3)[1] is None and ratings.interval(4)[0] is None
    assert ratings.superiority(3, 0) > 0.99 > 0.01 > ratings.superiority(4, 1)
    # five wins of five, over one whose own rating has a width: a little below the bound without that width
    edge = -math.log(0.05**-0.2 - 1)  # log-odds at which five wins have a chance of 0.05
    assert ratings.elo[0] + edge * ELO - 60 < ratings.elo[3] < ratings.elo[0] + edge * ELO + 5


def test_one_whom_no_wins_tie_to_the_others_has_no_bound() -> None:
    """D beat A's group, and lost to E alone, who played nobody else: E may stand anywhere above D, D above A."""
    rows = {(0, 1): (3, 2), (1, 2): (2, 2), (0, 3): (0, 2), (3, 4): (4, 0)}
    ratings = rate(matches("ABCDE", rows), PLAIN)
    assert ratings.bound == ["", "", "", ">", "?"]
    assert math.isnan(ratings.elo[4])
    assert ratings.interval(4) == (None, None)


def test_a_class_that_black_always_won_changes_nothing_without_a_prior() -> None:
    rows: list[Row] = [(0, 1, 0, 6, 0, 4), (1, 0, 0, 5, 0, 5), (0, 1, 1, 3, 0, 0)]
    ratings = rate(tally_of("AB", rows), RatingSettings(prior=0.0))
    alone = rate(tally_of("AB", rows[:2]), RatingSettings(prior=0.0))
    assert ratings.elo == pytest.approx(alone.elo, abs=1e-6)
    assert np.isnan(ratings.advantage).tolist() == [False, True]
    assert np.isfinite(rate(tally_of("AB", rows)).advantage).all()


@pytest.mark.parametrize("draws", ["half", "davidson"])
def test_quick_intervals_of_many_players_are_near_the_profiles(draws: Literal["half", "davidson"]) -> None:
    tally, _ = simulated(120, 1200, seed=8, sd=500)
    tally.draws[tally.wins * tally.losses > 0] = 1
    ratings = rate(tally, RatingSettings(draws=draws))
    perfect = [i for i in range(120) if ratings.wins[i] == 0 or ratings.losses[i] == 0]
    assert len(perfect) >= 3
    for i in perfect:
        low, high = ratings.interval(i)
        variance = ratings.covariance[[i], [i]] / ELO**2
        contrast_low, contrast_high = (
            float(ratings.profiles.own_ends(np.array([i]), 0.95, variance, side)[0]) for side in (-1, 1)
        )
        assert low is not None and high is not None
        width = high - low
        assert contrast_low * ELO == pytest.approx(low, abs=0.1 * width)
        assert contrast_high * ELO == pytest.approx(high, abs=0.1 * width)


def test_quick_bounds_of_many_players_are_near_the_profiles() -> None:
    tally, _ = simulated(120, 1200, seed=8, sd=500)
    ratings = rate(tally, RatingSettings(prior=0.0))
    rated = np.array([not mark for mark in ratings.bound])
    near = 0
    for i in np.flatnonzero(~rated).tolist():
        low, high = ratings.interval(i)
        side, exact = (-1, low) if high is None else (1, high)
        quick = ratings.profiles.own_bound(i, rated, 0.95, side)
        met = np.concatenate([tally.white[tally.black == i], tally.black[tally.white == i]])
        if rated[met].all():
            assert quick is not None and exact is not None
            assert quick * ELO == pytest.approx(exact, abs=120)
            assert side * quick * ELO <= side * exact + 1  # it takes the others' ratings for certain
            near += 1
    assert near >= 3


@pytest.mark.parametrize("games", [20, 40])
def test_intervals_and_bounds_of_two_players_hold_the_truth_counted_over_all_results(games: int) -> None:
    """Exactly, without a prior: each result by its chance. Wald's intervals are uneven in it, bounds may not be."""
    ends = [rate(matches("AB", {(0, 1): (won, games - won)}), PLAIN).difference(0, 1)[1:] for won in range(games + 1)]
    held, missed_by_bounds = [], []
    for truth in range(-700, 701, 5):
        p = 1 / (1 + 10 ** (-truth / 400))
        chances = [math.comb(games, won) * p**won * (1 - p) ** (games - won) for won in range(games + 1)]
        missed = [0.0 if holds(end, truth) else chance for end, chance in zip(ends, chances, strict=True)]
        held.append(1 - sum(missed))
        missed_by_bounds.append(missed[0] + missed[-1])
    assert 0.045 < max(missed_by_bounds) <= 0.0501
    assert np.mean(held) >= 0.94
    assert min(held) >= 0.90
    assert held[len(held) // 2] >= 0.95  # equals


# Anchors, groups, errors


def test_one_anchor_shifts_and_leaves_differences_as_they_are() -> None:
    tally = tally_of("ABCD", FOUR)
    free, anchored = rate(tally), rate(tally, RatingSettings(anchors={"B": 1800.0}))
    assert anchored.elo == pytest.approx(free.elo - free.elo[1] + 1800, abs=1e-6)
    assert anchored.interval(1) == (1800, 1800)
    assert anchored.difference(0, 2) == pytest.approx(free.difference(0, 2), abs=1e-4)
    _, low, high = free.difference(0, 1)
    assert low is not None and high is not None
    assert anchored.interval(0) == pytest.approx([1800 + low, 1800 + high], abs=1e-3)


def test_several_anchors_stay_and_the_others_are_rated_between_them() -> None:
    rows = {(0, 2): (3, 1), (2, 1): (3, 1)}
    ratings = rate(
        matches("ACB", {(0, 1): (3, 1), (1, 2): (3, 1)}),
        RatingSettings(prior=0.0, advantage=False, anchors={"A": 100.0, "B": 0.0}),
    )
    assert rows and ratings.elo[[0, 2]] == pytest.approx([100, 0])
    # C scores 1 of 4 against 100 and 3 of 4 against 0: by symmetry in the middle
    assert ratings.elo[1] == pytest.approx(50, abs=1e-6)
    share = 1 / (1 + 10 ** (50 / 400))
    assert math.sqrt(ratings.covariance[1, 1]) == pytest.approx(ELO / math.sqrt(8 * share * (1 - share)), rel=1e-6)
    assert ratings.superiority(0, 2) == 1.0


def test_anchors_join_groups_without_games_between_them() -> None:
    rows = {(0, 1): (3, 1), (2, 3): (1, 1)}
    ratings = rate(matches("ABCD", rows), RatingSettings(prior=0.0, advantage=False, anchors={"A": 500.0, "C": 0.0}))
    assert ratings.elo == pytest.approx([500, 500 - 400 * math.log10(3), 0, 0], abs=1e-6)


def test_an_unknown_anchor_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(GotoolsError, match=r"gnugo-1O.*nearest name is gnugo-10"):
        rate(tally_of(["gnugo-10", "pachi"], [(0, 1, 0, 1, 0, 1)]), RatingSettings(anchors={"gnugo-1O": 1800.0}))


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_groups_without_games_between_them_are_named_with_the_game_that_joins_them(prior: float) -> None:
    rows = {(0, 1): (3, 1), (1, 2): (9, 8), (3, 4): (1, 1)}
    with pytest.raises(Disconnected, match=r"2 groups of players \(3: B, C, A; 2: D, E\).*fewest: B - D") as caught:
        rate(matches("ABCDE", rows), RatingSettings(prior=prior))
    assert caught.value.groups == [["B", "C", "A"], ["D", "E"]]


def test_groups_can_be_rated_apart() -> None:
    rows = {(0, 1): (3, 1), (1, 2): (9, 8), (3, 4): (1, 1)}
    parts = apart(matches("ABCDE", rows))
    assert [rate(part).players for part in parts] == [["A", "B", "C"], ["D", "E"]]
    alone = rate(matches("ABC", dict(list(rows.items())[:2])))
    assert rate(parts[0]).elo == pytest.approx(alone.elo)


def test_no_games_and_only_void_ones_are_errors_that_say_so() -> None:
    with pytest.raises(GotoolsError, match=r"^no game to rate$"):
        rate(tally_of("AB", []))
    with pytest.raises(GotoolsError, match="no game to rate; left out: 12 void"):
        rate(tally_of("AB", [], {"void": 12}))
    with pytest.raises(GotoolsError, match="one player only, in 3 games against itself"):
        rate(tally_of("AB", [], {"against itself": 3}))


def test_advantage_and_strength_that_cannot_be_separated_are_an_error_without_a_prior() -> None:
    always_black = tally_of("AB", [(0, 1, 0, 6, 0, 4)])
    with pytest.raises(GotoolsError, match="is a player always black"):
        rate(always_black, RatingSettings(prior=0.0))
    assert rate(always_black, PLAIN).difference(0, 1)[0] == pytest.approx(400 * math.log10(1.5))
    low, high = rate(always_black).difference(0, 1)[1:]
    assert low is not None and high is not None and low < -100 and high > 150  # nobody knows


def test_a_player_who_won_everything_with_one_colour_is_named_as_the_reason() -> None:
    """The likelihood is not level but grows for ever: 10 of 10 as black, 5 of 10 as white."""
    rows: list[Row] = [(0, 1, 0, 10, 0, 0), (1, 0, 0, 5, 0, 5)]
    with pytest.raises(GotoolsError, match=r"grow together.*won everything with one colour.*--no-advantage.*--prior 1"):
        rate(tally_of("AB", rows), RatingSettings(prior=0.0))
    assert rate(tally_of("AB", rows), PLAIN).difference(0, 1)[0] == pytest.approx(400 * math.log10(3))
    assert np.isfinite(rate(tally_of("AB", rows)).elo).all()


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_a_draw_parameter_without_a_decided_game_or_without_a_loss_is_named_as_the_reason(prior: float) -> None:
    options = RatingSettings(prior=prior, advantage=False, draws="davidson")
    with pytest.raises(GotoolsError, match=r"no decided game.*--draws half"):
        rate(tally_of("AB", [(0, 1, 0, 0, 7, 0)]), options)
    undefeated = tally_of("AB", [(0, 1, 0, 5, 5, 0)])
    if prior:
        assert np.isfinite(rate(undefeated, options).elo).all()
    else:
        with pytest.raises(GotoolsError, match=r"draw parameter grow together.*--draws half"):
            rate(undefeated, options)


def test_many_classes_cost_nothing_without_advantages_and_are_refused_with_them() -> None:
    """Every game with a komi of its own: 20,000 parameters would take gigabytes."""
    rng = np.random.default_rng(2)
    rows = []
    for komi in range(20_000):
        black, white = rng.choice(10, 2, replace=False)
        won = int(rng.random() < 0.5)
        rows.append((f"p{black}", f"p{white}", GameClass(float(komi), 0, 9), won, 0, 1 - won))
    tally = GameTally.from_rows(rows)
    one_class = GameTally.from_rows((b, w, GameClass(), x, y, z) for b, w, _, x, y, z in rows)
    for prior in (0.0, 1.0):
        options = RatingSettings(prior=prior, advantage=False)
        assert rate(tally, options).elo == pytest.approx(rate(one_class, options).elo, abs=1e-7)
    with pytest.raises(GotoolsError, match=r"10 players and 20,000 classes of games.*15,000.*--no-advantage"):
        rate(tally)


# Invariance


def test_the_order_of_rows_and_the_numbering_of_players_change_nothing() -> None:
    tally, _ = simulated(12, 400, seed=9)
    order = np.random.default_rng(0).permutation(len(tally.black))
    mixed = np.random.default_rng(1).permutation(12)
    place = np.argsort(mixed).astype(np.int32)
    black, white, kind = place[tally.black[order]], place[tally.white[order]], tally.kind[order]
    wins, draws, losses = (x[order] for x in (tally.wins, tally.draws, tally.losses))
    names = [tally.players[i] for i in mixed]
    other = rate(GameTally(names, black, white, kind, tally.classes, wins, draws, losses, {}))
    first = rate(tally)
    by_name = {name: i for i, name in enumerate(other.players)}
    places = [by_name[name] for name in first.players]
    assert other.elo[places] == pytest.approx(first.elo, abs=1e-8)
    assert other.covariance[np.ix_(places, places)] == pytest.approx(first.covariance, rel=1e-7, abs=1e-6)


def test_a_prior_draws_ratings_together_and_vanishes_in_many_games() -> None:
    few = matches("ABC", {(0, 1): (3, 1), (1, 2): (3, 1), (0, 2): (9, 1)})
    many = matches("ABC", {(0, 1): (3000, 1000), (1, 2): (3000, 1000), (0, 2): (9000, 1000)})
    spread = [float(np.ptp(rate(few, RatingSettings(prior=p, advantage=False)).elo)) for p in (0, 0.5, 1, 2, 8)]
    assert spread == sorted(spread, reverse=True) and spread[-1] < 0.7 * spread[0]
    assert rate(many, RatingSettings(advantage=False)).elo[0] == pytest.approx(190.85, abs=0.1)


def test_superiority_of_all_pairs_is_that_of_each() -> None:
    ratings = rate(matches("ABCD", {(0, 1): (3, 2), (1, 2): (4, 3), (2, 0): (2, 2), (3, 0): (5, 0)}))
    each = [[ratings.superiority(i, j) for j in range(4)] for i in range(4)]
    assert ratings.superiorities() == pytest.approx(np.array(each), abs=1e-6)


# Simulation


def covered(
    players: int, each: int, repetitions: int, options: RatingSettings, seed: int
) -> tuple[float, float, float]:
    """Play round robins between players of known ratings; return how often intervals held the truth.

    Of the ratings, of differences, and of differences by the two ratings' own widths (which is wrong).
    """
    rng = np.random.default_rng(seed)
    hits, counts = np.zeros(3), np.zeros(3)
    for _ in range(repetitions):
        truth = rng.normal(0, 100, players)
        truth -= truth.mean()
        rows = []
        for i in range(players):
            for j in range(players):
                if i != j:
                    chance = 1 / (1 + 10 ** (-(truth[i] - truth[j] + 30) / 400))
                    won = int(rng.binomial(each // 2, chance))
                    rows.append((f"p{i}", f"p{j}", GameClass(7.5, 0, 9), won, 0, each // 2 - won))
        ratings = rate(GameTally.from_rows(rows), options)
        for i in range(players):
            counts[0] += 1
            hits[0] += holds(ratings.interval(i), truth[i])
            for j in range(i):
                counts[1:] += 1
                hits[1] += holds(ratings.difference(i, j)[1:], truth[i] - truth[j])
                hits[2] += holds(in_quadrature(ratings, i, j), truth[i] - truth[j])
    a, b, c = hits / counts
    return float(a), float(b), float(c)


def holds(ends: tuple[float | None, float | None], truth: float) -> bool:
    low, high = ends
    return (low is None or low <= truth) and (high is None or truth <= high)


def in_quadrature(ratings: Ratings, i: int, j: int) -> tuple[float, float]:
    elo = float(ratings.elo[i] - ratings.elo[j])
    reach = 1.959964 * math.sqrt(ratings.covariance[i, i] + ratings.covariance[j, j])
    return elo - reach, elo + reach


@pytest.mark.slow
@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_intervals_of_95_percent_hold_the_truth_in_94_to_96(prior: float) -> None:
    of_ratings, of_differences, wrong = covered(8, 20, 1000, RatingSettings(prior=prior), seed=11)
    assert 0.94 <= of_ratings <= 0.96
    assert 0.94 <= of_differences <= 0.96
    assert wrong < of_differences


# many players, of whom most have met few others -----------------------------------------------------------------------


def few_meetings(seed: int, players: int = 30, more: int = 6) -> GameTally:
    """Return games along a random tree and some other pairs, in two classes, some of them drawn."""
    random = np.random.default_rng(seed)
    pairs = [(int(random.integers(0, i)), i) for i in range(1, players)]
    pairs += [(int(a), int(b)) for a, b in random.integers(0, players, (more, 2)) if a != b]
    rows: list[Row] = []
    for one, other in pairs:
        black, white = (one, other) if random.random() < 0.5 else (other, one)
        wins, draws, losses = (int(x) for x in random.multinomial(random.integers(1, 9), [0.45, 0.15, 0.4]))
        rows.append((black, white, int(random.integers(0, 2)), wins, draws, losses))
    return tally_of([f"p{i}" for i in range(players)], rows)


@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (1, RatingSettings()),
        (2, RatingSettings(advantage=False)),
        (3, RatingSettings(draws="davidson")),
        (4, RatingSettings(prior=0.0, advantage=False)),
        (5, RatingSettings(anchors={"p3": 200.0, "p7": -50.0})),
        (6, RatingSettings(prior=0.0, anchors={"p3": 200.0})),
    ],
)
def test_sparse_information_gives_the_ratings_of_the_dense_one(
    monkeypatch: pytest.MonkeyPatch, options: RatingSettings, seed: int
) -> None:
    dense = rate(few_meetings(seed), options)
    monkeypatch.setattr(bradley_terry, "DENSE_UP_TO", 0)
    sparse = rate(few_meetings(seed), options)
    assert isinstance(sparse.spread.inverse, BorderedInverse) and not isinstance(dense.spread.inverse, BorderedInverse)
    assert sparse.bound == dense.bound
    rated = [i for i, mark in enumerate(dense.bound) if not mark]
    assert sparse.elo[rated] == pytest.approx(dense.elo[rated], abs=1e-6)
    assert sparse.advantage == pytest.approx(dense.advantage, abs=1e-6, nan_ok=True)
    assert sparse.advantage_sd == pytest.approx(dense.advantage_sd, rel=1e-6, nan_ok=True)
    assert sparse.spread.variances == pytest.approx(dense.covariance.diagonal(), rel=1e-6, abs=1e-6, nan_ok=True)
    assert sparse.covariance == pytest.approx(dense.covariance, rel=1e-6, abs=1e-4, nan_ok=True)
    for one, other in zip(rated, rated[3:], strict=False):
        assert sparse.difference(one, other) == pytest.approx(dense.difference(one, other), abs=1e-4)
    assert sparse.superiorities() == pytest.approx(dense.superiorities(), abs=1e-6, nan_ok=True)


def test_an_order_of_elimination_holds_every_player_once_and_refuses_crowds() -> None:
    random = np.random.default_rng(4)
    chain = elimination_order(1000, np.arange(999), np.arange(1, 1000))
    assert chain is not None and sorted(chain.tolist()) == list(range(1000))
    assert {0, 999} != set(chain[:2].tolist())  # else the tree is as high as the chain is long
    crowd = elimination_order(1000, random.integers(0, 1000, 9000), random.integers(0, 1000, 9000))
    assert crowd is None


def test_a_star_of_5_000_players_takes_little_room() -> None:
    """The matrix of the dense information alone would be 200 MB."""
    n = 5_000
    random = np.random.default_rng(3)
    won = random.random(n - 1) < 0.5
    rows: list[Row] = [(0, i, 0, 1, 0, 0) if won[i - 1] else (i, 0, 0, 0, 0, 1) for i in range(1, n)]
    tracemalloc.start()
    ratings = rate(tally_of([f"p{i}" for i in range(n)], rows))
    table = rated_rows(ratings, 0.95)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 110e6
    assert len(table) == n and all(row.low is not None and row.high is not None for row in table)


def test_more_players_than_can_be_rated_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bradley_terry, "MOST_DENSE", 20)
    with pytest.raises(GotoolsError, match="30 players, and at most 20 can be rated at once"):
        rate(few_meetings(1))
    monkeypatch.setattr(bradley_terry, "DENSE_UP_TO", 0)
    assert len(rate(few_meetings(1)).players) == 30


@pytest.mark.parametrize("games", [33_000_000, 10**9, 10**12])
@pytest.mark.parametrize("draws", ["half", "davidson"])
def test_very_many_games_all_won_by_one_colour_have_a_maximum(games: int, draws: Literal["half", "davidson"]) -> None:
    """With one drawn game of the prior, black's share of the class is (n + 1/2) / (n + 1), for equals."""
    rows: list[Row] = [(0, 1, 0, games // 2, 0, 0), (1, 0, 0, games // 2, 0, 0)]
    ratings = rate(tally_of("AB", rows), RatingSettings(draws=draws))
    assert ratings.elo == pytest.approx([0, 0], abs=1e-6)
    assert ratings.advantage == pytest.approx(400 * math.log10((games + 0.5) / 0.5), rel=1e-6)
    low, high = ratings.interval(0)
    assert low is not None and high is not None and -400 < low < 0 < high < 400


def test_a_prior_that_is_too_weak_is_not_reported_as_missing() -> None:
    with pytest.raises(GotoolsError, match=r"a prior of 1e-12 does not hold .* use a larger one \(--prior 1\)"):
        rate(tally_of("AB", [(0, 1, 0, 1000, 0, 0)]), RatingSettings(prior=1e-12))
