"""examples/training: commands that gotools takes, pictures with the numbers of the logs, and the logs of the page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support.needs import ROOT
from support.training_recipes import commands, given, load

from gotools.cli import run
from gotools.files.tables import header, read_header
from gotools.game.game import find_game
from gotools.values.methods import EvolutionSettings
from gotools.values.td.perceptrons import new_numbers, parse_architecture, weights_of
from gotools.values.training.recipe import find_recipe, settings_of
from gotools.values.training.training_log import KIND, VERSION
from gotools.values.weights.weights_file import Weights, save_weights

LOGS = ROOT / "docs/training"
TARGETS = ("nets", "kappa", "connect4", "shapes")
SVG = "{http://www.w3.org/2000/svg}"


def recipe_of(words: list[str]) -> dict[str, Any]:
    """Return the settings of a training by its command; raises where gotools refuses it."""
    words = ["67500" if word == "$games" else word for word in words]
    return find_recipe(settings_of(given(words))).settings


@cache
def trainings(target: str) -> dict[str, dict[str, Any]]:
    """Return the settings of the trainings of a target by the names of their logs."""
    found = [words for words in commands(target) if words[:2] == ["gotools", "train-eval"]]
    return {Path(words[words.index("--log") + 1]).name: recipe_of(words[2:]) for words in found}


def log(path: Path, shares: list[list[float]], referee: str = "random") -> Path:
    """Write a log with rows of games, share, low, high."""
    columns = ["games", referee, f"{referee}_low", f"{referee}_high"]
    rows = "".join("\t".join(map(str, row)) + "\n" for row in shares)
    path.write_bytes(header(KIND, VERSION, {"game": "go"}, columns) + rows.encode())
    return path


@pytest.mark.parametrize("target", TARGETS)
def test_gotools_takes_the_commands_of_a_recipe(target: str) -> None:
    assert trainings(target)


def test_every_sense_of_risk_is_trained_with_every_seed_and_compared() -> None:
    found = trainings("kappa")
    for features in ("thesis8", "shapes"):
        of_features = [s for s in found.values() if s["features"] == features]
        assert sorted((s["kappa"], s["seed"]) for s in of_features) == [
            (kappa, seed) for kappa in (-1.0, -0.5, 0.0, 0.5, 1.0) for seed in (1, 2, 3)
        ]
        compared = [words for words in commands("kappa") if words[1:2] == ["kappa.py"] and features in words[2]]
        assert len(compared[0][2 : compared[0].index("--games")]) == len(of_features)


def test_the_logs_on_the_page_are_those_of_the_recipes() -> None:
    recipes = {name: settings for target in TARGETS for name, settings in trainings(target).items()}
    shown = [path for path in LOGS.glob("*.tsv") if path.name in recipes]
    assert len(shown) >= 3
    for path in shown:
        values, _, _ = read_header(path.read_text(encoding="utf-8").splitlines(), KIND, VERSION, path)
        assert len(values) > 10
        for name, found in values.items():  # settings that came later are not in the log
            value = recipes[path.name][name]
            assert found == (",".join(map(str, value)) if isinstance(value, list) else str(value)), name


def test_pictures_of_the_page_are_small_and_whole() -> None:
    pictures = sorted(LOGS.glob("*.svg"))
    assert pictures
    for path in pictures:
        assert path.stat().st_size < 150_000
        assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag == f"{SVG}svg"


def test_a_curve_goes_through_the_numbers_of_its_log(tmp_path: Path) -> None:
    plot = load("plot_curves")
    rows = [[100, 0.5, 0.4, 0.6], [1000, 0.75, 0.65, 0.85], [20000, 1.0, 0.9, 1.0]]
    runs = {"mine": [plot.read_curves(str(log(tmp_path / "a.tsv", rows)))]}
    (panel,) = plot.draw(runs, ["random"], "A title", 0.0).axes
    (line,) = panel.lines
    assert line.get_xydata().tolist() == [row[:2] for row in rows]
    band = panel.collections[0].get_paths()[0].vertices.tolist()
    assert all([games, end] in band for games, _, low, high in rows for end in (low, high))
    assert panel.get_xscale() == "log" and line.get_label() == "mine"


def test_runs_of_one_name_are_drawn_as_their_mean_and_range(tmp_path: Path) -> None:
    plot = load("plot_curves")
    one = log(tmp_path / "a.tsv", [[100, 0.5, 0.4, 0.6], [200, 0.8, 0.7, 0.9]])
    other = log(tmp_path / "b.tsv", [[100, 0.7, 0.6, 0.8], [300, 0.9, 0.8, 1.0]])
    curve = plot.joined([plot.read_curves(str(path))["random"] for path in (one, other)])
    assert curve.games.tolist() == [100]
    assert np.allclose([curve.share, curve.low, curve.high], [[0.6], [0.5], [0.7]])


def test_a_picture_is_written_whole_and_the_same_again(tmp_path: Path) -> None:
    plot = load("plot_curves")
    path = log(tmp_path / "a.tsv", [[100, 0.5, 0.4, 0.6], [200, 0.8, 0.7, 0.9]])
    for name in ("1.svg", "2.svg", "1.png"):
        plot.main([f"mine={path}", "--title", "A title", "-o", str(tmp_path / name)])
    first = (tmp_path / "1.svg").read_bytes()
    assert ElementTree.fromstring(first).tag == f"{SVG}svg"
    assert first == (tmp_path / "2.svg").read_bytes()
    assert (tmp_path / "1.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("##gotools ratings 1\n#rank\n1\n", [], "a table of ratings; expected rows of a training log"),
        ("##gotools training-log 1\n#games\trandom\trandom_low\trandom_high\n1\tx\t0\t1\n", [], "no rows of"),
        ("##gotools training-log 1\n#games\n1\n", [], "no referee"),
        (
            "##gotools training-log 1\n#games\trandom\trandom_low\trandom_high\n1\t0\t0\t1\n",
            ["--referee", "me"],
            "have",
        ),
    ],
)
def test_what_is_no_log_is_refused_in_one_line(
    text: str, arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        load("plot_curves").main([str(path), *arguments, "-o", str(tmp_path / "a.svg")])
    assert ended.value.code == 2 and message in capsys.readouterr().err
    assert not (tmp_path / "a.svg").exists()


def weights(path: Path, game: str, features: str, size: int, **settings: Any) -> str:
    scales = find_game(game).find_features(features).scales(size)
    numbers = weights_of(new_numbers(parse_architecture("linear"), scales, 1, 0.5))
    about = {"method": "td", **settings}
    save_weights(path, Weights(game, size, 0.0, features, "linear", 70, numbers, scales, settings=about))
    return str(path)


def test_six_plies_counts_all_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = weights(tmp_path / "a.npz", "connect4", "raw", 7)
    load("six_plies").main([path, "--plies", "2", "--depth", "1", "--games", "4"])
    lines = capsys.readouterr().out.splitlines()
    _, columns, taken = read_header(lines, KIND, VERSION)
    (row,) = [dict(zip(columns, map(float, line.split("\t")), strict=True)) for line in lines[taken:]]
    assert row["games"] == 70 and row["won"] + row["drawn"] + row["lost"] == 8
    assert row["lost_first"] + row["lost_second"] == row["lost"] > 0  # one ply sees no threat, two plies do
    assert row["plies"] == (row["won"] + row["drawn"] / 2) / 8


def six_plies_table(path: Path, lost: list[int]) -> str:
    """Write a table of 10 games for each number of games of training: 100, 200, ..."""
    columns = ["games", "won", "drawn", "lost", "lost_first", "lost_second", "plies", "plies_low", "plies_high"]
    lines = [f"{100 * (i + 1)}\t{9 - n}\t1\t{n}\t0\t{n}\t0\t0\t0\n" for i, n in enumerate(lost)]
    path.write_bytes(header(KIND, VERSION, {"game": "connect4"}, columns) + "".join(lines).encode())
    return str(path)


def test_games_lost_are_compared_by_the_mean_of_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three seeds of 20, 40 and 60 % have a mean of 40 with a standard error of 20 / sqrt(3); t is 4.303."""
    tables = [six_plies_table(tmp_path / f"{i}.tsv", [n, 1]) for i, n in enumerate((2, 4, 6))]
    other = six_plies_table(tmp_path / "o.tsv", [5, 9, 9])
    picture = tmp_path / "a.svg"
    load("lost_games").main([*(f"new={table}" for table in tables), f"old={other}", "-o", str(picture)])
    assert capsys.readouterr().out.splitlines() == [
        "#name\tgames\tlost\tlost_low\tlost_high\tseeds",
        "new\t100\t40.0\t0.0\t89.7\t20.0,40.0,60.0",
        "new\t200\t10.0\t10.0\t10.0\t10.0,10.0,10.0",
        "old\t100\t50.0\t50.0\t50.0\t50.0",
        "old\t200\t90.0\t90.0\t90.0\t90.0",
        "old\t300\t90.0\t90.0\t90.0\t90.0",
    ]
    assert ElementTree.fromstring(picture.read_text(encoding="utf-8")).tag == f"{SVG}svg"
    with pytest.raises(SystemExit):
        load("lost_games").main([str(log(tmp_path / "log.tsv", [[100, 0.5, 0.4, 0.6]]))])
    assert "no table of six_plies.py" in capsys.readouterr().err


