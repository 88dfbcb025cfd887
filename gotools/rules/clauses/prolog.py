"""Query SWI-Prolog in a process of its own, which is killed at a limit, on Ctrl-C, and at the end.

Answers are JSON of bounded size; the caller checks their content. See prolog_worker.py for the limits.
"""

from __future__ import annotations

import atexit
import fcntl
import importlib.util
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from gotools.base.errors import GotoolsError, MissingTool
from gotools.rules.clauses.prolog_worker import CPU, MEMORY_LIMIT

SECONDS = 10
"""Seconds for one question, or for reading one clause, after which the process is killed. It is also killed when a
batch takes longer than this plus a second per question."""

MOST_BYTES = 1 << 26
"""Bytes of one answer."""

_TICK = 200  # milliseconds
_KEPT = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBSWIPL_PATH", "SWI_HOME_DIR")
"""Variables by which pyswip finds SWI-Prolog; the worker deletes them before it reads the user's file. HOME is an empty
folder, so that the user's settings of SWI-Prolog are not read."""


class PrologStopped(Exception):
    """Why the process had to end, and at which line or predicate (None: unknown)."""

    def __init__(self, what: str, at: int | None) -> None:
        self.what = what
        self.at = at
        super().__init__(what)


class Prolog:
    """A running SWI-Prolog with background_loader.pl and a vocabulary. A failed question ends it: see `alive`."""

    def __init__(self, vocabulary: str) -> None:
        """Start it; vocabulary -- the file that defines that of a game.

        Raises MissingTool if pyswip or SWI-Prolog is missing or does not work, GotoolsError where the system has no
        room for a process.
        """
        found = importlib.util.find_spec("pyswip")
        if found is None or found.origin is None:
            raise MissingTool("the Python package pyswip", "`pip install pyswip`, needed for --background")
        try:
            self._start(Path(found.origin).parents[1], vocabulary)
        except OSError as error:
            raise GotoolsError(f"cannot start SWI-Prolog: {error.strerror or error}") from error

    def _start(self, packages: Path, vocabulary: str) -> None:
        here = Path(__file__).parent
        worker, loader = str(here / "prolog_worker.py"), str(here / "background_loader.pl")
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 -- closed by close()
        folder = ""
        try:
            fcntl.fcntl(self._log, fcntl.F_SETFL, fcntl.fcntl(self._log, fcntl.F_GETFL) | os.O_APPEND)
            folder = tempfile.mkdtemp(prefix="gotools-")
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", worker, str(os.getpid()), str(packages), loader, vocabulary],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                cwd=folder,  # empty, and gone as soon as Prolog runs: nothing can be made there
                env={name: os.environ[name] for name in _KEPT if name in os.environ} | {"HOME": folder},
                start_new_session=True,
            )
            atexit.register(self.close)
            self._begin()
        except BaseException:
            self._log.close()
            raise
        finally:
            with suppress(OSError):
                os.rmdir(folder)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, goal: str) -> Any:
        """Run a goal once, and return the JSON that it binds Answer to.

        Raises PrologStopped if the process takes too long, breaks, or answers nonsense; it is dead then, as it
        is after Ctrl-C.
        """
        try:
            os.ftruncate(self._log.fileno(), 0)
            self._send(goal.encode())
            return self._parsed(self._receive())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kill the process. May be called again."""
        self._kill()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        atexit.unregister(self.close)

    def _kill(self) -> None:
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _begin(self) -> None:
        try:
            said = self._receive()
        except PrologStopped as error:
            said = error.what.encode()
        except BaseException:
            self.close()
            raise
        if said != b"ready":
            self.close()
            packages = "the system's packages, e.g. `apt-get install swi-prolog` or `swi-prolog-nox`"
            why = said.decode(errors="replace")[:200]
            raise MissingTool("SWI-Prolog, which --background needs,", f"install it from {packages} ({why})")

    def _send(self, data: bytes) -> None:
        """Write a request. The worker reads all of it before it answers, so neither waits for the other."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(len(data).to_bytes(4, "big") + data)
            self._process.stdin.flush()
        except BrokenPipeError:
            self._stop_with_reason()

    def _receive(self) -> bytes:
        """Read an answer within the time limit."""
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        received, wanted = bytearray(), 4
        steps, seen = 0, 0
        begin = since = time.monotonic()
        while len(received) < wanted:
            if poll.poll(_TICK):
                part = os.read(pipe, 1 << 20)
                if not part:
                    self._stop_with_reason()
                received += part
                if wanted == 4 and len(received) >= 4:
                    wanted += int.from_bytes(received[:4], "big")
                if max(wanted, len(received)) > MOST_BYTES:
                    self._stop(f"gives more than {MOST_BYTES >> 20} MiB of answers")
            fresh = os.pread(self._log.fileno(), 1 << 24, seen)
            seen, steps, now = seen + len(fresh), steps + fresh.count(b"\n"), time.monotonic()
            since = now if fresh else since
            if fresh and self._has_words():
                self._stop_with_reason()
            if now - since > SECONDS:
                self._stop(f"took more than {SECONDS} seconds; is it endless?")
            if now - begin > SECONDS + steps:
                self._stop("takes more than a second a time")
        return bytes(received[4:])

    def _parsed(self, text: bytes) -> Any:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            self._stop("SWI-Prolog's answer cannot be read")
        if isinstance(found, dict) and "broken" in found:
            self._stop(f"SWI-Prolog: {str(found['broken'])[:300]}")
        return found

    def _tail(self) -> bytes:
        at = max(0, os.fstat(self._log.fileno()).st_size - 4096)
        return os.pread(self._log.fileno(), 4096, at)

    def _has_words(self) -> bool:
        """Return whether the log holds more than numbers: SWI-Prolog reports why it breaks, and may hang after that."""
        return self._tail().translate(None, b"0123456789\n") != b""

    def _stop(self, what: str) -> NoReturn:
        numbers = [w for w in self._tail().split(b"\n") if w.isdigit() and len(w) < 10]
        self._kill()
        raise PrologStopped(what, int(numbers[-1]) if numbers else None)

    def _stop_with_reason(self) -> NoReturn:
        """Raise PrologStopped with the reason why the process ended, or is about to."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        if code == -signal.SIGXCPU:
            self._stop(f"took more than {CPU:,} seconds of CPU time in all")
        self._stop(f"SWI-Prolog broke: not enough memory ({MEMORY_LIMIT >> 20:,} MiB), or a term too deep for it")


_running: dict[str, Prolog] = {}


def running_prolog(vocabulary: str) -> Prolog:
    """Return SWI-Prolog of this process with a vocabulary, started if none is running. Raises MissingTool."""
    found = _running.get(vocabulary)
    if found is None or not found.alive:
        found = _running[vocabulary] = Prolog(vocabulary)
    return found
