"""Run an engine behind three pipes that never block, and end it with its descendants."""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Final

from gotools.base.errors import EngineError, MissingTool
from gotools.gtp_client.bridged import bridge_words, is_bridged

READ_AT_ONCE: Final = 1 << 16  # bytes, the capacity of a pipe
LONGEST_TAIL: Final = 1 << 13
"""Bytes kept of the end of stderr."""
TERM_GRACE: Final = 1.0
"""Seconds between TERM and KILL."""
KILL_GRACE: Final = 2.0
"""Seconds that a killed process may take to vanish."""
LOOK_AGAIN: Final = 0.01
"""Seconds between checks whether a silent process has ended."""
_KEEPER: Final = str(Path(__file__).with_name("keeper.py"))
_KEPT: Final = sys.platform.startswith("linux")
"""Whether a program is started by a keeper, which ends all that it started."""
_READABLE: Final = select.POLLIN | select.POLLHUP | select.POLLERR


class EngineProcess:
    """Start a program in a session of its own: Ctrl-C at the terminal reaches us, not it, and its children die with it.

    On Linux that includes those in sessions of their own, and it dies with us, however we end: see keeper.py.

    words       -- program and arguments; no shell is involved
    name        -- its name in errors
    folder      -- its working folder
    environment -- added to ours
    heard       -- receives what it writes to stderr, while it is waited for

    One thread at a time may use it; `kill` alone may be called from another.
    Raises MissingTool if there is no such program, EngineError if it cannot be started.

    Public attributes:
      ended        -- it closed its stdout
      deaf         -- it closed its stdin
      stderr_bytes -- bytes that it wrote to stderr
    """

    def __init__(
        self,
        words: Sequence[str],
        name: str,
        folder: str | None = None,
        environment: Mapping[str, str] | None = None,
        heard: Callable[[bytes], object] | None = None,
    ) -> None:
        self._heard = heard
        self.ended = self.deaf = False
        self.stderr_bytes = 0
        self._tail = b""
        self._unsent = b""
        self._lock = threading.RLock()  # held to signal the group; reentrant, for a signal handler may do so too
        self._reaped = False
        self._process = _start(list(words), name, folder, {**os.environ, **(environment or {})})
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None and stdout is not None and stderr is not None
        self._streams = (stdin, stdout, stderr)
        self._stdin, self._stdout, self._stderr = (stream.fileno() for stream in self._streams)
        self._poll = select.poll()
        for stream in self._streams:
            os.set_blocking(stream.fileno(), False)
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)

    # ---- the pipes ----

    @property
    def sent(self) -> bool:
        """Whether all data sent is written."""
        return not self._unsent

    @property
    def tail(self) -> str:
        """The end of its stderr."""
        return self._tail.decode("utf-8", "replace")

    def send(self, data: bytes) -> None:
        """Write as much as the pipe accepts; `read` writes the rest."""
        if self._unsent:
            self._unsent += data
            return
        self._unsent = data
        self._write()
        if self._unsent:
            self._poll.register(self._stdin, select.POLLOUT)

    def read(self, seconds: float) -> tuple[bytes, float, bool]:
        """Wait for a pipe to become ready, up to a limit; write pending data, drain stderr, and read stdout once.

        Returns the bytes read, when (`time.monotonic`) a pipe was ready, and whether one was.
        """
        ready = self._poll.poll(max(0, ceil(seconds * 1000)))
        now = time.monotonic()
        data = b""
        for handle, event in ready:
            if handle == self._stdout and event & _READABLE:
                data = self._read_stdout()
            elif handle == self._stderr:
                self._read_stderr()
            elif handle == self._stdin:
                self._write()
                if not self._unsent:
                    self._poll.unregister(self._stdin)
        return data, now, bool(ready)

    def close_stdin(self) -> None:
        """Signal the end of input to the engine."""
        if self._unsent:
            self._poll.unregister(self._stdin)
            self._unsent = b""
        self._streams[0].close()
        self.deaf = True

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._stdin, self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:  # it closed its end
            self._unsent = b""
            self.deaf = True

    def _read_stdout(self) -> bytes:
        try:
            data = os.read(self._stdout, READ_AT_ONCE)
        except BlockingIOError:
            return b""
        if not data:
            self.ended = True
            self._poll.unregister(self._stdout)
        return data

    def _read_stderr(self) -> bool:
        try:
            data = os.read(self._stderr, READ_AT_ONCE)
        except BlockingIOError:
            return False
        if not data:
            self._poll.unregister(self._stderr)
        elif self._heard is not None:
            self._heard(data)
        self.stderr_bytes += len(data)
        self._tail = (self._tail + data)[-LONGEST_TAIL:]
        return bool(data)

    # ---- the end ----

    def exited(self) -> bool:
        """Return whether the program has ended. It is not reaped: its process number stays reserved until `finish`."""
        if self._reaped or self._process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self._process.poll() is not None
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def wait(self, seconds: float) -> bool:
        """Wait for it to end by itself, discarding its output; return whether it did."""
        deadline = time.monotonic() + seconds
        while not self.exited():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self.read(min(left, LOOK_AGAIN))
        return True

    def signal(self, number: int) -> None:
        """Send TERM or KILL to the whole group; may be called from any thread."""
        with self._lock, suppress(OSError):
            if self._reaped:
                return
            if _KEPT:
                os.kill(self._process.pid, signal.SIGUSR1 if number == signal.SIGKILL else number)
            else:
                os.killpg(self._process.pid, number)

    def terminate(self) -> None:
        """Send TERM and give it TERM_GRACE to end."""
        self.signal(signal.SIGTERM)
        self.wait(TERM_GRACE)

    def finish(self) -> int | None:
        """Kill the rest of it and all that it started, reap it, read the rest of stderr and close all pipes.

        Returns the exit code, negative for a signal; None if it ran until now.
        """
        by_itself = self.exited()
        with self._lock:
            self.signal(signal.SIGKILL)
            done, self._reaped = self._reaped, True  # from here on the process number may be reused
        if not done:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(KILL_GRACE)
            self._drain_stderr()
            for stream in self._streams:
                stream.close()
        return self._process.returncode if by_itself else None

    def _drain_stderr(self) -> None:
        for _ in range(2 * LONGEST_TAIL // 1024):  # bounded: a child that left the group may write for ever
            try:
                if not self._read_stderr():
                    return
            except (OSError, KeyError, ValueError):  # already closed or at its end
                return


def _start(words: list[str], name: str, folder: str | None, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    if folder is not None and not os.path.isdir(folder):
        raise EngineError(name, f"cannot be started: there is no folder {folder}")
    try:
        return _start_kept(words, folder, environment) if _KEPT else _start_plain(words, folder, environment)
    except FileNotFoundError as error:
        if os.sep in words[0] and Path(folder or ".", words[0]).exists():
            raise EngineError(name, "cannot be started: the interpreter in its first line is missing") from error
        raise MissingTool(f"the engine `{words[0]}`", "install it, or name another engine") from error
    except PermissionError as error:
        raise EngineError(name, f"cannot be started: {words[0]} may not be executed") from error
    except (OSError, ValueError) as error:
        raise EngineError(name, f"cannot be started: {getattr(error, 'strerror', None) or error}") from error


def _start_plain(
    words: list[str], folder: str | None, environment: Mapping[str, str], files: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        words,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        cwd=folder,
        env=environment,
        pass_fds=files,
    )


def _start_kept(words: list[str], folder: str | None, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a program by its keeper. Raises OSError where the keeper cannot start it."""
    process = None
    told, tell = os.pipe()
    try:
        keeper = [sys.executable, "-I", "-S", _KEEPER, str(os.getpid()), str(tell), *words]
        process = _start_plain(keeper, folder, environment, [tell])
        os.close(tell)
        tell = -1
        if number := os.read(told, 16):
            raise OSError(int(number), os.strerror(int(number)))
    except BaseException:
        if process is not None:
            process.send_signal(signal.SIGUSR1)
            process.communicate()
        raise
    finally:
        for end in (told, tell):
            if end >= 0:
                os.close(end)
    return process


def split_command(command: str | Sequence[str]) -> tuple[list[str], str]:
    """Return the words of a command line, as a shell splits it, and its text; of `usi:COMMAND` those of the bridge.

    Raises EngineError for an open quotation mark and for an empty command.
    """
    try:
        if isinstance(command, str):
            words = bridge_words(command) if is_bridged(command) else shlex.split(command)
        else:
            words = list(command)
    except ValueError as error:
        raise EngineError(str(command), f"cannot be split into words: {error}") from error
    name = command if isinstance(command, str) else shlex.join(words)
    if not words:
        raise EngineError(name, "an empty command")
    return words, name
