"""Talk to a Go engine over GTP (Go Text Protocol, version 2), and survive engines that hang, die or flood us.

    answers  the answers in an engine's output
    process  the process, its pipes and its end
    keeper   the program that starts it, and ends all that it started
    client   commands, deadlines, failures

No thread reads ahead: each call writes, waits and reads by itself, so one thread serves a game, and 128 engines
need no more. Output between two calls waits in the pipes.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from itertools import chain, count
from pathlib import PurePath
from typing import Final

from gotools.base.errors import EngineError
from gotools.base.screen_text import harmless
from gotools.gtp_client.answers import Answer, AnswerReader, Notes
from gotools.gtp_client.process import EngineProcess, split_command

QUIT_GRACE: Final = 2.0
"""Seconds between `quit` and TERM."""
DEATH_GRACE: Final = 1.0
"""Seconds that an engine has to end after it closed its stdout, so that its exit code is known."""
LOOK_AGAIN: Final = 0.2
"""Seconds between checks whether a silent engine still runs: a child of a dead one may hold the pipe open."""
ID_GRACE: Final = 0.5
"""Seconds that an answer without the command's id waits for one that has it, from an engine that gives ids."""
LAST_LINES: Final = 3
"""Lines of stderr shown when an engine dies."""
NO_QUIT: Final = "did not end at `quit`"
SAID_AFTER: Final = (3, 10, 30)
"""Seconds until the first report; the next ones come each minute."""
_MINUTE: Final = 60
_OPTIONS: Final = {"gnugo": "--mode gtp", "katago": "gtp", "leelaz": "--gtp"}
"""Options that make programs speak GTP, by program."""


class FailureKind(StrEnum):
    """The ways in which a command can fail."""

    refused = "refused"  # the answer began with `?`; the engine lives
    crash = "crash"  # the engine's process ended, or closed its output
    stall = "stall"  # no whole answer in time; the engine was killed
    flood = "flood"  # unbounded output; the engine was killed


class GtpFailure(EngineError):
    """A command failed: engine, command, reason. answer -- the text after the `?` of a refusal"""

    def __init__(self, engine: str, what: str, kind: FailureKind, answer: str = "") -> None:
        super().__init__(engine, what)
        self.kind = kind
        self.answer = answer


