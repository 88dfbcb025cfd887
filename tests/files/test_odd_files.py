"""What a folder of records may hold besides files, and names that are empty."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from gotools.base.errors import GotoolsError
from gotools.cli import run
from gotools.files.opening import expand_paths

GAME = "(;SZ[9]PB[a]PW[b]RE[B+R];B[cc];W[gg])"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Make a folder with one record, a pipe, a socket and a device; none of the last three can be read to its end."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "game.sgf").write_text(GAME)
    os.mkfifo(tmp_path / "a" / "pipe.sgf")
    (tmp_path / "a" / "device.sgf").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as bound:
        before = Path.cwd()
        os.chdir(tmp_path)  # the names of sockets are short
        bound.bind("a/socket.sgf")
        os.chdir(before)
        yield tmp_path / "a"


@pytest.mark.parametrize("command", ["sgf-to-examples", "elo"])
@pytest.mark.parametrize("glob", ["", "/*.sgf", "/**/*"])
def test_what_is_no_file_is_passed_over_with_a_word(
    command: str, glob: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([command, f"{folder}{glob}"]) == 0
    said = capfd.readouterr().err
    assert all(f"{name}.sgf: not a regular file; passed over" in said for name in ("pipe", "socket", "device"))


def test_a_journal_that_is_a_pipe_is_an_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "results.jsonl")
    assert run(["tournament", "status", str(tmp_path)]) == 2  # its code for errors
    assert capfd.readouterr().err.endswith("results.jsonl: not a regular file\n")


@pytest.mark.parametrize("name", ["elo", "sgf-to-examples"])
def test_a_pipe_is_read_by_its_own_name(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe.sgf"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=(GAME,))
    writer.start()
    assert run([name, str(pipe)]) == 0
    writer.join()
    assert "passed over" not in capfd.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["sgf-to-examples", ""], ["sgf-to-examples", "x.sgf", ""], ["sgf-to-examples", "x.sgf", "-o", ""],
        ["induce-patterns", ""], ["induce-patterns", "x.tsv", "--test", ""], ["induce-patterns", "x.tsv", "--modes="],
        ["compile-patterns", ""], ["rank-moves", "--rules", "", "x.sgf"], ["cluster-moves", ""], ["order-bench", ""],
        ["train-eval", "-o", ""], ["gtp", "--rules", ""], ["play", "-o", ""], ["elo", ""], ["lessons", ""],
        ["show", ""],        ["report", "x.sgf", ""], ["report", "x.sgf", "--svg", ""], ["tournament", "-o", ""],
        ["tournament", "--config", ""],        ["tournament", "status", ""], ["tournament", "merge", "", "-o", "x"],
        ["usi", "--eval", ""],
    ],
)  # fmt: skip
def test_an_empty_name_is_wrong_usage(
    words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(words) == 2
    said = capfd.readouterr()
    assert said.err.count("\n") == 1 and said.err.endswith(": an empty argument\n") and not said.out
    assert not list(tmp_path.iterdir())


def test_an_empty_name_is_an_error_of_the_library() -> None:
    with pytest.raises(GotoolsError, match="an empty name of a file or folder"):
        expand_paths([""], (".sgf",))