def test_the_judgement_of_an_evolution_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, games = (
        str(tmp_path / "e.npz"),
        ["--games", "100", "--parents", "3", "--matches", "4", "--referee-games", "0"],
    )
    run(["train-eval", "--game", "tictactoe", "--method", "evolve", *games, "-q", "-o", path])
    load("judgement").main([path])
    head, line = capsys.readouterr().out.splitlines()
    row = dict(zip(head[1:].split("\t"), line.split("\t"), strict=True))
    assert row["file"] == path and all(-2 <= float(row[name]) <= 1 for name in ("parents", "children"))
    assert -1 <= float(row["correlation"]) <= 1 and 0 <= float(row["least"]) <= float(row["most"]) <= 100
    assert 0.1 < float(row["chance"]) < 0.8 and 0 <= float(row["age"]) <= 5  # of 4 games from -2 to 1; 5 generations
    other = weights(tmp_path / "a.npz", "tictactoe", "lines", 3)
    with pytest.raises(SystemExit):
        load("judgement").main([other])
    assert "not those of train-eval --method evolve" in capsys.readouterr().err


def test_the_recipe_of_connect4_trains_the_settings_of_the_sources_and_the_defaults() -> None:
    found = trainings("connect4")
    assert len(found) == 20 and {settings["seed"] for settings in found.values()} == set(range(1, 11))
    names = EvolutionSettings.__annotations__
    for log_name, settings in found.items():
        changed = {name: settings[name] for name in names if settings[name] != getattr(EvolutionSettings, name)}
        sources = {"children_of": "one", "credit": "own", "memory": 0.0, "first_step": 0.05, "largest_step": 0.0}
        assert changed == ({**sources, "opening": 0} if "sources" in log_name else {})


