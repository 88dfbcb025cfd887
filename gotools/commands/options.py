"""What commands share: options with their words for help, and checks of the command line."""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Final, TypeVar

import typer

from gotools.base.errors import GotoolsError
from gotools.commands.completion import completion_of, games
from gotools.game.known import check_game_name, is_game, place_of
from gotools.game.table import GAME_NAMES, USUAL

Number = TypeVar("Number", bound=float | None)
STDIN: Final = "-"

# options --------------------------------------------------------------------------------------------------------------

MOST_CORES: Final = 8
"""Of a command that takes all cores, unless --jobs says more: each needs some 0.1 GB with boards of 19x19."""


Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress and no summary on stderr; errors are still printed.")
]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", metavar="N", min=1, max=1024, help="Work on N cores; the result is the same.")
]
AllCores = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        min=1,
        max=1024,
        show_default=False,
        help=f"Work on N cores; the result is the same. Default: all, but {MOST_CORES} at most.",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS|FILE",
        show_default=False,
        help="Work on a cluster of dask, the result is the same: HOST:PORT or the file of its scheduler, "
        "or a .toml that names a queue.",
    ),
]


def check_game(name: str) -> str:
    """Return the name of a game as it is; raise typer.BadParameter if there is no such game."""
    try:
        check_game_name(name)
    except GotoolsError as error:
        raise typer.BadParameter(str(error), param_hint="--game") from error
    return name


GameName = Annotated[
    str,
    typer.Option("--game", metavar=GAME_NAMES, help="The game.", callback=check_game, autocompletion=games),
]


def paths(help_text: str) -> Any:
    """Return the argument that takes any number of paths."""
    return typer.Argument(metavar="PATH", show_default=False, help=help_text)


def output(help_text: str) -> Any:
    """Return the option -o."""
    return typer.Option("-o", "--output", metavar="FILE", show_default=False, help=help_text)


def option(help_text: str, metavar: str | None = None, *names: str, reads: str = "", **more: Any) -> Any:
    """Return an option without a default, or with one that its help names; reads -- see `completion.READS`."""
    given = {"show_default": False, "autocompletion": completion_of(reads), **more}
    return typer.Option(*names, metavar=metavar, help=help_text, **given)


# checks ---------------------------------------------------------------------------------------------------------------


def finite(value: Number) -> Number:
    """Return a number as it is; refuse nan and inf, which are numbers to the parser. Raises typer.BadParameter."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number")
    return value


def paths_or_stdin(given: Sequence[str] | None, what: str) -> list[str]:
    """Return the paths that were typed, else stdin; raise typer.BadParameter if stdin is a terminal.

    what -- what to name, in words: "name examples or games, or send them to stdin"
    """
    if given:
        return list(given)
    if sys.stdin is None or sys.stdin.isatty():
        raise typer.BadParameter(what, param_hint="PATH")
    return [STDIN]


def game_of(context: typer.Context, game: str, paths: Sequence[str]) -> str:
    """Return the game of --game; where that is not typed, the one that the first path names if it is a table."""
    from gotools.files.tables import game_named

    if is_typed(context, "game"):
        return game
    named = game_named(paths[0], "examples")
    return named if is_game(named) else game


def suffixes_of_inputs(game: str) -> list[str]:
    """Return the suffixes of records of a game, of tables of examples, and of archives."""
    from gotools.game.examples.loading import suffixes_of_decisions

    return sorted(suffixes_of_decisions(game))


def check_komi(context: typer.Context, game: str) -> None:
    """Raise GotoolsError if --komi is typed for a game that is not counted."""
    if is_typed(context, "komi") and not place_of(game).counted:
        raise GotoolsError(f"--komi is for games that are counted, such as {USUAL}; {game} is not")


def check_one_crew(jobs: int | None, cluster: str | None, default: int | None = 1) -> None:
    """Raise typer.BadParameter if both --jobs and --cluster are given.

    default -- of --jobs
    """
    if cluster is not None and jobs != default:
        raise typer.BadParameter("not with --cluster, which has its own number of workers", param_hint="--jobs")


def greet(hint: str, quiet: bool) -> None:
    """Tell a person who starts an engine by hand what to do: it says nothing until it is spoken to."""
    if not quiet and sys.stdin is not None and sys.stdin.isatty():
        print(hint, file=sys.stderr)


def is_typed(context: typer.Context, name: str) -> bool:
    """Return whether a parameter was typed, even with its default value."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def written_as(wanted: str | None, path: str | None, forms: Collection[str]) -> str:
    """Return the form of a result: as wanted, else by the name of the file, else table on a terminal, tsv elsewhere."""
    from gotools.files.outputs import form_by_name

    if wanted is not None:
        return wanted
    if path not in (None, STDIN):
        return form_by_name(str(path), forms)
    return "table" if sys.stdout is not None and sys.stdout.isatty() else "tsv"


@contextmanager
def interrupt_says(what: str) -> Iterator[None]:
    """Add to the message of Ctrl-C what is kept."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(what) from None
