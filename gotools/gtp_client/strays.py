"""Find and kill the processes that an engine leaves behind, also those in sessions of their own.

A process that calls setsid is no longer in its engine's group. It is found by a word in its environment, inherited
from the engine (MARK), by its parent while that lives, and, without either, because orphans become our children
(PR_SET_CHILD_SUBREAPER). All of this is for Linux; elsewhere only the group is killed.
"""

from __future__ import annotations

import os
import secrets
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

MARK: Final = "GOTOOLS_ENGINE"
"""Variable of the environment of each engine: one word for each gotools above it, the last one its own."""
ROUNDS: Final = 20
"""Most searches for processes of one engine: those that start others faster than they are killed are left alone."""
_SUBREAPER: Final = (36, 37)
"""PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER of <linux/prctl.h>."""

starting: Final = threading.RLock()
"""Held while an engine is started and entered in `engines`, and while orphans are separated from engines."""
engines: Final[set[int]] = set()
"""Numbers of the engines' processes that have not been reaped."""


def new_mark() -> tuple[str, bytes]:
    """Return a value for MARK, and the word in it that identifies the processes of this engine."""
    word = secrets.token_hex(12)
    return f"{os.environ.get(MARK, '')} {word}".strip(), word.encode()


def kill_marked(word: bytes) -> None:
    """Kill all processes with this word in their environment, and all their children."""
    for _ in range(ROUNDS):
        if not _kill_all(_with_children(_marked(word))):
            return


@contextmanager
def orphans_killed() -> Iterator[None]:
    """Adopt processes that engines leave behind within this block, and kill the unmarked ones at its end.

    Children that this process had before are left alone, and so are those of its own session: an engine begins a new
    one. A nested block leaves all to the outer one.
    """
    before = _adopt()
    if before is None:
        yield
        return
    known = set(_children_of(os.getpid()))
    try:
        yield
    finally:
        for _ in range(ROUNDS):
            with starting:
                if not _kill_all(_with_children(_orphans(known))):
                    break
        _prctl(_SUBREAPER[0], before)


def _adopt() -> int | None:
    """Let orphans become children of this process; returns the setting before, None if it is impossible or set."""
    import ctypes

    if not sys.platform.startswith("linux"):
        return None
    before = ctypes.c_int(0)
    if _prctl(_SUBREAPER[1], ctypes.addressof(before)) or before.value or _prctl(_SUBREAPER[0], 1):
        return None
    return before.value


def _prctl(option: int, argument: int) -> int:
    import ctypes

    try:
        return int(ctypes.CDLL(None).prctl(option, ctypes.c_ulong(argument), 0, 0, 0))
    except (OSError, AttributeError):
        return -1


def _orphans(known: set[int]) -> list[int]:
    """Return adopted processes: children of ours that are not engines, in their own sessions; dead ones are reaped."""
    found = []
    for number in _children_of(os.getpid()):
        if number in known or number in engines or _session(number) == os.getsid(0):
            continue
        try:
            reaped, _ = os.waitpid(number, os.WNOHANG)
        except ChildProcessError:
            continue
        if not reaped:
            found.append(number)
    return found


# /proc ----------------------------------------------------------------------------------------------------------------


def _processes() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def _marked(word: bytes) -> list[int]:
    return [number for number in _processes() if _is_marked(number, word)]


def _is_marked(number: int, word: bytes) -> bool:
    try:
        with open(f"/proc/{number}/environ", "rb") as file:
            return word in file.read() and number != os.getpid()
    except OSError:  # ended, or another user's
        return False


def _stat(number: int) -> list[str]:
    """Return state, parent, group, session and so on; empty if the process has ended."""
    try:
        with open(f"/proc/{number}/stat", "rb") as file:
            return file.read().decode("latin-1").rpartition(")")[2].split()
    except OSError:
        return []


def _session(number: int) -> int:
    stat = _stat(number)
    return int(stat[3]) if stat else -1


def _children_of(parent: int) -> list[int]:
    return [number for number in _processes() if (stat := _stat(number)) and int(stat[1]) == parent]


def _with_children(numbers: list[int]) -> list[int]:
    """Return processes with all their descendants."""
    if not numbers:
        return []
    parents: dict[int, list[int]] = {}
    for number in _processes():
        if stat := _stat(number):
            parents.setdefault(int(stat[1]), []).append(number)
    found = list(dict.fromkeys(numbers))
    for number in found:  # grows during the loop
        found += [child for child in parents.get(number, []) if child not in found]
    return found


def _kill_all(numbers: list[int]) -> bool:
    """Kill processes, reap those that are ours, and return whether any was alive."""
    alive = [number for number in numbers if (stat := _stat(number)) and stat[0] not in "ZX"]
    for number in alive:
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)
    for number in numbers:
        if number not in engines:
            with suppress(OSError):
                os.waitpid(number, os.WNOHANG)
    return bool(alive)
