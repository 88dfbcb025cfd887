"""What is answered at once while kernels are still being compiled: who is there, what it can do, how a game begins.

Lines that set up a game are obeyed again when the player is there; the first one that needs it waits.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, cast

from gotools.clock import TimeControl
from gotools.errors import GotoolsError
from gotools.go.points import MAX_SIZE, MIN_SIZE
from gotools.player.gtp import clocks as gtp_clocks
from gotools.player.gtp import setup as gtp_setup
from gotools.player.gtp.about import Command
from gotools.player.gtp.arguments import expect, read_integer
from gotools.player.gtp.commands import COMMANDS
from gotools.player.gtp.server import GtpServer, Lines
from gotools.player.gtp.session import GtpSession
from gotools.player.gtp.thinking import Session

LOOK: Final = 0.1
"""Seconds between looks whether compiling has ended."""


class Beginning(NamedTuple):
    """What happened before the player was there.

    begun  -- lines answered already, which the session has to obey
    line   -- the line that waits for the player; None where compiling ended first
    over   -- whether the player is no longer wanted
    waited -- seconds that `line` has waited
    """

    begun: tuple[bytes, ...] = ()
    line: bytes | None = None
    over: bool = False
    waited: float = 0.0


class _NeedsPlayerError(Exception):
    """A command that only the player can obey."""


@dataclass(frozen=True, slots=True)
class _State:
    komi: float = 7.5


@dataclass(eq=False)
class _Early:
    """As much of a session as early commands touch."""

    player: SimpleNamespace
    state: _State = field(default_factory=_State)
    over: bool = False
    link: Any = None
    commands = COMMANDS

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

    def __init__(self, session: _Early, lines: Lines, send: Callable[[bytes], None], any_size: bool) -> None:
        super().__init__(cast(Session, session), lines, send)
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


def answer_early(
    lines: Lines,
    send: Callable[[bytes], None],
    name: str,
    compiles: Callable[[], bool],
    *,
    any_size: bool = True,
    quiet: bool = False,
) -> Beginning:
    """Answer what can be answered until compiling has ended or a line needs the player; that one waits for it.

    name     -- the player's
    compiles -- says whether compiling goes on
    any_size -- whether the player plays on boards of all sizes; else boardsize waits too
    """
    session = _Early(SimpleNamespace(name=name))
    server = _EarlyServer(session, lines, send, any_size)
    begun: list[bytes] = []
    while compiles():
        if not lines.news():
            lines.wait(LOOK)
            continue
        line = lines.next()
        if line is None:
            return Beginning(over=True)
        try:
            server.obey(line)
        except _NeedsPlayerError as wanted:
            return Beginning(tuple(begun), line, waited=_wait(str(wanted), compiles, quiet))
        if session.over:
            return Beginning(over=True)
        if server.begins:
            begun.append(line)
    return Beginning(tuple(begun))


def _wait(command: str, compiles: Callable[[], bool], quiet: bool) -> float:
    """Wait until compiling has ended; returns the seconds."""
    if not quiet:
        print(f"gotools gtp: {command} waits until kernels are compiled", file=sys.stderr, flush=True)
    began = time.monotonic()
    while compiles():
        time.sleep(LOOK)
    return time.monotonic() - began
