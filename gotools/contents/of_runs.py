"""What a tournament says: its settings, how far it got, the standings in a few lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gotools.contents.contents import Contents, Listing
from gotools.errors import ConfigError, FileFormatError
from gotools.files.kinds import Kind
from gotools.tournament.report.report import TournamentReport
from gotools.tournament.report.standings_elo import elo_table
from gotools.tournament.report.table import in_rank_order
from gotools.tournament.tournament import report_of_journal

_COLUMNS: Final = ("engine", "games", "wins", "draws", "losses", "score", "elo", "low", "high", "faults")


def show_run(path: str, limit: int, say: Callable[[str], None]) -> Contents:
    """Read results.jsonl; broken lines are reported by `say`. Raises FileFormatError."""
    try:
        report = report_of_journal(path, say)
    except ConfigError as error:
        raise FileFormatError(path, 1, str(error)) from error
    config = {name: value for name, value in report.config.items() if value not in (None, "", [], {})}
    engines = config.pop("engines", [])
    facts: dict[str, object] = {
        "games": {"played": report.standings.played, "scheduled": report.scheduled},
        "void": report.void or None,
        "complete": report.complete,
        "verdict": report.verdict,
        "settings": config,
    }
    names = [(str(engine["name"]), engine) for engine in engines if isinstance(engine, dict)]
    commands = [(name, report.programs.get(name), engine_command(engine)) for name, engine in names]
    shown = commands[:limit]
    return Contents(
        path,
        Kind.journal,
        {name: value for name, value in facts.items() if value is not None},
        [_standings(report, limit), Listing("engines", ("engine", "program", "command"), shown, len(commands))],
    )


def engine_command(engine: dict[str, object]) -> str:
    """Return the command line of an engine of a journal."""
    words = engine.get("command", engine.get("words", ""))
    return " ".join(map(str, words)) if isinstance(words, list | tuple) else str(words)


def _standings(report: TournamentReport, limit: int) -> Listing:
    standings = report.standings
    elo = elo_table(standings) if standings.played else None
    ranked = in_rank_order(standings, elo)
    rows = []
    for engine in ranked[:limit]:
        score, estimate = engine.score, None if elo is None else elo.of.get(engine.name)
        figures = (None, None, None) if estimate is None else (estimate.elo, estimate.low, estimate.high)
        rounded = [None if value is None else round(value) for value in figures]
        share = None if score.share is None else round(score.share, 4)
        rows.append((engine.name, score.games, score.wins, score.draws, score.losses, share, *rounded, engine.faults))
    return Listing("standings", _COLUMNS, rows, len(ranked))
