"""Ctrl-C: one line and exit code 130, at any moment.

Python turns the signal into a KeyboardInterrupt anywhere. In code of libraries that does harm: an import or a function
that C calls prints it, swallows it, or turns it into another error, and locks stay locked for ever. Until a command
begins nothing can be lost, so the process ends at once. While it runs, the exception is raised in functions of this
package alone, as soon as one goes on, or where a function waits; if Python drops it there, because C had called the
function, it is raised again. A second Ctrl-C before that ends the process.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # built in; `signal` itself would load enum, re, ... first
import os
import sys

if sys.platform != "win32":  # which has no setitimer either
    import resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

EXIT_INTERRUPTED = 130
_LATER = 0.01
"""Seconds after which it is looked again whether a function waits."""
_WAITING = 0.0005
"""Seconds of the processor between two looks up to which it does."""
_OURS = os.path.dirname(os.path.dirname(__file__)) + os.sep
_LOCKING = ("__enter__", "acquire", "_acquire_restore")
"""Functions that take a lock: an interrupt raised as they return would leave it locked."""
_FIRST = (_OURS + "cli.py", _OURS + "commands" + os.sep)
"""Where commands begin: what lies below has called them."""
_pending = False  # whether a Ctrl-C waits for the right place
_seen = (0, 0, 0.0, 0)  # at the last look: the frame, the instruction, the time of the processor, the waits so far


def leave_on_interrupt() -> None:
    """From now on end the process at Ctrl-C, without cleaning up; does nothing if Ctrl-C is ignored."""
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, _raise_where_safe):
        signal.signal(signal.SIGINT, _leave)
        if _pending:
            signal.raise_signal(signal.SIGINT)


def raise_on_interrupt() -> None:
    """From now on raise KeyboardInterrupt at Ctrl-C again; does nothing without `leave_on_interrupt` before."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, _raise_where_safe if hasattr(signal, "setitimer") else signal.default_int_handler)
        if hasattr(signal, "setitimer") and sys.unraisablehook is not _say_unless_interrupt:
            sys.unraisablehook = _say_unless_interrupt
            signal.signal(signal.SIGALRM, _look_again)


def from_interrupt(error: BaseException) -> bool:
    """Return whether an error comes from Ctrl-C: it was raised because of it, or while it was being handled."""
    return any(isinstance(one, KeyboardInterrupt) for one in causes(error))


def causes(error: BaseException) -> list[BaseException]:
    """List an error, and those because of which, or during whose handling, it was raised."""
    found = [error]
    for one in found:  # grows during the loop
        more = {one.__cause__, one.__context__}.difference(found)
        found += [other for other in more if other is not None]
    return found


def _leave(number: int, frame: object) -> None:
    try:
        os.write(2, b"gotools: interrupted\n")
    finally:
        os._exit(EXIT_INTERRUPTED)


def _raise_where_safe(number: int, frame: FrameType | None) -> None:
    global _pending
    if frame is not None and frame.f_code in (_look_again.__code__, _goes_on.__code__):
        frame = frame.f_back
    elif _pending:
        _leave(number, frame)
    if frame is None or _is_of_command(frame) or _waits(frame):
        raise KeyboardInterrupt
    _pending = True
    _follow(frame)
    signal.setitimer(signal.ITIMER_REAL, _LATER)


def _follow(frame: FrameType | None) -> None:
    """Have `_goes_on` called when the function of this package that a frame belongs to, or that called it, goes on."""
    while frame is not None and not _is_of_command(frame):
        frame = frame.f_back
    if frame is not None:
        frame.f_trace = _goes_on
        sys.settrace(lambda *_: None)


def _say_unless_interrupt(lost: sys.UnraisableHookArgs) -> None:
    """Print an exception that Python drops; of an interrupt do not, and raise it again later."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        signal.setitimer(signal.ITIMER_REAL, _LATER)
    else:
        sys.__unraisablehook__(lost)


def _look_again(number: int, frame: FrameType | None) -> None:
    global _pending
    _pending = False
    sys.settrace(None)
    signal.raise_signal(signal.SIGINT)  # not _raise_where_safe: someone may hold Ctrl-C back meanwhile


def _goes_on(frame: FrameType, event: str, argument: object) -> object:
    """Raise the interrupt, but not where a `with` block ends or a generator pauses: what is held would stay so."""
    global _pending
    from linecache import getline

    if event == "return":
        _follow(frame.f_back)
        return None
    if getline(frame.f_code.co_filename, frame.f_lineno).lstrip().startswith("with "):
        return _goes_on
    _pending, frame.f_trace = False, None
    sys.settrace(None)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.raise_signal(signal.SIGINT)
    return None


def _is_of_command(frame: FrameType | None) -> bool:
    """Return whether a frame, and all that lead to it from the command, are of this package; none frees anything."""
    while frame is not None and frame.f_code.co_filename.startswith(_OURS) and frame.f_code.co_name != "__exit__":
        if frame.f_code.co_filename.startswith(_FIRST):
            return True
        frame = frame.f_back
    return False


def _waits(frame: FrameType) -> bool:
    """Return whether a frame has done nothing since the last look: it waits for a lock, a process, the network.

    On a busy machine a frame that computes may not have done anything either, but it has not given up the processor.
    """
    global _seen
    usage = resource.getrusage(getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF))
    before, _seen = _seen, (id(frame), frame.f_lasti, usage.ru_utime + usage.ru_stime, usage.ru_nvcsw)
    if _seen[:2] != before[:2] or _seen[2] - before[2] > _WAITING or _seen[3] == before[3]:
        return False
    if frame.f_code.co_name in _LOCKING:
        return False
    caller: FrameType | None = frame
    while caller is not None and not caller.f_code.co_filename.startswith("<frozen importlib"):
        caller = caller.f_back
    return caller is None
