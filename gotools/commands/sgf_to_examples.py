"""`gotools sgf-to-examples`: game records in, decisions as examples and counter-examples out."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from gotools.commands import options
from gotools.commands.options import STDIN, GameName, Jobs, Quiet, option
from gotools.commands.progress import Progress
from gotools.commands.settings_options import takes_settings
from gotools.game.examples.settings import ExampleSettings
from gotools.game.table import USUAL
from gotools.library.records import Conversion, Format, convert_records, part_names

FOR = "For people who have game records and need a table of positions and moves, to learn from or to analyse."
EPILOG = """\b
Examples:
  gotools sgf-to-examples examples/games --negatives unplayed \\
      -o out/examples.tsv
  echo 'startpos moves 7g7f 3c3d' | \\
      gotools sgf-to-examples --game shogi -o out/shogi.tsv
"""


Split = Annotated[
    float | None,
    option(
        "Divide by game: this share of the games into NAME-train, the rest into NAME-test, beside -o NAME.",
        "SHARE",
        min=0.0,
        max=1.0,
    ),
]


@takes_settings(ExampleSettings)
def sgf_to_examples(
    *,
    paths: Annotated[
        list[str] | None,
        options.paths("Game records (.sgf; .jsonl, .kif, ... of other games), archives, folders, globs, -."),
    ] = None,
    game: GameName = USUAL,
    output: Annotated[str | None, options.output("All or nothing; .csv, .parquet too; else stdout.")] = None,
    format: Annotated[Format, typer.Option(help="aleph and popper are folders, so they need -o.")] = "tsv",
    settings: ExampleSettings,
    split: Split = None,
    jobs: Jobs = 1,
    quiet: Quiet = False,
) -> None:
    """Turn game records (SGF) into examples.

    Every move of the main line becomes a row, with the position before it; passes of Go do not.

    PATH is a file, an archive (zip, tar), a folder (all records and archives below it), a glob or `-`; without any,
    stdin is read. A game that is broken is reported as `path: reason` and left out; an illegal move ends its game's
    examples there.

    --game takes records of other games, of shogi also KIF, KI2, CSA and lists of USI. A row then has the players, their
    ratings or ranks, and the winner as well. Only moves of Go can be illegal by suicide, and only Go has --format.

    Streams: with --format tsv and neither --negatives nor --split, rows leave while games are read; all else reads
    every game first. Ctrl-C keeps the rows written to stdout so far; with -o nothing is written.

    Exit code 1 when there is not one example.
    """
    _check(output, format, split)
    _check_files(game, output, format, split, paths or [STDIN])
    files = options.paths_or_stdin(paths, "name a file, a folder or a glob, or send a game record to stdin")
    streaming = format == "tsv" and not settings.negatives and split is None and output in (None, STDIN)
    kept = "the rows written so far are whole" if streaming else "nothing is written"
    with Progress("listing files", quiet) as progress, options.interrupt_says(kept):
        done = convert_records(
            files,
            output,
            settings=settings,
            game=game,
            format=format,
            split=split,
            jobs=jobs,
            report=progress.say,
            watch=progress,
        )
    if not quiet:
        print(_summary(done), file=sys.stderr)


def _check(output: str | None, format: str, split: float | None) -> None:
    """Raise typer.BadParameter for options that need the name of a file."""
    named = output not in (None, STDIN)
    if split is not None and not (named and 0 < split < 1):
        raise typer.BadParameter("wants a share between 0 and 1, and a name from -o", param_hint="--split")
    if format in ("aleph", "popper") and not named:
        raise typer.BadParameter("writes a folder; name it with -o", param_hint=f"--format {format}")


def _check_files(game: str, output: str | None, format: str, split: float | None, paths: list[str]) -> None:
    from gotools.files.outputs import RULES, TABLE, Output, check_outputs
    from gotools.game.game import suffixes_of

    if format not in ("tsv", "prolog"):
        return  # a folder, which replaces none but its own
    names = [output or STDIN] if split is None else part_names(output or "")
    form = TABLE if format == "tsv" else RULES
    suffixes = suffixes_of(game)
    check_outputs([Output("-o", name, form) for name in names], paths, suffixes)


def _summary(done: Conversion) -> str:
    text = f"{done.rows:,} rows ({done.examples:,} examples) from {done.games:,} games"
    if done.left_out:
        text += f"; {done.left_out:,} games of other board sizes left out"
    return text + (f"; {done.problems:,} problems reported above" if done.problems else "")
