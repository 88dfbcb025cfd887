"""Rules for benches that play: learned and compiled by the commands of the README."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from _table import ROOT, SHARED, row


def learned(folder: Path) -> str:
    """Learn rules from go9-pro and go9-dan, or from examples/ where they are missing; returns the path of rules.so."""
    known = [SHARED / "data" / name for name in ("go9-pro/train", "go9-dan/train")]
    games = [path for path in known if path.is_dir()] or [ROOT / "examples/games"]
    began = time.monotonic()
    _run("induce-patterns", *map(str, games), "--objective", "rank", "-o", str(folder / "rules.pl"))
    _run("compile-patterns", str(folder / "rules.pl"), "-o", str(folder / "rules.so"))
    names = " + ".join(f"{path.parent.name}/{path.name}" for path in games)
    row("rules for our player, learned and compiled", names, how=f"{time.monotonic() - began:.0f} s")
    return str(folder / "rules.so")


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "gotools", *arguments, "-q"], check=True)
