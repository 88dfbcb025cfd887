"""docs/train-eval.md and what docs/formats.md says of its files: every option and default, examples that read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from house.test_docs import keys_named, only_block
from support.needs import ROOT

from gotools.cli import app
from gotools.files.tables import read_header
from gotools.game import find_game
from gotools.game_names import GAMES
from gotools.learn.games.selfplay import Policy
from gotools.learn.network.shape import PLANES
from gotools.learn.population.climbing import ClimbingSettings
from gotools.learn.population.evolution import EvolutionSettings
from gotools.learn.td.perceptrons import Architecture
from gotools.learn.td.shapes import SHAPES, shapes_of
from gotools.learn.td.td import Rates
from gotools.learn.td.tuples import TUPLES
from gotools.learn.training import recipe
from gotools.learn.training.network_trainer import RecordsTrainer, SelfPlayTrainer
from gotools.learn.training.trainers import METHODS, Exploration, Generations, TemporalDifferences, TrainingTask
from gotools.learn.training.training_log import Log, Share
from gotools.learn.weights.weights_file import KIND, VERSION, Weights, load_weights, save_weights

TEXT = (ROOT / "docs/train-eval.md").read_text(encoding="utf-8")
COLUMNS = ("td", "tdleaf", "shapes", "tuples", "planes", "evolve", "climb")
PARAMETERS = [
    parameter
    for parameter in typer.main.get_command(app).commands["train-eval"].params  # type: ignore[attr-defined]
    if parameter.name != "help"
]


def rows(first: str) -> list[list[str]]:
    """Return the cells of the table of a section of the page whose head begins with a word."""
    found = re.findall(rf"^\| {first} .*\n\| ---.*\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    return [line.strip("| ").split(" | ") for table in found for line in table.splitlines()]


def option(name: str) -> str:
    """Return the option of a setting."""
    return f"--{name.replace('_', '-')}"


def shown(value: object) -> str:
    """Return a default as the page writes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return ",".join(map(shown, value))
    if isinstance(value, int | float):
        return f"{value:,.7g}" if abs(value) < 1000 else f"{value:,.0f}"
    return str(value) or "none"


def known(column: str) -> dict[str, Any]:
    """Return all settings that a method knows with their defaults."""
    tables = {"shapes": SHAPES, "tuples": TUPLES}
    task = TrainingTask(find_game("go"), 9, 0.0, tables.get(column, "thesis8"), "linear", 0)
    method = {"shapes": "td", "tuples": "td", "planes": "expert"}.get(column, column)
    return dict(recipe._defaults(method, task))


ENDS = ("", "_low", "_high")
OTHERS = {"--help", "--fee"}
"""Options that the page leaves out: --fee is the old name of --penalty."""


def test_every_option_is_on_the_page_and_no_other() -> None:
    listed = {name for row in rows("option") for name in re.findall(r"`(-[-\w]+)`", row[0])}
    assert listed == {name for parameter in PARAMETERS for name in parameter.opts if name not in OTHERS}


def test_the_defaults_of_every_method_are_those_of_the_program() -> None:
    listed = {row[0].strip("`"): row[1 : 1 + len(COLUMNS)] for row in rows("option") if len(row) > 3}
    for i, column in enumerate(COLUMNS):
        defaults = {option(name): shown(value) for name, value in known(column).items()}
        assert {name: cells[i] for name, cells in listed.items() if cells[i] != "-"} == defaults, column


def test_the_defaults_of_a_run_are_those_of_the_program() -> None:
    listed = {name: row[1] for row in rows("option") if len(row) == 3 for name in re.findall(r"`(--[-\w]+)`", row[0])}
    for parameter in PARAMETERS:
        name = max(parameter.opts, key=len)
        if name in listed and parameter.default not in (None, ""):
            assert listed[name] == shown(getattr(parameter.default, "value", parameter.default)), name
    plain = recipe.find_recipe({"seed": 0})
    for name in ("size", "komi", "features", "network"):
        assert listed[f"--{name}"] == shown(plain.settings[name]), name


