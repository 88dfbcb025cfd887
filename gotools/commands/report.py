"""`gotools report`: one web page of what files hold."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from gotools.commands import options
from gotools.commands.options import GameName, Quiet, option
from gotools.commands.progress import Progress
from gotools.game.table import USUAL
from gotools.library.showing import write_report

FOR = "For people who want to look at their games, rules and results, and to share them."
EPILOG = """\b
Example:
  gotools report out/rules.pl examples/test-games -o out/report.html
"""


def report(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            show_default=False,
            help="Any files that gotools writes, the folders of tournaments, game records.",
        ),
    ],
    game: GameName = USUAL,
    output: Annotated[str | None, options.output("The page, report.html. Else stdout.")] = None,
    title: Annotated[str, option("Title of the page; else what the files show.", "WORDS")] = "",
    svg: Annotated[str | None, option("Write each board and chart into this folder too, as SVG.", "FOLDER")] = None,
    png: Annotated[
        str | None, option("Write each board and chart into this folder too, as PNG (extra plots).", "FOLDER")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Make one web page of what files hold.

    The page needs no network and no other file, and is below 2 MB: games that do not fit are linked from it. A folder
    of a tournament shows ratings, who beats whom, the sequential test, failures, and the games to replay; rules are
    drawn, with the positions of the given games where they found the move; games show what the given rules and learned
    values (eval.npz) say of each move. All else is shown as by `gotools show`, with charts.

    Streams: problems that do not stop the work are reported on stderr.
    """
    from gotools.files.outputs import PAGE, Output, check_outputs
    from gotools.game.game import suffixes_of

    check_outputs([Output("-o", output, PAGE)], files, suffixes_of(game))
    with options.interrupt_says("no page is written"), Progress("reading files", quiet) as progress:
        found = write_report(
            files, output or "-", game=game, title=title, svg=svg, png=png, report=progress.say, watch=progress
        )
    if not quiet:
        many = len(found.sections)
        print(f"{many} section{'s' * (many != 1)}{f' in {output}' if output else ''}", file=sys.stderr)
