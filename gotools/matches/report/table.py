"""Tables of a tournament for people; 80 columns are enough."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gotools.matches.report.gates import AFTER_STOP, FROM_ALL, FROM_PAIRS, elo_text, faults_text
from gotools.matches.report.report import TournamentReport, first_line
from gotools.matches.report.standings import EngineStanding, Pairing, Standings
from gotools.matches.report.standings_elo import EloTable, EngineElo

if TYPE_CHECKING:
    from rich.table import Table

MISSING: Final = "-"
ALL_ALIKE: Final = "unknown (every pair has the same score)"
"""Normalized Elo where the pairs have no variance."""
LONGEST_NAME: Final = 24
FAULTS_IN_TABLE: Final = 5
_STYLES: Final = {"passed": "green", "failed": "bold red", "undecided": "bold yellow"}
_STOPS: Final = {
    "sprt": "the sequential test has reached its verdict",
    "budget": "the time budget is used up",
    "terminated": "stopped by SIGTERM",
    "interrupt": "interrupted",
    "engine": "an engine no longer starts",
    "error": "the run failed",
}


def report_tables(report: TournamentReport) -> tuple[Table, Table]:
    """Return the standings, and remarks."""
    return standings_table(report.standings, report.elo), remarks_table(report)


def standings_table(standings: Standings, elo: EloTable | None = None) -> Table:
    """Return a table with a row for each engine, the best first; empty columns are left out.

    elo -- None: unknown so far, its columns are left out
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    titles, rows = standings_rows(standings, elo)
    engines = in_rank_order(standings, elo)
    faults = any(engine.faults for engine in engines)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), caption_justify="left")
    table.add_column("engine", min_width=6, max_width=LONGEST_NAME)  # rich takes width from columns that may wrap
    for title in titles[1:]:
        table.add_column(title, justify="right", no_wrap=True)
    for engine, row in zip(engines, rows, strict=True):
        name = Text(engine.name, no_wrap=True, overflow="ellipsis")
        table.add_row(name, *row[1:], style="red" if engine.faults else "")
    table.caption = Text("\n".join(standings_legend(standings, elo, faults)))
    return table


def standings_rows(standings: Standings, elo: EloTable | None) -> tuple[list[str], list[list[str]]]:
    """Return the titles of the columns, and a row for each engine, the best first; empty columns are left out."""
    draws = any(engine.score.draws for engine in standings.engines)
    faults = any(engine.faults for engine in standings.engines)
    titles = ["engine", "games", "+=-" if draws else "+-", "score", *(["Elo", "95 %"] if elo is not None else [])]
    titles += ["B/W %", "s/move", *(["faults"] if faults else [])]
    engines = in_rank_order(standings, elo)
    return titles, [[engine.name, *_cells(engine, elo, draws, faults)] for engine in engines]


def in_rank_order(standings: Standings, elo: EloTable | None) -> list[EngineStanding]:
    """Return the engines by Elo if it is known for all, else by share of points; those without games last."""
    of = {} if elo is None else elo.of
    if any(engine.score.games and engine.name not in of for engine in standings.engines):
        of = {}

    def rank(engine: EngineStanding) -> tuple[bool, float, float]:
        strength = of.get(engine.name)
        return engine.score.games == 0, -strength.elo if strength else 0.0, -(engine.score.share or 0.0)

    return sorted(standings.engines, key=rank)


def _cells(engine: EngineStanding, elo: EloTable | None, draws: bool, faults: bool) -> list[str]:
    score = engine.score
    results = [score.wins, score.draws, score.losses] if draws else [score.wins, score.losses]
    cells = [str(score.games), "-".join(map(str, results)), percent_text(score.share, 1) + "%" * bool(score.games)]
    if elo is not None:
        cells += _elo_cells(elo.of.get(engine.name))
    cells += [_by_colour(engine), _seconds(engine)]
    return [*cells, _faults(engine)] if faults else cells


def _elo_cells(elo: EngineElo | None) -> list[str]:
    if elo is None:
        return [MISSING, MISSING]
    low, high = f"{round(elo.low):+d}", f"{round(elo.high):+d}"
    if elo.open_above:
        return [f"{round(elo.elo):+d}", f"above {low}"]
    return [f"{round(elo.elo):+d}", f"below {high}" if elo.open_below else f"{low} {high}"]


def _by_colour(engine: EngineStanding) -> str:
    return f"{percent_text(engine.black.share, 0)}/{percent_text(engine.white.share, 0)}"


def _seconds(engine: EngineStanding) -> str:
    """Write the mean seconds of a move, and behind it that of the contested parts of games where it says more."""
    part = f" {seconds_text(engine.seconds_per_contested_move)}" if _has_more(engine) else ""
    return seconds_text(engine.seconds_per_move) + part


def _has_more(engine: EngineStanding) -> bool:
    return 0 < engine.contested_moves < engine.moves


def percent_text(share: float | None, digits: int) -> str:
    """Write a share of 1 in per cent, without the sign; "-" for None."""
    return MISSING if share is None else f"{100 * share:.{digits}f}"


def seconds_text(mean: float | None) -> str:
    """Write a mean of seconds with about three figures."""
    if mean is None:
        return MISSING
    return f"{mean:.{4 if mean < 0.1 else 3 if mean < 1 else 2 if mean < 10 else 1}f}"


