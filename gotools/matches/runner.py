"""Play the games of a schedule that are not in the journal yet, several at once.

Each of `jobs` threads plays one game at a time; the calling thread writes the journal, checks the test and the time,
and updates the display. An engine is a process of its own, so threads only wait.
"""

from __future__ import annotations

import queue
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from gotools.base.errors import EngineError, GotoolsError, MissingTool
from gotools.matches.config import TournamentConfig
from gotools.matches.game.referee import warm_up
from gotools.matches.journal import Journal
from gotools.matches.play import Aborted, PlayedGame
from gotools.matches.pool import Pool
from gotools.matches.report.live import Live
from gotools.matches.schedule import ScheduledGame
from gotools.matches.seat import play_with
from gotools.matches.sequential import SequentialTest
from gotools.matches.sgf_of_game import sgf_of_game

TICK: Final = 0.2
"""Seconds between checks of the time and of signals."""


@dataclass(frozen=True, slots=True)
class _Failed:
    """Why a thread cannot continue: an engine no longer starts, or a bug."""

    error: BaseException


class Runner:
    """Run a tournament; see `run`.

    stopped_by -- what ended the run: "" (all is played), sprt, budget, terminated, interrupt, engine
    failure -- the fault of an engine that no longer starts; else ""
    test -- receives every result; its verdict ends the run
    """

    def __init__(
        self,
        config: TournamentConfig,
        games: Sequence[ScheduledGame],
        journal: Journal,
        live: Live,
        test: SequentialTest | None = None,
    ) -> None:
        self._config, self._journal, self._live, self._test = config, journal, live, test
        self._waiting = deque(game for game in games if game.game not in journal.results)
        self._done: queue.Queue[PlayedGame | _Failed | None] = queue.Queue()
        self._began = time.monotonic()
        self._longest = 0.0
        self._lock = threading.Lock()
        self._enough = threading.Event()
        self._abort = threading.Event()
        self._terminated = 0
        self._playing = False
        self.stopped_by = self.failure = ""
        self._played, self._playing_since = 0, self._began

    @property
    def games_a_minute(self) -> float | None:
        """The speed of play, by the wall clock; None without games."""
        seconds = time.monotonic() - self._playing_since
        return 60.0 * self._played / seconds if self._played and seconds > 0 else None

    def run(self) -> str:
        """Play all games, unless something ends the run; returns `stopped_by`.

        Ctrl-C and SIGHUP end at once and drop the games in progress; SIGTERM lets them end, a second one does not.
        An engine that no longer starts ends the run too.
        Raises ConfigError if an engine fails before the first game, KeyboardInterrupt for a signal before it.
        """
        if not self._waiting or self._decided():
            return self.stopped_by
        with self._listening():
            self._play_all()
        return self.stopped_by

    def _play_all(self) -> None:
        """Check the engines, then play; see `run`."""
        warm_up(self._config.game, self._config.size)
        with Pool(self._config, self._live.progress) as pool:
            self._journal.expect(pool.check(self._live.say))
            threads: list[threading.Thread] = []
            finished = False
            try:
                self._begin()
                for slot in range(min(self._config.jobs, len(self._waiting))):
                    threads.append(threading.Thread(target=self._work, args=(slot, pool)))
                    threads[-1].start()
                finished = self._collect(len(threads))
            except KeyboardInterrupt:
                self.stopped_by = "interrupt"
            except (EngineError, MissingTool) as error:
                self._no_longer_starts(error)
            finally:
                if not finished:
                    self._enough.set()
                    self._abort.set()
                    pool.kill()
                for thread in threads:
                    if thread.ident is not None:
                        thread.join()

    def _begin(self) -> None:
        """Note that the first game begins: from now on SIGTERM waits for games."""
        self._playing, self._playing_since = True, time.monotonic()

    def _no_longer_starts(self, error: GotoolsError) -> None:
        self.failure = f"an engine no longer starts: {error}"
        self._live.say(self.failure)
        self.stopped_by = "engine"

    # the calling thread ----------------------------------------------------------------------------------------------

    def _collect(self, running: int) -> bool:
        """Collect results until no thread plays (True), or the run is decided (False)."""
        while running:
            self._look_at_signals()
            try:
                done = self._done.get(timeout=TICK)
            except queue.Empty:
                self._live.tick()
                continue
            if done is None:
                running -= 1
            elif isinstance(done, _Failed):
                raise done.error
            else:
                self._record(done)
                if self._decided():
                    return False
        return True

    def _look_at_signals(self) -> None:
        """After SIGTERM let no further game begin."""
        if self._terminated:
            self.stopped_by = "terminated"
            self._enough.set()

    def _record(self, played: PlayedGame) -> None:
        self._journal.append(played.result, sgf_of_game(played, self._config))
        self._played += 1
        self._live.game_over(played.result)

    def _decided(self) -> bool:
        if self._test is not None and self._test.look(self._journal.results):
            self.stopped_by = "sprt"
            return True
        return False

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """Treat SIGTERM as a request to end after the games in progress, and SIGHUP, unless it is ignored, as Ctrl-C.

        The handlers take no lock: a second signal may come while the first is handled.
        """

        def on_term(number: int, frame: object) -> None:
            self._terminated += 1
            if self._terminated > 1 or not self._playing:
                raise KeyboardInterrupt

        def on_hangup(number: int, frame: object) -> None:
            raise KeyboardInterrupt

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {signal.SIGTERM: signal.signal(signal.SIGTERM, on_term)}
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
            before[signal.SIGHUP] = signal.signal(signal.SIGHUP, on_hangup)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    # the threads that play -------------------------------------------------------------------------------------------

    def _work(self, slot: int, pool: Pool) -> None:
        try:
            while (game := self._next()) is not None:
                began = time.monotonic()
                self._live.game_started(slot, f"{game.black} - {game.white}")
                watch = partial(self._live.moved, slot)
                played = play_with(pool, self._config, game, slot, self._abort, watch)
                self._longest = max(self._longest, time.monotonic() - began)
                self._done.put(played)
        except Aborted:
            pass
        except BaseException as error:
            if not self._abort.is_set():
                self._done.put(_Failed(error))
        self._live.game_ended(slot)
        self._done.put(None)

    def _next(self) -> ScheduledGame | None:
        """Return the next game; None if no more may begin."""
        with self._lock:
            if self._enough.is_set() or not self._waiting:
                return None
            budget = self._config.time_budget
            if budget is not None and time.monotonic() - self._began + self._longest > budget:
                self.stopped_by = "budget"
                self._enough.set()
                return None
            return self._waiting.popleft()
