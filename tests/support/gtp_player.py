"""For tests of the GTP server: a player that answers at once, and a controller in the same process.

As a program this is `gotools gtp` with that player in place of its own; `--time` and clocks make it wait, and the
variable GRACE is the time that is left for a move after the end of input.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import cast

import numpy as np

from gotools.engines import players
from gotools.engines.gtp import session as gtp_session
from gotools.engines.gtp.commands import commands_of
from gotools.engines.gtp.server import GtpServer
from gotools.engines.gtp.session import Session
from gotools.engines.player import Player
from gotools.engines.settings import PlayerSettings
from gotools.game.choice import Choice, Limits, Option
from gotools.game.history import History
from gotools.games.go.board import Board
from gotools.games.go.go import GO
from gotools.games.go.points import PASS
from gotools.jit import compiling

Report = Callable[[Choice], None]


class QuickPlayer:
    """Play at random, never into an own eye, and pass when nothing else is left.

    The same position gives the same move. `slow` thinks to its limits; without any, every player thinks until stopped.
    `calls` keeps what was asked for: (colour, komi, limits, cleanup, allowed, alive).
    """

    name = "quick"
    game = GO
    size: int | None = None

    def __init__(self, slow: bool = False, winrate: float = 0.5) -> None:
        self.slow = slow
        self.winrate = winrate
        self.looked_at = 5
        self.error: Exception | None = None
        self.point: int | None = None
        self.calls: list[tuple[int, float, Limits, bool, Collection[int] | None, bool]] = []
        self.forgotten = 0
        self._stopped = threading.Event()

    def choose(
        self,
        history: History,
        limits: Limits,
        report: Report | None = None,
        *,
        side: int,
        cleanup: bool = False,
        alive: bool = False,
        allowed: Collection[int] | None = None,
    ) -> Choice:
        self._stopped.clear()
        komi = history.state[history.game.komi] / 2
        self.calls.append((side, komi, limits, cleanup, allowed, alive))
        if self.error is not None:
            raise self.error
        choice = self._choice(history, side, allowed)
        endless = limits.seconds is None and limits.nodes is None and limits.depth is None
        until = time.monotonic() + (limits.seconds or 0.0 if self.slow and not endless else 0.0)
        while (endless or time.monotonic() < until) and not self._stopped.is_set():
            if report is not None:
                report(choice)
            self._stopped.wait(0.005)
        return choice

    def _choice(self, history: History, colour: int, allowed: Collection[int] | None) -> Choice:
        board = Board.of_state(history.state)
        points = [p for p in board.legal_points(colour) if not is_eye(board, p, colour)]
        points = [p for p in points if not history.why_illegal(colour, p)]
        if allowed is not None:
            points = [p for p in points if p in allowed]
        order = np.random.default_rng(board.hash % 2**32 + colour).permutation(len(points))
        best = [points[i] for i in order] or [PASS]
        if self.point is not None:
            best = [self.point]
        options = tuple(
            Option(p, 0.0, 100 // (i + 1) if i < self.looked_at else 0, 0.5**i, (p, PASS), self.winrate)
            for i, p in enumerate(best[:5])
        )
        return Choice(best[0], 0.0, (best[0], PASS), 100, 2, "at random", options, self.winrate, 1.5)

    def explain(self, history: History, side: int, choice: Choice) -> str:
        return f"{history.text(choice.move)} was chosen\n\nat random"

    def stop(self) -> None:
        self._stopped.set()

    def forget(self) -> None:
        self.forgotten += 1


def is_eye(board: Board, point: int, colour: int) -> bool:
    """Return whether all neighbours of a point are of a colour."""
    y, x = divmod(point, board.side)
    near = [(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)]
    inside = [(r, c) for r, c in near if 0 <= r < board.side and 0 <= c < board.side]
    return all(board.colour(r * board.side + c) == colour for r, c in inside)


def session_of(player: QuickPlayer, settings: PlayerSettings | None = None) -> Session:
    """Begin a session with a player that has what the server needs of a Player."""
    return Session.begin(cast(Player, player), settings or PlayerSettings(), komi=7.5)


def board_of(session: Session) -> Board:
    """Return the board of a session of Go."""
    return Board.of_state(session.state.history.state)


class Script:
    """Lines that are all there from the beginning; so there is always news, unless it is made `silent`."""

    def __init__(self, lines: Collection[bytes] = ()) -> None:
        self._lines = deque(lines)
        self.silent = False

    def next(self) -> bytes | None:
        return self._lines.popleft() if self._lines else None

    def news(self) -> bool:
        return not self.silent

    def wait(self, seconds: float) -> None:
        raise AssertionError("there is news already")


class Controller:
    """Ask a session without any process around it."""

    def __init__(
        self, player: QuickPlayer | None = None, settings: PlayerSettings | None = None, session: Session | None = None
    ) -> None:
        self.player = player or QuickPlayer()
        self.session: Session = session or session_of(self.player, settings)
        self.script = Script()
        self._sent = bytearray()
        self._server = GtpServer(self.session, commands_of(self.session.game), self.script, self._sent.extend)

    def send(self, line: bytes) -> bytes:
        """Send a line without its end; returns all that came back."""
        self._sent.clear()
        self._server.obey(line)
        return bytes(self._sent)

    def ask(self, line: str) -> str:
        """Send a command that is not refused; returns the answer's text."""
        answer = self.send(line.encode()).decode()
        assert answer.startswith("=") and answer.endswith("\n\n"), (line, answer)
        return answer[1:].strip()

    def refuses(self, line: str) -> str:
        """Send a command that is refused; returns why. The game must be untouched."""
        before = self.session.state
        answer = self.send(line.encode()).decode()
        assert answer.startswith("? ") and answer.endswith("\n\n"), (line, answer)
        assert self.session.state is before
        return answer[2:-2]


if __name__ == "__main__":
    from gotools.cli import main

    os.environ["GOTOOLS_WARMING"] = "1"  # this player needs no kernels
    compiling.notified = True
    vars(gtp_session)["GRACE"] = float(os.environ.get("GRACE", gtp_session.GRACE))
    players.new_player = lambda *words, **keys: QuickPlayer(slow=True)  # type: ignore[assignment]
    sys.argv = ["gotools", "gtp", *sys.argv[1:]]
    main()
