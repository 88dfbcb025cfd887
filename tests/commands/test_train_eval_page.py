"""docs/train-eval.md and what docs/formats.md says of its files: every option and default, examples that read."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from house.test_docs import keys_named, only_block
from support.needs import ROOT
from support.training_recipes import load

from gotools.base.errors import GotoolsError
from gotools.files.tables import read_header
from gotools.game.game import find_game
from gotools.game.table import GAMES
from gotools.values.games.selfplay import Policy
from gotools.values.methods import FAMILIES, ClimbingSettings, EvolutionSettings, OnePlySettings
from gotools.values.network.shape import PLANES
from gotools.values.pieces.pieces import PIECES
from gotools.values.settings import TrainingSettings
from gotools.values.td.perceptrons import Architecture
from gotools.values.td.shapes import SHAPES, shapes_of
from gotools.values.td.tuples import TUPLES
from gotools.values.training.network_trainer import RecordsTrainer, SelfPlayTrainer
from gotools.values.training.piece_trainer import PieceTrainer
from gotools.values.training.recipe import OPPONENTS, settings_of
from gotools.values.training.trainers import Generations, TemporalDifferences, TrainingTask
from gotools.values.training.training_log import Log, Share
from gotools.values.weights.weights_file import KIND, VERSION, Weights, load_weights, save_weights

TEXT = (ROOT / "docs/train-eval.md").read_text(encoding="utf-8")


def rows(first: str) -> list[list[str]]:
    """Return the cells of the table of a section of the page whose head begins with a word."""
    found = re.findall(rf"^\| {first} .*\n\| ---.*\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    return [line.strip("| ").split(" | ") for table in found for line in table.splitlines()]


ENDS = ("", "_low", "_high")


def test_the_tables_of_options_are_those_of_the_program() -> None:
    make_tables = load("make_tables", ROOT / "docs")
    assert make_tables.page(TEXT) == TEXT, "run docs/make_tables.py"
    assert "--siblings" in make_tables.option_tables()


def test_methods_opponents_features_and_their_numbers_are_all_documented() -> None:
    assert [row[0].strip("`") for row in rows("`--method`")] == list(
        get_args(get_args(get_type_hints(TrainingSettings)["method"])[0])
    )
    assert {row[0].strip("`").split(":")[0] for row in rows("`--opponent`")} == {*OPPONENTS, "mix"}
    named = {name for game in GAMES for name in find_game(game).learning.features} | {SHAPES, TUPLES, PLANES, PIECES}
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
        TemporalDifferences(task, OnePlySettings(), Policy()),
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
    others = RecordsTrainer, SelfPlayTrainer, PieceTrainer
    columns = {name for trainer in (*trainers, *others) for name in trainer.columns}
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


@pytest.mark.parametrize(("name", "value"), [("alpha", 0.5), ("lam", 0.5), ("parents", 5), ("sigma", 0.5)])
def test_a_setting_that_a_method_does_not_have_is_refused_as_the_page_says(name: str, value: float) -> None:
    """The page's `-` is what the program refuses; without this the table of defaults could agree with itself."""
    for family, kind in FAMILIES.items():
        given: dict[str, Any] = {"features": "thesis8", "method": family, name: value}
        if family in ("shapes", "tuples", "planes", "pieces"):
            game = "tictactoe" if family in ("tuples", "pieces") else "go"
            given |= {"features": family, "method": None, "game": game}
        own = {one.name: one for one in fields(kind)}
        if name in own:
            given[name] = own[name].default
            assert getattr(settings_of(given), name) == own[name].default
        else:
            with pytest.raises(GotoolsError, match="means nothing"):
                settings_of(given)
