"""Running out of memory: limits that are too low for a command, and errors caused by lack of memory.

A limit (`ulimit -v`) that is too low even to load numpy, scipy and numba is refused beforehand, for their C code
raises no error then: it hangs, aborts, or sends SIGINT to its own process.
"""

from __future__ import annotations

import errno
import os
import re
from typing import Final

from gotools.base.errors import GotoolsError, shown
from gotools.base.interrupts import causes

MIB: Final = 1 << 20
_SIZE = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,3})?) ?([KMGT]?)(?:i?B)?", re.IGNORECASE)
_TO_LOAD, _LITTLE, _SOME, _MUCH = 60, 300, 512, 1024
"""MiB of address space: for the commands and their help (measured: 41); for numpy and scipy; for kernels too; for
kernels that are compiled first."""
LEAST: Final = {
    "elo": _LITTLE,
    "sgf-to-examples": _SOME,
    "compile-patterns": _SOME,
    "rank-moves": _SOME,
    "tournament": _SOME,
}
"""Needs of the commands at the start, measured with one thread (peak of VmPeak: 248 and 450 MiB; the others 880)."""
_TEXTS: Final = ("failed to map segment", "cannot allocate memory", "can't start new thread", "std::bad_alloc")
"""Messages of the library loader, threads and C++ when memory is short."""


class OutOfMemory(GotoolsError):
    """Out of memory, with the limit in force."""

    def __init__(self, what: str = "") -> None:
        limit = _limit()
        allowed = "" if limit is None else f"; the limit (ulimit -v) is {limit // MIB:,} MiB"
        super().__init__(f"out of memory{allowed}{what}")


def check_limit(command: str) -> None:
    """Raise OutOfMemory if a limit leaves less address space than a command needs to start.

    Under any limit linear algebra gets a single thread, as each has its own buffers.
    """
    limit = _limit()
    if limit is None:
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    least = LEAST.get(command, _MUCH)
    if limit < least * MIB:
        raise OutOfMemory(f", and this command needs {least:,} MiB or more")


def check_limit_to_load(command: str) -> None:
    """Raise OutOfMemory if a limit leaves less address space than it takes to load the commands and print their help.

    Below it Python's own C code reports the lack of memory in several ways, or as a bug.
    """
    limit = _limit()
    if limit is not None and limit < _TO_LOAD * MIB:
        check_limit(command)


def ran_out(error: BaseException) -> bool:
    """Return whether an error, or one of its causes, means that memory ran out."""
    for one in causes(error):
        if isinstance(one, MemoryError) or (isinstance(one, OSError) and one.errno == errno.ENOMEM):
            return True
        if isinstance(one, OSError | ImportError | RuntimeError) and any(t in str(one).lower() for t in _TEXTS):
            return True
    return False


def _limit() -> int | None:
    """Return the bytes of address space that this process may have; None: no limit."""
    try:
        import resource
    except ImportError:  # no Unix
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


def parse_memory(text: str) -> int:
    """Return the bytes that a text such as `2GiB`, `800M` or `1.5G` means: units are powers of 1024.

    Raises GotoolsError for anything else.
    """
    found = _SIZE.fullmatch(text.strip())
    if not found:
        raise GotoolsError(f"`{shown(text)}` is not an amount of memory such as 2GiB or 800M")
    return int(float(found[1]) * 1024 ** ("KMGT".index(found[2].upper()) + 1 if found[2] else 0))
