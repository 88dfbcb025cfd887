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
from typing import Final, Protocol

from gotools.base.errors import GotoolsError
from gotools.engines.gtp.session import Command, Session

Send = Callable[[bytes], None]
LONGEST_LINE: Final = 1 << 16
"""Bytes; what is longer is refused, unless the rest is a comment, and not kept."""
WAITING: Final = 1 << 20
"""Bytes of lines that wait for their turn; what comes then waits in the pipe."""
LARGEST_ID: Final = 2**31 - 1
IDLE: Final = 0.1
"""Seconds without a command after which a new player gets ready, before it is asked."""
READY_COMMANDS: Final = ("cputime", "known_command", "list_commands", "name", "protocol_version", "quit", "version")
"""What a new player answers before it is ready."""
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


class GtpServer:
    """Obey the lines of a controller; the `link` of a session.

    commands -- of the game, by name
    send -- writes bytes at once; BrokenPipeError and the like pass through
    prepare -- makes the player ready, once, when it is asked for more than its name, or is not asked for a moment
    """

    def __init__(
        self,
        session: Session,
        commands: Mapping[str, Command],
        lines: Lines,
        send: Send,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        self.session = session
        self._lines = lines
        self._send = send
        self._prepare = prepare
        self._id = ""
        self._begun = False
        session.link, session.commands = self, commands

    def serve(self) -> None:
        """Obey until `quit` or the end of input."""
        while not self.session.over:
            if self._prepare and not self.news():
                self.wait(IDLE)
                if not self.news():
                    self._be_ready()
            if (line := self._lines.next()) is None:
                break
            self.obey(line)

    def _be_ready(self) -> None:
        prepare, self._prepare = self._prepare, None
        if prepare:
            prepare()

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
        before, command = self.session.state, self.session.commands.get(name)
        if command is not None and name not in READY_COMMANDS:
            self._be_ready()
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


def serve(
    begin: Callable[[], Session], commands: Mapping[str, Command], prepare: Callable[[], None] | None = None
) -> None:
    """Serve the controller at stdin and stdout until `quit`, the end of stdin, or until stdout is closed.

    begin    -- makes the session
    commands -- of its game, by name
    prepare  -- as for GtpServer

    Raises BrokenPipeError where stdout is closed; cli.py ends quietly then. Ctrl-C passes through.
    """
    session = begin()
    if sys.stdout is None:  # closed by the shell: no answer can be read
        return
    sys.stdout.flush()
    out = sys.stdout.fileno()

    def send(data: bytes) -> None:
        write_all(out, data)

    try:
        lines = StreamLines(stdin_descriptor(), session.input_came, lambda: _see_off(session, out))
        GtpServer(session, commands, lines, send, prepare).serve()
    finally:
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
