"""examples/gnushogi_usi.py: a program that does not know USI plays over it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.needs import ROOT
from support.written_json import read_json

from gotools import cli
from gotools.game.game import find_game

pytestmark = pytest.mark.system

SCRIPT = ROOT / "examples/gnushogi_usi.py"
LIKE = ROOT / "tests/support/gnushogi_like.py"
SHOGI = find_game("shogi")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return a program that behaves as GNU Shogi."""
    made = tmp_path / "like"
    made.write_text(f"#!/bin/sh\nexec {sys.executable} {LIKE}\n")
    made.chmod(0o755)
    return made


def usi(program: str | Path, *lines: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, str(SCRIPT), "--depth", "3", "--program", str(program)]
    text = "".join(f"{line}\n" for line in lines)
    path = os.environ["PATH"] + os.pathsep + "/usr/games"
    return subprocess.run(
        words, input=text, capture_output=True, text=True, timeout=60, env=os.environ | {"PATH": path}
    )


def moved(*texts: str) -> list[str]:
    """Return the legal moves after some."""
    state = SHOGI.position(9)
    for text in texts:
        state = SHOGI.play(state, SHOGI.parse_move(text, 9))
    return [SHOGI.move_text(move, 9) for move in SHOGI.moves_of(state)]


def test_each_move_is_an_answer_to_the_game_so_far(program: Path) -> None:
    done = usi(
        program, "usi", "isready", "usinewgame", "position startpos moves 7g7f 3c3d", "go btime 0 wtime 0 byoyomi 1000",
        "position startpos", "go nodes 1", "quit",
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert lines[:4] == ["id name GNU Shogi, depth 3", "id author its authors", "usiok", "readyok"]
    assert lines[4:] == [f"bestmove {moved('7g7f', '3c3d')[-1]}", f"bestmove {moved()[-1]}"]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("position startpos moves 7g7g", "GNU Shogi says: Illegal move (no match) 7g7g"),
        ("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1", "it plays games that begin with the usual position alone"),
    ],
)
def test_what_it_cannot_play_is_one_line(line: str, message: str, program: Path) -> None:
    done = usi(program, line, "go")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"gnushogi_usi.py: {message}\n")


def test_a_program_that_is_missing_or_ends_is_one_line(tmp_path: Path) -> None:
    missing = usi(tmp_path / "none", "position startpos", "go")
    assert missing.returncode == 1 and missing.stderr.startswith("gnushogi_usi.py: cannot start ")
    ended = usi("/bin/true", "position startpos", "go")
    assert (ended.returncode, ended.stderr) == (1, "gnushogi_usi.py: GNU Shogi ended\n")


def test_a_tournament_takes_it(program: Path, tmp_path: Path) -> None:
    """Games of 8 moves against ourselves, in which the program loses neither by a failure nor by an illegal move."""
    command = f"usi:{sys.executable} {SCRIPT} --program {program}"
    words = ["tournament", "--game", "shogi", "--engine", f"theirs={command}", "--engine", "ours=gotools:nodes=1"]
    limits = ["--games", "2", "--max-moves", "8", "--openings", "none", "-q", "-o", str(tmp_path / "run")]
    assert cli.run([*words, *limits]) in (0, 3)
    rows = [read_json(line) for line in (tmp_path / "run/results.jsonl").read_text().splitlines()[1:]]
    assert len(rows) == 2 and [len(row["moves"].split()) for row in rows] == [8, 8]


@pytest.mark.skipif(shutil.which("gnushogi", path="/usr/games:/usr/bin") is None, reason="GNU Shogi is not installed")
def test_gnu_shogi_itself_makes_legal_moves() -> None:
    done = usi("gnushogi", "position startpos moves 7g7f 3c3d", "go", "position startpos", "go", "quit")
    first, second = (line.removeprefix("bestmove ") for line in done.stdout.splitlines())
    assert first in moved("7g7f", "3c3d") and second in moved() and done.returncode == 0
