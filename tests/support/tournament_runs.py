"""Runs of `gotools tournament` with scripted engines, and what they leave."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from support import forked
from support.scripted_engine import command
from support.written_json import read_json

GOTOOLS = [sys.executable, "-m", "gotools", "tournament"]
A, B = f"a={command(seed=1)}", f"b={command(seed=2)}"
SMALL = ["--size", "5", "--timeout", "5"]
GAMES = "30"
"""Of a run that others are compared with."""
TIMES = ("seconds", "slowest", "contested_seconds")


def arguments(folder: Path, *more: str, engines: tuple[str, ...] = (A, B)) -> list[str]:
    words = [word for engine in engines for word in ("--engine", engine)]
    return [*GOTOOLS, *words, *SMALL, "-o", str(folder), *more]


def run(folder: Path, *more: str, engines: tuple[str, ...] = (A, B)) -> subprocess.CompletedProcess[str]:
    return forked.run(arguments(folder, *more, engines=engines), capture_output=True, text=True, timeout=120)


def lines(folder: Path) -> list[dict[str, Any]]:
    """Return every line of a journal; each must be JSON."""
    return [read_json(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def games(folder: Path) -> dict[int, dict[str, Any]]:
    """Return the games of a journal by number, without what the clock decides; none may stand there twice."""
    found = [line for line in lines(folder) if "gotools" not in line]
    assert len({line["game"] for line in found}) == len(found)
    return {line["game"]: {key: value for key, value in line.items() if key not in TIMES} for line in found}


def table(folder: Path) -> str:
    """Return the standings without the times."""
    shown = forked.run([*GOTOOLS, "status", str(folder), "--json"], capture_output=True, text=True, check=True)
    return without_times(read_json(shown.stdout))


def without_times(summary: dict[str, Any]) -> str:
    del summary["games_a_minute"]
    for engine in summary["engines"]:
        for key in ("seconds", "seconds_per_move", "seconds_per_contested_move", "slowest_move"):
            del engine[key]
    return json.dumps(summary)


def wait_for_games(folder: Path, more: int, process: subprocess.Popen[Any]) -> None:
    """Wait until a run has some more lines in its journal, or is over."""
    path = folder / "results.jsonl"
    wanted = (path.read_bytes().count(b"\n") if path.exists() else 0) + more
    while process.poll() is None and not (path.exists() and path.read_bytes().count(b"\n") >= wanted):
        time.sleep(0.005)


def wait_for_file(path: Path) -> None:
    for _ in range(3000):
        if path.exists() and path.read_text():
            return
        time.sleep(0.01)
