"""The tables of games and tasks in README: every game has its row, and every command works with every game."""

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
    "elo": ["-q"],
    "lessons": ["-q"],
}
"""Added to the commands, so that the test takes seconds."""


def tables() -> tuple[list[list[str]], list[list[str]]]:
    """Return the rows of both tables of the section: the games, and the tasks with their commands."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## Games\n")[1].split("\n## ")[0]
    lines = [line for line in section.split("\n") if line.startswith("|")]
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]
    end = rows.index(["task", "command"])
    return rows[2:end], rows[end + 2 :]


GAME_ROWS, TASKS = tables()
NAMES = [row[1] for row in GAME_ROWS]


@pytest.mark.smoke
def test_every_game_and_every_task_has_its_row() -> None:
    assert sorted(NAMES) == sorted(set(GAMES) - {"nim"})
    assert [task.strip("[").partition("]")[0] for task, _ in TASKS] == [
        "train", "match", "rate", "rules", "clusters", "lessons", "play", "report",
    ]  # fmt: skip


@pytest.mark.smoke
@pytest.mark.parametrize("game", sorted(set(GAMES) - {"nim"}))
def test_every_game_has_records_for_make_demo(game: str) -> None:
    command = ["make", "-n", "demo", f"GAME={game}"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    named = {word for word in said.split() if word.startswith("examples/")}
    assert len(named) >= 2 and all((ROOT / name).exists() for name in named)


def decide(folder: Path) -> None:
    """Let the records name winners: players that learned from 64 games may draw both, and clusters need good moves."""
    for number, path in enumerate(sorted(folder.iterdir())):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("RE[0]", f"RE[{'BW'[number % 2]}+R]"), encoding="utf-8")


def rate_apart(path: Path) -> None:
    """Let a be stronger than b: after two games they may be even, and lessons compare the weaker and the stronger."""
    lines = path.read_text(encoding="utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("rank\t"))
    columns = lines[at].split("\t")
    for number, line in enumerate(lines[at + 1 :], at + 1):
        row = dict(zip(columns, line.split("\t"), strict=True))
        lines[number] = "\t".join((row | {"elo": {"a": "50", "b": "-50"}[row["name"]]}).values())
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


@pytest.mark.parametrize("game", NAMES)
def test_the_commands_work_with_each_game_one_after_the_other(game: str, tmp_path: Path) -> None:
    for _, line in TASKS:
        program, command, *words = shlex.split(line.replace("$G", game))
        assert program == "gotools"
        done = forked.run(
            [sys.executable, "-m", "gotools", command, *words, *SHORTER[command]],
            cwd=tmp_path, input="hint\nquit\n", capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, (line, done.stderr)
        if command == "tournament":
            decide(tmp_path / game / "games")
        if command == "elo":
            rate_apart(tmp_path / f"{game}-ratings.tsv")
    assert (tmp_path / f"{game}.npz").exists() and (tmp_path / f"{game}.html").exists()
    assert (tmp_path / game / "results.jsonl").exists()
