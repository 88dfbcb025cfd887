"""Answer a controller while the player's kernels are compiled: name, commands, and how a game begins.

Lines that set up a game are obeyed again when the player is there; the first line that needs the player waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final, cast

from gotools.base.clock import TimeControl
from gotools.base.errors import GotoolsError
from gotools.engines.gtp import clocks as gtp_clocks
from gotools.engines.gtp import setup as gtp_setup
from gotools.engines.gtp.about import Command
from gotools.engines.gtp.arguments import expect, read_integer
from gotools.engines.gtp.commands import COMMANDS
from gotools.engines.gtp.server import Beginning, GtpServer, Lines, Send
from gotools.engines.gtp.session import GtpSession
from gotools.engines.gtp.thinking import Session
from gotools.games.go.points import MAX_SIZE, MIN_SIZE
from gotools.jit import compiling
from gotools.work.workers import threads

LOOK: Final = 0.02
"""Seconds between looks whether the player is there."""


class _NeedsPlayerError(Exception):
    """A command that only the player can obey."""


@dataclass(frozen=True, slots=True)
class _State:
    komi: float = 7.5


@dataclass(eq=False)
class _Early:
    """A stand-in for the session: what early commands use."""

    player: SimpleNamespace
    state: _State = field(default_factory=_State)
    over: bool = False
    link: Any = None
    commands: Any = None

    def set_clock(self, control: TimeControl) -> None:
        """Do nothing: the line is obeyed again."""


def _boardsize(session: GtpSession, words: list[str]) -> str:
    expect(words, "SIZE", 1)
    if not MIN_SIZE <= read_integer(words[0], "the size") <= MAX_SIZE:
        raise GotoolsError("unacceptable size")
    return ""


def _clear_board(session: GtpSession, words: list[str]) -> str:
    expect(words, "", 0)
    return ""


_ABOUT_ITSELF: Final = ("cputime", "known_command", "list_commands", "name", "protocol_version", "quit", "version")
_CLOCKS: Final = ("kata-list_time_settings", "kata-time_settings", "kgs-time_settings", "time_settings")
_ANSWERS: Final[dict[str, Command]] = {name: COMMANDS[name] for name in _ABOUT_ITSELF}
_BEGINS: Final[dict[str, Command]] = {
    "boardsize": _boardsize,
    "clear_board": _clear_board,
    "komi": gtp_setup.COMMANDS["komi"],
    **{name: gtp_clocks.COMMANDS[name] for name in _CLOCKS},
}


class _EarlyServer(GtpServer):
    """Obey what needs no player; raises _NeedsPlayerError for other commands, and says nothing to them."""

    def __init__(self, session: _Early, lines: Lines, send: Send, any_size: bool) -> None:
        super().__init__(cast(Session, session), COMMANDS, lines, send)
        self._any_size = any_size
        self.begins = False

    def _find(self, name: str) -> Command | None:
        self.begins = name in _BEGINS
        if name not in COMMANDS:
            return None
        if name == "boardsize" and not self._any_size:
            raise _NeedsPlayerError(name)
        found = _ANSWERS.get(name) or _BEGINS.get(name)
        if found is None:
            raise _NeedsPlayerError(name)
        return found


def begin_early(
    begin: Callable[[], Session], lines: Lines, send: Send, *, name: str, any_size: bool
) -> tuple[Beginning, Session | None]:
    """Make a session in a thread, and where it has to compile answer meanwhile what needs no player.

    name, any_size -- see `answer_early`

    Returns what was answered, and the session; None if the controller has left, which ends compiling.
    Raises what `begin` raises.
    """
    try:
        with threads(1) as pool:
            before = compiling.spent()
            session = pool.submit(begin)
            try:
                while not session.done() and compiling.spent() == before:
                    time.sleep(LOOK)  # no early answer while kernels are only loaded: a genmove's clock would run
                beginning = answer_early(lines, send, name, lambda: not session.done(), any_size=any_size)
                return beginning, None if beginning.over else session.result()
            finally:
                compiling.stopping = True  # the block waits for the thread
    finally:
        compiling.stopping = False


def answer_early(lines: Lines, send: Send, name: str, loads: Callable[[], bool], *, any_size: bool = True) -> Beginning:
    """Answer what can be answered until the player is there or a line needs it; that line waits for it.

    name     -- the player's
    loads    -- returns whether the player is still being made
    any_size -- whether the player plays on boards of all sizes; else boardsize waits too
    """
    session = _Early(SimpleNamespace(name=name))
    server = _EarlyServer(session, lines, send, any_size)
    begun: list[bytes] = []
    while loads():
        if not lines.news():
            lines.wait(LOOK)
            continue
        line = lines.next()
        if line is None:
            return Beginning(over=True)
        try:
            server.obey(line)
        except _NeedsPlayerError:
            came = time.monotonic()
            while loads():
                time.sleep(LOOK)
            return Beginning(tuple(begun), line, waited=time.monotonic() - came)
        if session.over:
            return Beginning(over=True)
        if server.begins:
            begun.append(line)
    return Beginning(tuple(begun))
