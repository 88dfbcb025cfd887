"""A tournament from its settings to its report: schedule, journal, games, verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.game.table import USUAL
from gotools.matches.config import TournamentConfig, config_of_journal
from gotools.matches.game.game_result import GameResult
from gotools.matches.game.time_control import time_text
from gotools.matches.journal import NAME, Journal, read_journal
from gotools.matches.report.report import Failure, TournamentReport
from gotools.matches.report.standings import NO_PAIRS
from gotools.matches.schedule import (
    NO_OPENING,
    ScheduledGame,
    Shard,
    digest_of,
    find_openings,
    parse_shard,
    schedule,
)
from gotools.matches.sequential import SequentialTest

if TYPE_CHECKING:
    from gotools.matches.report.live import Live
    from gotools.matches.runner import Runner

Say = Callable[[str], None]


def run_tournament(
    config: TournamentConfig,
    folder: str | Path,
    shard: Shard,
    say: Say,
    quiet: bool = False,
    cluster: str | None = None,
) -> TournamentReport:
    """Play the remaining games of a tournament, and report on all of it.

    quiet   -- show no progress
    cluster -- where the games are played, as in workers.py; None: on this machine
    Raises ConfigError, FileFormatError, EngineError, MissingTool, and GotoolsError for a cluster.
    """
    from gotools.matches.report.live import Live

    openings = find_openings(config, say)
    games = [game for game in schedule(config, openings) if shard.holds(game)]
    plays = {**config.identity(), "openings_digest": digest_of(openings)}
    test = None if config.sprt is None else SequentialTest(config.sprt, config.names[0], games)
    wishes = {**config.wishes(), **({} if shard.count == 1 else {"shard": f"{shard.number}/{shard.count}"})}
    with Journal(folder, plays, wishes, say) as journal:
        before = [journal.results[game.game] for game in games if game.game in journal.results]
        with Live(config.names, len(games), before, config.sprt, config.time_budget, quiet) as display:
            if not quiet and len(before) < len(games):
                at_once = None if cluster else config.jobs
                say(_terms(config, len(games), at_once) + (f"; {len(before)} are played" if before else ""))
            with _runner(config, games, journal, display, test, cluster) as runner:
                stopped = runner.run()
            speed = runner.games_a_minute
        failure = Failure(runner.failure) if runner.failure else None
        report = report_of(config, games, journal.results, test, stopped)
        return replace(report, failure=failure, games_a_minute=speed, programs=journal.programs)


@contextmanager
def _runner(
    config: TournamentConfig,
    games: Sequence[ScheduledGame],
    journal: Journal,
    display: Live,
    test: SequentialTest | None,
    cluster: str | None,
) -> Iterator[Runner]:
    """Yield what runs the games, here or on a cluster; one without games is not asked."""
    from gotools.matches.runner import Runner  # boards, and with them numba: `status` needs none

    if cluster is None or all(game.game in journal.results for game in games):
        yield Runner(config, games, journal, display, test)
        return
    from gotools.matches.away import AwayRunner
    from gotools.work.cluster.connecting import connected  # and with it dask

    with connected(cluster, display.progress) as crew:
        yield AwayRunner(crew, config, games, journal, display, test)


def report_of_failure(
    config: TournamentConfig | None, folder: str | Path, shard: Shard, failure: Failure
) -> TournamentReport:
    """Report on a run that failed, with the games in its journal.

    config -- None if the settings are invalid
    """
    if config is None:
        return TournamentReport((), (), 0, complete=False, stopped_by="error", failure=failure)
    results: dict[int, GameResult] = {}
    with suppress(GotoolsError):
        run = read_journal(Path(folder) / NAME, lambda _: None)
        results = run.results if run.players() == set(config.names) else {}
    games = [game for game in schedule(config, [NO_OPENING]) if shard.holds(game)]
    test = None if config.sprt is None else SequentialTest(config.sprt, config.names[0], games)
    return replace(report_of(config, games, results, test, "error"), failure=failure)


def report_of(
    config: TournamentConfig,
    games: Sequence[ScheduledGame],
    results: Mapping[int, GameResult],
    test: SequentialTest | None,
    stopped: str = "",
) -> TournamentReport:
    """Return the report on a schedule's results; of a decided test, on the pairs up to the deciding one."""
    if test is not None:
        test.look(results)
    last = test.last_pair if test is not None and test.verdict else None
    counted = [game for game in games if last is None or game.pair <= last]
    played = [results[game.game] for game in counted if game.game in results]
    return TournamentReport(
        names=config.names,
        results=played,
        scheduled=len(games),
        sprt=config.sprt,
        counts=NO_PAIRS if test is None else test.counts,
        gates=config.gates,
        complete=len(played) == len(counted),
        stopped_by=stopped or ("sprt" if last is not None and len(played) < len(games) else ""),
        config={**config.identity(), **config.wishes()},
    )


def report_of_folder(folder: str | Path, say: Say) -> TournamentReport:
    """Report on the run in a folder, in progress or over. Raises FileFormatError, ConfigError."""
    return report_of_journal(Path(folder) / NAME, say)


def table_of_folder(folder: str | Path) -> bytes:
    """Return the games of the run in a folder as a table. Raises FileFormatError."""
    from gotools.matches.report.summary import games_table

    run = read_journal(Path(folder) / NAME, lambda _: None)
    return games_table(run.results, run.game)


def report_of_journal(path: str | Path, say: Say) -> TournamentReport:
    """Report on the run of a journal. Raises FileFormatError, ConfigError."""
    run = read_journal(path, say)
    if run.plays is None:
        raise FileFormatError(path, 1, "the first line, with the settings, is missing")
    config = config_of_journal(run.plays, run.wishes)
    shard = parse_shard(str(run.wishes.get("shard", "1/1")))
    games = [game for game in schedule(config, [NO_OPENING]) if shard.holds(game)]
    test = None if config.sprt is None else SequentialTest(config.sprt, config.names[0], games)
    return replace(report_of(config, games, run.results, test), programs=run.programs)


def plan_lines(config: TournamentConfig, shard: Shard, say: Say) -> list[str]:
    """Return the schedule as rows: game, pair, black, white, opening, seed."""
    from gotools.game.game import find_game
    from gotools.matches.game.referee import Referee

    openings = find_openings(config, say)
    text = Referee(find_game(config.game), config.size, config.rules).text
    lines = ["#game\tpair\tblack\twhite\topening\tseed"]
    for game in schedule(config, openings):
        if shard.holds(game):
            start = [f"from {game.setting}:"] * bool(game.setting)
            moves = " ".join([*start, *map(text, game.opening)]) or "-"
            lines.append(f"{game.game}\t{game.pair}\t{game.black}\t{game.white}\t{moves}\t{game.seed}")
    say(_terms(config, len(lines) - 1, config.jobs))
    return lines


def _terms(config: TournamentConfig, games: int, at_once: int | None) -> str:
    """Return a line on what is played; at_once -- None: as many games as a cluster has places."""
    places = f"{at_once} at once" if at_once else "one at a time in each place of the cluster"
    clock = time_text(config.time) + (" for the game" if config.time.kind == "absolute" else "")
    board = f"size {config.size}"
    if config.rules is not None:
        board = f"{config.size}x{config.size}, komi {config.komi:g}, {config.rules.name} rules"
    of = "" if config.game == USUAL else f" of {config.game}"
    return f"{games} games{of}, {board}, clock {clock}, {places}"
