"""Files that many tests read: made once in a run, by the worker of pytest that needs them first."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

_place: list[Path] = []


def share(folder: Path) -> None:
    """Let the workers of a run share a folder; conftest.py calls this before the first test."""
    _place[:] = [folder]


def once(name: str, make: Callable[[Path], object]) -> Path:
    """Return a shared folder that `make` has filled; the other workers wait for it."""
    folder = _place[0] / name
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = folder.with_suffix(".unfinished")
            unfinished.mkdir(exist_ok=True)
            make(unfinished)
            unfinished.rename(folder)
    return folder
