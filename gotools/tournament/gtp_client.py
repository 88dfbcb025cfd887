"""Talk to a Go engine over GTP (Go Text Protocol, version 2), and survive engines that hang, die or babble."""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import IO

from gotools.errors import EngineError, MissingTool

LONGEST_LINE = 1 << 16  # bytes; what is longer arrives in pieces
WAITING_LINES = 10_000  # an engine that writes on and on is held up here, not kept in memory
LAST_WORDS = 3  # lines of stderr shown when an engine dies
GRACE = 2.0  # seconds between `quit`, closing its input, and killing it


class GtpEngine:
    """Run one engine and ask it commands; use it in a `with` block, whose end also ends the engine.

    command -- as typed in a shell (it is split, but no shell runs it), or a list of words
    timeout -- seconds that an answer may take, unless the question says otherwise

    The engine lives in a process group of its own, so that Ctrl-C reaches us first and its children die with it.
    Raises MissingTool where there is no such program, EngineError where it cannot be started.
    """

    def __init__(self, command: str | Sequence[str], timeout: float = 60.0) -> None:
        try:
            words = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise EngineError(str(command), f"cannot be split into words: {error}") from error
        self.name = command if isinstance(command, str) else shlex.join(words)
        self.timeout = timeout
        if not words:
            raise EngineError(self.name, "an empty command")
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except FileNotFoundError as error:
            raise MissingTool(f"the engine `{words[0]}`", "install it, or name another with --engine") from error
        except OSError as error:
            raise EngineError(self.name, f"cannot be started: {error.strerror}") from error
        self._lines: queue.Queue[bytes | None] = queue.Queue(WAITING_LINES)
        self._complaints: deque[str] = deque(maxlen=LAST_WORDS)
        self._closed = False
        assert self._process.stdout is not None and self._process.stderr is not None
        self._readers = [
            threading.Thread(target=self._read_answers, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._read_complaints, args=(self._process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> GtpEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, command: str, timeout: float | None = None) -> str:
        """Send one command and return its answer without the leading `=`.

        Raises EngineError when the engine refuses (`?`), dies, or does not answer in time; after the last two it is
        gone.
        """
        refused, answer = self._exchange(command, self.timeout if timeout is None else timeout)
        if refused:
            raise EngineError(self.name, f"refuses `{command}`: {answer or 'no reason given'}")
        return answer

    def knows(self, command: str) -> bool:
        """Tell whether the engine has a command; an engine that cannot say has not."""
        refused, answer = self._exchange(f"known_command {command}", self.timeout)
        return not refused and answer.strip().lower() == "true"

    def close(self) -> None:
        """End the engine: `quit`, then its input closed, then killed with its children. Never raises."""
        if self._closed:
            return
        self._closed = True
        with suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.write(b"quit\n")
            self._process.stdin.close()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE)
        self._kill()

    # ---- one question, one answer ----

    def _exchange(self, command: str, timeout: float) -> tuple[bool, str]:
        if self._closed:
            raise EngineError(self.name, "is no longer running")
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(command.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._death(command) from None
        deadline = time.monotonic() + timeout
        first = self._line(command, deadline, timeout)
        while not first.startswith(("=", "?")):  # a banner, or what some engines print between answers
            first = self._line(command, deadline, timeout)
        lines = [first[1:].lstrip("0123456789").strip()]
        while line := self._line(command, deadline, timeout):
            lines.append(line)
        return first.startswith("?"), "\n".join(lines).strip()

    def _line(self, command: str, deadline: float, timeout: float) -> str:
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            self._kill()
            raise EngineError(self.name, f"gave no answer to `{command}` within {timeout:g} s") from None
        if line is None:
            raise self._death(command)
        if time.monotonic() > deadline:
            self._kill()
            raise EngineError(self.name, f"did not finish its answer to `{command}` within {timeout:g} s")
        return line.decode("utf-8", "replace").replace("\t", " ").rstrip()

    def _death(self, command: str) -> EngineError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self._kill()
        self._readers[1].join(GRACE)
        code = self._process.returncode
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        words = "; ".join(self._complaints)
        return EngineError(self.name, f"died at `{command}` ({how})" + (f"; it last said: {words}" if words else ""))

    def _kill(self) -> None:
        self._closed = True
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        with suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        for reader in self._readers:  # each closes its own stream
            reader.join(GRACE)

    # ---- the two readers ----

    def _read_answers(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(LONGEST_LINE):
                self._hand_over(line)
        self._hand_over(None)

    def _read_complaints(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(LONGEST_LINE):
                if text := line.decode("utf-8", "replace").strip():
                    self._complaints.append(text[:200])

    def _hand_over(self, line: bytes | None) -> None:
        """Queue a line, or drop it once nobody will read it: an engine that writes without end must not hold us up."""
        while not self._closed:
            with suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return
