"""A short match of our player against the scripted engine, by `gotools tournament`."""

from __future__ import annotations

from pathlib import Path

from support.scripted_engine import command
from support.written_json import read_json

from gotools import cli


def assert_played_without_fault(ours: str, folder: Path) -> None:
    """Play two games of 5x5; ours -- a player of our own, as a tournament names it."""
    arguments = ["--engine", f"ours={ours}", "--engine", f"other={command(seed=1)}", "--size", "5", "--games", "2"]
    limits = ["--max-crashes", "0", "--max-illegal", "0", "-q"]
    assert cli.run(["tournament", *arguments, "-o", str(folder / "run"), *limits]) == 0
    lines = [read_json(line) for line in (folder / "run/results.jsonl").read_text().splitlines()]
    games = [line for line in lines if "black" in line]
    assert {game["black"] for game in games} == {"ours", "other"} and len(games) == 2
    assert all(len(game["moves"].split()) > 5 for game in games), games
