"""Play the games of a schedule on a cluster: the engines run there, the journal is written here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

from gotools.base.errors import EngineError, MissingTool
from gotools.matches.runner import Runner
from gotools.matches.seat import Asked, another_program, checks, games

if TYPE_CHECKING:
    from gotools.work.cluster.crew import Crew


class AwayRunner(Runner):
    """Run a tournament on the workers of a cluster, a game at a time in each place; see `run`."""

    def __init__(self, crew: Crew, *run: Any) -> None:
        super().__init__(*run)
        self._crew = crew

    def _play_all(self) -> None:
        """Check the engines on all workers, then play; see `run`."""
        programs = self._checked()
        self._journal.expect(programs)
        self._begin()
        try:
            with closing(self._crew.each(games(self._config), self._asked(programs), False, 1, self._tick)) as over:
                for game in over:
                    self._longest = max(self._longest, game.seconds)
                    self._record(game.played)
                    if self._decided():
                        return
        except KeyboardInterrupt:
            self.stopped_by = "interrupt"
        except (EngineError, MissingTool) as error:
            self._no_longer_starts(error)

    def _checked(self) -> dict[str, str]:
        """Return the name and version of each engine.

        Raises ConfigError, which names the worker, where one fails, or is another program than elsewhere.
        """
        programs: dict[str, str] = {}
        lacks: dict[str, None] = {}
        for address, found in self._crew.everywhere(checks(self._config), None).items():
            for name, program in found.programs.items():
                if programs.setdefault(name, program) != program:
                    error = another_program(name, program, programs[name])
                    error.args = (f"worker {address}: {error}",)
                    raise error
            lacks.update(dict.fromkeys(found.lacks))
        for line in lacks:
            self._live.say(line)
        return programs

    def _asked(self, programs: dict[str, str]) -> Iterator[Asked]:
        while (game := self._next()) is not None:
            yield Asked(game, programs)

    def _tick(self) -> None:
        self._look_at_signals()
        self._live.tick()
