"""Ctrl-C during the start: one line and exit code 130, at any moment.

Python turns the signal into a KeyboardInterrupt anywhere, also inside an import, whose library may
print it, swallow it, or turn it into another error. Until a command begins nothing can be lost, so the process
ends at once instead.
"""

import _signal as signal  # type: ignore[import-not-found]  # built in; `signal` itself would load enum, re, ... first
import os

EXIT_INTERRUPTED = 130


def leave_on_interrupt() -> None:
    """From now on end the process at Ctrl-C, without cleaning up; does nothing if Ctrl-C is ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def raise_on_interrupt() -> None:
    """From now on raise KeyboardInterrupt at Ctrl-C again; does nothing without `leave_on_interrupt` before."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(number: int, frame: object) -> None:
    try:
        os.write(2, b"gotools: interrupted\n")
    finally:
        os._exit(EXIT_INTERRUPTED)
