"""`gotools train-eval`: the same files from the same seed, whatever happens on the way, and how it refuses."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from support import forked
from support.searching import learned_rules

from gotools import cli
from gotools.files.tables import read_header
from gotools.game.game import find_game
from gotools.values.training.recipe import find_recipe, settings_of
from gotools.values.training.training import News, Training
from gotools.values.training.training_log import LogRow, Share
from gotools.values.weights.evaluator import load_evaluator
from gotools.values.weights.weights_file import load_weights

SMALL = ["--game", "tictactoe", "--features", "raw", "--network", "mlp:9+bias"]
KINDS = {
    "td": [*SMALL, "--games", "600", "--checkpoint", "100"],
    "coherence": [*SMALL, "--schedule", "coherence", "--alpha", "0.1,0.05", "--games", "600", "--checkpoint", "100"],
    "kappa": [*SMALL, "--kappa", "0.5", "--kappa-end", "-0.5", "--kappa-games", "400", "--chi", "logcosh",
              "--games", "600", "--checkpoint", "100"],
    "counter": [*SMALL, "--explore", "counter", "--epsilon", "0.4", "--games", "600", "--checkpoint", "100"],
    "tdleaf": [*SMALL, "--method", "tdleaf", "--games", "600", "--checkpoint", "100"],
    "mixture": [*SMALL, "--opponent", "mix:self=1,random=2,heuristic=1", "--dilution", "0.2", "--games", "600"],
    "evolve": [*SMALL, "--method", "evolve", "--parents", "5", "--matches", "5", "--games", "750"],
    "climb": [*SMALL, "--method", "climb", "--games", "600", "--checkpoint", "50"],
    "shapes": ["--size", "5", "--games", "512", "--checkpoint", "128", "--schedule", "coherence"],
    "thesis8": ["--size", "5", "--features", "thesis8", "--games", "96", "--checkpoint", "16"],
}  # fmt: skip


def train(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    code = cli.run(["train-eval", "--referee-games", "10", *map(str, arguments)])
    shown = capsys.readouterr()
    assert shown.out == ""
    return code, shown.err


def files(folder: Path) -> list[str]:
    return ["-o", str(folder / "eval.npz"), "--log", str(folder / "log.tsv")]


def contents(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "eval.npz").read_bytes(), (folder / "log.tsv").read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_neither_the_number_of_jobs_nor_a_break_in_the_middle_changes_a_byte(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    whole.mkdir()
    parts.mkdir()
    at = KINDS[kind].index("--games")
    games, checkpoint = int(KINDS[kind][at + 1]), 0
    options = KINDS[kind][:at] + KINDS[kind][at + 2 :]
    if "--checkpoint" in options:
        checkpoint = int(options[options.index("--checkpoint") + 1])
    assert train(capsys, *options, "--games", games, "--jobs", 1, *files(whole))[0] == 0
    half = games // 2 - games // 2 % checkpoint if checkpoint else games // 2
    half = min((int(row["games"]) for row in table(whole / "log.tsv") if int(row["games"]) >= half), default=half)
    assert train(capsys, *options, "--games", half, "--jobs", 3, *files(parts))[0] == 0
    assert train(capsys, *options, "--games", games, "--jobs", 3, "--resume", *files(parts))[0] == 0
    assert contents(whole) == contents(parts)


def test_the_seed_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in (1, 2):
        assert train(capsys, *SMALL, "--games", 64, "--seed", seed, "-o", tmp_path / f"{seed}.npz")[0] == 0
    assert (tmp_path / "1.npz").read_bytes() != (tmp_path / "2.npz").read_bytes()


def table(path: Path) -> list[dict[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    _, columns, first = read_header(lines, "training-log", 2)
    return [dict(zip(columns, line.split("\t"), strict=True)) for line in lines[first:]]


@pytest.mark.system
def test_kill_at_random_moments_and_resume_equal_an_undisturbed_run(tmp_path: Path) -> None:
    options = [*SMALL, "--games", "50000", "--checkpoint", "1000", "--referee-games", "10", "--seed", "3"]
    command = [sys.executable, "-m", "gotools", "train-eval", *options, "--resume"]
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
    forked.run([*command, *files(tmp_path / "whole")], check=True, capture_output=True, timeout=300)
    chance, kills = random.Random(5), 0
    for _ in range(100):
        with forked.Popen([*command, *files(tmp_path / "killed")], stderr=subprocess.DEVNULL) as process:
            begun = time.monotonic()
            while not (tmp_path / "killed" / "eval.npz").exists() and time.monotonic() - begun < 200:
                time.sleep(0.01)
            try:
                process.wait(chance.uniform(0.05, 0.5) if kills < 4 else 300)
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
                continue
        assert process.returncode == 0
        break
    assert kills > 0
    assert contents(tmp_path / "whole") == contents(tmp_path / "killed")


@pytest.mark.system
def test_ctrl_c_keeps_what_was_learned_and_resume_goes_on(tmp_path: Path) -> None:
    """Again and again, at any moment: in the end the files are those of a run that was left alone."""
    options = [*SMALL, "--network", "mlp:40", "--batch", "500", "--referee-games", "10", "--checkpoint", "1000"]
    options += ["--games", "50000"]
    for name in ("whole", "parts"):
        (tmp_path / name).mkdir()
    command = [sys.executable, "-m", "gotools", "train-eval", *options, "--resume"]
    forked.run([*command, *files(tmp_path / "whole")], check=True, capture_output=True, timeout=300)
    chance, stopped = random.Random(7), 0
    for _ in range(60):
        with forked.Popen([*command, *files(tmp_path / "parts")], stderr=subprocess.PIPE, text=True) as process:
            process.stderr.readline() if stopped == 0 else time.sleep(0.4)  # type: ignore[union-attr]
            time.sleep(chance.uniform(0.0, 0.4))
            if process.poll() is None and stopped < 5:
                process.send_signal(signal.SIGINT)
            err = process.communicate(timeout=300)[1]
        if process.returncode == 0:
            break
        assert process.returncode in (130, -signal.SIGINT), (
            err
        )  # the latter before the command has begun, or at its end
        stopped += 1
        if (tmp_path / "parts" / "eval.npz").exists() and "kept" in err:
            assert f"{load_weights(tmp_path / 'parts' / 'eval.npz').games:,} games are kept" in err
    assert stopped > 0
    assert contents(tmp_path / "whole") == contents(tmp_path / "parts")


def test_weights_keep_the_list_of_their_inputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--size", "5", "--features", "zobrist,thesis8,-territory", "--referee-games", "2"]
    assert train(capsys, *chosen, "--games", "32", *files(tmp_path))[0] == 0
    weights = load_weights(tmp_path / "eval.npz")
    assert weights.features == "liberties,liberties-2,liberties-3,euler,prisoners,stones,atari,zobrist"
    assert len(weights.weights) == len(weights.scales) == 8
    found = load_evaluator(tmp_path / "eval.npz", "go")
    x, state = np.zeros(8), find_game("go").play(find_game("go").position(5, weights.komi), 50)
    found.game.find_features(weights.features).inputs(state, x)
    assert found.value(state) == pytest.approx(np.tanh(x * weights.scales @ weights.weights), abs=1e-12)
    assert train(capsys, *chosen, "--games", "64", "--resume", *files(tmp_path))[0] == 0  # the same inputs
    assert load_weights(tmp_path / "eval.npz").games == 64
    code, err = train(capsys, "--size", "5", "--features", "thesis8", "--resume", *files(tmp_path))
    assert code == 1 and "eval.npz: " in err


def test_the_log_and_the_weights_say_how_they_came_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, err = train(capsys, *SMALL, "--games", "600", "--lambda", "0.5", "--kappa", "-0.3", *files(tmp_path))
    assert code == 0
    weights = load_weights(tmp_path / "eval.npz")
    assert (weights.game, weights.size, weights.features, weights.network) == ("tictactoe", 3, "raw", "mlp:9+bias")
    assert (weights.settings["lambda"], weights.settings["kappa"], weights.games) == (0.5, -0.3, 608)
    rows = table(tmp_path / "log.tsv")
    assert [int(row["games"]) for row in rows][-1] == 608
    for row in rows:
        assert float(row["random_low"]) <= float(row["random"]) <= float(row["random_high"])
    assert f"{int(rows[0]['games']):,} games" in err
    assert "random " in err


def test_the_lines_of_checkpoints_fit_80_columns() -> None:
    """The longest that there can be of nine digits of games."""
    settings = settings_of({"seed": 0})
    training = Training(find_recipe(settings), settings, "e.npz")
    shares = Share.of(100, 0, 0), Share.of(100, 0, 0)
    news = News(9_999_999, 1.0, {}, LogRow(9_999_999, {training.error_name: 0.0000123}, shares))
    line = training.line(news)
    assert len(line) <= 80
    assert re.fullmatch(r"9,999,999 games  error 1.23e-05  random 100 % \(96-100\)  heuristic 100 % \(96-100\)", line)


def test_td_learns_tictactoe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [*SMALL, "--games", "20000", "--checkpoint", "10000", "--alpha", "0.05", "--seed", "1"]
    assert cli.run(["train-eval", *options, "-q", *files(tmp_path)]) == 0
    assert float(table(tmp_path / "log.tsv")[-1]["random"]) > 0.9
    game = find_game("tictactoe")
    state = game.position()
    for move in (0, 3, 1, 8):  # side 1 has two in a row with the third cell free, and is to play
        state = game.play(state, move)
    evaluator = load_evaluator(tmp_path / "eval.npz", "tictactoe")
    values = {move: -evaluator.value(game.play(state, move)) for move in (4, 5, 6, 7)}
    assert max(values, key=lambda move: values[move]) != 7  # the corner edge that stops nothing


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "-o"),
        (["-o", "no-such-folder/eval.npz"], 1, "no-such-folder/eval.npz"),
        (["-o", "e.npz", "--features", "shape"], 1, "no features 'shape'"),
        (["-o", "e.npz", "--features", "thesis8,-raw"], 1, "raw is taken away, but is not there"),
        (["-o", "e.npz", "--game", "connect4", "--features", "raw,lines"], 1, "no features 'raw,lines'"),
        (["-o", "e.npz", "--network", "mlp:0"], 1, "mlp:0"),
        (["-o", "e.npz", "--network", "mlp:4"], 1, "--network linear"),
        (["-o", "e.npz", "--size", "20"], 2, "less than or equal to 19"),
        (["-o", "e.npz", "--game", "connect4", "--size", "9"], 1, "size 9"),
        (["-o", "e.npz", "--game", "chess"], 2, "chess"),
        (["-o", "e.npz", "--opponent", "gnugo"], 1, "'gnugo'"),
        (["-o", "e.npz", "--opponent", "mix:self=0"], 1, "mix:self=0"),
        (["-o", "e.npz", "--kappa", "2"], 2, "--kappa"),
        (["-o", "e.npz", "--kappa", "nan"], 2, "--kappa"),
        (["-o", "e.npz", "--kappa", "0.5", "--step", "1"], 1, "kappa"),
        (["-o", "e.npz", "--alpha", "x"], 2, "--alpha"),
        (["-o", "e.npz", "--alpha", "nan"], 1, "learning rates"),
        (["-o", "e.npz", "--features", "planes", "--sizes", "9,a"], 2, "--sizes"),
        (["-o", "e.npz", "--parents", "5"], 1, "--parents"),
        (["-o", "e.npz", "--method", "evolve", "--features", "raw", "--kappa", "0"], 1, "--kappa"),
        (["-o", "e.npz", "--method", "evolve"], 1, "shapes"),
        (["-o", "e.npz", "--epsilon", "0.1", "--epsilon-end", "0.2"], 1, "exploration"),
        (["-o", "e.npz", "--game", "tictactoe", "--komi", "3"], 1, "komi"),
        (["-o", "e.npz", "--game", "tictactoe", "--reward", "1"], 1, "no events"),
        (["-o", "e.npz", "--game", "tictactoe", "--alpha", "0.1,0.1"], 1, "more than this network has layers"),
        (["-o", "e.npz", "--komi", "0.25"], 1, "multiple of 0.5"),
        (["-o", "e.npz", "--t0", "100"], 1, "--schedule decay"),
        (["-o", "e.npz", "--time", "0"], 2, "--time"),
        (["-o", "e.npz", "--game", "tictactoe", "--kappa-end", "0.5"], 1, "--kappa-games"),
        (["-o", "e.npz", "--game", "tictactoe", "--kappa-end", "0", "--kappa-games", "0"], 1, "--kappa-games"),
        (["-o", "e.npz", "--game", "tictactoe", "--kappa-games", "10"], 1, "from 0.0 to 0.0"),
        (["-o", "e.npz", "--game", "tictactoe", "--kappa-end", "2", "--kappa-games", "10"], 2, "--kappa-end"),
        (["-o", "e.npz", "--game", "tictactoe", "--kappa-games", "-1"], 2, "--kappa-games"),
        (["-o", "e.npz", "--game", "tictactoe", "--chi", "tanh"], 2, "--chi"),
        (["-o", "e.npz", "--game", "tictactoe", "--explore", "all"], 2, "--explore"),
        (["-o", "e.npz", "--kappa-end", "0.5", "--kappa-games", "10"], 1, "--kappa-end means nothing to"),
        (["-o", "e.npz", "--chi", "logcosh"], 1, "--chi means nothing to"),
        (["-o", "e.npz", "--explore", "counter"], 1, "--explore means nothing to"),
        (["-o", "e.npz", *SMALL, "--method", "tdleaf", "--explore", "counter"], 1, "--explore means nothing to"),
        (["-o", "e.npz", *SMALL, "--method", "climb", "--chi", "logcosh"], 1, "--chi means nothing to"),
        (["-o", "e.npz", "--features", "raw", "--explore", "counter", "--opponent", "gtp:gotools gtp"], 1,
         "not for games against a GTP program"),
    ],
)  # fmt: skip
def test_wrong_settings_are_one_line_and_nothing_is_written(
    arguments: list[str], code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    found, err = train(capsys, "--games", "10", *arguments)
    assert found == code
    assert message in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_is_there_is_neither_lost_nor_mixed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [*SMALL, "--games", "300", *files(tmp_path)]
    assert train(capsys, *options)[0] == 0
    before = contents(tmp_path)
    code, err = train(capsys, *options)
    assert code == 1
    assert "--resume" in err
    code, err = train(capsys, *options, "--resume", "--lambda", "0.1")
    assert code == 1
    assert "lambda 0.7, not 0.1" in err
    assert contents(tmp_path) == before
    for added in (["--chi", "logcosh"], ["--kappa-end", "0.5", "--kappa-games", "100"], ["--explore", "counter"]):
        code, err = train(capsys, *options, "--resume", *added)
        assert code == 1
        assert "none, not" in err
    assert contents(tmp_path) == before
    (tmp_path / "eval.npz").write_bytes(before[0][:-100])
    code, err = train(capsys, *options, "--resume")
    assert code == 1
    assert f"{tmp_path / 'eval.npz'}: cut off" in err


def test_a_setting_that_is_left_out_by_default_is_not_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [*SMALL, "--games", "64", "-o", tmp_path / "eval.npz"]
    assert train(capsys, *options, "--kappa", "0.5", "--chi", "logcosh")[0] == 0
    code, err = train(capsys, *options, "--kappa", "0.5", "--resume")
    assert code == 1
    assert "this run has chi logcosh, not none" in err
    assert train(capsys, *options, "--kappa", "0.5", "--chi", "logcosh", "--resume")[0] == 0


def test_logs_are_neither_lost_nor_mixed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, other = tmp_path / "log.tsv", tmp_path / "other.tsv"
    log.write_text("precious\n")
    code, err = train(capsys, *SMALL, "--games", 32, "-o", tmp_path / "new.npz", "--log", log)
    assert (code, log.read_text()) == (1, "precious\n")
    assert f"{log} exists" in err
    assert train(capsys, *SMALL, "--games", 32, "--seed", 1, "-o", tmp_path / "a.npz", "--log", other)[0] == 0
    assert train(capsys, *SMALL, "--games", 32, "--seed", 2, "-o", tmp_path / "b.npz")[0] == 0
    code, err = train(capsys, *SMALL, "--games", 64, "--seed", 2, "--resume", "-o", tmp_path / "b.npz", "--log", other)
    assert code == 1
    assert f"{other}: the log of a training with other settings" in err
    wrongs = (("-", 1, "--log needs a file of its own"), (tmp_path / "same", 2, "name another file for --log"))
    for wrong, expected, message in wrongs:
        code, err = train(capsys, *SMALL, "--games", 32, "-o", tmp_path / "same", "--log", wrong)
        assert code == expected and message in err
    code, err = train(capsys, *SMALL, "--games", 32, "--seed", 2, "--resume", "-o", tmp_path / "b.npz")
    assert code == 0
    assert "32 games are done already" in err


def test_a_checkpoint_before_the_divergence_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Weights near the limit pass it some games later: the file then holds the last that were right."""
    options = ["--size", "5", "--schedule", "fixed", "--alpha", "500000", "--lambda", "0.5"]
    options += ["--batch", "2", "--checkpoint", "2", "--games", "1000"]
    code, err = train(capsys, *options, *files(tmp_path))
    assert code == 1
    games = load_weights(tmp_path / "eval.npz").games
    assert f"eval.npz holds the checkpoint of {games:,} games" in err
    assert np.isfinite(load_weights(tmp_path / "eval.npz").weights).all()


