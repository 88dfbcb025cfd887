"""Every example of every `--help` does what it says in the folder where `make demo` ran."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from support import forked
from support.needs import ROOT
from support.searching import learned_rules

from gotools.cli import app

pytestmark = pytest.mark.system

SMALLER = {
    "induce-patterns": "--max-rules 3",
    "induce-patterns cover": "--positives 20 --nodes 200",
    "train-eval": "--games 64 --referee-games 1",
    "tournament": "--size 5 --games 4",
    "order-bench": "--depth 2",
    "play": "--nodes 10",
}
"""Added to examples that take long, by command; the last word counts where an option stands twice."""
TYPED = {"play": "quit\n"}
"""What a person types, where a command asks."""


def lines_of(command: Any, path: str = "gotools") -> Iterator[tuple[str, list[str]]]:
    """Yield the lines of examples of a command and of those below it, by its name."""
    text = (command.epilog or "").replace("\b\n", "").replace("\\\n", "")
    lines = [line.strip() for line in text.splitlines() if line.startswith("  ")]
    if lines:
        yield path.removeprefix("gotools "), lines
    for name, below in getattr(command, "commands", {}).items():
        yield from lines_of(below, f"{path} {name}")


EXAMPLES = dict(lines_of(typer.main.get_command(app)))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what `make demo` leaves, learned from few games."""
    folder = tmp_path_factory.mktemp("demo")
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "out").mkdir()
    for path in learned_rules():
        (folder / "out" / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.mark.smoke
def test_every_command_has_an_example() -> None:
    commands: Any = typer.main.get_command(app)
    assert set(commands.commands) <= set(EXAMPLES) and len(EXAMPLES) >= 18


@pytest.mark.parametrize("command", EXAMPLES)
def test_the_examples_of_a_help_run_one_after_the_other(
    command: str, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for line in EXAMPLES[command]:
        head, bar, ours = line.rpartition(" | ")
        if not ours.startswith("gotools "):
            subprocess.run(["sh", "-c", line], cwd=demo, check=True)
            continue
        typed = subprocess.run(["sh", "-c", head], capture_output=True, check=True).stdout if bar else b""
        words = shlex.split(ours)[1:]
        kind = "induce-patterns cover" if "--test" in words else words[0]
        paths = [str(found) for word in words for found in sorted(demo.glob(word)) if "*" in word]
        words = [word for word in words if "*" not in word] + paths
        if words[:2] not in (["tournament", "status"], ["tournament", "merge"], ["tournament", "check"]):
            words += SMALLER.get(kind, "").split()
        program = [sys.executable, "-m", "gotools", *words]
        typed = typed or TYPED.get(words[0], "").encode()
        done = forked.run(program, cwd=demo, input=typed, capture_output=True, timeout=200)
        assert done.returncode == 0, (line, done.stderr)
        if "-o" in words:
            assert (demo / words[words.index("-o") + 1]).exists()
