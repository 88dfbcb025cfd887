"""`gotools elo`: results of games in, ratings out."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gotools.commands import Quiet, finite
from gotools.commands.progress import Progress
from gotools.errors import GotoolsError, shown

if TYPE_CHECKING:
    from gotools.ratings.bradley_terry import Options, Ratings
    from gotools.ratings.games import GameTally
    from gotools.ratings.table import RatingReport, RatingRow

FOR = "For clubs, servers and engine authors who ask how strong their players are, and how sure that is."
EPILOG = """\b
Examples:
  gotools elo run --anchor gnugo=1800 -o ratings.tsv
  gotools elo games.csv --compare new old --prior 0
"""


FARTHEST_ANCHOR = 20_000.0
"""Elo. Farther off the likelihood is lost in rounding, and nobody is."""


class Method(StrEnum):
    """Ways to rate."""

    bradley_terry = "bradley-terry"
    elo = "elo"
    abalone = "abalone"


class Draws(StrEnum):
    """What a draw is."""

    half = "half"
    davidson = "davidson"


class Format(StrEnum):
    """How the ratings are written."""

    table = "table"
    tsv = "tsv"
    csv = "csv"
    json = "json"


@dataclass(frozen=True, slots=True)
class Job:
    """What was asked for, apart from how to rate."""

    paths: list[str]
    output: str | None
    format: str
    level: float
    least: int
    apart: bool
    compare: tuple[str, str] | None
    matrix: str | None
    strict: bool
    quiet: bool


def elo(
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", show_default=False, help="Results: files, folders, archives, globs, -."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            show_default=False,
            help="Its name says the form: .tsv, .csv, .json; else stdout.",
        ),
    ] = None,
    format: Annotated[
        Format | None,
        typer.Option(show_default=False, help="Else by the name of -o; a table on a terminal, TSV in a pipe."),
    ] = None,
    method: Annotated[
        Method, typer.Option(help="elo and abalone go game by game: they depend on the order of the games.")
    ] = Method.bradley_terry,
    prior: Annotated[
        float,
        typer.Option(
            metavar="P",
            min=0.0,
            max=1e6,
            callback=finite,
            help="P drawn games of each player against a virtual average one, and of equals in each class; 0: none.",
        ),
    ] = 1.0,
    draws: Annotated[
        Draws, typer.Option(help="Half a win each, or an outcome of its own, with a parameter that is learnt.")
    ] = Draws.half,
    advantage: Annotated[
        bool,
        typer.Option(
            "--advantage/--no-advantage", help="A first-move advantage for each komi, handicap and board size."
        ),
    ] = True,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=ELO", show_default=False, help="A given rating; may be repeated. Else the mean is 0."
        ),
    ] = None,
    level: Annotated[float, typer.Option(min=0.5, max=0.9999, help="Of the intervals: 0.95 is 95 %.")] = 0.95,
    min_games: Annotated[
        int, typer.Option(metavar="N", min=0, help="Show players of N games or more; all games count.")
    ] = 0,
    groups: Annotated[
        bool, typer.Option("--groups", help="Rate groups without games between them apart, each with mean 0.")
    ] = False,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="A B", show_default=False, help="Add the difference of two players."),
    ] = None,
    matrix: Annotated[
        str | None,
        typer.Option(metavar="FILE", show_default=False, help="How likely each is stronger than each other, as TSV."),
    ] = None,
    k: Annotated[
        float, typer.Option("--k", metavar="K", min=0.0, max=1e4, callback=finite, help="--method elo: K.")
    ] = 20.0,
    start: Annotated[
        float, typer.Option(metavar="ELO", callback=finite, help="--method elo, abalone: of new players.")
    ] = 1500.0,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first broken game, with exit code 1.")] = False,
    quiet: Quiet = False,
) -> None:
    """Rate players from the results of their games.

    PATH is a tournament's folder, game records (SGF: files, folders, collections, tar and zip archives), PGN, CSV
    (black,white,result), JSON lines, or .dat of gogui-twogtp; without any, stdin is read. Void, unfinished and unknown
    results are left out, and counted.

    Bradley-Terry: all games at once; the intervals and the likelihood of being stronger come from the full covariance,
    at 0 % and 100 % from the profile of the likelihood. With --prior 0 a player without a loss (or a win) has no
    rating but a bound, of the same level. Players between whom no chain of games leads are refused, see --groups.

    Reads all. The same games give the same bytes. docs/elo.md tells the model and what is taken of each format.
    """
    # For a thousand players one core takes half a second; on a busy machine cores that wait for each other take more.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded
    from gotools.files.outputs import FORMS, TABLE, Output, check_outputs
    from gotools.ratings.reading.formats import SUFFIXES
    from gotools.ratings.table import format_of

    if not paths and (sys.stdin is None or sys.stdin.isatty()):
        raise typer.BadParameter("name results, or send them to stdin", param_hint="PATH")
    terminal = sys.stdout is not None and sys.stdout.isatty()
    form = format_of(output, format, terminal)
    job = Job(paths or ["-"], output, form, level, min_games, groups, compare, matrix, strict, quiet)
    outputs = [Output("-o", output or "-", FORMS[form]), Output("--matrix", matrix, TABLE)]
    check_outputs(outputs, job.paths, SUFFIXES)
    anchors = _anchors(anchor or [])
    _check_method(context, method)
    _check(job, method, anchors)
    if method is Method.bradley_terry:
        from gotools.ratings.bradley_terry import Options

        report = _rated(job, Options(prior, advantage, "davidson" if draws == Draws.davidson else "half", anchors))
    else:
        report = _in_order(job, method, k, start)
    _write(job, report)


def _anchors(texts: list[str]) -> dict[str, float]:
    anchors: dict[str, float] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            elo = finite(float(number))
        except ValueError:
            name = ""
        if not name:
            raise typer.BadParameter(f"`{shown(text)}` should read NAME=ELO, as gnugo=1800", param_hint="--anchor")
        if name in anchors:
            raise typer.BadParameter(f"`{shown(name)}` is given twice", param_hint="--anchor")
        if abs(elo) > FARTHEST_ANCHOR:
            limit = f"{FARTHEST_ANCHOR:,.0f}"
            raise typer.BadParameter(f"`{shown(text)}`: Elo lies between -{limit} and {limit}", param_hint="--anchor")
        anchors[name] = elo
    return anchors


def _check_method(context: typer.Context, method: Method) -> None:
    """Raise typer.BadParameter for an option that the method has no use for."""
    goes_with = {
        (Method.bradley_terry,): {
            "prior": "--prior",
            "draws": "--draws",
            "advantage": "--advantage/--no-advantage",
            "level": "--level",
        },
        (Method.elo,): {"k": "--k"},
        (Method.elo, Method.abalone): {"start": "--start"},
    }
    for methods, options in goes_with.items():
        for name, option in options.items():
            source = context.get_parameter_source(name)
            if method not in methods and source is not None and source.name == "COMMANDLINE":
                raise typer.BadParameter(f"goes with --method {' or '.join(methods)}", param_hint=option)


def _check(job: Job, method: Method, anchors: dict[str, float]) -> None:
    """Raise typer.BadParameter for options that do not go together."""
    asked = {"--anchor": anchors, "--compare": job.compare, "--matrix": job.matrix, "--groups": job.apart}
    for option, value in asked.items():
        if value and method is not Method.bradley_terry:
            raise typer.BadParameter(f"not with --method {method.value}", param_hint=option)
        if value and job.apart and option != "--groups":
            raise typer.BadParameter("not with --groups: groups do not compare", param_hint=option)
    if job.compare and job.format == "csv":
        raise typer.BadParameter("CSV has no place for it; use tsv or json", param_hint="--compare")


def _rated(job: Job, options: Options) -> RatingReport:
    from gotools.files.opening import open_if_named
    from gotools.ratings.bradley_terry import apart, rate
    from gotools.ratings.reading.results import read_results
    from gotools.ratings.table import rated_rows, superiorities_tsv

    with Progress("reading games", job.quiet) as progress:
        tally = read_results(job.paths, progress.say, job.strict, progress.advance)
        parts = apart(tally) if job.apart else [tally]
        progress.phase("fitting ratings")
        found = [rate(part, options, progress.advance) for part in parts]
        progress.phase("finding intervals", sum(len(ratings.players) for ratings in found))
        rows = [rated_rows(ratings, job.level, job.least, progress.advance) for ratings in found]
    if not any(rows):
        raise GotoolsError(f"no player has {job.least:,} games (--min-games)")
    report = _report(job, options, tally, found, rows)
    with open_if_named(job.matrix) as out:
        if out is not None:
            out.write(superiorities_tsv(found[0], [row.name for row in report.groups[0]]))
    return report


def _report(
    job: Job, options: Options, tally: GameTally, found: list[Ratings], rows: list[list[RatingRow]]
) -> RatingReport:
    from gotools.ratings.table import RatingReport, advantages, compare

    games = sum(int(ratings.games.sum()) for ratings in found) // 2
    settings: dict[str, str | float] = {
        "method": Method.bradley_terry.value,
        "games": games,
        "players": sum(len(ratings.players) for ratings in found),
        "prior": options.prior,
        "draws": options.draws,
        "level": job.level,
        **{f"anchor {name}": elo for name, elo in options.anchors.items()},
    }
    if found[0].draw_parameter is not None:
        settings["draw parameter"] = " ".join(f"{ratings.draw_parameter or 0.0:.4f}" for ratings in found)
    classes = [advantage for ratings in found for advantage in advantages(ratings, job.level)]
    excluded = found[0].excluded if len(found) == 1 else tally.excluded
    comparison = compare(found[0], *job.compare, job.level) if job.compare else None
    return RatingReport(settings, rows, classes, excluded, comparison)


def _in_order(job: Job, method: Method, k: float, start: float) -> RatingReport:
    from gotools.ratings.bradley_terry import nothing_to_rate
    from gotools.ratings.incremental import abalone_exchange, elo_exchange, rate_in_order
    from gotools.ratings.reading.results import read_sequence
    from gotools.ratings.table import RatingReport, ordered_rows

    exchange = abalone_exchange if method is Method.abalone else elo_exchange(k)
    excluded: Counter[str] = Counter()
    with Progress("reading games", job.quiet) as progress:
        games = read_sequence(job.paths, progress.say, job.strict, progress.advance, excluded)
        players = rate_in_order(games, exchange, start)
    if not players:
        raise GotoolsError(nothing_to_rate(excluded))
    settings: dict[str, str | float] = {"method": method.value, "games": sum(p.games for p in players.values()) // 2}
    settings |= {"players": len(players), "start": start, **({"k": k} if method is Method.elo else {})}
    rows = ordered_rows(players, job.least)
    if not rows:
        raise GotoolsError(f"no player has {job.least:,} games (--min-games)")
    return RatingReport(settings, [rows], excluded=dict(excluded))


def _write(job: Job, report: RatingReport) -> None:
    from gotools.files.opening import open_output
    from gotools.ratings.table import FORMATS

    with open_output(job.output) as out:
        if job.format == Format.table.value:
            from gotools.ratings.screen import screen

            out.write(screen(report, colours=job.output in (None, "-")))
        else:
            out.write(FORMATS[job.format](report))
    if not job.quiet and job.format != Format.table.value:
        left_out = ", ".join(f"{count:,} {reason}" for reason, count in sorted(report.excluded.items()) if count)
        told = f"{int(report.settings['games']):,} games of {int(report.settings['players']):,} players"
        print(told + (f"; left out: {left_out}" if left_out else ""), file=sys.stderr)
