"""The time of compilation: announced on stderr, counted, and excluded from the seconds that commands report."""

from __future__ import annotations

import gc
import sys
import time
from typing import Any, Final

NOTICE: Final = "gotools: compiling kernels once for this machine, which takes up to a minute"
quiet = False
"""Set to True to leave out the notice about compilation."""
notified = False
"""Whether the notice has been printed: it comes once in a process."""
first: Any = None
"""In processes of a pool: a semaphore for the one that prints the notice."""

_spent = 0.0


def working_time() -> float:
    """Return seconds of a clock that stops while kernels are compiled; only differences are meaningful."""
    return time.monotonic() - spent()


def spent() -> float:
    """Return the seconds that this process has spent compiling so far."""
    return _spent + (time.monotonic() - _watch.since if _watch is not None and _watch.depth else 0.0)


def notify() -> None:
    """Print the notice, once in a process and in the processes of its pools."""
    global notified
    if not notified and not quiet and (first is None or first.acquire(block=False)):
        print(NOTICE, file=sys.stderr, flush=True)
    notified = True


_watch: Any = None


def watch() -> None:
    """Start watching numba's compilation, which happens under numba's lock, so in one thread at a time."""
    global _watch
    from numba.core import event

    if _watch is None:
        _watch = _make_watch(event.Listener)
        event.register("numba:compile", _watch)  # type: ignore[no-untyped-call]


def _make_watch(listener: type) -> Any:
    class Watch(listener):  # type: ignore[misc]
        """Counts nested compilations; stops the garbage collector meanwhile, which finds nothing and takes a tenth."""

        depth = 0
        since = 0.0
        collects = False

        def on_start(self, event: Any) -> None:
            if self.depth == 0:
                notify()
                self.collects, self.since = gc.isenabled(), time.monotonic()
                gc.disable()
            self.depth += 1

        def on_end(self, event: Any) -> None:
            global _spent
            self.depth -= 1
            if self.depth == 0:
                _spent += time.monotonic() - self.since
                if self.collects:
                    gc.enable()

    return Watch()
