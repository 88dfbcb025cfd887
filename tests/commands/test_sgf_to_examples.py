"""The command from its arguments to its bytes and exit code, held against sgfmill's parser and boards."""

from __future__ import annotations

import gzip
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sgfmill import boards, sgf
from support import forked
from support.examples import read_examples
from support.needs import SHARED, needs_shared

from gotools import __version__
from gotools.cli import run
from gotools.commands.progress import Progress

KO_GAME = "(;GM[1]SZ[5]RE[B+R]BR[3d]WR[12k];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb];B[];W[tt];B[cb]{end})"
"""White takes a ko at B4 on move 8, both pass, black retakes at C4 on move 11."""


def gotools(*arguments: str | Path, data: bytes = b"", **options: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "gotools", *map(str, arguments)]
    return forked.run(command, input=data, capture_output=True, timeout=60, **options)


def convert(*arguments: str | Path) -> int:
    return run(["sgf-to-examples", *map(str, arguments)])


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder of four small games: one 5x5, two of 3x3 with one stem, a collection of two."""
    folder = tmp_path / "games"
    (folder / "more").mkdir(parents=True)
    (folder / "ko.sgf").write_text(KO_GAME.format(end=""))
    (folder / "a.sgf").write_text("(;SZ[3]RE[W+2]BR[9p]WR[5 dan];B[bb];W[aa];B[ba])")
    (folder / "more/a.sgf").write_text("(;SZ[3]RE[0]BR[20k]WR[P9段];B[aa];W[bb])")
    (folder / "two.sgf").write_text("(;SZ[3]RE[W+R]BR[15k];B[cc])\n(;SZ[3];B[ca];W[cc])")
    return folder


def rows_of(text: bytes) -> list[list[str]]:
    return [line.split("\t") for line in text.decode().splitlines() if not line.startswith(("#", "id\t"))]


# ---- what the rows say ----


def sgfmill_rows(path: Path) -> Iterator[list[str]]:
    """The same rows from sgfmill alone, one by one."""
    game = sgf.Sgf_game.from_bytes(path.read_bytes())
    size = game.get_size()
    board = boards.Board(size)
    letters = "ABCDEFGHJKLMNOPQRST"

    def name(move: tuple[int, int] | None) -> str:
        return "-" if move is None else f"{letters[move[1]]}{move[0] + 1}"

    black, white, empty = game.get_root().get_setup_stones()
    board.apply_setup(black, white, empty)
    ko, last, last2, ply = None, "-", "-", 0
    for node in game.get_main_sequence()[1:]:
        colour, move = node.get_move()
        if colour is None:
            assert not node.has_setup_stones()
            continue
        ply += 1
        if move is not None:
            cells = [[{None: ".", "b": "X", "w": "O"}[cell] for cell in row] for row in board.board]
            position = "/".join("".join(row) for row in reversed(cells))
            yield [f"{path.stem}:{ply}", colour, position, name(ko), last, last2, name(move), "1", "played"]
        ko = board.play(*move, colour) if move else None
        last, last2 = (name(move) if move else "pass"), last


@needs_shared
@pytest.mark.parametrize("folder", ["go9-pro/valid", "go9-bands/20k"])
def test_rows_of_real_games_are_those_of_sgfmill(folder: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    files = sorted((SHARED / folder).glob("*.sgf"))[:60]
    assert convert(*files) == 0
    rows = iter(rows_of(capfdbinary.readouterr().out))
    games: dict[str, list[list[str]]] = {}
    for row in rows:
        games.setdefault(row[0].rpartition(":")[0], []).append(row)
    compared = 0
    for path in files:
        expected = list(sgfmill_rows(path))
        found = games.get(path.stem, [])
        assert found == expected[: len(found)]
        compared += len(found) == len(expected)
    assert compared >= len(files) - 3  # a game may stop at an illegal move


def test_passes_ko_and_last_moves(games: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert convert(games / "ko.sgf") == 0
    done = capfdbinary.readouterr()
    rows = rows_of(done.out)
    assert rows == list(sgfmill_rows(games / "ko.sgf"))
    assert [row[0] for row in rows] == [f"ko:{ply}" for ply in (*range(1, 9), 11)]
    assert rows[-1][3:7] == ["-", "pass", "pass", "C4"]
    assert done.out.startswith(b"##gotools examples 2\n##game=go\nid\tto_play\tposition\tko\tlast\tlast2\tmove\tlabel")
    assert b"9 rows (9 examples) from 1 games" in done.err


def test_ids_are_unique_over_files_and_collections(games: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert convert("-q", games) == 0
    done = capfdbinary.readouterr()
    ids = [row[0] for row in rows_of(done.out)]
    assert len(ids) == len(set(ids)) == 9 + 3 + 2 + 1 + 2
    assert {name.rpartition(":")[0] for name in ids} == {"ko", "a", "a@2", "two", "two@2"}
    assert done.err == b""


def test_odd_names_make_whole_rows(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for name in ("#3 tab\there\nline.sgf", "désolé.sgf", os.fsdecode(b"\xff.sgf")):
        (tmp_path / name).write_text("(;SZ[3];B[bb])")
    assert convert(tmp_path, "-o", tmp_path / "out.tsv") == 0
    assert len(read_examples([tmp_path / "out.tsv"])) == 3
    assert read_examples([tmp_path / "out.tsv"]).id[0] == "3_tab_here_line:1"


@pytest.mark.parametrize(
    ("options", "games_left", "rows"),
    [
        ("--size 3", {"a", "a@2", "two", "two@2"}, 8),
        ("--size 5 --size 7", {"ko"}, 9),
        ("--result decided", {"ko", "a", "two"}, 13),
        ("--result B", {"ko"}, 9),
        ("--result resign", {"ko", "two"}, 10),
        ("--result score", {"a", "a@2"}, 5),
        ("--result draw", {"a@2"}, 2),
        ("--max-moves 1", {"ko", "a", "a@2", "two", "two@2"}, 5),
        ("--rank-above 9d", {"a", "a@2"}, 3),
        ("--rank-above 12k", {"ko", "a", "a@2"}, 9),
        ("--rank-above 1k --size 3 --max-moves 2", {"a", "a@2"}, 3),
    ],
)
def test_filters(
    games: Path, options: str, games_left: set[str], rows: int, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert convert(games, *options.split()) == 0
    found = rows_of(capfdbinary.readouterr().out)
    names = {row[0].rpartition(":")[0].replace("a@2", "a") for row in found}
    assert names == {name.replace("a@2", "a") for name in games_left} and len(found) == rows


# ---- stdin, gzip, pipes, output ----


def test_stdin_is_read_without_a_path_and_gzip_is_undone(games: Path) -> None:
    data = (games / "two.sgf").read_bytes()
    for text in (data, gzip.compress(data)):
        for arguments in ((), ("-",)):
            done = gotools("sgf-to-examples", *arguments, data=text)
            assert done.returncode == 0, done.stderr
            assert [row[0] for row in rows_of(done.stdout)] == ["stdin:1", "stdin@2:1", "stdin@2:2"]
    (games / "two.sgf.gz").write_bytes(gzip.compress(data))
    done = gotools("sgf-to-examples", games / "two.sgf.gz", "-o", games / "out.tsv.gz")
    assert (done.returncode, done.stdout) == (0, b"")
    assert read_examples([games / "out.tsv.gz"]).id == ["two:1", "two@2:1", "two@2:2"]


@pytest.mark.system
def test_a_closed_pipe_is_quiet_success(tmp_path: Path) -> None:
    (tmp_path / "many.sgf").write_text("(;SZ[9];B[aa];W[bb];B[cc];W[dd])" * 5000)
    command = f"{sys.executable} -m gotools sgf-to-examples -q {tmp_path}/many.sgf; echo $? >&2"
    done = subprocess.run(["bash", "-c", f"({command}) | head -1"], capture_output=True, timeout=60)
    assert done.stdout == b"##gotools examples 2\n"
    assert done.stderr.decode().splitlines()[-1] == "0" and b"rror" not in done.stderr


def test_a_full_disk_is_said(games: Path) -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "gotools", "sgf-to-examples", str(games)]
        done = forked.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1
    assert done.stderr == b"gotools sgf-to-examples: cannot write: No space left on device\n"


@pytest.mark.system
@pytest.mark.parametrize("named", [True, False])
def test_ctrl_c_leaves_whole_rows_or_nothing(tmp_path: Path, named: bool) -> None:
    fifo, out = tmp_path / "more.sgf", tmp_path / "out.tsv"
    (tmp_path / "first.sgf").write_text("(;SZ[9];B[aa];W[bb];B[cc];W[dd])" * 3000)
    os.mkfifo(fifo)
    command = [sys.executable, "-m", "gotools", "sgf-to-examples", str(tmp_path / "first.sgf"), str(fifo)]
    command += ["-o", str(out)] if named else []
    with (
        open(tmp_path / "stdout", "wb") as stdout,
        forked.Popen(command, stdout=stdout, stderr=subprocess.PIPE) as process,
        open(fifo, "wb"),  # waits until the command has come to the second file, and keeps it waiting
    ):
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"interrupted" in errors and b"Traceback" not in errors
    if named:
        assert b"nothing is written" in errors and sorted(os.listdir(tmp_path)) == ["first.sgf", "more.sgf", "stdout"]
    else:
        assert b"rows written so far are whole" in errors
        assert (tmp_path / "stdout").read_bytes().endswith(b"played\n")
        assert len(read_examples([tmp_path / "stdout"])) >= 8192


# ---- what is wrong ----


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none.sgf"], 1, "gotools sgf-to-examples: none.sgf: no such file"),
        (["none*.sgf"], 1, "none*.sgf: no such file"),
        (["empty.sgf"], 1, "empty.sgf: no examples: no game could be read"),
        (["a.sgf", "--size", "9"], 1, "no game of the size and result wanted (games read: 1 of 3x3)"),
        (["a.sgf", "--rank-above", "9p"], 1, "no move of the players wanted"),
        (["passes.sgf"], 1, "passes.sgf: the game has no moves"),
        (["a.sgf", "-o", "none/x.tsv"], 1, "none/x.tsv: cannot write"),
        (["a.sgf", "broken.sgf", "--strict"], 1, "broken.sgf"),
        (["illegal.sgf", "--strict"], 1, "illegal.sgf: move 3 (B B2): occupied"),
        (["a.sgf", "--split", "0.5", "-o", "x.tsv"], 1, "one game alone"),
        (["a.sgf", "illegal.sgf", "--format", "aleph", "-o", "x"], 1, "--size"),
        (["a.sgf", "--negatives", "random=5", "--engine", "no-such-engine"], 1, "no-such-engine` is not installed"),
        (["a.sgf", "--size", "20"], 2, "19"),
        (["a.sgf", "--split", "0.5"], 2, "-o"),
        (["a.sgf", "--split", "1", "-o", "x.tsv"], 2, "between 0 and 1"),
        (["a.sgf", "--format", "aleph"], 2, "-o"),
        (["a.sgf", "--negatives", "guess=3"], 2, "not a source of counter-examples"),
        (["a.sgf", "--negatives", "random=x"], 2, "random=100"),
        (["a.sgf", "--negatives", "weak=1,weak=2"], 2, "twice"),
        (["a.sgf", "--rank-above", "high"], 2, "not a rank"),
        (["a.sgf", "--engine", "x"], 2, "random"),
        (["a.sgf", "--nonsense"], 2, "--nonsense"),
    ],
)
def test_wrong_input_is_one_line_and_nothing_is_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    texts = {
        "a": "(;SZ[3]BR[9p];B[bb];W[aa])",
        "passes": "(;SZ[3];B[];W[])",
        "empty": "",
        "broken": "(;SZ[3];B[b",
        "illegal": "(;SZ[5];B[bd];W[cc];B[bd])",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.sgf").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert convert(*arguments) == code
    done = capfd.readouterr()
    assert message in done.err and "Traceback" not in done.err
    assert done.out == "" and sorted(os.listdir(tmp_path)) == sorted(f"{name}.sgf" for name in texts)


def test_broken_games_are_reported_and_counted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.sgf").write_text("(;SZ[3];B[b")
    (tmp_path / "illegal.sgf").write_text("(;SZ[5];B[bd];W[cc];B[bd];W[aa])")
    (tmp_path / "good.sgf").write_text("(;SZ[5];B[bd])")
    (tmp_path / "gone.sgf").symlink_to(tmp_path / "nowhere")
    assert convert(tmp_path) == 0
    done = capfd.readouterr()
    assert len(done.out.splitlines()) == 3 + 2 + 1
    *problems, summary = done.err.splitlines()
    assert f"{tmp_path}/illegal.sgf: move 3 (B B2): occupied; left out from there on" in problems
    assert any(line.startswith(f"{tmp_path}/gone.sgf: No such file") for line in problems)
    assert summary == "3 rows (3 examples) from 2 games; 3 problems reported above"


def test_an_unreadable_file_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "good.sgf").write_text("(;SZ[5];B[bd])")
    (tmp_path / "folder.sgf").mkdir()
    done = gotools("sgf-to-examples", tmp_path / "good.sgf", "/proc/self/mem")
    assert done.returncode == 0 and b"/proc/self/mem: " in done.stderr and b"Traceback" not in done.stderr


@needs_shared
def test_every_bad_file_ends_in_rows_or_in_a_reason(capfd: pytest.CaptureFixture[str]) -> None:
    for path in sorted((SHARED / "sgf-robustness").rglob("*.sgf")):
        code = convert("-q", path)
        done = capfd.readouterr()
        assert "Traceback" not in done.err
        if code == 0:
            assert done.out.count("\n") > 3
        else:
            assert code == 1 and f"{path}" in done.err and len(done.err.splitlines()) >= 1


# ---- the command line itself ----


def test_version_help_and_unknown_commands() -> None:
    done = gotools("--version")
    assert (done.returncode, done.stdout.decode()) == (0, f"gotools {__version__}\n")
    done = gotools("--help")
    assert done.returncode == 0 and b"sgf-to-examples" in done.stdout
    assert gotools("sgf-to-example").returncode == 2
    done = gotools()
    assert done.returncode == 2 and b"sgf-to-examples" in done.stdout + done.stderr


def test_a_bug_shows_its_traceback(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("gotools.game.records.reading.expand_paths", broken)
    assert convert("x.sgf") == 3
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_a_bar_is_drawn_at_a_terminal_after_two_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    for quiet, patience, drawn in ((True, 0.0, False), (False, 9.0, False), (False, 0.0, True)):
        monkeypatch.setattr("gotools.commands.progress.PATIENCE", patience)
        terminal.truncate(0)
        with Progress("reading files", quiet) as progress:
            progress.phase("games", 3)
            progress.advance()
            progress.say("a.sgf: [bad] one")
            progress.advance(2)
        assert "a.sgf: [bad] one" in terminal.getvalue()
        assert ("games" in terminal.getvalue()) == drawn


def test_no_path_at_a_terminal_is_wrong(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda self: True})())
    assert convert() == 2
    assert "stdin" in capfd.readouterr().err
