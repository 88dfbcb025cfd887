"""`gotools lessons`: games of players with ranks, and rules, in; what separates the ranks out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gotools.commands import options
from gotools.commands.options import STDIN, Cluster, GameName, Jobs, Quiet, check_one_crew, option
from gotools.commands.progress import Progress
from gotools.commands.settings_options import takes_settings
from gotools.game.table import USUAL
from gotools.library.arguments import no_news
from gotools.library.lessons import LessonSettings, compare_players

if TYPE_CHECKING:
    from gotools.views.lessons.comparison import Lessons

FOR = "For teachers and players who ask what the strong do and the weak do not, and whose habits their own are."
EPILOG = """\b
Examples, with levels of GNU Go in the place of ranks:
  sed -E 's/P([BW]).GNU Go level ([0-9])./&\\1R[\\2d]/g' \\
      examples/games/*.sgf > out/ranked.sgf
  gotools lessons out/ranked.sgf --rules out/rules.so --bands 1d-3d,5d-8d
"""


@takes_settings(LessonSettings)
def lessons(
    *,
    paths: Annotated[list[str] | None, options.paths("Game records (.sgf), archives, folders, -.")] = None,
    rules: Annotated[
        str, option("rules.pl or rules.so. Else some rules are learned from the games.", "FILE", reads="rules")
    ] = "",
    settings: LessonSettings,
    game: GameName = USUAL,
    output: Annotated[str | None, options.output(".tsv, .csv, .parquet, .json; else stdout.")] = None,
    format: Annotated[
        Literal["table", "tsv", "json"] | None, option("Else by the name of -o; a table on a terminal, TSV in a pipe.")
    ] = None,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Rules that a table lists.")] = 20,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Say what separates players.

    Without --rules, rules that can be read in words (induce-patterns --objective rank --without shape) are first
    learned from some games of each band, which takes half a minute.

    For each rule: of the decisions in which it covers some legal move, the share in which it covers the move played,
    for each band of ranks or ratings (BR and WR of the records, or --ratings), with 95 % intervals; then the strongest
    band less the weakest. The rules that separate the bands most clearly come first. Intervals take into account that
    the moves of one player are alike.

    --player: the player's own shares, the band that plays most like that, and the rank that all habits together speak
    for, with its interval. Ranks are learned from the habits of all other players; how good such estimates are is
    measured on players kept apart.

    Reads all. Ctrl-C ends it, and nothing is written.
    """
    from gotools.base.blas import use_common_blas

    use_common_blas()
    from gotools.files.outputs import FORMS, Output, check_outputs
    from gotools.game.game import suffixes_of

    files = options.paths_or_stdin(paths, "name game records, or send them to stdin")
    if rules == STDIN and STDIN in files:
        raise typer.BadParameter("stdin is read for PATH already", param_hint="--rules")
    check_one_crew(jobs, cluster)
    form = options.written_as(format, output, ("tsv", "json"))
    check_outputs(
        [Output("-o", output or "-", FORMS[form])], [*files, rules or None, settings.ratings], suffixes_of(game)
    )
    with options.interrupt_says("nothing is written"), Progress("reading games", quiet) as progress:
        found = compare_players(
            files,
            rules or None,
            settings=settings,
            game=game,
            jobs=jobs,
            cluster=cluster,
            report=progress.say,
            on_news=no_news if quiet else progress.say,
            watch=progress,
        )
    _write(found, output, form, top, quiet)


def _write(found: Lessons, output: str | None, form: str, top: int, quiet: bool) -> None:
    from gotools.files.opening import open_output
    from gotools.views.lessons.screen import as_table
    from gotools.views.lessons.table import as_json, as_tsv

    on_screen = output in (None, STDIN)
    with open_output(output) as out:
        if form == "table":
            out.write(as_table(found, colours=on_screen, top=top))
        else:
            out.write((as_json if form == "json" else as_tsv)(found))
    if not quiet and not (form == "table" and on_screen):
        print(as_table(found, colours=False, top=top).decode(), end="", file=sys.stderr)
