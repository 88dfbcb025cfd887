"""Residual networks learn from records: samples, steps, what a seed and a stop mean, files, and the commands."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support import forked
from support.turned import transform_point
from support.written_json import read_json

from gotools import cli
from gotools.base.errors import FileFormatError, GotoolsError
from gotools.base.phases import UNWATCHED
from gotools.files.tables import read_header
from gotools.game.sides import WHITE
from gotools.games.go.go import GO
from gotools.games.go.inputs.positions import PLANES
from gotools.games.go.kernels import rules as k
from gotools.games.go.points import parse_vertex, vertex
from gotools.jit.kernels.residual import residual_network
from gotools.values.network.samples import Samples, apart, batch_of, epoch, read_samples, strength_of
from gotools.values.network.shape import NetworkShape, numbers_of, parse_shape
from gotools.values.weights.evaluator import load_evaluator
from gotools.values.weights.weights_file import Weights, load_weights, save_weights

torch = pytest.importorskip("torch")

from gotools.values.network.descent import NetworkLearner  # noqa: E402  (it needs PyTorch)

GAMES = Path(__file__).parents[2] / "examples" / "games"
TINY = parse_shape("conv:1x16")
BATCH = 32
TRAIN = ["--features", "planes", "--network", "conv:1x16", "--records", str(GAMES), "--batch", str(BATCH)]


@cache
def samples() -> Samples:
    return read_samples([str(GAMES)], GO, frozenset(), lambda _: None, UNWATCHED)


def written(folder: Path, *games: str) -> Samples:
    """Read games that are given as SGF."""
    for number, text in enumerate(games):
        (folder / f"{number:03}.sgf").write_text(text)
    return read_samples([str(folder)], GO, frozenset(), lambda _: None, UNWATCHED)


# samples --------------------------------------------------------------------------------------------------------------

DECIDED = "(;SZ[9]KM[5.5]RE[W+3.5]BR[3d]WR[2d];B[cc];W[gg];B[cg];W[];B[gc])"
UNKNOWN = "(;SZ[5]RE[Void];B[cc];W[bb])"
DRAWN = "(;SZ[9]KM[-7]RE[0]WR[1p];B[ee];W[cc])"
SET_UP = "(;SZ[9]KM[0]RE[B+R]BR[2k]HA[2]AB[cc][gg];W[cg];B[gc])"


def test_samples_are_of_their_records(tmp_path: Path) -> None:
    """A row for each move that is no pass, as the side sees it that makes it."""
    found = written(tmp_path, DECIDED, UNKNOWN, DRAWN, SET_UP)
    dan, two, pro = strength_of("3d"), strength_of("2d"), strength_of("1p")
    assert len(found) == 4 + 2 + 2 + 2 and found.games == 4
    assert found.rows.size.tolist() == [9] * 4 + [5] * 2 + [9] * 4
    assert found.rows.rows.to_play.tolist() == [1, 2, 1, 1, 1, 2, 1, 2, 2, 1]
    assert found.komi2.tolist() == [11] * 4 + [14] * 2 + [-14] * 2 + [0] * 2  # 7 where the record names none
    assert found.result.tolist() == [-1, 1, -1, -1, 0, 0, 0, 0, 0, 0]  # none of 2k against a player without a rank
    strength = [dan, two, dan, dan, 0.0, 0.0, 0.0, pro, 0.0, strength_of("2k")]
    assert found.strength.tolist() == np.array(strength, np.float32).tolist()
    assert [found.game[0]] * 4 == found.game[:4].tolist() and len(set(found.game.tolist())) == 4


def test_only_some_sizes_are_read_and_nothing_is_an_error(tmp_path: Path) -> None:
    written(tmp_path, DECIDED, UNKNOWN, DRAWN)
    some = read_samples([str(tmp_path)], GO, frozenset({5}), lambda _: None, UNWATCHED)
    assert (len(some), some.games) == (2, 1)
    with pytest.raises(GotoolsError, match="no examples"):
        read_samples([str(tmp_path)], GO, frozenset({13}), lambda _: None, UNWATCHED)


def test_strengths_order_ranks() -> None:
    ranks = ["30k", "20k", "10k", "2k", "1k", "1d", "2d", "7d", "9d", "1p", "5p", "9p"]
    strengths = [strength_of(rank) for rank in ranks]
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == len(ranks) or strengths[8] == strengths[9]
    assert strengths[0] == -3.0 and 1.0 < strengths[-1] < 2.0
    assert all(strength_of(text) == 0.0 for text in ("", "GNU Go", "?"))


@pytest.mark.parametrize("seed", range(5))
def test_no_game_is_on_both_sides(seed: int) -> None:
    train, held = apart(samples(), 0.2, 200, seed)
    assert len(train) + len(held) == len(samples())
    assert held.games == int(0.2 * samples().games) and train.games == samples().games - held.games
    assert not set(train.game.tolist()) & set(held.game.tolist())
    assert apart(samples(), 0.9, 7, seed)[1].games == 7
    assert set(apart(samples(), 0.2, 200, seed + 1)[1].game.tolist()) != set(held.game.tolist())
    for part in (train, held):  # with all that belongs to them
        rows = np.flatnonzero(np.isin(samples().game, part.game))
        assert (part.rows.rows.move == samples().rows.rows.move[rows]).all()
        assert (part.rows.positions == samples().rows.positions[rows]).all()
        assert (part.result == samples().result[rows]).all()


def test_an_epoch_has_every_sample_once_and_a_batch_one_size(tmp_path: Path) -> None:
    found = written(tmp_path, *[DECIDED, UNKNOWN, DRAWN] * 9)
    batches = epoch(found, 0, 4, 1)
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(found)))
    assert all(len(set(found.rows.size[rows].tolist())) == 1 and len(rows) <= 4 for rows in batches)
    again, other, seeded = epoch(found, 0, 4, 1), epoch(found, 1, 4, 1), epoch(found, 0, 4, 2)
    assert all((a == b).all() for a, b in zip(batches, again, strict=True))
    assert np.concatenate(batches).tolist() not in (np.concatenate(other).tolist(), np.concatenate(seeded).tolist())


def test_the_parts_of_a_batch_are_the_symmetries_of_the_board() -> None:
    rows = np.arange(0, 1600, 20)
    plain, turned = batch_of(samples(), rows, turned=False), batch_of(samples(), rows)
    assert (plain.result == turned.result).all()
    for i in range(len(rows)):
        for point in range(81):
            place = transform_point(point, 9, i % 8)
            assert (turned.planes[i, place // 9, place % 9] == plain.planes[i, point // 9, point % 9]).all()
        assert turned.policy[i] == transform_point(int(plain.policy[i]), 9, i % 8)
    assert (plain.policy == samples().rows.rows.move[rows]).all()
    legal = plain.planes.reshape(len(rows), 81, -1)[
        np.arange(len(rows)), plain.policy, PLANES.names.index("legal points")
    ]
    assert (legal == 1.0).all()


def test_a_batch_may_be_small() -> None:
    """Such as the last one of an epoch."""
    for count in range(1, 10):
        rows = np.arange(5, 5 + count)
        turned = batch_of(samples(), rows)
        assert (turned.planes[0] == batch_of(samples(), rows, turned=False).planes[0]).all()
        assert (
            turned.policy == [transform_point(int(samples().rows.rows.move[5 + i]), 9, i % 8) for i in range(count)]
        ).all()


# learning -------------------------------------------------------------------------------------------------------------


def learner(steps: int = 10, seed: int = 1, alpha: float = 0.01, anneal: int = 0) -> NetworkLearner:
    return NetworkLearner(samples(), TINY, alpha, BATCH, steps, anneal, seed)


def state_of(learner: NetworkLearner) -> bytes:
    return b"".join(array.tobytes() for array in (learner.descent.weights(), *learner.memory.values()))


def test_moves_are_learned_and_those_of_other_games_predicted_too() -> None:
    train, held = apart(samples(), 0.1, 200, 0)
    network = NetworkLearner(train, TINY, 0.02, BATCH, 15, 0, 1)
    before = network.losses(held, 1)
    for _ in range(8):
        last = network.advance(1)
    after = network.losses(held, 1)
    assert abs(before.policy / before.positions - math.log(82)) < 0.2  # knows nothing
    assert last.policy / last.positions < math.log(82) - 1.2
    assert after.policy / after.positions < math.log(82) - 0.8
    assert after.hits > 2 * before.hits
    assert before.positions == after.positions == len(held)
    assert network.games == pytest.approx(8 * 15 * BATCH * train.games / len(train), rel=0.05)


def test_results_are_learned() -> None:
    """Of games that white always wins: the sign of the komi tells who plays."""
    white = np.where(samples().rows.rows.to_play == WHITE, 1, -1).astype(np.int8)
    some = replace(samples(), result=white).only(np.arange(300))
    steps = 150
    anneal = steps * BATCH * some.games // len(some)  # a rate that stays high ends at a loss that depends on rounding
    network = NetworkLearner(some, TINY, 0.02, BATCH, steps, anneal, 1)
    before = network.losses(some, 1)
    network.advance(1)
    after = network.losses(some, 1)
    assert abs(before.value / before.valued - math.log(2)) < 0.1
    assert after.value / after.valued < 0.1


def test_results_that_mean_nothing_do_not_silence_the_value() -> None:
    rng = np.random.default_rng(5)
    results = np.where(rng.random(len(samples())) < 0.05, rng.choice([-1, 1], len(samples())), 0).astype(np.int8)
    network = NetworkLearner(replace(samples(), result=results), TINY, 0.04, BATCH, 120, 0, 1)
    network.advance(1)
    numbers = numbers_of(TINY, len(PLANES.names), network.descent.weights())
    assert np.std([predicted(samples(), row, numbers)[1] for row in range(50)]) > 0.1


def test_losses_are_those_of_the_kernels_predictions(tmp_path: Path) -> None:
    some = written(tmp_path, DECIDED, UNKNOWN, DRAWN, SET_UP)
    network = learner(steps=40)
    network.advance(1)
    numbers = numbers_of(TINY, len(PLANES.names), network.descent.weights())
    policy_loss = value_loss = 0.0
    hits = 0
    for row in range(len(some)):
        batch = batch_of(some, np.array([row]), turned=False)
        played, result = int(batch.policy[0]), float(batch.result[0])
        policy, value = predicted(some, row, numbers)
        policy_loss += math.log(sum(math.exp(logit - policy[played]) for logit in policy.tolist()))
        value_loss -= math.log((1 + result * value) / 2) if result else 0.0
        hits += int(policy.argmax()) == played
    found = network.losses(some, 1)
    assert found.policy == pytest.approx(policy_loss, rel=1e-4)
    assert found.value == pytest.approx(value_loss, rel=1e-4)
    assert (found.hits, found.positions, found.valued) == (hits, len(some), 4)


def predicted(some: Samples, row: int, numbers: NDArray[np.float64]) -> tuple[NDArray[np.float32], float]:
    """Return the logits of the moves and the value that the kernel predicts."""
    planes = batch_of(some, np.array([row]), turned=False).planes[0]
    size = len(planes)
    policy, out = np.empty(size * size + 1, np.float32), np.empty(2)
    x = np.pad(planes, ((1, 1), (1, 1), (0, 0))).ravel()
    residual_network(x, numbers, size, size, policy, np.empty(0, np.float32), out)
    return policy, float(out[0])


def test_the_same_seed_gives_the_same_weights() -> None:
    found = []
    for seed in (1, 1, 2):
        network = learner(seed=seed)
        network.advance(1)
        found.append(state_of(network))
    assert found[0] == found[1] != found[2]


def test_the_random_numbers_of_others_are_left_alone() -> None:
    torch.manual_seed(7)
    wanted = torch.rand(3).tolist()
    torch.manual_seed(7)
    learner(steps=2).advance(1)
    assert torch.rand(3).tolist() == wanted


@pytest.mark.parametrize("parts", [3, 8])
def test_what_is_restored_goes_on_as_if_it_had_never_stopped(parts: int) -> None:
    """In the middle of an epoch, and at its end: it has 80 batches."""
    assert len(epoch(samples(), 0, BATCH, 1)) == 80
    whole = learner(anneal=300)
    for _ in range(parts):
        whole.advance(1)
    other = learner(anneal=300, seed=1)
    other.restore({name: array.copy() for name, array in whole.memory.items()})
    assert state_of(other) == state_of(whole) and other.games == whole.games
    for _ in range(2):
        assert whole.advance(1) == other.advance(1)
    assert state_of(other) == state_of(whole)


@pytest.mark.parametrize("name", ["network", "first_moment", "second_moment", "progress"])
def test_a_memory_that_does_not_fit_is_refused(name: str) -> None:
    network = learner(steps=1)
    network.advance(1)
    right, before = network.memory, state_of(network)
    spoilt: list[NDArray[Any] | None] = [None, right[name][:-1], right[name].astype(np.float16), -1 - abs(right[name])]
    if name != "progress":
        spoilt[-1] = np.full_like(right[name], np.nan)
    for array in spoilt:
        memory = {key: value for key, value in {**right, name: array}.items() if value is not None}
        with pytest.raises(GotoolsError, match="cannot resume"):
            network.restore(memory)
        assert state_of(network) == before


def test_weights_that_diverge_name_the_rate() -> None:
    network = learner(steps=40, alpha=1e6)
    with pytest.raises(GotoolsError, match="--alpha"):
        for _ in range(20):
            network.advance(1)


def test_a_batch_of_one_position_is_refused() -> None:
    with pytest.raises(GotoolsError, match="at least 2"):
        NetworkLearner(samples(), TINY, 0.01, 1, 1, 0, 1)


# train-eval -----------------------------------------------------------------------------------------------------------


def train(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    code = cli.run(["train-eval", *map(str, arguments)])
    shown = capsys.readouterr()
    assert shown.out == ""
    return code, shown.err


def files(folder: Path) -> list[str]:
    folder.mkdir(exist_ok=True)
    return ["-o", str(folder / "e.npz"), "--log", str(folder / "log.tsv")]


def table(path: Path) -> list[dict[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    _, columns, first = read_header(lines, "training-log", 2)
    return [dict(zip(columns, line.split("\t"), strict=True)) for line in lines[first:]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what a short training writes, and two games of different sizes."""
    folder = tmp_path_factory.mktemp("made")
    assert cli.run(["train-eval", *TRAIN, "--games", "60", "--alpha", "0.02", "-q", *files(folder)]) == 0
    (folder / "9.sgf").write_text("(;SZ[9]KM[6.5];B[dd];W[ff];B[ed];W[];B[df])")
    (folder / "13.sgf").write_text("(;SZ[13]KM[6.5];B[dd];W[jj];B[jd];W[cg])")
    return folder


