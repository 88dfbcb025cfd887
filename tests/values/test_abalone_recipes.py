"""examples/training/abalone: commands that gotools takes, matches that count right, pictures of their tables."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.training_recipes import ABALONE, commands, given, load

from gotools.game.game import find_game
from gotools.games.abalone.kernels.inputs import ATTRIBUTES
from gotools.jit.kernels.network import network_value
from gotools.values.td.perceptrons import new_numbers, parse_architecture, weights_of
from gotools.values.training.recipe import find_recipe, settings_of
from gotools.values.weights.weights_file import Weights, save_weights

TARGETS = ("climbing", "lambdas", "methods", "opponents", "kappa", "variants", "player")
SEEDS = list(range(1, 11))
BETWEEN = r"&&|;|\|"
"""What stands between the commands of a line."""


@cache
def trainings(target: str) -> dict[str, dict[str, Any]]:
    """Return the settings of the trainings of a target by the names of their files, with `games` and `keep`."""
    found = {}
    for words in commands(target, ABALONE, BETWEEN):
        if words[:2] == ["gotools", "train-eval"]:
            settings = given(words[2:])
            start = settings.pop("start", "")
            found[Path(words[words.index("-o") + 1]).name.removesuffix(".part")] = {
                **find_recipe(settings_of(settings)).settings, "games": settings["games"],
                "keep": settings.get("keep", 0), "start": Path(start).name,
            }  # fmt: skip
    return found


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.system
def test_every_file_that_is_measured_is_made(target: str) -> None:
    made = trainings(target)
    assert made
    measured = [
        word
        for words in commands(target, ABALONE, BETWEEN)
        for word in words
        if word.endswith(".part") and "{seed}" not in word
    ]
    measured = [word for word in measured if re.fullmatch(r"none/.*\.npz-\d{9}\.part", word)]
    assert bool(measured) == (target != "player")
    for word in measured:
        name, games = re.fullmatch(r"none/(.*\.npz)-(\d{9})\.part", word).groups()  # type: ignore[union-attr]
        assert int(games) % made[name]["keep"] == 0 and 0 < int(games) <= made[name]["games"]
    assert {settings["start"] for settings in made.values()} <= {"", *made}


def test_senses_of_risk_differ_in_kappa_inputs_and_seed_alone() -> None:
    made = trainings("kappa")
    runs = [(s["features"], s["kappa"], s["seed"]) for s in made.values()]
    assert sorted(runs) == [
        (f, k, s) for f in ("attributes", "oriented", "spatial") for k in (-1, -0.8, -0.3, 0) for s in SEEDS
    ]
    varied = {"kappa", "seed", "features", "network", "games"}
    assert len({str({k: v for k, v in s.items() if k not in varied}) for s in made.values()}) == 1


# matches --------------------------------------------------------------------------------------------------------------


def weights(
    path: Path, features: str, network: str, seed: int, game: str = "abalone", own: list[float] | None = None
) -> Path:
    """Write weights: `own`, or random ones."""
    found = find_game(game)
    scales = found.find_features(features).scales(found.sizes[0])
    numbers = np.array(own) if own else weights_of(new_numbers(parse_architecture(network), scales, seed, 0.5))
    save_weights(path, Weights(game, found.sizes[0], 0.0, features, network, 70, numbers, scales))
    return path


def table(text: str) -> list[dict[str, str]]:
    head, *lines = text.splitlines()
    return [dict(zip(head.removeprefix("#").split("\t"), line.split("\t"), strict=True)) for line in lines]


WISE = [1.0, 0.1, 0.1, 0.2, 0.3, 0.05, 0, 0, 0.1, 0, 0.05, 0.1]
"""Of `formation`: marbles, the centre, neighbours, pushes."""


def test_matches_count_games_marbles_and_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A win is six marbles; the same games whatever the threads; the row of all seeds sums theirs."""
    matches = load("matches", ABALONE)
    files = [
        str(weights(tmp_path / f"net_seed_{seed}.npz", "formation", "linear", seed, own=[sign * one for one in WISE]))
        for seed, sign in ((1, 1), (2, -1), (3, 0.5))
    ]
    foolish = weights(tmp_path / "fool.npz", "formation", "linear", 0, own=[-one for one in WISE])
    arguments = [*files, "--games", "6", "--after", "30", "--against", str(foolish)]
    matches.main(arguments)
    printed = capsys.readouterr().out
    matches.main([*arguments, "--jobs", "2"])
    assert capsys.readouterr().out == printed
    *seeds, whole = table(printed)
    assert [row["seed"] for row in (*seeds, whole)] == ["1", "2", "3", "all"]
    assert {row["run"] for row in (*seeds, whole)} == {"net"} and {row["games"] for row in (*seeds, whole)} == {"100"}
    for row in seeds:
        counts = {name: int(row[name]) for name in ("won", "drawn", "lost")}
        assert sum(counts.values()) == 6
        for result, marbles in (("won", "marbles_won"), ("lost", "marbles_lost")):
            assert counts[result] - 0.03 <= float(row[marbles]) <= 6
        assert float(row["share"]) == pytest.approx(counts["won"] / 6, abs=0.0006)
    assert int(seeds[0]["won"]) >= 5
    for name in ("won", "drawn", "lost"):
        assert int(whole[name]) == sum(int(row[name]) for row in seeds)
    assert float(whole["low"]) < float(whole["share"]) < float(whole["high"])


