"""`train-eval --keep N`: copies of the weights on the way, the same whatever happens, and never over another file."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from support import forked

import gotools
from gotools import cli
from gotools.values.weights.weights_file import load_weights

SMALL = ["--game", "tictactoe", "--features", "raw", "--network", "mlp:9+bias", "--referee-games", "0"]
KINDS = {
    "td": SMALL,
    "coherence": [*SMALL, "--schedule", "coherence", "--alpha", "0.1"],
    "shapes": ["--size", "5", "--referee-games", "0"],
    "tuples": ["--game", "tictactoe", "--features", "tuples", "--tuples", "6x3", "--referee-games", "0"],
    "climb": [*SMALL, "--method", "climb"],
    "pieces": [
        "--game",
        "tictactoe",
        "--features",
        "pieces",
        "--heuristic-games",
        "64",
        "--nodes",
        "10",
        "--anneal",
        "300",
    ],
}


def train(folder: Path, *arguments: object) -> int:
    folder.mkdir(exist_ok=True)
    return cli.run(["train-eval", "-q", *map(str, arguments), "-o", str(folder / "eval.npz")])


def copies(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("[!.]*-*"))}


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_is_what_a_training_of_so_many_games_ends_with(kind: str, tmp_path: Path) -> None:
    """The same weights, and all that evaluation needs; only what the training needs to go on is left out."""
    games, every = (600, 250) if kind == "climb" else (300, 100)
    assert train(tmp_path / "whole", *KINDS[kind], "--games", games, "--keep", every) == 0
    kept = copies(tmp_path / "whole")
    counts = [int(name.removeprefix("eval-").removesuffix(".npz")) for name in kept]
    assert all(name == f"eval-{count:09d}.npz" for name, count in zip(kept, counts, strict=True))
    assert [count // every for count in counts] == list(range(1, counts[-1] // every + 1)) and len(kept) >= 2
    for count in counts:
        assert train(tmp_path / str(count), *KINDS[kind], "--games", count) == 0
        whole = load_weights(tmp_path / str(count) / "eval.npz")
        copy = load_weights(tmp_path / "whole" / f"eval-{count:09d}.npz")
        assert whole.games == copy.games == count and whole.settings == copy.settings and not copy.memory
        for name in ("weights", "scales", "cells", "entries"):
            assert np.array_equal(getattr(whole, name), getattr(copy, name))


def test_copies_change_no_result_and_are_no_setting(tmp_path: Path) -> None:
    for name, options in (("none", ()), ("some", ("--keep", 64))):
        assert train(tmp_path / name, *SMALL, "--games", 320, *options) == 0
    assert (tmp_path / "none/eval.npz").read_bytes() == (tmp_path / "some/eval.npz").read_bytes()
    assert copies(tmp_path / "none") == {} and len(copies(tmp_path / "some")) == 5
    for options in (("--keep", 100), ()):  # another number, or none, goes on with the same run
        games = 400 + 80 * (not options)
        assert train(tmp_path / "some", *SMALL, "--games", games, "--resume", *options) == 0
    assert [*copies(tmp_path / "some")][-2:] == ["eval-000000320.npz", "eval-000000400.npz"]


def test_a_resumed_training_leaves_the_same_copies(tmp_path: Path) -> None:
    options = ["--size", "5", "--referee-games", "0", "--checkpoint", "192", "--keep", "100"]
    assert train(tmp_path / "whole", *options, "--games", 640) == 0
    assert train(tmp_path / "parts", *options, "--games", 256) == 0
    assert train(tmp_path / "parts", *options, "--games", 640, "--resume") == 0
    assert copies(tmp_path / "whole") == copies(tmp_path / "parts") and len(copies(tmp_path / "parts")) == 6
    assert train(tmp_path / "killed", *options, "--games", 192) == 0
    for name, data in copies(tmp_path / "whole").items():  # as a kill leaves them: copies later than the checkpoint
        (tmp_path / "killed" / name).write_bytes(data)
    assert train(tmp_path / "killed", *options, "--games", 640, "--resume") == 0
    assert copies(tmp_path / "killed") == copies(tmp_path / "whole")


@pytest.mark.system
def test_ctrl_c_leaves_whole_copies(tmp_path: Path) -> None:
    for name in ("whole", "parts"):
        (tmp_path / name).mkdir()
    options = [*SMALL, "--network", "mlp:40", "--checkpoint", "20000", "--keep", "5000", "--games", "80000"]
    command = [sys.executable, "-m", "gotools", "train-eval", *options, "--resume", "-q", "-o"]
    subprocess.run([*command, str(tmp_path / "whole/eval.npz")], check=True, timeout=120)
    parts, stopped = tmp_path / "parts", 0
    for wanted in (2, 9, 0):
        with forked.Fresh([*command, str(parts / "eval.npz")], stderr=subprocess.PIPE, text=True) as process:
            while wanted and len(copies(parts)) < wanted and process.poll() is None:
                time.sleep(0.005)
            if wanted and process.poll() is None:
                process.send_signal(signal.SIGINT)
                stopped += 1
            err = process.communicate(timeout=120)[1]
        assert process.returncode == 0 or (process.returncode == 130 and "games are kept" in err), err
        assert all(load_weights(path).games % 5000 < 16 for path in parts.glob("eval-*"))
    assert stopped and copies(parts) == copies(tmp_path / "whole") and len(copies(parts)) == 16
    assert (parts / "eval.npz").read_bytes() == (tmp_path / "whole/eval.npz").read_bytes()


def test_no_file_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "eval-000000064.npz").write_text("mine")
    assert train(folder, *SMALL, "--games", 160, "--keep", 64) == 1
    assert "eval-000000064.npz exists, of another training; move it away" in capsys.readouterr().err
    assert not (folder / "eval.npz").exists()
    assert train(folder, *SMALL, "--games", 32) == 0
    assert train(folder, *SMALL, "--games", 160, "--keep", 64, "--resume") == 1
    assert "eval-000000064.npz: " in capsys.readouterr().err and copies(folder) == {"eval-000000064.npz": b"mine"}
    assert load_weights(folder / "eval.npz").games == 64
    (folder / "eval-000000064.npz").unlink()
    assert train(folder, *SMALL, "--games", 160, "--keep", 64, "--resume") == 0
    assert train(tmp_path / "other", *SMALL, "--games", 160, "--keep", 64, "--seed", 9) == 0
    shutil.copy(tmp_path / "other/eval-000000128.npz", folder / "eval-000000192.npz")
    capsys.readouterr()
    assert train(folder, *SMALL, "--games", 256, "--keep", 64, "--resume") == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "eval-000000192.npz: holds other weights" in error
    assert load_weights(folder / "eval.npz").games == 192  # nothing that was learned is lost
    (folder / "eval-000000192.npz").unlink()
    assert train(folder, *SMALL, "--games", 256, "--keep", 64, "--resume") == 0
    assert [*copies(folder)] == ["eval-000000128.npz", "eval-000000256.npz"]


def test_names_stand_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for output, expected in (("w", "w-000000064"), ("a.b", "a-000000064.b"), ("x.npz.gz", "x-000000064.npz.gz")):
        assert cli.run(["train-eval", "-q", *SMALL, "--games", "64", "--keep", "64", "-o", output]) == 0
        assert load_weights(expected).games == 64
    os.mkdir("there")
    gotools.train("there/e.npz", games=64, keep=32, game="tictactoe", features="raw", referee_games=0)
    assert sorted(os.listdir("there")) == ["e-000000032.npz", "e-000000064.npz", "e.npz"]


def test_copies_play(tmp_path: Path) -> None:
    assert train(tmp_path, *SMALL, "--games", 128, "--keep", 64) == 0
    first, second = sorted(tmp_path.glob("eval-*"))
    gtp = [sys.executable, "-m", "gotools", "gtp", "--game", "tictactoe", "--eval", str(first), "--depth", "2", "-q"]
    done = forked.run(gtp, input="genmove b\nquit\n", capture_output=True, text=True, timeout=60)
    assert done.stdout[:3] in {f"= {x}" for x in "abc"}
    engines = [f"{name}=gotools:eval={path},depth=2" for name, path in (("a", first), ("b", second))]
    command = ["tournament", "--game", "tictactoe", "--games", "2", "-q", "-o", str(tmp_path / "run")]
    assert cli.run([*command, "--engine", engines[0], "--engine", engines[1]]) == 0
    results = (tmp_path / "run/results.jsonl").read_text()
    assert results.count('"end":"score"') + results.count('"end": "score"') == 2
