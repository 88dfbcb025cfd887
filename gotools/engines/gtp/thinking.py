"""What sessions of every game share: the line to the controller, clocks, and a search that can be interrupted."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from gotools.base.clock import TimeControl, TimeLeft, full_clock
from gotools.engines.settings import PlayerSettings

GRACE: Final = 5.0
"""Seconds that a move may take once stdin has ended."""
HOPELESS_MOVES: Final = 3
"""Own moves in a row below the threshold before the player resigns."""
FIRST_NODES: Final = 60
"""Nodes of the first search of a rehearsal: enough for a tree below its move, with which the next search goes on."""


class Link(Protocol):
    """The controller's side of the line, as commands see it."""

    def say(self, line: str) -> None:
        """Send a line of an answer that goes on; the first call begins the answer."""

    def news(self) -> bool:
        """Return whether anything has come in since the command, the end of input included."""

    def wait(self, seconds: float) -> None:
        """Wait until there is news, or until the seconds are over."""


class Thinker(Protocol):
    """A player, as far as sessions of every game know it."""

    @property
    def name(self) -> str:
        """Return its name and version."""

    def stop(self) -> None:
        """Make it answer now."""

    def forget(self) -> None:
        """Forget the game so far."""


@dataclass(eq=False)
class Session(ABC):
    """A player, a game, and the line to the controller.

    player -- chooses moves
    state  -- the game as it stands: a frozen record with `control` and `left`, replaced whole by each command
    link, commands -- set by the server before the first command; commands by name
    ended  -- set by the server when stdin has ended
    over   -- set by `quit`
    late   -- seconds for which the command had waited when it was taken up: a clock has run so long already
    """

    player: Any
    settings: PlayerSettings
    state: Any
    link: Link = field(init=False)
    commands: Mapping[str, Callable[[Any, list[str]], str]] = field(init=False)
    ended: bool = False
    over: bool = False
    late: float = 0.0

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self.began = 0.0  # when the last thinking did: until it is answered the own clock runs
        self._since: float | None = None
        self._endless = False

    @abstractmethod
    def undo(self, count: int = 1) -> None:
        """Take back the last moves. Raises GotoolsError where there are fewer."""

    def set_clock(self, control: TimeControl) -> None:
        """Change the kind of clock; both sides' are full."""
        full = full_clock(control)
        self.state = replace(self.state, control=control, left=(full, full))

    def set_left(self, colour: int, left: TimeLeft) -> None:
        """Set the clock of a side to what the controller says that it shows."""
        black, white = self.state.left
        self.state = replace(self.state, left=(left, white) if colour == 1 else (black, left))

    def hopeless_after(self, colour: int, winrate: float) -> tuple[int, int]:
        """Return how many own moves in a row each side held its game for lost, this one counted."""
        lost = self.settings.resign is not None and winrate < self.settings.resign
        black, white = self.state.hopeless
        if colour == 1:
            return (black + 1 if lost else 0, white)
        return (black, white + 1 if lost else 0)

    @contextmanager
    def thinking(self, endless: bool) -> Iterator[None]:
        """Let the thread that reads end what the block computes."""
        now = time.monotonic()
        self.began = now - self.late
        with self._lock:
            self._since, self._endless = now, endless
        try:
            yield
        finally:
            with self._lock:
                self._since = None

    # called by the thread that reads ---------------------------------------------------------------------------------

    def input_came(self) -> None:
        """End an endless analysis, unless this line began it."""
        with self._lock:
            if self._since is not None and self._endless and self.link.news():
                self.player.stop()

    def hurry(self, ended_at: float, abandoned: bool) -> None:
        """End a search whose grace after the end of stdin is over, or whose answer is not read; called repeatedly."""
        with self._lock:
            if self._since is not None:
                late = time.monotonic() - max(self._since, ended_at) > GRACE
                if late or abandoned or self._endless:
                    self.player.stop()
