"""Ranks learned from simulated players, whose habits are known: what is found, and what is honest about it."""

from __future__ import annotations

import numpy as np
import pytest

from gotools.views.lessons.habits import Sides
from gotools.views.lessons.rank_model import Spread, learn_ranks

RULES = 12


def simulated(players: int, games: int, slope: float, seed: int, rank: float | None = None) -> Sides:
    """Players of ranks -20 to 5 who play the moves of rules the more often, the stronger they are."""
    chance = np.random.default_rng(seed)
    ranks = chance.uniform(-20, 5, players) if rank is None else np.full(players, rank)
    who = np.repeat(np.arange(players), games)
    signs = np.where(np.arange(RULES) % 2, 1.0, -1.0)
    each = 1 / (1 + np.exp(-slope * np.outer(ranks, signs) / 25))
    opportunities = chance.integers(5, 25, (players * games, RULES))
    taken = chance.binomial(opportunities, each[who])
    n = len(who)
    return Sides(
        players=[f"p{seed}-{k}" for k in who],
        ranks=ranks[who],
        game=np.arange(n),
        decisions=np.full(n, 30),
        opportunities=opportunities.astype(np.uint16),
        taken=taken.astype(np.uint16),
        log_likelihood=np.full(n, -60.0),
        first=np.full(n, 12),
        likely=np.full(n, 20),
    )


def test_ten_games_say_more_than_one_and_both_more_than_the_mean() -> None:
    model = learn_ranks(simulated(300, 10, 1.5, 1))
    assert model is not None
    one, ten = model.measured
    assert (one.games, one.groups, ten.games, ten.groups) == (1, 3000, 10, 300)
    assert ten.error < 0.75 * one.error and one.error < 0.85 * one.baseline
    assert ten.correlation > one.correlation > 0.5
    assert one.inside == pytest.approx(0.95, abs=0.05) and ten.inside == pytest.approx(0.95, abs=0.05)


def test_where_habits_say_nothing_the_estimate_is_the_mean() -> None:
    model = learn_ranks(simulated(300, 10, 0.0, 2))
    assert model is not None
    for one in model.measured:
        assert one.error > 0.95 * one.baseline and one.correlation < 0.2
    rank, half = model.estimate(simulated(1, 10, 0.0, 3, rank=5.0))
    assert abs(rank - model.spread.rank) < 3 and half > 10


def test_players_of_known_rank_are_found_again() -> None:
    model = learn_ranks(simulated(400, 10, 1.5, 4))
    assert model is not None
    for rank in (-18.0, -8.0, 3.0):
        found, half = model.estimate(simulated(1, 40, 1.5, 5, rank=rank))
        assert abs(found - rank) < half + 1
        assert half < model.estimate(simulated(1, 1, 1.5, 5, rank=rank))[1]


def test_no_ranks_are_learned_from_few_players_or_from_one_rank() -> None:
    assert learn_ranks(simulated(10, 10, 1.5, 6)) is None
    assert learn_ranks(simulated(100, 3, 1.5, 7, rank=-5.0)) is None


def test_the_mean_of_many_scores_is_worth_what_their_variances_say() -> None:
    """Scores that are ranks with noise: the shrinkage is that of the normal distribution, r / (r + w / n)."""
    spread = Spread(rank=0.0, score=0.0, rank_variance=9.0, covariance=9.0, between=9.0, within=27.0)
    for games in (1, 3, 100):
        weight = 9 / (9 + 27 / games)
        assert spread.estimate(np.array([2.0]), games)[0] == pytest.approx(2 * weight)
        assert spread.half(games) == pytest.approx(1.959964 * (9 * (1 - weight)) ** 0.5)


def test_a_player_of_thousands_of_games_counts_for_fifty() -> None:
    some, many = simulated(40, 5, 1.5, 8), simulated(1, 300, 1.5, 9, rank=5.0)
    both = Sides(
        players=some.players + many.players,
        **{
            name: np.concatenate([getattr(some, name), getattr(many, name)])
            for name in Sides.__slots__
            if name != "players"
        },
    )
    model = learn_ranks(both)
    assert model is not None and model.measured[0].groups == 40 * 5 + 50