def test_kappas_are_compared_with_zero_of_the_same_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kappa = load("kappa")
    files = [
        weights(tmp_path / f"{k}_{seed}.npz", "tictactoe", "lines", 3, kappa=k, seed=seed)
        for k in (-1.0, 0.0)
        for seed in (1, 2)
    ]
    kappa.main([*files, "--games", "40"])
    table = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert table[0] == ["#" + kappa.COLUMNS[0], *kappa.COLUMNS[1:]]
    assert [row[:3] for row in table[1:]] == [
        [k, seed, games] for k in ("-1", "0") for seed, games in (("1", "40"), ("2", "40"), ("all", "80"))
    ]
    assert all(row[6:] == ["-", "-", "-"] for row in table[4:])
    # the same weights on both sides: each wins as often as the other, up to chance (five standard deviations)
    assert all(abs(float(row[6]) - 0.5) < 5 * 0.5 / 40**0.5 for row in table[1:3])


def test_the_interval_of_seeds_is_that_of_their_mean() -> None:
    kappa = load("kappa")
    scores = [kappa.Score(won, 0, 1000 - won) for won in (400, 500, 600)]
    mean = kappa.mean(scores)
    half = 4.30265 * 0.1 / 3**0.5  # the table of Student's t, 2 degrees of freedom, 97.5 %
    assert np.allclose([mean.share, mean.low, mean.high], [0.5, 0.5 - half, 0.5 + half], atol=1e-4)
    alike = [kappa.Score(0, 0, 100)] * 3
    assert kappa.mean(alike).high == kappa.Share.of(0, 0, 300).high > 0.01  # seeds that agree prove no more than games
    assert kappa.mean(scores[:1]) == kappa.Share.of(400, 0, 600)
