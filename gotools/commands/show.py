"""`gotools show`: say what a file that gotools wrote holds."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from gotools.commands.options import STDIN, Quiet, check_game, option
from gotools.game.table import GAME_NAMES
from gotools.library.showing import LIMIT
from gotools.library.showing import show as show_file

FOR = "For everybody who finds a file and wants to know what it is."
EPILOG = """\b
Examples:
  gotools show out/rules.pl
  gotools show examples/games --game go
  gotools show games
  gotools show default --game abalone
"""


def show(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", show_default=False, help="A file, the folder of a tournament, or -."),
    ],
    game: Annotated[
        str | None,
        option("Measure the records of this game in FILE, or a folder; or the game of the word default.", GAME_NAMES),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON instead of text.")] = False,
    as_toml: Annotated[
        bool, typer.Option("--toml", help="Write only the settings of weights, as train-eval --settings reads them.")
    ] = False,
    validate: Annotated[bool, typer.Option("--validate", help="Compare JSON with the schema of its kind.")] = False,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=0, max=10_000, help="Most rows of a list.")] = LIMIT,
    output: Annotated[str | None, option("Write it here. Else stdout.", "FILE", "-o", "--output")] = None,
    quiet: Quiet = False,
) -> None:
    """Say what a file holds that gotools wrote.

    Weights, rules, clusters, examples, rankings, ratings, logs of training, results of tournaments, JSON: settings,
    counts, and the most important rows. Compiled rules are not loaded. A file of another kind is named for what it is,
    with exit code 1.

    --game says how large a game is by records of it, in a file, an archive, a folder (RUN/games of a tournament) or a
    glob: the length of games, the legal moves of a position, the size of the game tree, and the number of positions.

    The word games in place of FILE lists the games that commands know by name, those of other packages too; the word
    default describes the learned values of the package for --game. Files of these names are ./games and ./default.

    --validate needs the package jsonschema, and takes several FILEs. A file that fits is named with its schema; the
    first fault of each other one is a line on stderr with its place, and the exit code is 1.

    Streams: broken lines of a journal are reported on stderr.
    """
    from gotools.base.errors import WrongUsage
    from gotools.base.screen_text import text_width
    from gotools.files.opening import open_output
    from gotools.files.outputs import JSON, SETTINGS, TEXT, Output, check_outputs
    from gotools.game.game import suffixes_of

    if game is not None:
        check_game(game)
    suffixes = () if game is None else suffixes_of(game)
    check_outputs([Output("-o", output, JSON if as_json else SETTINGS if as_toml else TEXT)], files, suffixes)
    if validate:
        return _validate(files, output)
    if len(files) > 1:
        raise WrongUsage("one FILE at a time; several only with --validate")
    file = files[0]
    if as_toml:
        from gotools.library.values import settings_text

        with open_output(output) as out:
            out.write(settings_text(file).encode())
        return
    found = show_file(file, game=game, limit=limit, report=(lambda _: None) if quiet else _tell)
    width = text_width(sys.stdout if output in (None, STDIN) else None)
    with open_output(output) as out:
        out.write((found.json() if as_json else found.text(width)).encode("utf-8", "replace"))


def _validate(files: list[str], output: str | None) -> None:
    from gotools.base.errors import FileFormatError
    from gotools.files.opening import open_output
    from gotools.files.validating import validate

    misfits = 0
    with open_output(output) as out:
        for file in files:
            try:
                out.write(f"{file}: fits {validate(file)}\n".encode("utf-8", "replace"))
            except FileFormatError as error:
                misfits += 1
                _tell(str(error))
    if misfits:
        raise typer.Exit(1)


def _tell(line: str) -> None:
    print(f"gotools show: {line}", file=sys.stderr)