def test_a_training_writes_weights_and_a_log(made: Path) -> None:
    weights, rows = load_weights(made / "e.npz"), table(made / "log.tsv")
    assert (weights.game, weights.features, weights.network) == ("go", "planes", "conv:1x16")
    assert weights.weights.dtype == np.float32 and len(weights.weights) == TINY.weights(len(PLANES.names))
    assert weights.settings["method"] == "expert" and weights.settings["anneal"] == 60
    assert weights.games >= 60 and int(rows[-1]["games"]) == weights.games
    assert {"policy_loss", "value_loss", "top1", "held_out_loss", "held_out"} <= set(rows[-1])
    assert 1.0 < float(rows[-1]["policy_loss"]) < math.log(82) + 0.5
    assert float(rows[-1]["held_out_low"]) <= float(rows[-1]["held_out"]) <= float(rows[-1]["held_out_high"])


def test_a_run_in_two_parts_equals_one_in_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [*TRAIN, "--anneal", "200", "--checkpoint", "20"]
    whole, parts = files(tmp_path / "whole"), files(tmp_path / "parts")
    assert train(capsys, *options, "--games", 60, *whole)[0] == 0
    first = table(tmp_path / "whole" / "log.tsv")[0]["games"]
    assert 0 < int(first) < 60
    assert train(capsys, *options, "--games", first, *parts)[0] == 0
    assert train(capsys, *options, "--games", 60, "--resume", *parts)[0] == 0
    for name in ("e.npz", "log.tsv"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()


def test_a_network_learns_from_records_of_another_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every player answers a corner by the centre, and goes on at random."""
    lines, chance = [], random.Random(1)
    others = [x + y for x in "abc" for y in "123" if x + y not in ("a1", "b2")]
    for _ in range(40):
        lines.append(json.dumps({"game": "tictactoe", "moves": ["a1", "b2", *chance.sample(others, 2)]}))
    (tmp_path / "g.jsonl").write_text("\n".join(lines))
    options = [
        "--game",
        "tictactoe",
        "--features",
        "planes",
        "--network",
        "conv:1x16",
        "--records",
        tmp_path / "g.jsonl",
    ]
    done = ["--batch", BATCH, "--alpha", 0.02, "--games", 300, "-q", *files(tmp_path)]
    assert train(capsys, *options, *done) == (0, "")
    asked = ["--game", "tictactoe", "--eval", tmp_path / "e.npz", "--top", 1]
    (tmp_path / "asked.tsv").write_text(
        "##gotools examples 2\n##game=tictactoe\nid\tto_play\tposition\ng:2\tw\t.../.../..X\n"
    )
    assert cli.run(["rank-moves", "-q", *map(str, [*asked, tmp_path / "asked.tsv"])]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split("\t")[2] == "b2"


def test_a_run_goes_on_with_the_records_it_was_begun_with(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "e.npz").write_bytes((made / "e.npz").read_bytes())
    options = ["--games", 90, "--anneal", 60, "--alpha", 0.02, "--resume", "-o", tmp_path / "e.npz"]
    other = [str(GAMES.parent / "test-games") if part == str(GAMES) else part for part in TRAIN]
    for settings in ([*other, "--records", str(GAMES)], [*TRAIN, "--seed", "2"]):
        code, err = train(capsys, *settings, *options)
        assert code == 1 and "give what it was begun with" in err
    assert (tmp_path / "e.npz").read_bytes() == (made / "e.npz").read_bytes()
    assert train(capsys, *TRAIN, *options)[0] == 0
    assert load_weights(tmp_path / "e.npz").games >= 90


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--records", GAMES, "--method", "td"], "--method expert is that of --features planes"),
        (["--records", GAMES, "--method", "tdleaf"], "--method expert is that of"),
        (["--self-play", "0.5"], "name the games to learn from: --records PATH"),
        (["--records", GAMES, "--playouts", "9"], "--playouts goes with --self-play"),
        (["--records", "empty"], "empty"),
        (["--records", "none"], "none"),
        (["--records", GAMES, "--size", "13"], "no examples"),
        (["--records", "one"], "too few"),
        (["--records", GAMES, "--network", "conv:0x32"], "conv:0x32"),
        (["--records", GAMES, "--network", "conv:4x33"], "conv:4x33"),
        (["--records", GAMES, "--network", "linear"], "linear"),
        (["--records", GAMES, "--network", "mlp:4"], "mlp:4"),
        (["--records", GAMES, "--alpha", "0.1,0.2"], "--alpha"),
        (["--records", GAMES, "--batch", "1"], "at least 2"),
        (["--records", GAMES, "--lambda", "0.5"], "--lambda means nothing to"),
        (["--records", GAMES, "--opponent", "random"], "--opponent means nothing to"),
        (["--game", "abalone"], "no features 'planes'"),
        (["--records", GAMES, "--features", "shapes"], "--records means nothing to"),
        (["--features", "shapes", "--method", "expert"], "--method expert is that of"),
    ],
)  # fmt: skip
def test_wrong_settings_are_one_line_and_nothing_is_written(
    arguments: list[object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "one.sgf").write_text(DECIDED)
    code, err = train(capsys, "--features", "planes", "--games", "10", *arguments, "-q", "-o", "e.npz")
    assert code == 1
    assert err.startswith("gotools train-eval: ") and err.count("\n") == 1
    assert message in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "one"]


def without_torch(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command where PyTorch cannot be imported."""
    code = "import sys; sys.modules['torch'] = None; from gotools.cli import run; sys.exit(run(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
    )


