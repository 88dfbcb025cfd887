"""Ctrl-C: one line and exit code 130, at any moment.

Python turns the signal into a KeyboardInterrupt anywhere. In some places that does harm: inside an import, whose
library may print it, swallow it, or turn it into another error; inside the locks of `threading`, which then stay
locked for ever; where C code calls back or an object is deleted, which only prints it. Until a command begins nothing
can be lost, so the process ends at once. While it runs, an interrupt in such a place is raised a moment later.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # built in; `signal` itself would load enum, re, ... first
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

EXIT_INTERRUPTED = 130
_LATER = 0.01
"""Seconds after which an interrupt that came in the wrong place is tried again."""
_WAITING = frozenset({"wait", "join", "_wait_for_tstate_lock"})
"""Functions of `threading` that may take long and keep no lock when they are interrupted."""
_LOCKING = ("threading.py", "queue.py", *(f"concurrent/futures/{name}.py" for name in ("thread", "process", "_base")))
_CALLED_BACK = ("threadpoolctl.py", "core/_internal.py")
"""threadpoolctl and numpy: called from C code that swallows an exception, or makes another error of it."""


def leave_on_interrupt() -> None:
    """From now on end the process at Ctrl-C, without cleaning up; does nothing if Ctrl-C is ignored."""
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, _raise_where_safe):
        signal.signal(signal.SIGINT, _leave)


def raise_on_interrupt() -> None:
    """From now on raise KeyboardInterrupt at Ctrl-C again; does nothing without `leave_on_interrupt` before."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, _raise_where_safe if hasattr(signal, "setitimer") else signal.default_int_handler)


def from_interrupt(error: BaseException) -> bool:
    """Return whether an error comes from Ctrl-C: it was raised because of it, or while it was being handled."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if isinstance(one, KeyboardInterrupt):
            return True
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            waiting += [one.__cause__, one.__context__]
    return False


def _leave(number: int, frame: object) -> None:
    try:
        os.write(2, b"gotools: interrupted\n")
    finally:
        os._exit(EXIT_INTERRUPTED)


def _raise_where_safe(number: int, frame: FrameType | None) -> None:
    if _harmful(frame):
        signal.signal(signal.SIGALRM, _again)
        signal.setitimer(signal.ITIMER_REAL, _LATER)
    else:
        raise KeyboardInterrupt


def _again(number: int, frame: FrameType | None) -> None:
    signal.raise_signal(signal.SIGINT)  # not _raise_where_safe: someone may hold Ctrl-C back meanwhile


def _harmful(frame: FrameType | None) -> bool:
    """Return whether an exception must not be raised in a frame."""
    if frame is not None and frame.f_code is _again.__code__:
        frame = frame.f_back
    if frame is not None and frame.f_code.co_filename.endswith(_LOCKING) and frame.f_code.co_name not in _WAITING:
        return True
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith("<frozen importlib") or code.co_filename.endswith(_CALLED_BACK):
            return True
        if code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False
