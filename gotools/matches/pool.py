"""The running engines of a tournament, lent for a game at a time and reused while they work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from gotools.base.errors import ConfigError, EngineError, MissingTool
from gotools.gtp_client.client import FailureKind, GtpEngine, GtpFailure, hint_of, waiting_reported
from gotools.matches.config import TournamentConfig
from gotools.matches.contestant import AnotherGame, Contestant, Fault, start_engine
from gotools.matches.game.engine_spec import EngineSpec

TRIES: Final = 3
"""Starts of an engine before a tournament gives up on it."""
PAUSE: Final = 0.5
"""Seconds between starts."""


class Pool:
    """Start engines, lend them out, end them. Use it in a `with` block, whose end ends them and what they started.

    progress -- called with a message while an engine keeps us waiting
    """

    def __init__(self, config: TournamentConfig, progress: Callable[[str], None] = lambda _: None) -> None:
        self._config, self._progress = config, progress
        self._idle: dict[tuple[int, str], Contestant] = {}  # by slot and name: an engine stays where it was started
        self._all: set[GtpEngine] = set()
        self._lock = threading.Lock()
        self._killed = False

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            running = list(self._all)
            self._all.clear()
            self._idle.clear()
        closers = [threading.Thread(target=engine.close) for engine in running]
        for closer in closers:  # in parallel: one that hangs takes seconds
            closer.start()
        for closer in closers:
            closer.join()

    def check(self, say: Callable[[str], None], slot: int = 0) -> dict[str, str]:
        """Start each engine once, in a slot, and set up a game; returns the name and version of each.

        Raises ConfigError for the first that fails.
        """
        config = self._config
        programs = {}
        for spec in [*config.engines, *filter(None, [config.referee])]:
            try:
                contestant = self._start(spec, slot)
                contestant.new_game(config.seed)
            except AnotherGame as error:
                raise ConfigError(f"engine {spec.name} {error.what}") from error
            except (EngineError, MissingTool, Fault) as error:
                raise ConfigError(f"engine {spec.name} fails before the first game: {_advised(error, spec)}") from error
            for line in _worries(contestant, config):
                say(f"{spec.name}: {line}")
            programs[spec.name] = contestant.program
            self.give_back(contestant)
        return programs

    def take(self, spec: EngineSpec, slot: int) -> Contestant:
        """Return the free engine of a slot, or a new one. Raises EngineError, MissingTool if none starts."""
        past: list[str] = []
        with self._lock:
            idle = self._idle.pop((slot, spec.name), None)
        if idle is not None:
            if idle.is_ready():
                return idle
            past += idle.take_past()
            self.drop(idle)
        fresh = self._start_again(spec, slot)
        fresh.past = past
        return fresh

    def _start_again(self, spec: EngineSpec, slot: int) -> Contestant:
        """Start an engine, with several attempts."""
        for attempt in range(TRIES):
            try:
                return self._start(spec, slot)
            except EngineError:
                if attempt == TRIES - 1 or self._killed:
                    raise
                time.sleep(PAUSE)
        raise AssertionError("unreachable")

    def give_back(self, contestant: Contestant) -> None:
        """Take a working engine back; if there are too many, end the one idle for longest."""
        surplus = None
        with self._lock:
            self._idle[contestant.slot, contestant.spec.name] = contestant
            if len(self._idle) > self._most():
                surplus = self._idle.pop(next(iter(self._idle)))
        if surplus is not None:
            self.drop(surplus)

    def drop(self, contestant: Contestant) -> None:
        """End an engine."""
        self._end(contestant.engine)

    def kill(self) -> None:
        """End all engines at once; games in progress fail."""
        with self._lock:
            self._killed = True
            running = list(self._all)
        for engine in running:
            engine.kill()

    def _start(self, spec: EngineSpec, slot: int) -> Contestant:
        engine = start_engine(spec, self._config, slot)
        with self._lock:
            self._all.add(engine)
            killed = self._killed
        try:
            if killed:
                raise EngineError(spec.name, "the tournament is over")
            with waiting_reported(spec.name, spec.words, self._progress):
                return Contestant(spec, self._config, engine, slot)
        except BaseException:
            self._end(engine)
            raise

    def _end(self, engine: GtpEngine) -> None:
        with self._lock:
            self._all.discard(engine)
        engine.close()

    def _most(self) -> int:
        return 3 * self._config.jobs + len(self._config.engines)


def _advised(error: Exception, spec: EngineSpec) -> str:
    """Return an error's text, with a hint if the engine was silent."""
    hint = hint_of(spec.words) if isinstance(error, GtpFailure) and error.kind is FailureKind.stall else ""
    return f"{error}; {hint}" if hint else str(error)


def _worries(contestant: Contestant, config: TournamentConfig) -> list[str]:
    """List the settings for which the engine has no command."""
    worries = []
    if not contestant.took_rules:
        worries.append(f"knows no command for the rules; it must play by {config.rules.name} rules on its own")
    if contestant.clock_commands() is None:
        worries.append("knows no command for this clock; it must keep it on its own")
    return worries