def test_who_wins_is_told_from_who_loses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    matches = load("matches", ABALONE)
    wise = weights(tmp_path / "wise_seed_1.npz", "formation", "linear", 1, own=WISE)
    foolish = weights(tmp_path / "fool_seed_1.npz", "formation", "linear", 1, own=[-one for one in WISE])
    for path, pattern, result, marbles in (
        (wise, "fool_seed_{seed}.npz", "won", "marbles_won"),
        (foolish, "wise_seed_{seed}.npz", "lost", "marbles_lost"),
    ):
        matches.main([str(path), "--games", "20", "--against", str(tmp_path / pattern)])
        row = table(capsys.readouterr().out)[0]
        assert int(row[result]) >= 18 and float(row[marbles]) > 5.5


@pytest.mark.parametrize(("against", "message"), [("nobody.npz", "nobody.npz"), ("heuristic:x", "no heuristic 'x'")])
def test_unknown_opponents_are_refused(
    against: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = weights(tmp_path / "net_seed_1.npz", "formation", "linear", 1)
    with pytest.raises(SystemExit) as ended:
        load("matches", ABALONE).main([str(path), "--against", against])
    assert ended.value.code == 2 and message in capsys.readouterr().err


def test_weights_of_another_game_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = weights(tmp_path / "net_seed_1.npz", "raw", "linear", 1, "connect4")
    with pytest.raises(SystemExit):
        load("matches", ABALONE).main([str(path)])
    assert "weights of connect4" in capsys.readouterr().err


@pytest.mark.parametrize("biased", [False, True])
def test_algorithm_2_learns_the_value_of_positions_at_ones_own_turn_as_a_plain_loop_does(biased: bool) -> None:
    module, game = load("algorithm2", ABALONE), find_game("abalone")
    features = game.find_features("oriented")
    scales, kappa = features.scales(9), -0.5
    numbers = np.append(new_numbers(parse_architecture("linear+sigmoid"), scales, 1, 0.5), 0.0)
    moves = [game.moves_of(game.position())[0]]
    states, rng = [game.position()], np.random.default_rng(3)
    while len(moves) < 60:
        states.append(game.play(states[-1], moves[-1]))
        moves.append(int(rng.choice(game.moves_of(states[-1]))))
    states.append(game.play(states[-1], moves[-1]))
    weights = weights_of(numbers).copy()
    traces, last = np.zeros((3, len(weights))), dict[int, tuple[Any, float]]()

    def learn(side: int, target: float) -> None:
        x, _ = last[side]
        value = 1 / (1 + np.exp(-x @ weights))
        traces[side] = 0.9 * 0.7 * traces[side] + value * (1 - value) * x
        delta = target - value
        weights[:] += 0.1 * (1.5 if delta > 0 else 0.5) * delta * traces[side]

    def ahead(state: Any, side: int) -> float:
        return float(module.lead(state, numbers)) * (1 if state[1] == side else -1)

    for state in states[:-1]:
        side, turned, x = int(state[1]), state.copy(), np.empty(len(scales))
        turned[1] = 3 - side
        features.inputs(turned, x)
        x = np.append(x * scales, float(biased))
        if side in last:
            learn(side, ahead(state, side) - last[side][1] + 0.9 / (1 + float(np.exp(-x @ weights))))
        last[side] = x, ahead(state, side)
    for side in (1, 2):
        learn(side, ahead(states[-1], side) - last[side][1] + (1 if side == 1 else -1))
    room = np.zeros((2, game.cells), np.int32)
    learn_game: Any = module.learn
    learn_game(np.array(moves, np.int16), 1.0, kappa, biased, numbers, game.position(), room, game.rules,
                 module.as_value(features.inputs))  # fmt: skip
    assert weights_of(numbers) == pytest.approx(weights, rel=1e-9)


# weights and pictures -------------------------------------------------------------------------------------------------


def test_the_weight_of_an_input_is_how_the_value_grows_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Around inputs of 0 all units have the same slope, so weights are as the differences of the network's value."""
    total = load("total_weights", ABALONE)
    path = weights(tmp_path / "net_seed_4.npz", "attributes", "mlp:10+sigmoid", 4)
    total.main([str(path)])
    row, whole = table(capsys.readouterr().out)
    scales = np.ones(len(ATTRIBUTES))
    numbers = new_numbers(parse_architecture("mlp:10+sigmoid"), scales, 4, 0.5)
    slopes = []
    for place in range(len(ATTRIBUTES)):
        up, down = (network_value(np.eye(len(ATTRIBUTES))[place] * step, numbers) for step in (1e-4, -1e-4))
        slopes.append(up - down)
    found = [float(row[name]) for name in ATTRIBUTES]
    assert np.allclose(np.array(found) / found[0], np.array(slopes) / slopes[0], atol=2e-3)
    assert whole["seed"] == "all" and [whole[name] for name in ATTRIBUTES] == [row[name] for name in ATTRIBUTES]


def test_lines_of_a_picture_are_the_rows_of_all_seeds(tmp_path: Path) -> None:
    plot = load("plot_tables")
    path = tmp_path / "t.tsv"
    path.write_text(
        "#run\tseed\tgames\tshare\tlow\thigh\n"
        "a\t1\t50\t0.9\t-\t-\na\tall\t100\t0.5\t0.4\t0.6\na\tall\t50\t0.25\t0.2\t0.3\nb\tall\t50\t0\t-\t-\n"
    )
    (panel,) = plot.draw(plot.read_runs(str(path)), ["share"], "A title").axes
    assert [line.get_xydata().tolist() for line in panel.lines] == [[[50, 0.25], [100, 0.5]], [[50, 0.0]]]
    plot.main([str(path), "-o", str(tmp_path / "t.svg")])
    assert (tmp_path / "t.svg").read_text().startswith("<?xml")


def test_what_cannot_be_drawn_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("#run\tseed\tgames\tshare\na\tall\t100\t0.5\n")
    for arguments, message in ((["--column", "x"], "no column x"), (["-o", "t.gif"], "named .svg or .png")):
        with pytest.raises(SystemExit):
            load("plot_tables").main([str(path), "-o", str(tmp_path / "t.svg"), *arguments])
        assert message in capsys.readouterr().err
    assert not (tmp_path / "t.svg").exists()
