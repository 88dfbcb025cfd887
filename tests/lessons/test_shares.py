"""Shares of habits and their intervals against scipy's, closed forms, and simulated players."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binomtest, norm, t

from gotools.views.lessons.habits import Sides
from gotools.views.lessons.shares import habit_differences, habit_shares, wilson


def sides_of(opportunities: NDArray[np.integer], taken: NDArray[np.integer], players: list[str] | None = None) -> Sides:
    """Sides with given counts; arrays of a row a side, and a column a rule."""
    n = len(opportunities)
    return Sides(
        players=players or [f"p{k}" for k in range(n)],
        ranks=np.zeros(n),
        game=np.arange(n),
        decisions=opportunities.max(axis=1).astype(np.int64),
        opportunities=opportunities.astype(np.uint16),
        taken=taken.astype(np.uint16),
        log_likelihood=np.zeros(n),
        first=np.zeros(n, np.int64),
        likely=np.zeros(n, np.int64),
    )


@pytest.mark.parametrize(("taken", "of"), [(0, 5), (1, 1), (3, 10), (500, 1000), (999, 1000)])
def test_an_interval_of_independent_decisions_is_that_of_scipy(taken: int, of: int) -> None:
    low, high = wilson(np.array([taken / of]), np.array([float(of)]))
    expected = binomtest(taken, of).proportion_ci(method="wilson")
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high), abs=1e-12)
    one = habit_shares(sides_of(np.array([[of]]), np.array([[taken]])), np.zeros(1, np.int64))
    assert (one.low[0], one.high[0]) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert one.taken[0] == taken and one.opportunities[0] == one.effective[0] == of


def test_players_who_always_or_never_do_it_count_once_each() -> None:
    """With m players of n decisions each, all alike: Kish's effect of the design is n, so m (n - 1) / n are left."""
    m, n = 40, 25
    opportunities = np.full((m, 1), n)
    taken = np.where(np.arange(m)[:, None] % 2, n, 0)
    found = habit_shares(sides_of(opportunities, taken), np.arange(m))
    assert found.share[0] == 0.5
    known = (norm.ppf(0.975) / t.ppf(0.975, m - 1)) ** 2  # by forty players only
    assert found.effective[0] == pytest.approx(known * (m - 1))
    expected = binomtest(20, 40).proportion_ci(method="wilson")
    assert found.high[0] - found.low[0] == pytest.approx(expected.high - expected.low, rel=0.05)


def test_intervals_hold_the_truth_where_players_differ() -> None:
    chance = np.random.default_rng(0)
    inside, naive, runs = 0, 0, 400
    for _ in range(runs):
        own = chance.beta(3, 7, (60, 1))  # what each player does, 0.3 on average
        opportunities = chance.integers(5, 60, (60, 1))
        taken = chance.binomial(opportunities, own)
        found = habit_shares(sides_of(opportunities, taken), np.arange(60))
        inside += bool(found.low[0] <= 0.3 <= found.high[0])
        low, high = wilson(found.share, found.opportunities.astype(float))
        naive += bool(low[0] <= 0.3 <= high[0])
    assert inside / runs > 0.9 > 0.7 > naive / runs


def test_a_rule_without_an_opportunity_has_no_share() -> None:
    found = habit_shares(sides_of(np.array([[3, 0], [2, 0]]), np.array([[1, 0], [1, 0]])), np.arange(2))
    assert np.isnan(found.share[1]) and np.isnan(found.low[1]) and np.isnan(found.high[1])
    assert found.share[0] == pytest.approx(0.4)
    differences = habit_differences(found, found)
    assert differences.difference[0] == 0 and np.isnan(differences.difference[1])
    assert differences.order().tolist() == [0, 1]


def test_differences_are_newcombes_and_the_clearest_comes_first() -> None:
    """56 of 70 less 48 of 80 is the example (a) of his paper: 0.2, from 0.0524 to 0.3339."""
    strong = habit_shares(sides_of(np.array([[70, 1000, 10]]), np.array([[56, 300, 10]])), np.zeros(1, np.int64))
    weak = habit_shares(sides_of(np.array([[80, 1000, 10]]), np.array([[48, 500, 9]])), np.zeros(1, np.int64))
    found = habit_differences(strong, weak)
    assert found.difference.tolist() == pytest.approx([0.2, -0.2, 0.1])
    assert (found.low[0], found.high[0]) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert found.order().tolist() == [1, 0, 2]  # at least 16, 5 and 0 in a hundred
