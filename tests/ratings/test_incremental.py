"""Ratings game by game: Elo's rule by hand, and the Abalone server's by what the thesis says of it."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotools.ratings.incremental import Standing, abalone_exchange, elo_exchange, rate_in_order

SIDES = st.permutations("ABCD").map(lambda names: names[:2])
GAMES = st.lists(st.builds(lambda sides, score: (*sides, score), SIDES, st.sampled_from([0.0, 0.5, 1.0])))


def test_elo_by_hand() -> None:
    """K = 20, all start at 1500: an even win is worth 10; then 1510 beats 1490 with 0.5287 expected."""
    players = rate_in_order([("A", "B", 1.0), ("A", "B", 1.0), ("B", "A", 0.5)], elo_exchange(20.0))
    expected = 1 / (1 + 10 ** (-20 / 400))
    gap = 20 + 2 * 20 * (1 - expected)
    drawn = 20 * (0.5 - 1 / (1 + 10 ** (gap / 400)))
    assert players["A"].elo == pytest.approx(1500 + gap / 2 - drawn)
    assert (players["A"].games, players["A"].wins, players["A"].draws, players["A"].losses) == (3, 2, 1, 0)
    assert (players["B"].wins, players["B"].draws, players["B"].losses) == (0, 1, 2)


@given(GAMES, st.booleans())
def test_points_go_from_one_to_the_other_and_games_are_counted(
    games: list[tuple[str, str, float]], abalone: bool
) -> None:
    players = rate_in_order(games, abalone_exchange if abalone else elo_exchange(32.0), 1000.0)
    assert math.fsum(p.elo for p in players.values()) == pytest.approx(1000.0 * len(players))
    assert sum(p.games for p in players.values()) == 2 * len(games)
    assert all(p.wins + p.draws + p.losses == p.games > 0 for p in players.values())
    assert math.fsum(p.wins + p.draws / 2 for p in players.values()) == len(games)


def test_the_order_of_games_matters() -> None:
    games = [("A", "B", 1.0), ("B", "C", 1.0), ("C", "A", 1.0)]
    forth = rate_in_order(games, elo_exchange())
    back = rate_in_order(games[::-1], elo_exchange())
    assert forth["A"].elo != pytest.approx(back["A"].elo, abs=0.1)


def test_elo_finds_the_strength_of_players_who_stay_the_same() -> None:
    """After many games with a small K the difference is that of the score: 400 log10(3) for 3 of 4."""
    draw = random.Random(4)
    games = [("A", "B", float(draw.random() < 0.75)) for _ in range(30_000)]
    players = rate_in_order(games, elo_exchange(2.0))
    assert players["A"].elo - players["B"].elo == pytest.approx(400 * math.log10(3), abs=40)


# What appendix B.2 of the thesis says of formula B.1


def win(winner: float, wins_of: int, loser: float, losses_of: int) -> float:
    """Points for a win; ratings and games played so far."""
    return abalone_exchange(Standing(winner, wins_of), Standing(loser, losses_of), 1.0)


def test_equals_play_for_eight_and_a_half_points() -> None:
    assert win(1500, 28, 1500, 28) == pytest.approx(8.5)
    assert win(1500, 30, 1500, 30) == win(1500, 500, 1500, 500) == pytest.approx(7.5)


@given(st.floats(1, 700), st.integers(30, 1000), st.integers(30, 1000))
def test_a_favourite_gets_less_than_an_outsider(ahead: float, one: int, other: int) -> None:
    assert 0 < win(1500 + ahead, one, 1500, other) < 7.5 < win(1500, other, 1500 + ahead, one) <= 15


def test_a_very_unlikely_win_of_a_new_player_reaches_thirty_points_and_no_more() -> None:
    assert win(1000, 20, 2200, 20) == pytest.approx(25, abs=0.1)
    assert win(1000, 10, 2200, 10) == 30
    assert win(1000, 1, 2200, 0) == 30


def test_the_scale_is_two_hundred_points_to_ten_to_one() -> None:
    assert win(1500, 50, 1700, 50) == pytest.approx(15 * 10 / 11)


def test_a_new_players_stake_falls_with_his_games_and_with_the_opponents_greater_experience() -> None:
    stakes = [win(1500, games, 1500, games) for games in (5, 15, 25, 30, 60)]
    assert stakes == sorted(stakes, reverse=True)
    assert win(1500, 5, 1500, 100) < win(1500, 5, 1500, 5)


def test_a_draw_is_the_mean_of_winning_and_losing() -> None:
    assert abalone_exchange(Standing(1500, 40), Standing(1500, 40), 0.5) == 0
    one, other = Standing(1500, 40), Standing(1700, 40)
    won, lost = abalone_exchange(one, other, 1.0), abalone_exchange(one, other, 0.0)
    assert abalone_exchange(one, other, 0.5) == pytest.approx((won + lost) / 2)
    assert lost < 0 < won
