"""The Go Text Protocol, version 2: lines in, answers out, and nothing that comes in ends the session but `quit`.

A thread reads stdin, so that an analysis can end as soon as anything comes in; the main thread obeys one command after
the other. Source: G. Farneback, Specification of the Go Text Protocol, version 2, draft 2 (2002), chapters 2 and 3.
"""

from __future__ import annotations

import os
import re
import select
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

from gotools.base.errors import GotoolsError
from gotools.engines.gtp.session import Command, Session

Send = Callable[[bytes], None]
LONGEST_LINE: Final = 1 << 16
"""Bytes; what is longer is refused, unless the rest is a comment, and not kept."""
WAITING: Final = 1 << 20
"""Bytes of lines that wait for their turn; what comes then waits in the pipe."""
LARGEST_ID: Final = 2**31 - 1
POLL: Final = 0.05
"""Seconds between looks at a thought that goes on after the end of stdin."""

_CONTROL: Final = {byte: None for byte in (*range(32), 127) if byte not in (9, 10)} | {9: 32}
_ID: Final = re.compile(r" *([0-9]+)(?: +|$)")


class Lines(Protocol):
    """Where commands come from."""

    def next(self) -> bytes | None:
        """Wait for the next line and return it, at most LONGEST_LINE + 1 bytes of it; None at the end of input."""

    def news(self) -> bool:
        """Return whether a line waits, or the end has come."""

    def wait(self, seconds: float) -> None:
        """Wait for news, at most the seconds."""


