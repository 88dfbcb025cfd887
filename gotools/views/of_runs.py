"""Say what a tournament has shown: ratings, who beats whom, the test, openings, time, failures, and the games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gotools.base.errors import ConfigError, FileFormatError, GotoolsError, shown
from gotools.base.phases import Watch
from gotools.files.kinds import Kind
from gotools.game.game import find_game
from gotools.game.table import USUAL
from gotools.matches.game.game_result import GameResult
from gotools.matches.report.report import TournamentReport
from gotools.matches.report.standings import GameScore, Standings, StandingsCount
from gotools.matches.report.standings_elo import EloTable, EngineElo, elo_table, superiorities
from gotools.matches.report.table import (
    in_rank_order,
    los_text,
    remarks,
    seconds_text,
    standings_legend,
    standings_rows,
)
from gotools.matches.sequential import ratio_path
from gotools.matches.tournament import Say, report_of_journal
from gotools.views.charts import Axes, Curve, Span, line_chart, span_chart
from gotools.views.contents import Contents
from gotools.views.of_run_games import run_games
from gotools.views.page import known_facts
from gotools.views.parts import LONGEST_TEXT, Facts, Figure, Figures, Note, Part, Section, Shade, Table
from gotools.views.replay import Budget

SAMPLES: Final = 40
"""Places at which the course of a match is measured."""
LINES: Final = 6
"""Engines in a chart."""
MATRIX: Final = 30
"""Engines in a matrix."""
OPENINGS: Final = 20
FAULTS: Final = 100
_COLUMNS: Final = ("engine", "games", "wins", "draws", "losses", "score", "elo", "low", "high", "faults")


def show_run(path: str, limit: int, say: Say) -> Contents:
    """Return the settings of a run, how far it got, and the standings in a few columns.

    path -- of its journal; say -- called for each broken line

    Raises FileFormatError.
    """
    report = _read(path, say)
    facts: dict[str, object] = {
        "games": {"played": report.standings.played, "scheduled": report.scheduled},
        "void": report.void or None,
        "complete": report.complete,
        "verdict": report.verdict,
        "settings": {name: value for name, value in known_facts(report.config).items() if name != "engines"},
    }
    facts = {name: value for name, value in facts.items() if value is not None}
    engines = _engines(report)
    listed = Table("engines", ("engine", "program", "command"), engines[:limit], total=len(engines))
    return Contents(path, Kind.journal, facts, [_standings(report, limit), listed])


def _read(path: str, say: Say) -> TournamentReport:
    try:
        return report_of_journal(path, say)
    except ConfigError as error:
        raise FileFormatError(path, 1, str(error)) from error


def _engines(report: TournamentReport) -> list[tuple[str, str | None, str]]:
    """Return name, program and command line of the engines."""
    found = []
    for engine in report.config.get("engines") or []:
        if isinstance(engine, dict):
            name, words = str(engine["name"]), engine.get("command", engine.get("words", ""))
            command = " ".join(map(str, words)) if isinstance(words, list | tuple) else str(words)
            found.append((name, report.programs.get(name), command))
    return found


def _standings(report: TournamentReport, limit: int) -> Table:
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
    return Table("standings", _COLUMNS, rows, total=len(ranked))


def run_section(path: str, folder: str, budget: Budget, say: Say, watch: Watch) -> Section:
    """Return the section of a run.

    path -- of its journal; folder -- the run's, as a link from the page; say -- called for each broken line

    Raises FileFormatError.
    """
    watch.phase("reading results")
    report = _read(path, say)
    try:
        parts = _parts(report, path, folder, budget, watch)
        return Section(path, "a tournament", parts, _headline(report), _settings(report))
    except (ValueError, GotoolsError) as error:  # moves and starts that their game does not know
        raise FileFormatError(path, None, shown(error, 200)) from error


def _parts(report: TournamentReport, path: str, folder: str, budget: Budget, watch: Watch) -> list[Part]:
    results = sorted(report.results, key=lambda game: game.game)
    parts: list[Part] = [Facts(_facts(report))]
    if not results:
        parts.append(Note("No game has been played yet.", "warning"))
    else:
        watch.phase("rating engines")
        parts += [*_strength(report), *_course(report, results), *_openings(results)]
        watch.phase("reading games", len(results))
        games = run_games(path, folder, results, report.names, budget, watch)
        parts += [*_times(report.standings), *games.times, *_failures(report, games.cells), *games.parts]
    engines = [(name, command) for name, _, command in _engines(report)]
    return [*parts, Table("Engines", ["engine", "command"], engines)]


def _headline(report: TournamentReport) -> str:
    names, played = report.names, report.standings.played
    sides = f"{names[0]} against {names[1]}" if len(names) == 2 else f"A tournament of {len(names)} engines"
    game, size = find_game(str(report.config.get("game") or USUAL)), report.config.get("size")
    board = f" on {game.usual.board.format(size)}" if isinstance(size, int) and len(game.sizes) > 1 else ""
    return f"{sides}: {played:,} game{'s' * (played != 1)} of {game.full_name.capitalize()}{board}"


def _settings(report: TournamentReport) -> dict[str, object]:
    """Return the settings of all games."""
    names = ("game", "size", "komi", "rules", "time", "pairing", "openings", "seed")
    return known_facts({name: report.config.get(name) for name in names})


def _facts(report: TournamentReport) -> dict[str, object]:
    """Return what is said of the whole run: the remarks below its standings."""
    said: dict[str, list[str]] = defaultdict(list)
    label = ""
    for name, text, _ in remarks(report):
        label = name or label
        if label != "faults":
            said[label].append(text)
    return known_facts({name: "; ".join(texts) for name, texts in said.items()})


def _strength(report: TournamentReport) -> Iterator[Part]:
    """Yield standings, ratings with their intervals, and who beats whom."""
    standings = report.standings
    elo = report.elo if standings.played > standings.void else None
    titles, rows = standings_rows(standings, elo)
    faults = any(engine.faults for engine in standings.engines)
    yield Table("Ratings", titles, rows, list(standings_legend(standings, elo, faults)))
    if elo is None:
        yield Note("No game counts yet: nothing to rate.", "warning")
        return
    names = [engine.name for engine in in_rank_order(standings, elo) if engine.name in elo.of]
    spans = [_span(name, elo.of[name]) for name in names[: 2 * MATRIX]]
    yield Figure("ratings", span_chart(spans, "Elo, 95 % intervals", "ratings with 95 % intervals", guide=0.0))
    yield from _matrices(standings, names[:MATRIX])
    if len(names) > MATRIX:
        yield Note(f"The tables of pairs hold the first {MATRIX} of {len(names):,} engines.")


def _span(name: str, elo: EngineElo) -> Span:
    return Span(name, elo.elo, None if elo.open_below else elo.low, None if elo.open_above else elo.high)


def _matrices(standings: Standings, names: Sequence[str]) -> Iterator[Table]:
    """Yield how likely each engine is stronger than each other, and the results of the pairs."""
    likely = superiorities(standings)
    numbers = [str(at) for at in range(1, len(names) + 1)]
    heads = ["engine", *(f"{at} {name}" if len(names) < 8 else at for at, name in zip(numbers, names, strict=True))]
    rows: list[list[object]] = []
    results: list[list[object]] = []
    for at, one in zip(numbers, names, strict=True):
        shares = [likely.get((one, other)) for other in names]
        rows.append([f"{at} {one}", *("-" if x is None or x != x else Shade(los_text(x), x) for x in shares)])
        scores = [None if one == other else standings.pairing(one, other).score for other in names]
        results.append([f"{at} {one}", *("-" if x is None else _score_cell(x) for x in scores)])
    by = "from pairs of games" if len(standings.engines) == 2 else "by Bradley-Terry from all games"
    yield Table(
        "Which engine is stronger",
        heads,
        rows,
        [f"Likelihood that the engine of the row is stronger than that of the column, {by}."],
    )
    yield Table("Cross table", heads, results, ["Wins, draws and losses of the engine of the row."])


def _score_cell(score: GameScore) -> object:
    if score.share is None:
        return "-"
    return Shade(f"+{score.wins} ={score.draws} -{score.losses}", score.share)


def _course(report: TournamentReport, results: Sequence[GameResult]) -> Iterator[Part]:
    """Yield the path of the sequential test, and Elo and score over the games."""
    figures = []
    if report.sprt is not None and report.sprt_state is not None:
        path = ratio_path(report.sprt, report.names[0], results, report.counts)
        low, high = report.sprt.bounds
        guides = [(high, f"H1: Elo {report.sprt.elo1:g}"), (low, f"H0: Elo {report.sprt.elo0:g}")]
        lines = [Curve("LLR", [(float(at), value) for at, value in enumerate(path)])]
        axes = Axes("pairs of games", "log-likelihood ratio", guides)
        chart = line_chart(lines, axes, "path of the sequential test")
        figures.append(Figure("sprt", chart, f"Sequential test: {report.sprt_state.text}."))
    elo, score = _lines_over_games(report, results)
    if elo:
        chart = line_chart(elo, Axes("games", "Elo", [(0.0, "")]), "Elo over the games")
        interval = " with its 95 % interval" if elo[0].band else ""
        figures.append(Figure("elo-over-games", chart, f"Elo{interval} after the first games."))
    if score:
        chart = line_chart(score, Axes("games", "score, %", [(50.0, "")], 0, 100), "score over the games")
        figures.append(Figure("score-over-games", chart, "Points in per cent after the first games."))
    if figures:
        yield Figures("The course of the match", figures)


def _lines_over_games(report: TournamentReport, results: Sequence[GameResult]) -> tuple[list[Curve], list[Curve]]:
    """Return Elo and score after some numbers of games: of the first of two engines, or of the best of many."""
    ranked = [engine.name for engine in in_rank_order(report.standings, report.elo)]
    names = [report.names[0]] if len(ranked) == 2 else ranked[:LINES]
    elo: dict[str, list[tuple[float, EngineElo]]] = defaultdict(list)
    score: dict[str, list[tuple[float, float]]] = defaultdict(list)
    count = StandingsCount(report.names)
    places = {max(1, len(results) * at // SAMPLES) for at in range(1, SAMPLES + 1)}
    for done, result in enumerate(results, 1):
        count.add(result)
        if done not in places:
            continue
        standings = count.standings()
        table = elo_table(standings) if standings.played > standings.void else EloTable()
        for name in names:
            found = table.of.get(name) if table.groups == 1 else None
            if found is not None and not (found.open_above or found.open_below):
                elo[name].append((float(done), found))
            share = standings.engine(name).score.share
            if share is not None:
                score[name].append((float(done), 100.0 * share))
    banded = len(names) <= 2
    lines = [
        Curve(name, [(at, x.elo) for at, x in course], [(at, x.low, x.high) for at, x in course] if banded else ())
        for name, course in elo.items()
    ]
    return lines, [Curve(name, course) for name, course in score.items()]


def _openings(results: Sequence[GameResult]) -> Iterator[Table]:
    """Yield how the first side did after each opening."""
    found: dict[str, Counter[float | None]] = defaultdict(Counter)
    for game in results:
        moves = game.moves.split()[: game.opening]
        start = " ".join([*([f"from {game.setting}:"] if game.setting else []), *moves])
        if start:
            found[start][game.score] += 1
    if not found:
        return
    first = sorted(found.items(), key=lambda item: (-sum(item[1].values()), item[0]))
    rows: list[list[object]] = []
    for start, scores in first[:OPENINGS]:
        score = GameScore(scores[1.0], scores[0.5], scores[0.0])
        share = None if score.share is None else Shade(f"{100 * score.share:.0f} %", score.share)
        rows.append([start, sum(scores.values()), score.wins, score.draws, score.losses, share])
    more = [f"The first {OPENINGS} of {len(found):,} openings."] if len(found) > OPENINGS else []
    notes = ["Games and results of black, who moves first.", *more]
    yield Table("Openings", ["opening", "games", "won", "drawn", "lost", "score"], rows, notes)


def _times(standings: Standings) -> Iterator[Table]:
    rows: list[list[object]] = [
        [
            *(one.name, one.moves, seconds_text(one.seconds_per_move), seconds_text(one.seconds_per_contested_move)),
            *(f"{one.slowest:.3f}", f"{one.seconds:,.1f}"),
        ]
        for one in in_rank_order(standings, None)
        if one.moves
    ]
    if rows:
        yield Table("Time", ["engine", "moves", "s/move", "s/move contested", "longest, s", "in all, s"], rows)


def _failures(report: TournamentReport, cells: Mapping[int, object]) -> Iterator[Part]:
    """Yield games that ended by an engine's fault with what the engine wrote last, and games with oddities.

    cells -- that open games, by their numbers
    """
    if report.troubles:
        shown = report.troubles[:FAULTS]
        rows = [[cells.get(one.game, one.game), one.engine, str(one.end), one.what[-LONGEST_TEXT:]] for one in shown]
        more = [f"The first {FAULTS} of {len(report.troubles):,}."] if len(report.troubles) > FAULTS else []
        yield Table("Failures", ["game", "engine", "end", "what happened, and the last lines of its log"], rows, more)
    noted = [game for game in report.results if game.notes]
    if noted:
        first = sorted(noted, key=lambda game: game.game)[:FAULTS]
        more = [f"The first {FAULTS} of {len(noted):,} games with remarks."] if len(noted) > FAULTS else []
        yield Table(
            "Remarks",
            ["game", "what"],
            [[cells.get(game.game, game.game), "; ".join(game.notes)] for game in first],
            more,
        )
