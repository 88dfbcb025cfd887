"""`gotools train-eval`: self-play in, a value for positions out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gotools.base.errors import wrong_word
from gotools.base.settings import described
from gotools.commands.options import Cluster, Quiet, option
from gotools.commands.progress import Progress
from gotools.commands.settings_options import print_help_of, takes_settings
from gotools.values.methods import FAMILIES, AnyTraining, default_text

if TYPE_CHECKING:
    from gotools.values.training.training import News, Training

FOR = "For engine authors and researchers who want an evaluation of positions learned from self-play."
EPILOG = """\b
Examples, ten thousand games of Go against itself, on two cores:
  gotools train-eval --games 10000 --jobs 2 -o out/values.npz \\
      --log out/log.tsv
  gotools play --rules out/rules.so --eval out/values.npz
"""
COMMON = ("games", "time", "game", "size", "komi", "features", "network", "method", "opponent", "alpha", "seed")
"""Settings whose options stand in --help; --help-method shows the others."""


def _help_method(context: typer.Context, method: str | None) -> None:
    """Print the options of a method, with its defaults, and exit."""
    if method is None or context.resilient_parsing:
        return
    if fault := wrong_word(method, list(FAMILIES)):
        raise typer.BadParameter(fault)
    defaults = {one.name: default_text(one.name, [method]) for one, _, _ in described(FAMILIES[method])}
    print_help_of(context, defaults, AnyTraining)


Threads = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        min=1,
        max=1024,
        help="Threads; they never change a result but for rounding, of planes.",
    ),
]


@takes_settings(AnyTraining, shown=COMMON)
def train_eval(
    *,
    output: Annotated[str, option("The weights, eval.npz.", "FILE", "-o", "--output")] = "",
    log: Annotated[str | None, option("A row for each checkpoint, log.tsv.", "FILE")] = None,
    given: dict[str, Any],
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the run of -o and --log; its settings need not be repeated.")
    ] = False,
    settings_file: Annotated[
        str | None,
        option(
            "Settings in TOML, by the names of the options; options override them.",
            "FILE",
            "--settings",
            reads="config",
        ),
    ] = None,
    help_method: Annotated[
        str | None,
        option(
            "Show all options of a method or features, with their defaults, and exit.",
            "|".join(FAMILIES),
            is_eager=True,
            callback=_help_method,
        ),
    ] = None,
    jobs: Threads = 1,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Learn a value for positions from play.

    -o is written at every checkpoint and can be used while the training continues; --resume continues it after any
    interruption, with the same result as without one. Each method has more options: --help-method METHOD shows them.
    docs/train-eval.md explains them.

    Streams: Ctrl-C keeps all games learned from so far.
    """
    from gotools.files.outputs import TABLE, WEIGHTS, Output, check_outputs
    from gotools.library.values import open_training

    if not output or output == "-":
        raise typer.BadParameter("name a file for the weights", param_hint="-o")
    inputs = [settings_file, given.get("rules"), given.get("start"), *(given.get("records") or ())]
    check_outputs([Output("-o", output, WEIGHTS), Output("--log", log, TABLE)], inputs)
    progress = Progress("beginning", quiet)
    with (
        open_training(
            given,
            output=output,
            settings_file=settings_file,
            log=log,
            resume=resume,
            jobs=jobs,
            cluster=cluster,
            report=progress.say,
        ) as training,
        progress,
    ):
        training.train(_shown(training, progress, quiet), progress)


def _shown(training: Training, progress: Progress, quiet: bool) -> Callable[[News], None]:
    """Begin a bar on a terminal; return a function that moves it and prints a line for each checkpoint."""
    from gotools.values.training.training import LEARNING
    from gotools.values.training.training_log import sparkline

    games = training.wanted
    progress.phase(LEARNING, games, training.games)
    if games is not None and training.games >= games and not quiet:
        progress.say(f"{training.games:,} games are done already; ask for more --games")
    done = training.games

    def show(news: News) -> None:
        nonlocal done
        if news.row is not None and not quiet:
            progress.say(training.line(news))
        error = training.error_name
        curve = sparkline(training.curve()[-24:])
        progress.note(f"{news.rate:,.0f}/s  {error} {news.figures.get(error, 0.0):.3g}  {curve}")
        progress.advance(news.games - done)
        done = news.games

    return show
