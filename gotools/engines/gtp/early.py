"""Answer a controller while the player's kernels are compiled: name, commands, and how a game begins.

Lines that set up a game are obeyed again when the player is there; the first line that needs the player waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from gotools.base.clock import TimeControl
from gotools.engines.gtp.commands import commands_of
from gotools.engines.gtp.server import Beginning, GtpServer, Lines, Send
from gotools.engines.gtp.session import Command, Session
from gotools.game.game import Game
from gotools.jit import compiling
from gotools.work.workers import threads

if TYPE_CHECKING:
    from gotools.engines.player import Player

LOOK: Final = 0.02
"""Seconds between looks whether the player is there."""


class _NeedsPlayerError(Exception):
    """A command that only the player can obey."""


@dataclass(frozen=True, slots=True)
class _State:
    komi: float = 0.0


@dataclass(eq=False)
class _Early:
    """A stand-in for the session: what early commands use."""

    player: Player
    state: _State = field(default_factory=_State)
    over: bool = False
    link: Any = None
    commands: Any = None

    @property
    def game(self) -> Game:
        """The player's."""
        return self.player.game

    def set_clock(self, control: TimeControl) -> None:
        """Do nothing: the line is obeyed again."""

    def clear(self, size: int = 0) -> None:
        """Do nothing: the line is obeyed again."""


_ANSWERS: Final = ("cputime", "known_command", "list_commands", "name", "protocol_version", "quit", "version")
_BEGINS: Final = (
    "boardsize", "clear_board", "kata-list_time_settings", "kata-time_settings", "kgs-time_settings", "komi",
    "time_settings",
)  # fmt: skip


class _EarlyServer(GtpServer):
    """Obey what needs no player; raises _NeedsPlayerError for other commands, and says nothing to them."""

    def __init__(self, session: _Early, lines: Lines, send: Send) -> None:
        super().__init__(cast(Session, session), commands_of(session.game), lines, send)
        self.begins = False

    def _find(self, name: str) -> Command | None:
        found = super()._find(name)
        self.begins = found is not None and name in _BEGINS
        one_size = name == "boardsize" and self.session.player.size is not None
        if found is not None and (one_size or not (self.begins or name in _ANSWERS)):
            raise _NeedsPlayerError(name)
        return found


def begin_early(
    begin: Callable[[], Session], lines: Lines, send: Send, *, player: Player
) -> tuple[Beginning, Session | None]:
    """Make a session in a thread, and where it has to compile answer meanwhile what needs no player that moves.

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
                beginning = answer_early(lines, send, player, lambda: not session.done())
                return beginning, None if beginning.over else session.result()
            finally:
                compiling.stopping = True  # the block waits for the thread
    finally:
        compiling.stopping = False


def answer_early(lines: Lines, send: Send, player: Player, loads: Callable[[], bool]) -> Beginning:
    """Answer what can be answered until the player is ready or a line needs it; that line waits for it.

    loads -- returns whether the kernels of the player are still being compiled
    """
    session = _Early(player)
    server = _EarlyServer(session, lines, send)
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