def test_methods_opponents_features_and_their_numbers_are_all_documented() -> None:
    assert [row[0].strip("`") for row in rows("`--method`")] == list(METHODS)
    assert {row[0].strip("`").split(":")[0] for row in rows("`--opponent`")} == {*recipe.OPPONENTS, "mix"}
    named = {name for game in GAMES for name in find_game(game).features} | {SHAPES, TUPLES, PLANES}
    assert {row[0].strip("`") for row in rows("`--features`")} == named
    shapes = shapes_of(find_game("go"), 9)
    assert f"{shapes.weights:,} weights on 9x9 for {len(shapes.layout.placed):,} patterns" in TEXT
    assert TEXT.count(f"{len(shapes.layout.begins)} ") == 2
    inputs = find_game("go").find_features("thesis8").labels(9)
    listed = [row[0] for row in rows("input")]
    assert [
        listed[0],
        *listed[1].replace("2, 3", "2|liberties of order 3").split("|"),
        *listed[2:],
    ] == list(inputs)


def test_the_example_of_a_log_can_be_read_and_all_columns_are_documented(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    path.write_text(only_block("log"), encoding="utf-8")
    task = TrainingTask(find_game("tictactoe"), 3, 0.0, "raw", "linear", 0)
    trainers = (
        TemporalDifferences(task, Policy(), Exploration(0.1), Rates(), 1),
        Generations(task, EvolutionSettings(parents=2)),
        Generations(task, ClimbingSettings()),
    )
    log = Log(("games", *trainers[0].columns), ("random", "heuristic"), ("random", "heuristic"))
    values, _, _ = read_header(path.read_text(encoding="utf-8").splitlines(), "training-log", 2)
    log.read(str(path), 400, values)
    assert [row.games for row in log.rows] == [256, 384]  # and not those after 400 games
    for row in log.rows:
        games = [row.counts[:3], row.counts[3:]]
        assert [Share.of(*map(int, counts)).share for counts in games] == [share.share for share in row.shares]
        assert all(share.low <= share.share <= share.high for share in row.shares)
    listed = {key for _, key in keys_named("log.tsv")}
    referees = {name + end for name in log.referees for end in (*ENDS, "_won", "_drawn", "_lost")}
    columns = {name for trainer in (*trainers, RecordsTrainer, SelfPlayTrainer) for name in trainer.columns}
    exams = {name + end for trainer in (RecordsTrainer, SelfPlayTrainer) for name in trainer.exams for end in ENDS}
    assert listed == {"games", *referees, *columns, *exams}


def test_the_example_of_weights_can_be_read_and_all_keys_are_documented(tmp_path: Path) -> None:
    about = json.loads(only_block("about"))
    features = find_game(about["game"]).find_features(about["features"])
    scales = features.scales(about["size"])
    network: dict[str, Any] = {"scales": scales, "weights": np.ones(sum(Architecture().layers(len(scales))))}
    np.savez(tmp_path / "eval.npz", about=json.dumps(about), **network)
    read = load_weights(tmp_path / "eval.npz")
    assert (about["kind"], about["version"]) == (KIND, VERSION)
    assert (read.game, read.features, read.games, read.settings) == ("tictactoe", "lines", 1008, about["settings"])
    save_weights(tmp_path / "again.npz", Weights(**{key: about[key] for key in about if key not in ("kind", "version")},
                                                 memory={"games": np.ones(1)}, **network))  # fmt: skip
    with np.load(tmp_path / "again.npz") as again:
        assert json.loads(str(again["about"])) == about
        arrays = {name.replace("memory_games", "memory_...") for name in again.files}
    listed = {key for _, key in keys_named("eval.npz")}
    assert listed == arrays | about.keys() | {"cells", "entries"}  # those of n-tuples


@pytest.mark.parametrize("name", ["alpha", "lambda", "parents", "sigma"])
def test_a_setting_that_a_method_does_not_have_is_refused_as_the_page_says(name: str) -> None:
    """The page's `-` is what the program refuses; without this the table of defaults could agree with itself."""
    for column in COLUMNS:
        options: dict[str, Any] = {"seed": 0, "features": "thesis8", "method": column, name: 1.0}
        if column in ("shapes", "tuples"):
            options |= {"features": column, "method": "td", "game": "go" if column == "shapes" else "tictactoe"}
            options |= {"tuples": "3x4"} if column == "tuples" else {}
        if column == "planes":
            games = [str(ROOT / "examples/games")]
            options |= {"features": column, "method": "expert", "network": "conv:1x16", "records": games}
        if name == "alpha":
            options[name] = [0.1]
        if name in known(column):
            options[name] = known(column)[name]
            assert recipe.find_recipe(options).settings[name] == options[name]
        else:
            with pytest.raises(Exception, match="means nothing"):
                recipe.find_recipe(options)
