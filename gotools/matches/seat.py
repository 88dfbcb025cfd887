"""A place on a worker of a cluster where games are played: its engines, checked before the first game."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Event
from typing import Any

from gotools.base.errors import ConfigError, quoted
from gotools.matches.config import TournamentConfig
from gotools.matches.contestant import Contestant
from gotools.matches.game.engine_spec import EngineSpec
from gotools.matches.game.referee import warm_up
from gotools.matches.play import PlayedGame, play_game
from gotools.matches.pool import Pool
from gotools.matches.schedule import ScheduledGame
from gotools.work.cluster.on_worker import place
from gotools.work.workers import Task


@dataclass(frozen=True, slots=True)
class Checked:
    """What the engines of a place are: the name and version of each, and lines on what they lack."""

    programs: dict[str, str]
    lacks: list[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A game to be played by engines of these names and versions."""

    game: ScheduledGame
    programs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Over:
    """A game that was played, and its seconds by the clock."""

    played: PlayedGame
    seconds: float


def play_with(
    pool: Pool,
    config: TournamentConfig,
    game: ScheduledGame,
    slot: int,
    stopped: Event,
    watch: Callable[[int], None] = lambda _: None,
) -> PlayedGame:
    """Play a game with engines of a pool; those that failed are ended. Raises Aborted, EngineError, MissingTool."""
    lent: list[Contestant] = []
    good: set[str] = set()
    try:
        for name in (game.black, game.white):
            lent.append(pool.take(config.engine(name), slot))
        judge = None
        if config.referee is not None:
            lent.append(judge := pool.take(config.referee, slot))
        played = play_game(game, config, (lent[0], lent[1]), judge, stopped, watch)
        good = {contestant.spec.name for contestant in lent} - {played.result.culprit}
        return played
    finally:
        for contestant in lent:
            if contestant.spec.name in good and contestant.engine.alive:
                pool.give_back(contestant)
            else:
                pool.drop(contestant)


class Seat:
    """Engines of a place, which play game after game.

    folder -- where the tournament was begun: the engines' working folder, if this machine has it
    """

    def __init__(self, config: TournamentConfig, folder: str) -> None:
        engines = tuple(_in_folder(spec, folder) for spec in config.engines)
        referee = None if config.referee is None else _in_folder(config.referee, folder)
        self._config = replace(config, engines=engines, referee=referee, jobs=1)
        self._stopped = Event()
        warm_up(config.game, config.size)
        self._pool = Pool(self._config)
        self._pool.__enter__()

    def check(self) -> Checked:
        """Start each engine, and set up a game. Raises ConfigError for the first that fails."""
        lacks: list[str] = []
        return Checked(self._pool.check(lacks.append, place()), lacks)

    def play(self, asked: Asked) -> Over:
        """Play a game. Raises EngineError, MissingTool, and ConfigError where an engine is another program."""
        began = time.monotonic()
        played = play_with(self._pool, self._config, asked.game, place(), self._stopped)
        for name, program in zip((asked.game.black, asked.game.white), played.programs, strict=True):
            if asked.programs[name] != program:
                raise another_program(name, program, asked.programs[name])
        return Over(played, time.monotonic() - began)

    def close(self) -> None:
        """End the engines, and a game in progress."""
        self._stopped.set()
        self._pool.kill()
        self._pool.__exit__()


def another_program(name: str, found: str, others: str) -> ConfigError:
    """Return the error of an engine that is another program on one worker than on the others."""
    return ConfigError(f"engine {name} is {quoted(found)}, on other workers {quoted(others)}")


def checks(config: TournamentConfig) -> Task[None, Checked]:
    """Return the task of checking the engines on a worker."""
    return Task(_check, Seat, (config, os.getcwd()))


def games(config: TournamentConfig) -> Task[Asked, Over]:
    """Return the task of playing games on a worker, in the places that were checked."""
    return Task(_play, Seat, (config, os.getcwd()))


def _check(seat: Seat, nothing: None) -> Checked:
    return seat.check()


def _play(seat: Seat, asked: Asked) -> Over:
    return seat.play(asked)


def _in_folder(spec: EngineSpec, folder: str) -> EngineSpec:
    """Return an engine whose working folder is the same as where the tournament was begun, if it is here."""
    own: Any = None if spec.folder is None else os.path.join(folder, spec.folder)
    return replace(spec, folder=own or (folder if os.path.isdir(folder) else None))
