"""`gotools induce-patterns`: games or examples in, readable rules of where good players move out."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from gotools.base.settings import SettingError
from gotools.commands import options
from gotools.commands.options import MOST_CORES, STDIN, AllCores, Cluster, GameName, Quiet, option
from gotools.commands.progress import Progress
from gotools.commands.settings_options import takes_settings
from gotools.game.table import USUAL
from gotools.library.arguments import no_news
from gotools.library.induction import induce_rules
from gotools.rules.task.settings import InductionSettings

FOR = "For players and researchers who want to read the patterns behind the moves of a collection of games."
EPILOG = """\b
Examples:
  gotools induce-patterns examples/games --objective rank --max-rules 20 \\
      -o out/rank.pl
  gotools induce-patterns examples/games/*.sgf --test examples/test-games \\
      -o out/cover.pl
"""
SHOWN = 12


BY_DEFAULT = (
    "learning some rules that each cover many moves (--objective cover); "
    "--objective rank learns many that predict moves together, as in README"
)


Paths = Annotated[
    list[str] | None, options.paths("Game records (.sgf), examples (.tsv, .parquet), archives, folders, -.")
]
Resume = Annotated[bool, option("Go on with a search of --objective rank that was cut off.", None, "--resume")]


@takes_settings(InductionSettings)
def induce_patterns(
    *,
    context: typer.Context,
    paths: Paths = None,
    output: Annotated[str | None, options.output("rules.pl; else stdout.")] = None,
    test: Annotated[list[str] | None, option("Measure on these games or examples; may be repeated.", "PATH")] = None,
    metrics: Annotated[str | None, option("Write the numbers as JSON.", "FILE")] = None,
    game: GameName = USUAL,
    settings: InductionSettings,
    show: Annotated[int, typer.Option(metavar="N", min=0, help="Rules to show at the end, best first.")] = SHOWN,
    jobs: AllCores = None,
    cluster: Cluster = None,
    resume: Resume = False,
    quiet: Quiet = False,
) -> None:
    """Induce rules of where good players move.

    PATH is games or examples (from sgf-to-examples), in any mixture; without any, stdin is read. Rules are clauses of
    move(Board, Color, X, Y), in other games than Go of move(Board, Color, Move), in Prolog.

    --objective cover is Progol's algorithm as Aleph runs it: saturate the first move that no rule covers yet, search
    the subsets of its bottom clause, remove what the best clause covers, repeat. --objective rank learns to order all
    legal moves, of which several may be right (rows with one id and position), with rules weighed by a logistic
    regression: seeds are moves that the rules so far rank badly. Until it is done, a file beside -o, with the ending
    .search, keeps its state: --resume, with the same games and options, goes on from there.

    Reads all its input before it begins. Ctrl-C ends the search: the rules found so far are written and measured. The
    tables at the end go to stderr, the rules to -o or stdout.
    """
    from gotools.base.blas import use_common_blas

    use_common_blas()
    from rich.console import Console

    from gotools.rules.summary import show_study

    files = options.paths_or_stdin(paths, "name games or examples, or send them to stdin")
    game = options.game_of(context, game, files)
    _check_files(game, files, test or [], [settings.background, settings.modes], output, metrics)
    _check_rank(settings, resume=resume, cluster=cluster, jobs=jobs)
    is_told = quiet or options.is_typed(context, "objective")
    with Progress("reading files", quiet, heading="" if is_told else BY_DEFAULT) as progress:
        study = induce_rules(
            files,
            settings=settings,
            game=game,
            test=test,
            output=output or STDIN,
            metrics=metrics,
            resume=resume,
            jobs=jobs or min(os.cpu_count() or 1, MOST_CORES),
            cluster=cluster,
            report=progress.say,
            on_news=no_news if quiet else progress.say,
            watch=progress,
        )
    if not quiet:
        show_study(Console(stderr=True), study, study.size, show)
    if not study.whole:
        raise KeyboardInterrupt(f"the {len(study.rules.rules):,} rules found so far are in {output or 'stdout'}")


def _check_files(
    game: str, paths: list[str], test: list[str], others: list[str | None], output: str | None, metrics: str | None
) -> None:
    """Raise typer.BadParameter where stdin is to be read twice, GotoolsError for an output that would do harm."""
    from gotools.files.outputs import JSON, RULES, Output, check_outputs

    outputs = [Output("-o", output or STDIN, RULES), Output("--metrics", metrics, JSON)]
    check_outputs(outputs, [*paths, *test, *others], options.suffixes_of_inputs(game))
    if STDIN in paths and STDIN in test:
        raise typer.BadParameter("stdin is read for PATH already", param_hint="--test")


def _check_rank(settings: InductionSettings, *, resume: bool, cluster: str | None, jobs: int | None) -> None:
    """Raise SettingError for what only --objective rank takes, typer.BadParameter for --jobs beside --cluster."""
    options.check_one_crew(jobs, cluster, None)
    for name, value in (("resume", resume), ("cluster", cluster)):
        if value and not settings.ranks:
            raise SettingError(name, "goes with {objective} rank")