def test_without_pytorch_training_names_what_to_install(tmp_path: Path) -> None:
    done = without_torch("train-eval", *TRAIN, "--games", 10, "-q", "-o", tmp_path / "e.npz")
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install torch" in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "e.npz").exists()


@pytest.mark.system
def test_without_pytorch_networks_are_used(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["rank-moves", "--eval", str(made / "e.npz"), "--top", "3", "-q", str(made / "9.sgf")]
    assert cli.run(arguments) == 0
    done = without_torch(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, capfd.readouterr().out, "")


# files ----------------------------------------------------------------------------------------------------------------


def some_weights(**changes: Any) -> Weights:
    count = TINY.weights(len(PLANES.names))
    numbers = np.random.default_rng(1).normal(0.0, 0.1, count).astype(np.float32)
    fields = {"settings": {"strength": 0.5, "seed": 0}, **changes}
    return replace(Weights("go", 9, 7.5, "planes", "conv:1x16", 3, numbers), **fields)


def changed(numbers: NDArray[np.float32], value: float) -> NDArray[np.float32]:
    found = numbers.copy()
    found[17] = value
    return found


GOOD = some_weights()
BAD = [
    ({"weights": GOOD.weights[:-1]}, "conv:1x16 on size 9 have"),
    ({"weights": np.append(GOOD.weights, np.float32(0.0))}, "conv:1x16 on size 9 have"),
    ({"weights": GOOD.weights[:0]}, "0 weights"),
    ({"weights": changed(GOOD.weights, np.nan)}, "not a number"),
    ({"weights": changed(GOOD.weights, -np.inf)}, "not a number"),
    ({"weights": changed(GOOD.weights, 1e30)}, "too large"),
    ({"weights": GOOD.weights.astype(np.float64)}, "not one row of float32 but float64"),
    ({"weights": GOOD.weights.reshape(1, -1)}, "not one row of float32"),
    ({"network": "conv:2x16"}, "conv:2x16 on size 9 have"),
    ({"network": "conv:1x32"}, "conv:1x32 on size 9 have"),
    ({"network": "conv:0x16"}, "conv:0x16"),
    ({"network": "linear"}, "linear"),
    ({"game": "connect4", "size": 7, "komi": 0.0}, "conv:1x16 on size 7 have"),
    ({"game": "abalone", "size": 9, "komi": 0.0}, "no features planes"),
    ({"features": "shapes"}, "not one row of float64"),
]


@pytest.mark.parametrize(("changes", "message"), BAD)
def test_files_that_hold_no_such_network_are_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = tmp_path / "e.npz"
    save_weights(path, some_weights(**changes))
    with pytest.raises(FileFormatError, match=message) as caught:
        load_weights(path)
    assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)


