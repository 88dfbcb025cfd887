"""`gotools rank-moves`: positions, and rules or learned values, in; the legal moves in order out."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gotools.commands import options
from gotools.commands.options import STDIN, Cluster, GameName, Jobs, Quiet, option
from gotools.commands.progress import Progress
from gotools.commands.settings_options import takes_settings
from gotools.game.table import USUAL
from gotools.library.ranking import Format, RankingSettings, write_ranking

FOR = "For players who ask which moves rules suggest, and why, and for programs that need candidate moves in order."
EPILOG = """\b
Examples:
  gotools rank-moves examples/test-games --rules out/rules.so --top 3 \\
      -o out/ranking.tsv
  gotools rank-moves examples/test-games/*1.sgf --eval default --explain
  gotools train-eval --game tictactoe --features lines --games 2000 \\
      -o out/lines.npz
  echo '{"game": "tictactoe", "moves": ["a1", "b2"]}' | \\
      gotools rank-moves --game tictactoe --eval out/lines.npz
"""


Paths = Annotated[
    list[str] | None, options.paths("Examples (.tsv, .parquet), games (.sgf; .jsonl of other games), archives, -.")
]
Weights = Annotated[
    str | None, option("eval.npz; default: the learned values of the package.", "FILE", "--eval", reads="evaluation")
]
Explain = Annotated[
    bool, option("Text for people: the board, the first moves, and the rules in words.", None, "--explain")
]
Form = Annotated[Format, option("What --explain writes; json: a line of JSON for each position.")]


@takes_settings(RankingSettings)
def rank_moves(
    *,
    context: typer.Context,
    paths: Paths = None,
    game: GameName = USUAL,
    rules: Annotated[
        str | None, option("rules.pl, or what compile-patterns made: rules.so.", "FILE", reads="rules")
    ] = None,
    evaluation: Weights = None,
    settings: RankingSettings,
    output: Annotated[str | None, options.output("ranking.tsv; .csv, .parquet too; else stdout.")] = None,
    explain: Explain = False,
    format: Form = "text",
    metrics: Annotated[str | None, option("How well the played moves are predicted, as JSON.", "FILE")] = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Rank the legal moves of positions.

    By rules, learned values, or both: each move with its score, its probability and the rules that fire. PATH is
    examples (from sgf-to-examples) or games (SGF), in any mixture; without any, stdin is read. The score of a move is
    the sum of the weights of the rules that fire there, its probability the softmax of the scores. Moves of equal score
    stand in the order of their points. Counter-examples (label 0) are passed over; positions without a move (-) are
    taken.

    --eval adds the value of the position after each move, -1 to 1 for the side that makes it, with the komi of the
    training. Without --rules the score is what the value is the tanh of. Other board sizes are passed over.

    In games without passes a move that ends the game has the value 1, 0 or -1. A table of examples names its game.
    --explain is text of 80 columns, or as a terminal has, or JSON for programs.

    Streams: rows leave while the input is still being read. Ctrl-C keeps the rows written to stdout so far.
    """
    files = options.paths_or_stdin(paths, "name examples or games, or send them to stdin")
    game = options.game_of(context, game, files)
    options.check_one_crew(jobs, cluster)
    _check_stdin(files, rules, evaluation)
    _check_files(game, files, [rules, evaluation, settings.background], output, metrics, explain, format)
    kept = "the rows written so far are whole" if output in (None, STDIN) else "nothing is written"
    with options.interrupt_says(kept):
        with Progress("ranking positions", quiet) as progress:
            found = write_ranking(
                files,
                output,
                rules or None,
                evaluation,
                settings=settings,
                game=game,
                explain=explain,
                format=format,
                metrics=metrics,
                jobs=jobs,
                cluster=cluster,
                report=progress.say,
                watch=progress,
            )
        if found is not None and not quiet:
            _show(found)


def _check_stdin(paths: list[str], rules: str | None, evaluation: str | None) -> None:
    """Raise typer.BadParameter where two things are to be read from stdin."""
    for name, file in (("--rules", rules), ("--eval", evaluation)):
        if file == STDIN and STDIN in paths:
            raise typer.BadParameter("stdin is read for PATH already", param_hint=name)
    if rules == STDIN == evaluation:
        raise typer.BadParameter("stdin is read for --rules already", param_hint="--eval")


def _check_files(
    game: str,
    paths: list[str],
    others: list[str | None],
    output: str | None,
    metrics: str | None,
    explain: bool,
    form: str,
) -> None:
    from gotools.files.outputs import JSON, JSON_LINES, TABLE, TEXT, Output, check_outputs

    if form == "json" and not explain:
        raise typer.BadParameter("json goes with --explain", param_hint="--format")
    written = TABLE if not explain else JSON_LINES if form == "json" else TEXT
    outputs = [Output("-o", output or "-", written), Output("--metrics", metrics, JSON)]
    check_outputs(outputs, [*paths, *others], options.suffixes_of_inputs(game))


def _show(metrics: dict[str, Any]) -> None:
    """Show on stderr how well the moves played are predicted."""
    from rich.console import Console

    from gotools.rules.explain.report import accuracy_table
    from gotools.rules.summary import FIGURES

    console = Console(stderr=True)
    console.width = max(console.width, FIGURES)
    console.print(accuracy_table(metrics))
