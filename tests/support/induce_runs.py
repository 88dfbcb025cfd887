"""Run `gotools induce-patterns` in this process, on games of examples/, and read what it wrote."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from gotools.cli import run
from gotools.rules.clauses.rules import RuleSet, read_rules

ROOT = Path(__file__).parents[2]
GAMES = sorted((ROOT / "examples/games").glob("*.sgf"))
TEST_GAME = ROOT / "examples/test-games/gnugo-1001.sgf"
COMMAND = [sys.executable, "-m", "gotools", "induce-patterns"]


def induce(*arguments: str | Path) -> int:
    return run(["induce-patterns", *map(str, arguments)])


def convert(*arguments: str | Path) -> None:
    assert run(["sgf-to-examples", "-q", *map(str, arguments)]) == 0


def rules_in(data: bytes | Path) -> RuleSet:
    text = data.decode() if isinstance(data, bytes) else data.read_text()
    return read_rules(io.StringIO(text), "rules.pl")


def bare(rules: RuleSet) -> list[tuple[object, ...]]:
    """The rules without their weights."""
    return [(rule.body, rule.positives, rule.negatives) for rule in rules.rules]


def make_table(path: Path) -> Path:
    """Write examples of three games with 60 unplayed and 20 random counter-examples; returns the path."""
    convert(*GAMES[:3], "--negatives", "unplayed=60,random=20", "-o", path)
    return path
