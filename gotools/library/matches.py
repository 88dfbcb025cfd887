"""Engines against engines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gotools.library.arguments import Report, log

if TYPE_CHECKING:
    from gotools.tournament.report.report import TournamentReport


def run_tournament(
    engines: Mapping[str, str],
    folder: str | Path,
    *,
    config: str | Path | None = None,
    shard: str = "1/1",
    cluster: str | None = None,
    quiet: bool = True,
    report: Report = log,
    **settings: Any,
) -> TournamentReport:
    """Play a tournament of GTP engines, or what is left of it, and return its report.

    engines  -- command lines by name; gotools:rules=FILE,nodes=N,... is a player of our own. After those of `config`
    folder   -- gets results.jsonl and the game records; an existing run is resumed
    config   -- settings in TOML, which `settings` override
    shard    -- "I/N": play the I-th of N parts of the schedule
    cluster  -- where the games are played: address or file of dask's scheduler (docs/cluster.md); None: here
    quiet    -- show no table while it is played
    settings -- as in the file (docs/tournament.md): game, games, size, komi, time, openings, jobs, seed, sprt, ...

    `standings`, `results` and `exit_code` of the report say how it ended. Kernels and games run in processes of the
    engines: nothing is compiled here.

    Raises ConfigError for wrong settings, EngineError and MissingTool for engines that do not start.
    """
    from gotools.tournament.config import load_config
    from gotools.tournament.schedule import parse_shard
    from gotools.tournament.tournament import run_tournament as run

    given = {**settings, "engine": [f"{name}={command}" for name, command in engines.items()]}
    found = load_config(None if config is None else str(config), given)
    return run(found, folder, parse_shard(shard), report, quiet, cluster)