class StreamLines:
    """The lines of a file descriptor, read by a thread of their own; memory stays bounded.

    came  -- called by that thread after each line, and at the end
    ended -- called by it after the end, as its last act
    """

    def __init__(self, descriptor: int, came: Callable[[], None], ended: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._came, self._ended = came, ended
        self._lines: deque[bytes] = deque()
        self._bytes = 0
        self._over = False
        self._change = threading.Condition()
        threading.Thread(target=self._read, daemon=True, name="gtp input").start()

    def next(self) -> bytes | None:
        with self._change:
            self._change.wait_for(self._news)
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._bytes -= len(line) + 1
            self._change.notify_all()
            return line

    def news(self) -> bool:
        with self._change:
            return self._news()

    def wait(self, seconds: float) -> None:
        with self._change:
            self._change.wait_for(self._news, seconds)

    def _news(self) -> bool:
        return bool(self._lines) or self._over

    def _read(self) -> None:
        rest, dropping = bytearray(), False
        while part := self._part():
            rest += part
            if b"\n" in part:
                *whole, rest = rest.split(b"\n")
                for line in whole[1:] if dropping else whole:
                    self._put(bytes(line[: LONGEST_LINE + 1]))
                dropping = False
            if len(rest) > LONGEST_LINE:
                if not dropping:
                    self._put(bytes(rest[: LONGEST_LINE + 1]))
                rest, dropping = bytearray(), True
        if rest and not dropping:
            self._put(bytes(rest))
        with self._change:
            self._over = True
            self._change.notify_all()
        self._came()
        self._ended()

    def _part(self) -> bytes:
        try:
            return os.read(self._descriptor, LONGEST_LINE)
        except OSError:  # closed, or a terminal that went away
            return b""

    def _put(self, line: bytes) -> None:
        with self._change:
            self._change.wait_for(lambda: self._bytes < WAITING)
            self._lines.append(line)
            self._bytes += len(line) + 1
            self._change.notify_all()
        self._came()


class Beginning(NamedTuple):
    """What happened before the player was there.

    begun  -- lines answered already, which the session has to obey
    line   -- the line that waits for the player; None if none does
    over   -- whether the player is no longer wanted
    waited -- seconds that `line` has waited
    """

    begun: tuple[bytes, ...] = ()
    line: bytes | None = None
    over: bool = False
    waited: float = 0.0


Early = Callable[[Callable[[], Session], Lines, Send], tuple[Beginning, Session | None]]
"""Makes a session and answers meanwhile: `early.begin_early` for one player."""


class GtpServer:
    """Obey the lines of a controller; the `link` of a session.

    commands -- of the game, by name
    send -- writes bytes at once; BrokenPipeError and the like pass through
    """

    def __init__(self, session: Session, commands: Mapping[str, Command], lines: Lines, send: Send) -> None:
        self.session = session
        self._lines = lines
        self._send = send
        self._id = ""
        self._begun = False
        session.link, session.commands = self, commands

    def serve(self) -> None:
        """Obey until `quit` or the end of input."""
        while not self.session.over and (line := self._lines.next()) is not None:
            self.obey(line)

    def take_up(self, beginning: Beginning) -> None:
        """Obey again the lines that were answered early, then the line that waited, whose clock ran meanwhile."""
        send, self._send = self._send, lambda data: None
        for line in beginning.begun:
            self.obey(line)
        self._send = send
        if beginning.line is not None:
            self.session.late = beginning.waited
            self.obey(beginning.line)
            self.session.late = 0.0

    def obey(self, raw: bytes) -> None:
        """Do what a line says and send the answer; nothing for empty lines and comments."""
        text = raw.decode("utf-8", "surrogateescape").translate(_CONTROL).partition("#")[0].strip(" ")
        self._id, self._begun = "", False
        if (found := _ID.match(text)) and len(found[1]) < 12 and int(found[1]) <= LARGEST_ID:
            self._id = str(int(found[1]))
            text = text[found.end() :]
        if len(raw) > LONGEST_LINE and b"#" not in raw:  # a comment may be of any length
            self._answer(False, "line too long")
            return
        if not text and not self._id:
            return
        name, *words = [word for word in text.split(" ") if word] or [""]
        before, command = self.session.state, self._find(name)
        try:
            if command is None:
                raise GotoolsError("unknown command")
            text = command(self.session, words)
        except (GotoolsError, ValueError) as error:
            self.session.state = before
            self._answer(False, str(error))
        except BrokenPipeError:  # the controller has gone
            raise
        except MemoryError:
            self.session.state = before
            self._answer(False, "out of memory")
        except Exception as error:
            self.session.state = before
            complain()
            self._answer(False, f"internal error: {type(error).__name__}: {error}")
        else:
            self._answer(True, text)

    def _find(self, name: str) -> Command | None:
        """Return what obeys a command; None for an unknown one."""
        return self.session.commands.get(name)

    # the link --------------------------------------------------------------------------------------------------------

    def say(self, line: str) -> None:
        """Send a line of an answer that goes on; the first call begins the answer."""
        begin = "" if self._begun else f"={self._id}\n"
        self._begun = True
        self._send(_encode(begin + line + "\n" if line else begin))

    def news(self) -> bool:
        """Return whether anything has come in since the command, the end of input included."""
        return self._lines.news()

    def wait(self, seconds: float) -> None:
        """Wait until there is news, or until the seconds are over."""
        self._lines.wait(seconds)

    def _answer(self, good: bool, text: str) -> None:
        """End the answer: `=` or `?` with the id, lines that are not empty, an empty line."""
        lines = "\n".join(line for line in text.splitlines() if line.strip())
        if self._begun:  # too late to refuse what has begun well
            self._send(_encode(f"{lines}\n\n" if good and lines else "\n"))
        elif text.startswith("\n"):  # a board looks best below the sign
            self._send(_encode(f"{'=' if good else '?'}{self._id}\n{lines}\n\n"))
        else:
            self._send(_encode(f"{'=' if good else '?'}{self._id} {lines}".rstrip(" ") + "\n\n"))


def complain() -> None:
    """Print the traceback to stderr, where there is one: Python would print it to stdout instead."""
    with suppress(OSError, ValueError):
        if sys.stderr is not None:
            traceback.print_exc()


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def serve(begin: Callable[[], Session], commands: Mapping[str, Command], early: Early | None = None) -> None:
    """Serve the controller at stdin and stdout until `quit`, the end of stdin, or until stdout is closed.

    begin    -- makes the session
    commands -- of its game, by name
    early    -- makes it with `begin`, and answers meanwhile (`early.begin_early`)

    Raises BrokenPipeError where stdout is closed; cli.py ends quietly then. Ctrl-C passes through.
    """
    session = None if early is not None else begin()
    if sys.stdout is None:  # closed by the shell: no answer can be read
        return
    sys.stdout.flush()
    out, there = sys.stdout.fileno(), threading.Event()

    def came() -> None:
        if session is not None:
            session.input_came()

    def ended() -> None:
        there.wait()
        if session is not None:
            _see_off(session, out)

    def send(data: bytes) -> None:
        write_all(out, data)

    lines = StreamLines(stdin_descriptor(), came, ended)
    try:
        beginning = None
        if early is not None:
            beginning, session = early(begin, lines, send)
        if session is None:
            return
        there.set()
        server = GtpServer(session, commands, lines, send)
        if beginning is not None:
            server.take_up(beginning)
        server.serve()
    finally:
        there.set()
        if session is not None:
            session.over = True


def stdin_descriptor() -> int:
    """Return stdin's descriptor, or one that is at its end where stdin is closed."""
    try:
        return sys.stdin.fileno()
    except (AttributeError, ValueError, OSError):
        return os.open(os.devnull, os.O_RDONLY)


def write_all(descriptor: int, data: bytes) -> None:
    """Write to a descriptor at once."""
    while data:
        data = data[os.write(descriptor, data) :]


def _see_off(session: Session, out: int) -> None:
    """Hurry the last moves after the end of stdin, the more so when stdout is closed."""
    session.ended, ended_at = True, time.monotonic()
    while not session.over:
        session.hurry(ended_at, _is_broken(out))
        time.sleep(POLL)


def _is_broken(descriptor: int) -> bool:
    """Return whether the reading end of a pipe is closed; False where the system cannot say."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(event & (select.POLLERR | select.POLLHUP | select.POLLNVAL) for _, event in poll.poll(0))
