"""Engines against engines."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gotools.errors import GotoolsError, OutputError, WrongUsage
from gotools.library.arguments import Report, log
from gotools.settings import with_settings
from gotools.tournament.config import TournamentConfig

if TYPE_CHECKING:
    from gotools.tournament.report.report import TournamentReport

NOT_ENDED: Final = "the run has not ended: it is in progress, was killed, or the disk is full"
EXIT_ERROR, EXIT_FAILURE = 2, 4
"""Exit codes for what the user can mend, and for a disk that is full, a file that cannot be written, and bugs."""


@with_settings(TournamentConfig, without=("engines",))
def run_tournament(
    engines: Mapping[str, str],
    folder: str | Path,
    *,
    given: Mapping[str, Any],
    config: str | Path | None = None,
    shard: str = "1/1",
    cluster: str | None = None,
    quiet: bool = True,
    report: Report = log,
    junit: str | Path | None = None,
    summary: str | Path | None = None,
    github_summary: bool = False,
) -> TournamentReport:
    """Play a tournament of GTP engines, or what is left of it, and return its report, which says how it ended.

    engines  -- command lines by name; gotools:rules=FILE,nodes=N,... is a player of our own. After those of `config`
    folder   -- gets results.jsonl and the game records; an existing run is resumed
    config   -- settings in TOML (docs/tournament.md), which the settings below override
    shard    -- "I/N": play the I-th of N parts of the schedule
    cluster  -- where the games are played: address or file of dask's scheduler (docs/cluster.md); None: here
    quiet    -- show no table while it is played
    junit, summary -- files for the verdict, as XML and JSON; until the run ends they state that it has not ended
    github_summary -- append the verdict to $GITHUB_STEP_SUMMARY and print errors as workflow commands

    Raises ConfigError for wrong settings, EngineError and MissingTool for engines that do not start. The files of the
    verdict then hold the error.
    """
    from gotools.files.outputs import JSON, XML, Output, check_outputs
    from gotools.game.game import find_game
    from gotools.games.records import suffixes_of
    from gotools.tournament.config import load_config
    from gotools.tournament.report.report import Failure
    from gotools.tournament.schedule import parse_shard
    from gotools.tournament.tournament import report_of_failure
    from gotools.tournament.tournament import run_tournament as run

    part = parse_shard(shard)
    verdict = _Verdict(junit, summary, github_summary)
    outputs = [Output("--junit", junit, XML), Output("--summary", summary, JSON)]
    check_outputs(outputs, [config])
    settings = None
    try:
        named = [f"{name}={command}" for name, command in engines.items()]
        given = {**given, "engines": [*given.get("engines", ()), *named]}
        settings = load_config(None if config is None else str(config), given)
        check_outputs(outputs, [settings.openings], suffixes_of(find_game(settings.game)))
        verdict.write_beforehand(report_of_failure(settings, folder, part, Failure(NOT_ENDED, EXIT_FAILURE)))
        found = run(settings, folder, part, report, quiet, cluster)
        with suppress(BrokenPipeError):  # the reader of stdout is gone: the verdict stands
            verdict.write(found)
        return found
    except WrongUsage:
        raise
    except Exception as error:
        mendable = isinstance(error, GotoolsError) and not isinstance(error, OutputError)
        failure = Failure(f"{error}" or type(error).__name__, EXIT_ERROR if mendable else EXIT_FAILURE)
        verdict.write(report_of_failure(settings, folder, part, failure), suppress(GotoolsError, OSError))
        raise


@dataclass(frozen=True, slots=True)
class _Verdict:
    """The files of a verdict, and whether it goes to GitHub's page; see `run_tournament`."""

    junit: str | Path | None
    summary: str | Path | None
    github: bool

    def write_beforehand(self, report: TournamentReport) -> None:
        """Write a report into the files, for a run that is killed or finds the disk full; streams are left alone."""
        replace(self, junit=_file(self.junit), summary=_file(self.summary), github=False).write(report)

    def write(self, report: TournamentReport, guard: AbstractContextManager[object] | None = None) -> None:
        """Write the verdict in each of its forms, each under a guard."""
        from gotools.files.opening import open_if_named
        from gotools.tournament.report.github import write_to_github
        from gotools.tournament.report.junit import junit
        from gotools.tournament.report.summary import summary_json

        guard = guard or nullcontext()
        for path, form in ((self.junit, junit), (self.summary, summary_json)):
            with guard, open_if_named(path) as out:
                if out is not None:
                    out.write(form(report))
        if self.github:
            with guard:
                write_to_github(report)


def _file(path: str | Path | None) -> str | Path | None:
    """Return a path that may be written twice; None for a stream."""
    streams = path is None or str(path) == "-" or (os.path.exists(path) and not os.path.isfile(path))
    return None if streams else path