@pytest.mark.skipif(os.name == "nt", reason="file modes of POSIX")
def test_no_half_written_file_where_the_folder_forbids_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "eval.npz").mkdir()
    code, err = train(capsys, *SMALL, "--games", "100", "-o", tmp_path / "eval.npz")
    assert code == 1
    assert "eval.npz" in err


@pytest.fixture(scope="module")
def rules() -> Path:
    return learned_rules()[1]


def test_rules_guide_self_play(rules: Path) -> None:
    """With a width of one and no exploration every move is the rules' first choice."""
    from gotools.engines.knowledge import rules_guide, rules_ordering
    from gotools.rules.matching import find_matcher

    options = {"seed": 1, "rules": str(rules), "width": 1, "epsilon": 0.0, "batch": 4}
    recipe = find_recipe(settings_of(options), open_guide=rules_guide)
    trainer = recipe.trainer
    games = trainer._learner.play(None, trainer._policy, 0, 4, 1, 1)  # type: ignore[attr-defined]
    game, ordering = find_game("go"), rules_ordering(find_matcher(str(rules)), "rules")
    state = game.position(9, 7.5)
    for move in games.moves[0, : games.lengths[0]]:
        found, scores = np.empty(game.longest, np.int32), np.zeros(game.longest)
        count = game.worthy(state, found)
        others = found[:count][found[:count] != game.pass_move] if count > 1 else found[:count]
        ordering.order(state, found, count, scores, ordering.numbers)
        best = max(score for score, one in zip(scores[:count], found[:count], strict=True) if one in others)
        played = next(score for score, one in zip(scores, found, strict=True) if one == move)
        assert played == best
        state = game.play(state, int(move))


