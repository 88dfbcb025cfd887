"""What runs on a worker of a cluster: a batch of pieces of work, with what was made for it before.

Bytes come in and go out: pickles of plain data and of names of functions. What a task makes is kept for its next
batches, apart for each thread, and ended with the work; after ten idle minutes too, as the client may have been killed.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
import threading
import time
import traceback
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from gotools import __version__
from gotools.base.errors import GotoolsError
from gotools.base.memory import OutOfMemory, ran_out

IDLE: Final = 600.0
"""Seconds after which what is not used is ended."""
KEPT: Final = 2
"""Things made by tasks that a thread keeps."""
_SOURCES: Final = (".py", ".pl", ".c", ".h")

About = tuple[str, str, str]
"""Version of gotools, digest of its sources, version of Python."""


@dataclass(slots=True)
class _Made:
    """What a task made, and when it was last used."""

    what: Any
    used: float = field(default_factory=time.monotonic)
    busy: bool = False


_made: dict[tuple[str, int], _Made] = {}
_over: deque[str] = deque(maxlen=1000)
"""Keys of tasks that were ended: a batch may come later than the word of its end."""
_lock = threading.Lock()
_place = threading.local()
_places: dict[int, int] = {}


@cache
def about() -> About:
    """Return the versions that a worker and the client must share."""
    digest = hashlib.sha256()
    folder = Path(__file__).resolve().parents[2]
    for path in sorted(path for path in folder.rglob("*") if path.suffix in _SOURCES):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return __version__, digest.hexdigest()[:12], ".".join(map(str, sys.version_info[:2]))


def differs(theirs: About, ours: About) -> str:
    """Return in what a worker differs, in words: both versions; "" if it does not."""
    if theirs[2] != ours[2]:
        return f"Python {theirs[2]}, here is {ours[2]}"
    if theirs[0] != ours[0]:
        return f"gotools {theirs[0]}, here is {ours[0]}"
    if theirs[1] != ours[1]:
        return f"gotools {theirs[0]} with other sources ({theirs[1]}), here are {ours[1]}"
    return ""


def place() -> int:
    """Return the number of the place that this thread works in, from 0; no other on the cluster has the same."""
    return int(getattr(_place, "number", 0))


def work(ours: About, key: str, task: bytes, pieces: bytes, first: dict[str, int]) -> tuple[float, bytes]:
    """Do a batch; returns the seconds it took, without what is made once, and its results as a pickle.

    ours  -- what this worker must be like
    key   -- identifies the task, and what it makes here
    first -- number of the first place of each worker, by its address

    Raises GotoolsError, which names this worker, for a fault of the user's input or of the worker, RuntimeError with
    the traceback for any other exception.
    """
    from distributed import get_worker

    address = get_worker().address
    if what := differs(about(), ours):
        raise GotoolsError(f"worker {address} has {what}")
    try:
        return _done(key, task, pieces, first.get(address, 0))
    except Exception as error:
        raise _named(error, address) from None


def _done(key: str, task: bytes, pieces: bytes, first: int) -> tuple[float, bytes]:
    _place.number = first + _places.setdefault(threading.get_ident(), len(_places))
    function, begin, given = pickle.loads(task)
    made = _make(key, begin, given)
    try:
        began = time.perf_counter()
        results = [function(made.what, piece) for piece in pickle.loads(pieces)]
        seconds = time.perf_counter() - began
    finally:
        made.used, made.busy = time.monotonic(), False
    return seconds, pickle.dumps(results, pickle.HIGHEST_PROTOCOL)


def _named(error: Exception, address: str) -> Exception:
    """Return the error to raise where the work comes from; it names the worker."""
    if not isinstance(error, GotoolsError):
        if ran_out(error):
            error = OutOfMemory()
        elif isinstance(error, OSError) and error.strerror:  # a full disk, a file that is missing on this machine
            error = GotoolsError(f"{error.strerror}{f': {error.filename}' if error.filename else ''}")
        else:
            return RuntimeError(f"on worker {address}:\n{''.join(traceback.format_exception(error))}")
    error.args = (f"worker {address}: {error}",)
    return error


def _make(key: str, begin: Any, given: Any) -> _Made:
    """Return what a task has made in this thread, marked as busy; make it if need be, and end what was made before."""
    mine = key, threading.get_ident()
    with _lock:
        found = _made.get(mine)
        if found is not None:
            found.busy = True
            return found
        others = [name for name in _made if name[1] == mine[1]]
        old = [_made.pop(name) for name in others[: len(others) - KEPT + 1]]
    _close(old)
    if key not in _over:
        fresh = _Made(begin(*given), busy=True)
        with _lock:
            ended = key in _over
            if not ended:
                _made[mine] = fresh
        if not ended:
            _watch()
            return fresh
        _close([fresh])
    raise GotoolsError("the work is over")  # the client does not wait for the batch any more


async def release(keys: list[str]) -> None:
    """End what tasks have made, also where it is in use."""
    import asyncio  # dask has it here; where the work comes from it would take time

    with _lock:
        _over.extend(keys)
        ended = [_made.pop(name) for name in list(_made) if name[0] in keys]
    await asyncio.to_thread(_close, ended)


def _close(ended: list[_Made]) -> None:
    for one in ended:
        if hasattr(one.what, "close"):
            with suppress(Exception):
                one.what.close()


@cache
def _watch() -> None:
    """Start the thread that ends what has not been used for long."""
    threading.Thread(target=_end_idle, daemon=True).start()


def _end_idle() -> None:
    while True:
        time.sleep(IDLE / 10)
        long_ago = time.monotonic() - IDLE
        with _lock:
            idle = [name for name, one in _made.items() if not one.busy and one.used < long_ago]
            ended = [_made.pop(name) for name in idle]
        _close(ended)
