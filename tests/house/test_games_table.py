"""The table of games in README: every game has its row, and every cell is a command that works."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support import forked
from support.needs import ROOT

from gotools.game.table import GAMES

pytestmark = pytest.mark.system

SHORTER = {
    "train-eval": ["--games", "64", "--referee-games", "2", "-q"],
    "induce-patterns": ["--max-rules", "3", "-q"],
    "cluster-moves": ["--k", "2", "-q"],
    "report": ["-q"],
    "play": ["--nodes", "20", "-q"],
    "tournament": ["--games", "2", "--quiet"],
    "elo": ["--format", "json"],
}
"""Added to the commands, so that the test takes seconds."""


def rows() -> list[list[str]]:
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## Games\n")[1].split("\n## ")[0]
    lines = [line for line in section.split("\n") if line.startswith("|")]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines[2:]]


def game_of(row: list[str]) -> str:
    words = row[1].split()
    return words[words.index("--game") + 1] if "--game" in words else "go"


@pytest.mark.smoke
def test_every_game_has_its_row() -> None:
    assert sorted(game_of(row) for row in rows()) == sorted(set(GAMES) - {"nim"})
    assert all(len(row) == 8 for row in rows())


@pytest.mark.smoke
@pytest.mark.parametrize("game", sorted(set(GAMES) - {"nim"}))
def test_every_game_has_records_for_make_demo(game: str) -> None:
    command = ["make", "-n", "demo", f"GAME={game}"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    named = {word for word in said.split() if word.startswith("examples/")}
    assert len(named) >= 2 and all((ROOT / name).exists() for name in named)


@pytest.mark.parametrize("row", rows(), ids=game_of)
def test_the_commands_of_a_row_work_one_after_the_other(row: list[str], tmp_path: Path) -> None:
    for cell in row[1:]:
        program, command, *words = shlex.split(cell)
        assert program == "gotools"
        done = forked.run(
            [sys.executable, "-m", "gotools", command, *words, *SHORTER[command]],
            cwd=tmp_path, input="hint\nquit\n", capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, (cell, done.stderr)
    assert (tmp_path / f"{game_of(row)}.npz").exists()
    assert (tmp_path / game_of(row) / "results.jsonl").exists()
