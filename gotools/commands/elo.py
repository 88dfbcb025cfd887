"""`gotools elo`: results of games in, ratings out."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gotools.commands import options
from gotools.commands.options import Quiet, Strict, finite, option
from gotools.commands.progress import Progress
from gotools.errors import shown
from gotools.library.ratings import GOES_WITH, Draws, Method, rate

if TYPE_CHECKING:
    from gotools.ratings.table import RatingReport

FOR = "For clubs, servers and engine authors who ask how strong their players are, and how sure that is."
EPILOG = """\b
Examples:
  gotools elo examples/games --anchor 'GNU Go level 1=1000' \\
      -o out/ratings.tsv
  gotools elo examples/games --prior 0 \\
      --compare 'GNU Go level 8' 'GNU Go level 1'
"""


FARTHEST_ANCHOR = 20_000.0
"""Elo. Beyond it the likelihood is lost in rounding, and no player is."""


DEFAULT = options.defaults_of(rate)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingJob:
    """The options apart from how to rate."""

    paths: list[str]
    output: str | None
    format: str
    matrix: str | None
    quiet: bool


def elo(
    context: typer.Context,
    paths: Annotated[list[str] | None, options.paths("Results: files, folders, archives, globs, -.")] = None,
    output: Annotated[str | None, options.output("The form by name: .tsv, .csv, .parquet, .json; else stdout.")] = None,
    format: Annotated[
        Literal["table", "tsv", "csv", "json"] | None,
        option("Else by the name of -o; a table on a terminal, TSV in a pipe."),
    ] = None,
    method: Annotated[
        Method, typer.Option(help="elo and abalone go game by game: they depend on the order of the games.")
    ] = DEFAULT.method,
    prior: Annotated[
        float,
        typer.Option(
            metavar="P",
            min=0.0,
            max=1e6,
            callback=finite,
            help="P drawn games of each player against a virtual average one, and of equals in each class; 0: none.",
        ),
    ] = DEFAULT.prior,
    draws: Annotated[
        Draws, typer.Option(help="Half a win each, or an outcome of its own, with a parameter that is learnt.")
    ] = DEFAULT.draws,
    advantage: Annotated[
        bool,
        typer.Option(
            "--advantage/--no-advantage", help="A first-move advantage for each komi, handicap and board size."
        ),
    ] = DEFAULT.advantage,
    anchor: Annotated[
        list[str] | None, option("A given rating; may be repeated. Else the mean is 0.", "NAME=ELO")
    ] = None,
    level: Annotated[float, typer.Option(min=0.5, max=0.9999, help="Of the intervals: 0.95 is 95 %.")] = DEFAULT.level,
    min_games: Annotated[
        int, typer.Option(metavar="N", min=0, help="Show players of N games or more; all games count.")
    ] = DEFAULT.min_games,
    groups: Annotated[
        bool, typer.Option("--groups", help="Rate groups without games between them apart, each with mean 0.")
    ] = DEFAULT.groups,
    compare: Annotated[tuple[str, str] | None, option("Add the difference of two players.", "A B")] = DEFAULT.compare,
    matrix: Annotated[str | None, option("How likely each is stronger than each other, as TSV.", "FILE")] = None,
    k: Annotated[
        float, typer.Option("--k", metavar="K", min=0.0, max=1e4, callback=finite, help="--method elo: K.")
    ] = DEFAULT.k,
    start: Annotated[
        float, typer.Option(metavar="ELO", callback=finite, help="--method elo, abalone: of new players.")
    ] = DEFAULT.start,
    game: Annotated[
        str | None,
        option("Rate the results of this game, leave out others. Else all must be of one.", options.GAME_NAMES),
    ] = DEFAULT.game,
    strict: Strict = DEFAULT.strict,
    quiet: Quiet = False,
) -> None:
    """Rate players from the results of their games.

    PATH is a tournament's folder, game records (SGF: files, folders, collections, tar and zip archives), PGN, CSV
    (black,white,result), JSON lines, or .dat of gogui-twogtp; without any, stdin is read. Void, unfinished and unknown
    results are left out, and counted.

    Bradley-Terry: all games at once; the intervals and the likelihood of being stronger come from the full covariance,
    at 0 % and 100 % from the profile of the likelihood. With --prior 0 a player without a loss (or a win) has no
    rating but a bound, of the same level. Players between whom no chain of games leads are refused, see --groups.

    Reads all. The same games give the same bytes. docs/elo.md explains the model and what is read of each format.
    """
    # For a thousand players one core takes half a second; on a busy machine cores that wait for each other take more.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded
    from gotools.files.converting import names_csv
    from gotools.files.outputs import FORMS, TABLE, Output, check_outputs
    from gotools.ratings.reading.formats import SUFFIXES

    files = options.paths_or_stdin(paths, "name results, or send them to stdin")
    form = options.written_as(format, output, ("tsv", "json"))
    job = RatingJob(paths=files, output=output, format=form, matrix=matrix, quiet=quiet)
    outputs = [Output("-o", output or "-", FORMS[form]), Output("--matrix", matrix, TABLE)]
    check_outputs(outputs, job.paths, SUFFIXES)
    anchors = _anchors(anchor or []) or None
    options.check_goes_with(context, method, GOES_WITH, "--method")
    for name, value in {"--anchor": anchors, "--compare": compare, "--matrix": matrix}.items():
        if value and groups:
            raise typer.BadParameter("not with --groups: groups do not compare", param_hint=name)
    if compare and (form == "csv" or names_csv(output)):
        raise typer.BadParameter("CSV has no place for it; use tsv or json", param_hint="--compare")
    with Progress("reading games", quiet) as progress:
        report = rate(
            files,
            method=method,
            prior=prior,
            draws=draws,
            advantage=advantage,
            anchors=anchors,
            level=level,
            min_games=min_games,
            groups=groups,
            compare=compare,
            k=k,
            start=start,
            game=game,
            strict=strict,
            report=progress.say,
            watch=progress,
        )
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


def _write(job: RatingJob, report: RatingReport) -> None:
    from gotools.files.converting import names_csv
    from gotools.files.opening import open_if_named, open_output
    from gotools.ratings.table import FORMATS, superiorities_tsv

    with open_if_named(job.matrix) as matrix:
        if matrix is not None:
            matrix.write(superiorities_tsv(report.ratings[0], [row.name for row in report.groups[0]]))
    with open_output(job.output) as out:
        if job.format == "table":
            from gotools.ratings.screen import screen

            out.write(screen(report, colours=job.output in (None, "-")))
        else:
            out.write(FORMATS["tsv" if names_csv(job.output) else job.format](report))
    if not job.quiet and job.format != "table":
        left_out = ", ".join(f"{count:,} {reason}" for reason, count in sorted(report.excluded.items()) if count)
        summary = f"{int(report.settings['games']):,} games of {int(report.settings['players']):,} players"
        print(summary + (f"; left out: {left_out}" if left_out else ""), file=sys.stderr)
