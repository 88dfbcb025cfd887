"""Tasks for the workers of a cluster in tests: at work, at rest, and going wrong."""

from __future__ import annotations

import errno
import os
import signal
import time
from pathlib import Path
from typing import Any

from gotools.base.errors import FileFormatError
from gotools.work.cluster.on_worker import place


class Counter:
    """What a task makes before its first piece: notes in a file when it is made, and when it ends."""

    def __init__(self, log: str) -> None:
        self._log = Path(log)
        self._note("made")

    def _note(self, what: str) -> None:
        with self._log.open("a") as log:
            log.write(f"{what} {os.getpid()}\n")

    def close(self) -> None:
        self._note("closed")


def nothing() -> None:
    """Make nothing."""


def squared(made: Any, number: int) -> int:
    return number * number


def slept(made: Any, piece: tuple[int, float]) -> tuple[int, int]:
    """Sleep; returns the number of the piece, and of the process."""
    time.sleep(piece[1])
    return piece[0], os.getpid()


def where(made: Any, piece: None) -> tuple[int, int]:
    return place(), os.getpid()


def wrong(made: Any, what: str) -> None:
    if what == "file":
        raise FileFormatError("rules.so", 3, "not a rule")
    if what == "full":
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/full")
    if what == "memory":
        raise MemoryError
    if what == "bug":
        raise ZeroDivisionError("nobody has thought of this")
    os.kill(os.getpid(), signal.SIGKILL)
