"""Settings of a job as programs give them: checked like options, listed by help()."""

import inspect

import pytest

import gotools
from gotools.ratings.settings import RatingSettings

GAMES = [("a", "b", 1.0), ("b", "a", 1.0)]


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"prior": "much"}, "prior: 'much' is not a number"),
        ({"prior": float("nan")}, "prior: nan is not a finite number"),
        ({"level": 2}, "level: 2 is not a number from 0.5 to 0.9999"),
        ({"min_games": 1.5}, "min_games: 1.5 is not a whole number"),
        ({"min_games": True}, "min_games: True is not a whole number"),
        ({"advantage": 1}, "advantage: 1 is neither True nor False"),
        ({"game": "chess"}, "game: there is no game 'chess'"),
        ({"k": 3.0}, "k: goes with method elo"),
        ({"method": "elo", "groups": True}, "groups: goes with method bradley-terry"),
        ({"groups": True, "compare": ("a", "b")}, "compare: not with groups"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, object], what: str) -> None:
    with pytest.raises(gotools.GotoolsError, match=f"^{what}"):
        gotools.rate(GAMES, **settings)


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"nodes": 0}, "nodes: 0 is not a whole number from 1 to 10,000,000"),
        ({"noise": "some"}, "noise: `some` is neither a number nor a share"),
        ({"positives": 0}, "positives: 0 is not a whole number from 1 on"),
        ({"min_body": 6, "max_body": 5}, "min_body: is more than max_body"),
        ({"objective": "rank", "weights": "coverage"}, "weights: coverage goes with objective cover"),
        ({"objective": "rank", "nodes": 9}, "nodes: goes with objective cover"),
        ({"resume": True}, "resume: needs output"),
    ],
)
def test_a_wrong_setting_of_an_induction_is_named(settings: dict[str, object], what: str) -> None:
    with pytest.raises(gotools.GotoolsError, match=f"^{what}"):
        gotools.induce_rules("examples/games", **settings)


def test_settings_are_given_as_keywords_or_as_one_object() -> None:
    one = gotools.rate(GAMES, settings=RatingSettings(prior=0.5, level=0.9))
    other = gotools.rate(GAMES, prior=0.5, level=0.9)
    assert [(row.name, row.elo, row.low) for row in one.rows] == [(row.name, row.elo, row.low) for row in other.rows]
    with pytest.raises(TypeError, match="prior beside settings"):
        gotools.rate(GAMES, settings=RatingSettings(), prior=0.5)


def test_help_lists_the_settings_with_their_defaults() -> None:
    parameters = inspect.signature(gotools.rate).parameters
    assert parameters["level"].default == 0.95 and parameters["prior"].default == 1.0
    assert "    level -- Of the intervals: 0.95 is 95 %." in (gotools.rate.__doc__ or "")
