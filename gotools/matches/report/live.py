"""The display of a running tournament: on a terminal a live table, else a line for each game.

All of it goes to stderr. No thread draws: the table is redrawn, at most four times a second, by calls of
`game_over` or `tick`.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, TextIO

from gotools.base.screen_text import harmless
from gotools.matches.game.game_result import GameResult
from gotools.matches.report.standings import Standings, StandingsCount
from gotools.matches.report.standings_elo import EloTable, elo_table, pair_figures
from gotools.ratings.sprt import Sprt

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

DRAWING: Final = 0.25
"""Seconds between drawings."""
RATING: Final = 1.0
"""Seconds between computations of Elo."""
FRAME: Final = 10
"""Lines of the display that show neither engines nor running games."""
_DUMB: Final = ("dumb", "unknown", "")
"""Values of TERM for terminals that cannot move their cursor."""


@dataclass(slots=True)
class _Running:
    """A game in progress."""

    text: str
    moves: int = 0


class Live:
    """Show a tournament, in a `with` block. Every method may be called by any thread; a quiet one does nothing.

    names     -- of all engines
    scheduled -- games in all, earlier runs included
    results   -- games of earlier runs
    sprt      -- tests the first engine against all others; the ratio shown here is over all complete pairs
    budget    -- seconds that this run may take, from now
    quiet     -- show nothing; `say` alone still prints
    stream    -- stderr by default
    now       -- a clock in seconds
    """

    def __init__(
        self,
        names: Sequence[str],
        scheduled: int,
        results: Sequence[GameResult] = (),
        sprt: Sprt | None = None,
        budget: float | None = None,
        quiet: bool = False,
        stream: TextIO | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._names, self._scheduled, self._sprt, self._budget = names, scheduled, sprt, budget
        stream = stream or sys.stderr or open(os.devnull, "w")  # noqa: SIM115 - stderr may be closed
        self._quiet, self._stream, self._now = quiet, stream, now
        self._count = StandingsCount(names)
        for result in () if quiet else results:
            self._count.add(result)
        self._before = self._count.played
        self._running: dict[int, _Running] = {}
        self._lock = threading.RLock()
        self._began = now()
        self._drawn = self._rated = -1e9
        self._rated_games = 0
        self._elo: EloTable | None = None
        self._pairs = ""
        self._drawing: Any = None

    def __enter__(self) -> Live:
        terminal = self._stream.isatty() and os.environ.get("TERM", "").lower() not in _DUMB
        if terminal and not self._quiet:
            self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            if self._drawing is not None:
                self._drawing.stop()
                self._drawing = None

    def game_started(self, slot: int, text: str) -> None:
        """Note that a game runs in a slot. text -- the players."""
        if not self._quiet:
            with self._lock:
                self._running[slot] = _Running(text)

    def moved(self, slot: int, moves: int) -> None:
        """Note the number of moves of the game in a slot."""
        if not self._quiet and (game := self._running.get(slot)) is not None:
            game.moves = moves

    def game_ended(self, slot: int) -> None:
        """Note that nothing runs in a slot any more; the next game there implies this."""
        with self._lock:
            self._running.pop(slot, None)

    def game_over(self, result: GameResult) -> None:
        """Show a result: in the table, or as a line."""
        if self._quiet:
            return
        with self._lock:
            self._count.add(result)
            if self._drawing is None:
                self._print(self._line(result))
        self.tick()

    def say(self, line: str) -> None:
        """Print a line, above the table if there is one. It may hold an engine's text."""
        line = harmless(line)
        with self._lock:
            if self._drawing is None:
                self._print(line)
            else:
                self._drawing.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def progress(self, line: str) -> None:
        """Print a line of progress, as `say` does, unless the display is quiet."""
        if not self._quiet:
            self.say(line)

    def tick(self) -> None:
        """Redraw the table if it is time to. Costs nothing without a table."""
        if self._drawing is None or self._now() - self._drawn < DRAWING:
            return
        with self._lock:
            if self._drawing is not None:
                self._drawn = self._now()
                self._drawing.update(self._frame(), refresh=True)

    # plain lines ------------------------------------------------------------------------------------------------------

    def _print(self, line: str) -> None:
        with suppress(OSError, ValueError):  # stderr is closed: the games matter, not the display
            print(line, file=self._stream, flush=True)

    def _line(self, result: GameResult) -> str:
        """Return a result and the present score of the two engines."""
        moves = len(result.moves.split())
        one, other = sorted((result.black, result.white), key=list(self._names).index)
        score = self._count.pairing(one, other).score
        parts = [
            f"{self._count.played}/{self._scheduled}",
            f"{result.black} (B) - {result.white} (W)",
            result.result,
            f"{result.end} by {result.culprit}" if result.culprit else str(result.end),
            f"{moves} move{'s' * (moves != 1)}",
            f"{one} {score.points:g} - {other} {score.reversed.points:g}",
        ]
        if self._sprt is not None:
            parts.append(f"LLR {self._llr(self._sprt):.2f}")
        return "  ".join(parts)

    def _llr(self, sprt: Sprt) -> float:
        return sprt.llr(self._count.pair_counts(self._names[0]))

    # the table --------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        from rich.console import Console
        from rich.live import Live as Drawing

        console = Console(file=self._stream)
        self._drawing = Drawing(console=console, auto_refresh=False, transient=True, redirect_stdout=False)
        self._drawing.start()

    def _frame(self) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        from gotools.matches.report.table import standings_table

        standings = self._count.standings()
        table = standings_table(standings, self._rating(standings))
        room = self._drawing.console.size.height - FRAME - len(self._names)
        return Group(table, self._games_table(max(room, 1)), Text(self._state(standings), no_wrap=True))

    def _rating(self, standings: Standings) -> EloTable | None:
        """Return the Elo, at most a second old."""
        if standings.played != self._rated_games and self._now() - self._rated >= RATING:
            self._elo = elo_table(standings)
            self._pairs = _pairs_line(standings)
            self._rated, self._rated_games = self._now(), standings.played
        return self._elo

    def _games_table(self, room: int) -> Table:
        from rich.table import Table
        from rich.text import Text

        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(justify="right", no_wrap=True)
        table.add_column(no_wrap=True, overflow="ellipsis")
        table.add_column(justify="right", no_wrap=True)
        running = sorted(self._running.items())
        shown = running if len(running) <= room else running[: room - 1]
        for slot, game in shown:
            table.add_row(str(slot + 1), Text(game.text), f"move {game.moves}")
        if len(shown) < len(running):
            table.add_row("", f"and {len(running) - len(shown)} more games", "")
        return table

    def _state(self, standings: Standings) -> str:
        parts = [f"{standings.played}/{self._scheduled} games"]
        if standings.void:
            parts.append(f"{standings.void} void")
        if self._sprt is not None:
            low, high = self._sprt.bounds
            parts.append(f"LLR {self._llr(self._sprt):.2f} [{low:.2f}, {high:.2f}]")
        gone = self._now() - self._began
        played = standings.played - self._before
        if played:
            left = gone / played * (self._scheduled - standings.played)
            parts.append(f"about {time_text(left)} left")
            parts.append(f"{60 * played / gone:.1f}/min" if gone else "")
        if self._budget is not None:
            parts.append(f"budget {time_text(max(self._budget - gone, 0.0))}")
        return f"\n{'   '.join(filter(None, parts))}" + (f"\n{self._pairs}" if self._pairs else "")


def _pairs_line(standings: Standings) -> str:
    """Return the figures from the pairs of two engines, in the terms of engine testing; "" without pairs."""
    from gotools.matches.report.gates import elo_text
    from gotools.matches.report.table import los_text, pairs_text

    if len(standings.engines) != 2 or not standings.pairings:
        return ""
    pairing = standings.pairings[0]
    figures = pair_figures(pairing)
    if figures is None:
        return ""
    nelo = [] if figures.normalized is None else [f"nElo {elo_text(figures.normalized, 0)}"]
    return "   ".join([f"{pairing.first[:24]}:", *nelo, f"LOS {los_text(figures.los)}", f"pairs {pairs_text(pairing)}"])


def time_text(seconds: float) -> str:
    """Write a length of time as m:ss or h:mm:ss."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"
