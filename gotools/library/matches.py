"""Engines against engines."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gotools.base.errors import GotoolsError, OutputError, WrongUsage
from gotools.base.settings import with_settings
from gotools.library.arguments import Report, log
from gotools.matches.config import TournamentConfig

if TYPE_CHECKING:
    from gotools.matches.report.report import TournamentReport

NOT_ENDED: Final = "the run has not ended: it is in progress, was killed, or the disk is full"
"""The verdict that is written beforehand."""
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
    from gotools.game.game import suffixes_of
    from gotools.matches.config import load_config
    from gotools.matches.report.report import Failure
    from gotools.matches.schedule import parse_shard
    from gotools.matches.tournament import report_of_failure
    from gotools.matches.tournament import run_tournament as run

    part = parse_shard(shard)
    outputs = [Output("--junit", junit, XML), Output("--summary", summary, JSON)]
    check_outputs(outputs, [config])
    settings = None
    try:
        named = [f"{name}={command}" for name, command in engines.items()]
        given = {**given, "engines": [*given.get("engines", ()), *named]}
        settings = load_config(None if config is None else str(config), given)
        check_outputs(outputs, [settings.openings], suffixes_of(settings.game))
        pending = report_of_failure(settings, folder, part, Failure(NOT_ENDED, EXIT_FAILURE))
        _write_verdict(pending, _file(junit), _file(summary))
        found = run(settings, folder, part, report, quiet, cluster)
        with suppress(BrokenPipeError):  # the reader of stdout is gone: the verdict stands
            _write_verdict(found, junit, summary, github_summary)
        return found
    except WrongUsage:
        raise
    except Exception as error:
        mendable = isinstance(error, GotoolsError) and not isinstance(error, OutputError)
        failure = Failure(f"{error}" or type(error).__name__, EXIT_ERROR if mendable else EXIT_FAILURE)
        verdict = report_of_failure(settings, folder, part, failure)
        _write_verdict(verdict, junit, summary, github_summary, suppress(GotoolsError, OSError))
        raise


def _write_verdict(
    report: TournamentReport,
    junit: str | Path | None,
    summary: str | Path | None,
    github: bool = False,
    guard: AbstractContextManager[object] | None = None,
) -> None:
    """Write a verdict into its files, and on GitHub's page, each under a guard."""
    from gotools.files.opening import open_if_named
    from gotools.matches.report.github import write_to_github
    from gotools.matches.report.junit import junit as junit_xml
    from gotools.matches.report.summary import summary_json

    guard = guard or nullcontext()
    for path, form in ((junit, junit_xml), (summary, summary_json)):
        with guard, open_if_named(path) as out:
            if out is not None:
                out.write(form(report))
    if github:
        with guard:
            write_to_github(report)


def _file(path: str | Path | None) -> str | Path | None:
    """Return a path that may be written twice; None for a stream."""
    streams = path is None or str(path) == "-" or (os.path.exists(path) and not os.path.isfile(path))
    return None if streams else path