def test_a_training_may_begin_with_other_weights(
    rules: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first.npz", tmp_path / "second.npz"
    assert train(capsys, "--games", 128, "-o", first)[0] == 0
    code, _ = train(capsys, "--games", 64, "--start", first, "--rules", rules, "--alpha", 0, "-o", second)
    assert code == 0
    assert (load_weights(first).weights == load_weights(second).weights).all()
    assert set(load_weights(second).settings) >= {"rules", "width", "penalty", "start"}
    code, err = train(capsys, "--size", 5, "--start", first, "-o", tmp_path / "other.npz")
    assert code == 1
    assert f"{first}: weights for go 9x9 shapes linear, not for go 5x5 shapes linear" in err
    code, err = train(capsys, "--features", "thesis8", "--rules", rules, "-o", tmp_path / "other.npz")
    assert code == 1
    assert "--rules means nothing to --method td with --features thesis8" in err
    for other in (["--opponent", "random"], ["--dilution", 0.1], ["--opponent", "gtp:gotools:nodes=1"]):
        code, err = train(capsys, "--rules", rules, *other, "-o", tmp_path / "other.npz")
        assert code == 1
        assert "only with --opponent self" in err
    code, err = train(capsys, "--width", 3, "-o", tmp_path / "other.npz")
    assert code == 1
    assert "--rules" in err


# settings in files ----------------------------------------------------------------------------------------------------


def test_settings_in_toml_are_those_of_the_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toml, typed, read = (tmp_path / name for name in ("run.toml", "typed.npz", "read.npz"))
    toml.write_text('game = "tictactoe"\nepsilon-end = 0.05\nreward_at = "end"\nlambda = 0.5\nalpha = 1\ngames = 64\n')
    options = ["--game", "tictactoe", "--epsilon-end", "0.05", "--reward-at", "end", "--lambda", "0.5"]
    assert train(capsys, *options, "--alpha", "0.1", "--games", "64", "-o", typed)[0] == 0
    assert train(capsys, "--settings", toml, "--alpha", "0.1", "-o", read)[0] == 0  # what is typed comes first
    assert typed.read_bytes() == read.read_bytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("epsilom = 0.1", "there is no setting 'epsilom'; did you mean 'epsilon'?"),
        ("epsilon-end = 2", "epsilon_end: 2.0 is not a number from 0 to 1"),
        ("batch = 'many'", "batch: 'many' is not a whole number"),
        ("alpha = 'x'", "alpha: a number, or one for each layer: 0.02,0.01"),
        ("sizes = [9.5]", "sizes: whole numbers with commas between them: 9,13,9,19"),
        ("schedule = 'slow'", "schedule: there is no 'slow'"),
        ("game = 'chess'", "game: there is no game 'chess'"),
        ("parents = 3", "parents: means nothing to --method td with --features raw"),
        ("t0 = 50", "t0: goes with schedule decay"),
        ("kappa-end = 0.5", "kappa_end: goes with kappa_games"),
    ],
)
def test_a_fault_in_a_file_of_settings_is_one_line_with_its_place(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = tmp_path / "run.toml"
    toml.write_text(f"# a run\n{text}\n")
    code, err = train(capsys, "--features", "raw", "--settings", toml, "-o", tmp_path / "e.npz")
    assert code == 1
    assert err.startswith(f"gotools train-eval: {toml}:2: {message}") and err.count("\n") == 1


@pytest.mark.parametrize("kind", ["kappa", "evolve", "shapes"])
def test_a_run_is_resumed_by_its_file_and_begun_again_by_its_settings(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, parts, again, toml = (tmp_path / name for name in ("whole.npz", "parts.npz", "again.npz", "run.toml"))
    options = KINDS[kind][: KINDS[kind].index("--games")]
    assert train(capsys, *options, "--games", "300", "-o", whole)[0] == 0
    assert train(capsys, *options, "--games", "100", "-o", parts)[0] == 0
    assert train(capsys, "--resume", "--games", "300", "-o", parts)[0] == 0
    assert load_weights(parts).weights.tobytes() == load_weights(whole).weights.tobytes()
    assert cli.run(["show", "--toml", str(whole), "-o", str(toml)]) == 0
    assert train(capsys, "--settings", toml, "--games", "300", "-o", again)[0] == 0
    assert again.read_bytes() == whole.read_bytes()


def test_a_run_that_used_files_asks_for_them_when_it_is_resumed(
    rules: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "e.npz"
    assert train(capsys, "--size", "5", "--rules", rules, "--width", "3", "--games", "64", "-o", path)[0] == 0
    code, err = train(capsys, "--resume", "-o", path)
    assert code == 1 and "learned with --rules; give it again" in err
    assert train(capsys, "--resume", "--rules", rules, "--games", "128", "-o", path)[0] == 0
    assert (load_weights(path).games, load_weights(path).settings["width"]) == (128, 3)