class GtpEngine:
    """Run one engine and send it commands; use it in a `with` block, whose end also ends the engine.

    command     -- as typed in a shell (it is split, but no shell runs it), or a list of words
    timeout     -- seconds that an answer may take, unless the call sets another limit
    folder      -- working folder of the engine
    environment -- added to ours
    heard       -- receives what it writes to stderr, while an answer is waited for

    `ask`, `knows` and `close` are for one thread at a time; `kill` may be called from any.
    Raises MissingTool if there is no such program, EngineError if it cannot be started.

    Public attributes:
      name    -- the command line
      timeout -- as above
    """

    def __init__(
        self,
        command: str | Sequence[str],
        timeout: float = 60.0,
        *,
        folder: str | None = None,
        environment: Mapping[str, str] | None = None,
        heard: Callable[[bytes], object] | None = None,
    ) -> None:
        words, self.name = split_command(command)
        self.timeout = timeout
        self._notes = Notes()
        self._answers = AnswerReader(self._notes)
        self._sent = 0  # id of the command sent last
        self._commands: frozenset[str] | None = None  # the answer to list_commands; None until it is sent
        self._known: dict[str, bool] = {}
        self._busy = threading.Lock()  # held while the pipes are in use
        self._closed = self._killed = False
        self._process = EngineProcess(words, self.name, folder, environment, heard)

    def __enter__(self) -> GtpEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- questions ----

    def ask(self, command: str, timeout: float | None = None) -> str:
        """Send one command and return its answer without the leading `=` and id.

        timeout -- seconds until the answer must be complete, the writing of the command included

        Raises GtpFailure when the engine refuses (`?`), dies, does not answer in time, or floods us; except after
        a refusal it is dead then. Raises ValueError for a command of more than one line.
        """
        return self.ask_timed(command, timeout)[0]

    def ask_timed(self, command: str, timeout: float | None = None) -> tuple[str, float]:
        """Ask as `ask` does; return the answer and the seconds from the end of writing to its arrival.

        An answer found complete after the deadline is returned: the machine may be late, not the engine.
        """
        return self._asked(command, timeout)

    def ask_until(self, command: str, enough: Callable[[str], bool], timeout: float | None = None) -> str:
        """Ask what is answered by report after report until anything comes in, such as lz-analyze; return the last.

        enough -- is called with each report, a line; once it says so, or half of the time is over, an empty line ends
            the answer

        Raises GtpFailure and ValueError as `ask` does.
        """
        return self._asked(command, timeout, enough)[0].rpartition("\n")[2]

    def knows(self, command: str) -> bool:
        """Return whether the engine has a command: by list_commands, else known_command; each is sent once.

        Raises GtpFailure as `ask` does, except for a refusal, which counts as no.
        """
        if self._commands is None:
            self._commands = frozenset(self._answer_or_empty("list_commands").split())
        if self._commands:
            return command in self._commands
        if command not in self._known:
            self._known[command] = self._answer_or_empty(f"known_command {command}").lower() == "true"
        return self._known[command]

    def _answer_or_empty(self, command: str) -> str:
        """Return the answer, "" for a refusal."""
        try:
            return self.ask(command).strip()
        except GtpFailure as failure:
            if failure.kind != FailureKind.refused:
                raise
            return ""

    # ---- its state ----

    @property
    def notes(self) -> list[str]:
        """Oddities since the last `take_notes`: a line for each kind, with a count and the first example."""
        return self._notes.texts()

    def take_notes(self) -> tuple[str, ...]:
        """Return the notes and forget them."""
        notes = tuple(self.notes)
        self._notes.clear()
        return notes

    def last_words(self) -> str:
        """Return the end of the engine's stderr, at most 8 KiB, up to the last answer.

        It is complete once the engine is dead.
        """
        return self._process.tail

    @property
    def stderr_bytes(self) -> int:
        """Bytes of stderr read so far."""
        return self._process.stderr_bytes

    @property
    def alive(self) -> bool:
        """Whether the engine runs and accepts commands."""
        return not self._closed and not self._killed and not self._process.exited()

    # ---- the end ----

    def close(self) -> None:
        """End the engine: `quit`, after 2 s TERM, after 1 s more KILL, to the whole group. Never raises, always reaps.

        An engine that `quit` does not end is noted. While another thread asks, this is `kill`.
        """
        if not self._busy.acquire(blocking=False):
            self.kill()
            return
        try:
            if not self._closed:
                self._quit()
        finally:  # a second Ctrl-C may interrupt, and the engine still ends
            self._finish()
            self._busy.release()

    def kill(self) -> None:
        """End the engine at once. A running `ask` raises GtpFailure (crash)."""
        self._killed = True
        self._process.signal(signal.SIGKILL)
        if self._busy.acquire(blocking=False):  # else the thread that asks finds it dead, and cleans up
            try:
                self._finish()
            finally:
                self._busy.release()

    def _quit(self) -> None:
        deadline = time.monotonic() + QUIT_GRACE
        self._sent += 1
        self._answers.expect(self._sent)
        self._process.send(b"%d quit\n" % self._sent)
        if not self._process.wait(deadline - time.monotonic()):
            self._notes.add(NO_QUIT)
            self._process.terminate()

    def _finish(self) -> int | None:
        self._closed = True
        return self._process.finish()

    # ---- one command, one answer ----

    def _asked(
        self, command: str, timeout: float | None, enough: Callable[[str], bool] | None = None
    ) -> tuple[str, float]:
        if "\n" in command or "\r" in command:
            raise ValueError(f"a GTP command is one line: {command!r}")
        with self._busy:
            answer, seconds = self._exchange(command, self.timeout if timeout is None else timeout, enough)
        if answer.refused:
            reason = harmless(answer.text) or "no reason given"
            raise GtpFailure(self.name, f"refuses `{command}`: {reason}", FailureKind.refused, answer.text)
        return answer.text, seconds

    def _exchange(self, command: str, timeout: float, enough: Callable[[str], bool] | None) -> tuple[Answer, float]:
        if self._closed:
            raise GtpFailure(self.name, "is no longer running", FailureKind.crash)
        deadline = time.monotonic() + timeout
        data, _, _ = self._process.read(0)
        self._answers.feed(data)  # output after the last answer
        self._sent += 1
        self._answers.expect(self._sent, reports=enough is not None)
        self._process.send(b"%d %s\n" % (self._sent, command.encode()))
        written = came = time.monotonic()
        gone = False
        while True:
            left = deadline - time.monotonic()
            sending = not self._process.sent
            data, now, ready = self._process.read(0 if gone else min(left, LOOK_AGAIN))
            if sending:
                written = now
            candidate = self._answers.candidate
            if data and (answer := self._answers.feed(data)):
                return answer, max(0.0, now - written)
            if enough is not None and (line := self._answers.last_line) and (left < timeout / 2 or enough(line)):
                self._process.send(b"\n")
                enough = None
            if self._answers.candidate is not candidate:
                came = now
            over = left <= 0 or gone or self._process.ended
            if (over or time.monotonic() - came > ID_GRACE) and (answer := self._answers.settle()):
                return answer, max(0.0, came - written)
            if self._answers.flooded or self._process.ended or self._killed or (gone and not ready):
                break
            if left <= 0:  # and the pipe was read once more after that
                break
            if not ready or self._process.deaf:
                gone = self._process.deaf or self._process.exited()
        raise self._failure(command, timeout)

    def _failure(self, command: str, timeout: float) -> GtpFailure:
        """End an engine that gave no answer, and return the failure."""
        if self._answers.flooded:
            self._finish()
            return GtpFailure(self.name, f"wrote {self._answers.flooded} at `{command}`", FailureKind.flood)
        over = self._process.ended or self._process.deaf or self._killed or self._process.exited()
        if not over:
            self._finish()
            return GtpFailure(self.name, self._stall(command, timeout), FailureKind.stall)
        return GtpFailure(self.name, self._death(command), FailureKind.crash)

    def _stall(self, command: str, timeout: float) -> str:
        within = f"within {timeout:g} s"
        if not self._process.sent:
            return f"did not read `{command}` from its stdin {within}"
        if self._answers.begun:
            return f"did not finish its answer to `{command}` {within}"
        more = " (it answered with the id of an earlier command)" if self._answers.stale else ""
        return f"gave no answer to `{command}` {within}{more}"

    def _death(self, command: str) -> str:
        if not self._killed:
            self._process.wait(DEATH_GRACE)
        ended, deaf = self._process.ended, self._process.deaf
        code = self._finish()
        lines = [line.strip()[:200] for line in self.last_words().splitlines() if line.strip()][-LAST_LINES:]
        words = "; ".join(lines) or self._answers.last_noise[:200].decode("utf-8", "replace")
        said = f"; it last said: {harmless(words)}" if words else ""
        if self._killed:
            return f"was killed at `{command}`" + said
        if code is None:
            closed = "stdout" if ended else "stdin" if deaf else "pipes"
            return f"closed its {closed} at `{command}`, and was killed" + said
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"died at `{command}` ({how})" + said


