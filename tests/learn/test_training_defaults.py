"""Defaults of a training stand in learn/training/defaults.py; the settings of the trainers have the same ones."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from gotools.learn.population.climbing import ClimbingSettings
from gotools.learn.population.evolution import EvolutionSettings
from gotools.learn.td.td import Rates
from gotools.learn.training import defaults as d
from gotools.learn.training.recipe import find_recipe
from gotools.learn.training.trainers import Exploration

NAMES = {"matches": "opponents", "mutation": "a", "first_step": "step"}
"""What evolution calls its options."""


def test_the_rates_of_temporal_differences() -> None:
    rates = asdict(Rates())
    assert rates.pop("alpha") == tuple(d.TD["alpha"])  # type: ignore[arg-type]
    assert rates.pop("lam") == d.TD["lambda"]
    assert rates == {name: {**d.TD, **d.RISK}[name] for name in rates}


def test_moves_are_explored_at_random() -> None:
    assert Exploration(0.1).by == d.EXPLORE["explore"]


def test_settings_that_came_later_are_named_only_where_they_are_used() -> None:
    """So the files of a training that does without them are those of the versions before."""
    later = {**d.RISK, **d.EXPLORE}
    plain: dict[str, Any] = {"seed": 0, "game": "tictactoe"}
    same = {"kappa_games": 0, "chi": "linear", "explore": "random", "reward_at": "move"}
    assert not find_recipe({**plain, **same}).settings.keys() & later.keys()
    used = {"kappa": -0.5, "kappa_end": 0.0, "kappa_games": 100, "chi": "logcosh", "explore": "counter"}
    settings = find_recipe({**plain, **used}).settings
    assert {name: settings[name] for name in used} == used


def test_the_settings_of_evolution_and_climbing() -> None:
    assert asdict(EvolutionSettings()) == {NAMES.get(name, name): value for name, value in d.EVOLVE.items()}
    assert asdict(ClimbingSettings()) == d.CLIMB


def test_help_names_the_default_and_what_differs_from_it() -> None:
    shown = {
        "alpha": "0.02, shapes 1, tuples 3, planes 0.004",
        "lambda": "0.7, shapes 0.5, tuples 0.6",
        "t0": "10,000",
        "depth": "2, climb 1",
    }
    shown |= {
        "schedule": "fixed, shapes coherence, tuples coherence",
        "epsilon": "0.1, climb 0.05",
        "width": "6",
        "loss": "-2",
        "opening": "0, evolve 2",
        "memory": "0.9",
    }
    assert {name: d.default_text(name) for name in shown} == shown
