"""Find and kill the processes that an engine leaves behind, also those that fled into sessions of their own.

A process that calls setsid is no longer in its engine's group. It is found by a word in its environment, which it has
from the engine (MARK), by its parent while that lives, and, where it took off both, because orphans become children of
ours (PR_SET_CHILD_SUBREAPER). All of this is Linux; elsewhere only the group is killed.
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
"""Looks for processes of one engine: those that start others faster than they are killed are left in the end."""
_SUBREAPER: Final = (36, 37)
"""PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER of <linux/prctl.h>."""

starting: Final = threading.RLock()
"""Held while an engine is started and entered in `engines`, and while orphans are told from engines."""
engines: Final[set[int]] = set()
"""Numbers of the engines' processes that have not been reaped."""


def new_mark() -> tuple[str, bytes]:
    """Return a value for MARK, and the word in it by which the processes of this one engine are known."""
    word = secrets.token_hex(12)
    return f"{os.environ.get(MARK, '')} {word}".strip(), word.encode()


def kill_marked(word: bytes) -> None:
    """Kill all processes with this word in their environment, and all their children."""
    for _ in range(ROUNDS):
        if not _kill_all(_with_children(_marked(word))):
            return


@contextmanager
def orphans_killed() -> Iterator[None]:
    """Adopt what engines leave behind within this block, and kill at its end what no word gives away.

    Children that this process had before are left alone, and so are those of its own session: an engine begins a new
    one. A block inside another leaves all to the outer one.
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
    """Let orphans become children of this process; returns how it was before, None where it cannot or need not be."""
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
    """Return adopted processes: children of ours that are no engines, in sessions of their own; the dead are reaped."""
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
    except OSError:  # gone, or another user's
        return False


def _stat(number: int) -> list[str]:
    """Return state, parent, group, session and so on; empty where the process is gone."""
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
    """Return processes with all that descend from them."""
    if not numbers:
        return []
    parents: dict[int, list[int]] = {}
    for number in _processes():
        if stat := _stat(number):
            parents.setdefault(int(stat[1]), []).append(number)
    found = list(dict.fromkeys(numbers))
    for number in found:  # grows while it is read
        found += [child for child in parents.get(number, []) if child not in found]
    return found


def _kill_all(numbers: list[int]) -> bool:
    """Kill processes, reap those that are ours, and say whether any was alive."""
    alive = [number for number in numbers if (stat := _stat(number)) and stat[0] not in "ZX"]
    for number in alive:
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)
    for number in numbers:
        if number not in engines:
            with suppress(OSError):
                os.waitpid(number, os.WNOHANG)
    return bool(alive)
