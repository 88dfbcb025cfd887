"""`gotools elo`: results of games in, ratings out."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gotools.commands import options
from gotools.commands.options import Quiet, option
from gotools.commands.progress import Progress
from gotools.commands.settings_options import takes_settings
from gotools.library.ratings import rate
from gotools.ratings.settings import BRADLEY_TERRY, RatingSettings

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


@takes_settings(RatingSettings)
def elo(
    *,
    paths: Annotated[list[str] | None, options.paths("Results: files, folders, archives, globs, -.")] = None,
    output: Annotated[str | None, options.output("The form by name: .tsv, .csv, .parquet, .json; else stdout.")] = None,
    format: Annotated[
        Literal["table", "tsv", "csv", "json"] | None,
        option("Else by the name of -o; a table on a terminal, TSV in a pipe."),
    ] = None,
    settings: RatingSettings,
    matrix: Annotated[str | None, option("How likely each is stronger than each other, as TSV.", "FILE")] = None,
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
    outputs = [Output("-o", output or "-", FORMS[form]), Output("--matrix", matrix, TABLE)]
    check_outputs(outputs, files, SUFFIXES)
    if matrix and (settings.groups or settings.method != BRADLEY_TERRY):
        what = "not with --groups: groups do not compare" if settings.groups else f"goes with --method {BRADLEY_TERRY}"
        raise typer.BadParameter(what, param_hint="--matrix")
    if settings.compare and (form == "csv" or names_csv(output)):
        raise typer.BadParameter("CSV has no place for it; use tsv or json", param_hint="--compare")
    with Progress("reading games", quiet) as progress:
        report = rate(files, settings=settings, report=progress.say, watch=progress)
    _write(report, output, form, matrix, quiet)


def _write(report: RatingReport, output: str | None, form: str, matrix: str | None, quiet: bool) -> None:
    from gotools.files.converting import names_csv
    from gotools.files.opening import open_if_named, open_output
    from gotools.ratings.table import FORMATS, superiorities_tsv

    with open_if_named(matrix) as out:
        if out is not None:
            out.write(superiorities_tsv(report.ratings[0], [row.name for row in report.groups[0]]))
    with open_output(output) as out:
        if form == "table":
            from gotools.ratings.screen import screen

            out.write(screen(report, colours=output in (None, "-")))
        else:
            out.write(FORMATS["tsv" if names_csv(output) else form](report))
    if not quiet and form != "table":
        left_out = ", ".join(f"{count:,} {reason}" for reason, count in sorted(report.excluded.items()) if count)
        summary = f"{int(report.settings['games']):,} games of {int(report.settings['players']):,} players"
        print(summary + (f"; left out: {left_out}" if left_out else ""), file=sys.stderr)