def _faults(engine: EngineStanding) -> str:
    kinds = ((engine.crashes, "c"), (engine.illegal, "i"), (engine.time_losses, "t"))
    return " ".join(f"{count}{letter}" for count, letter in kinds if count)


def standings_legend(standings: Standings, elo: EloTable | None, faults: bool) -> Iterator[str]:
    """Yield lines that explain the columns."""
    if elo is not None and elo.of:
        mean = "0 is the mean of the engines" + (" of a group that games connect" if elo.groups > 1 else "")
        two = len(standings.engines) == 2
        yield f"Elo: the lead over the other one, {FROM_PAIRS}" if two else f"Elo: {FROM_ALL}; {mean}"
    if any(map(_has_more, standings.engines)):
        yield "s/move: of all moves, and of the contested part: before the first pass and the filling"
    if faults:
        yield "faults: c crash or hang, i illegal move, t loss on time"


def remarks_table(report: TournamentReport) -> Table:
    """Return the lines below the standings: games, pairs, test, gates, faults."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for label, text, style in remarks(report):
        table.add_row(Text(label, "bold"), Text(text, style))
    return table


def remarks(report: TournamentReport) -> Iterator[tuple[str, str, str]]:
    """Yield label, text and style of the lines below the standings."""
    yield "games", _games(report), ""
    if report.duplicates.distinct < report.duplicates.games:
        yield "", _same(report), "yellow"
    if report.void:
        ends = ", ".join(f"{end} {count}" for end, count in report.void.items())
        yield "void", f"{_number_of_games(sum(report.void.values()))} without a result that counts: {ends}", "yellow"
    if report.with_notes:
        yield "notes", f"{_number_of_games(report.with_notes)} with remarks about the engines, in results.jsonl", ""
    for number, (name, program) in enumerate(report.programs.items()):
        yield "" if number else "players", f"{first_line(name, 30)}: {first_line(program)}", ""
    if len(report.names) == 2 and report.standings.pairings:
        yield from _pairs(report)
    if report.sprt_state is not None:
        yield "SPRT", report.sprt_state.text, ""
        if report.sprt_state.verdict is not None and (estimate := report.sprt_state.estimate) is not None:
            yield "", f"Elo of {first_line(report.names[0], 30)}: {elo_text(estimate, 0)}, {AFTER_STOP}", ""
    for gate in report.gate_results:
        yield "gate", f"{gate.name} {gate.word}: {gate.text}", _STYLES[gate.word]
    yield from _trouble_lines(report)
    if report.verdict in ("undecided", "error"):
        yield report.verdict, f"exit code {report.exit_code}; {first_line(report.why[0], 300)}", "bold yellow"


def _games(report: TournamentReport) -> str:
    played = report.standings.played
    decided = report.sprt_state is not None and report.sprt_state.verdict is not None
    reason = "sprt" if decided else report.stopped_by
    stop = _STOPS.get(reason, reason) if played < report.scheduled else ""
    speed = "" if report.games_a_minute is None else f", {speed_text(report.games_a_minute)}"
    return f"{played} of {report.scheduled}{speed}" + (f"; {stop}" if stop else "")


def _number_of_games(count: int) -> str:
    return f"{count} game{'s' * (count != 1)}"


def speed_text(games_a_minute: float) -> str:
    """Write the speed of play."""
    return f"{games_a_minute:.{0 if games_a_minute >= 100 else 1}f} games a minute"


def _same(report: TournamentReport) -> str:
    same = report.duplicates
    return f"only {same.distinct} of the {same.games} games are distinct, so the intervals are too narrow"


def _pairs(report: TournamentReport) -> Iterator[tuple[str, str, str]]:
    """Yield the figures from the pairs of two engines, in the terms of engine testing."""
    ((pairing, figures),) = report.pair_figures
    first = first_line(pairing.first, 30)
    if figures is not None:
        normalized = ALL_ALIKE if figures.normalized is None else elo_text(figures.normalized, 0)
        yield "nElo", f"{normalized}: normalized Elo of {first}, {FROM_PAIRS}", ""
        yield "LOS", f"{los_text(figures.los)}: likelihood that {first} is the stronger engine", ""
    yield "pairs", f"{pairs_text(pairing)}: numbers of pairs in which {first} scored 0, 0.5, 1, 1.5, 2", ""


def pairs_text(pairing: Pairing) -> str:
    """Write the number of pairs of games of each score."""
    return " ".join(map(str, pairing.pairs))


def los_text(los: float) -> str:
    """Write a likelihood in per cent; only certainty is written as 100 or 0."""
    if 0.9995 <= los < 1:
        return "> 99.9 %"
    return "< 0.1 %" if 0 < los < 0.0005 else f"{100 * los:.1f} %"


def _trouble_lines(report: TournamentReport) -> Iterator[tuple[str, str, str]]:
    if not report.troubles:
        return
    for kind in ("crashes", "illegal", "time-losses"):
        if any(trouble.kind == kind for trouble in report.troubles):
            yield "faults", faults_text(kind, report.standings.engines), "red"
    for trouble in report.troubles[:FAULTS_IN_TABLE]:
        yield "", trouble.line, ""
    if len(report.troubles) > FAULTS_IN_TABLE:
        yield "", f"and {len(report.troubles) - FAULTS_IN_TABLE} more, in results.jsonl", ""
