"""Completion in shells: what --install-completion leaves in a home, and what a shell is answered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.system

PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


def shell(script: str, home: Path, **more: str) -> str:
    """Run a script of bash with a home of its own; returns what it prints."""
    environment = {**os.environ, "HOME": str(home), "PATH": PATH, **more}
    done = subprocess.run(["bash", "-ec", script], env=environment, capture_output=True, text=True, cwd=home)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_bash_completes_after_the_installation(tmp_path: Path) -> None:
    shell("gotools --install-completion; true", tmp_path)
    ask = 'COMP_WORDS=({0}); COMP_CWORD={1}; _gotools_completion gotools; echo "${{COMPREPLY[*]}}"'
    script = "; ".join(["source ~/.bashrc", ask.format("gotools comp", 1), ask.format("gotools train-eval --kap", 2)])
    assert shell(script, tmp_path).split() == ["compile-patterns", "--kappa", "--kappa-end", "--kappa-games"]


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("gotools rank-moves --rules ", ["a.pl", "b.so", "more/"]),
        ("gotools gtp --eval more/", ["more/c.npz"]),
        ("gotools order-bench --order a", ["a.pl", "a.tsv"]),
        ("gotools gtp --game t", ["tictactoe"]),
        ("gotools elo --format j", ["json"]),
    ],
)
def test_values_are_names_and_files_that_the_option_reads(words: str, completed: list[str], tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    for name in ("a.pl", "a.tsv", "b.so", "c.md", "more/c.npz"):
        (tmp_path / name).touch()
    variables = {"_TYPER_COMPLETE_ARGS": words, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    assert shell("gotools", tmp_path, _GOTOOLS_COMPLETE="complete_fish", **variables).split() == completed


@pytest.mark.parametrize("words", ["gotools e", "gotools elo --form"])
def test_fish_and_zsh_are_answered(words: str, tmp_path: Path) -> None:
    wanted = {"gotools e": "elo", "gotools elo --form": "--format"}[words]
    variables = {"_TYPER_COMPLETE_ARGS": words, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    for name in ("fish", "zsh"):
        assert wanted in shell("gotools", tmp_path, _GOTOOLS_COMPLETE=f"complete_{name}", **variables)