def test_files_that_are_cut_off_are_refused(made: Path, tmp_path: Path) -> None:
    whole = (made / "e.npz").read_bytes()
    for length in (0, 30, 1000, len(whole) // 2, len(whole) - 1):
        (tmp_path / "e.npz").write_bytes(whole[:length])
        with pytest.raises(FileFormatError, match="cut off or damaged" if length > 30 else "expected weights"):
            load_weights(tmp_path / "e.npz")


def test_a_file_has_the_weights_and_the_strength_that_were_written(tmp_path: Path) -> None:
    save_weights(tmp_path / "e.npz", GOOD)
    found = load_evaluator(tmp_path / "e.npz", "go")
    wanted = numbers_of(NetworkShape(1, 16), len(PLANES.names), GOOD.weights, 0.5)
    assert (found.numbers == wanted).all() and found.only_size is None


# at work --------------------------------------------------------------------------------------------------------------


def positions_of(size: int, komi: float, moves: Sequence[str]) -> list[NDArray[np.int32]]:
    """Return the position before each move, and the one after the last."""
    states = [GO.position(size, komi)]
    for text in moves:
        states.append(GO.play(states[-1], GO.parse_move(text, size)))
    return states


@pytest.mark.parametrize(
    ("size", "moves"), [(9, ["D6", "F4", "E6", "pass", "D4"]), (13, ["D10", "K4", "K10", "C7"])]
)  # fmt: skip
def test_rank_moves_by_the_policy_on_boards_of_any_size(
    size: int, moves: list[str], made: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["rank-moves", "--eval", str(made / "e.npz"), "-q", str(made / f"{size}.sgf")]) == 0
    rows = [line.split("\t") for line in capfd.readouterr().out.splitlines() if line.startswith(f"{size}:")]
    evaluator, states = load_evaluator(made / "e.npz", "go"), positions_of(size, 7.5, moves)
    for ply, (state, played) in enumerate(zip(states, moves, strict=False), 1):
        found = [row[1:] for row in rows if row[0] == f"{size}:{ply}"]
        if played == "pass":
            assert not found
            continue
        legal = [move for move in GO.moves_of(state) if move != GO.pass_move]
        scores = evaluator.policy(state, np.array(legal, np.int32))
        wanted = {vertex(int(k.unpad(move, size)), size): score for move, score in zip(legal, scores, strict=True)}
        total = sum(map(math.exp, scores))
        assert {row[1]: float(row[2]) for row in found} == pytest.approx(wanted, abs=5.1e-5)
        assert [float(row[2]) for row in found] == sorted((float(row[2]) for row in found), reverse=True)
        for row in found[:5]:
            assert float(row[3]) == pytest.approx(math.exp(wanted[row[1]]) / total, abs=5.1e-5)
            after = GO.play(state, GO.parse_move(row[1], size))
            assert float(row[6]) == pytest.approx(-evaluator.value(after), abs=5.1e-5)
        assert [row[1] for row in found if row[4] == "1"] == [played]


@pytest.mark.system
def test_gtp_plays_on_boards_of_any_size(made: Path) -> None:
    lines = [
        "boardsize 9",
        "play b C3",
        "genmove w",
        "boardsize 13",
        "genmove b",
        "genmove w",
        "boardsize 5",
        "genmove b",
    ]
    command = [sys.executable, "-m", "gotools", "gtp", "--eval", str(made / "e.npz"), "--nodes", "20", "-q"]
    done = forked.run(command, input="\n".join([*lines, "quit\n"]), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0
    answers = done.stdout.split("\n\n")
    assert [answer[:1] for answer in answers[:9]] == ["="] * 9
    for number, size in ((2, 9), (4, 13), (5, 13), (7, 5)):
        assert parse_vertex(answers[number][1:].strip(), size) >= 0


def test_a_file_says_what_it_is(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["show", str(made / "e.npz")]) == 0
    shown = capfd.readouterr().out
    assert "planes" in shown and "conv:1x16" in shown
    assert cli.run(["show", "--json", str(made / "e.npz")]) == 0
    assert read_json(capfd.readouterr().out)["network"] == "conv:1x16"