# who keeps us waiting -------------------------------------------------------------------------------------------------


@contextmanager
def waiting_reported(name: str, words: Sequence[str], say: Callable[[str], None]) -> Iterator[None]:
    """Report, from another thread, how long the block has waited for an engine, with a hint about its command.

    name -- the user's name for the engine; words -- its command
    """
    over = threading.Event()
    reporter = threading.Thread(target=_report, args=(name, words, say, over), daemon=True)
    reporter.start()
    try:
        yield
    finally:
        over.set()
        reporter.join()


def _report(name: str, words: Sequence[str], say: Callable[[str], None], over: threading.Event) -> None:
    began, hint = time.monotonic(), hint_of(words)
    for seconds in chain(SAID_AFTER, count(_MINUTE, _MINUTE)):
        if over.wait(max(0.0, began + seconds - time.monotonic())):
            return
        say(f"waiting for engine {name} ({seconds} s){f'; {hint}' if hint else ''}")


def hint_of(words: Sequence[str]) -> str:
    """Return a hint at what a command without answers may lack; "" if it names GTP already."""
    if any("gtp" in word.lower() for word in words):
        return ""
    program = PurePath(words[0]).stem.lower()
    option = next((option for known, option in _OPTIONS.items() if program.startswith(known)), "")
    return f"does its command need `{option}`?" if option else "does its command need an option such as `--mode gtp`?"
