"""`gotools rank-moves`: positions, and rules or learned values, in; the legal moves in order out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from gotools.commands import options
from gotools.commands.options import (
    STDIN,
    Cluster,
    GameName,
    Jobs,
    Quiet,
    Sizes,
    Strict,
    check_game,
    check_one_crew,
    check_only_go,
    option,
)
from gotools.commands.progress import Progress
from gotools.errors import GotoolsError

if TYPE_CHECKING:
    from gotools.patterns.clauses.rules import RuleSet
    from gotools.player.ranked import Ranked, Wanted
    from gotools.workers import Workers

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
Say = Callable[[str], None]

EXPLAINED = 3
"""Moves of a position that --explain shows if --top says nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingJob:
    """The options of the command."""

    game: str
    paths: list[str]
    rules: str
    weights: str | None
    output: str | None
    top: int | None
    explain: bool
    metrics: str | None
    digest: str | None
    background: str | None
    sizes: frozenset[int]
    strict: bool
    quiet: bool
    jobs: int
    cluster: str | None
    symmetries: bool


def rank_moves(
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        options.paths("Examples (.tsv, .parquet), games (.sgf; .jsonl of other games), archives, -."),
    ] = None,
    game: GameName = "go",
    rules: Annotated[str, option("rules.pl, or what compile-patterns made: rules.so.", "FILE")] = "",
    weights: Annotated[
        str | None, option("eval.npz; default for the network of the package.", "FILE", "--eval")
    ] = None,
    symmetries: Annotated[
        bool,
        typer.Option(
            "--symmetries",
            help="With --eval of a network with a policy: its mean over the board turned and mirrored. Predicts "
            "better, and takes eight times as long.",
        ),
    ] = False,
    output: Annotated[str | None, options.output("ranking.tsv; .csv, .parquet too; else stdout.")] = None,
    top: Annotated[int | None, option("The first N moves of each position.", "N", min=1)] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Text for people: the board, the first moves, and the rules in words.")
    ] = False,
    metrics: Annotated[str | None, option("How well the played moves are predicted, as JSON.", "FILE")] = None,
    digest: Annotated[str | None, option("Refuse rules of another digest.", "HEX")] = None,
    background: Annotated[str | None, option("Predicates of your own in rules.pl (Prolog).", "FILE")] = None,
    size: Sizes = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    strict: Strict = False,
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

    Other games have values only, and their records or examples, which name the game; a move that ends the game has the
    value 1, 0 or -1.

    --explain is text of 80 columns, or of those of the terminal that it is written to.

    Streams: rows leave while the input is still being read. Ctrl-C keeps the rows written to stdout so far.
    """
    files = options.paths_or_stdin(paths, "name examples or games, or send them to stdin")
    game = options.game_of(context, game, files)
    check_game(game)
    check_one_crew(jobs, cluster)
    check_only_go(game, {"--rules": rules or None, "--digest": digest, "--background": background})
    check_only_go(game, {"--symmetries": symmetries or None})
    if symmetries and weights is None:
        raise typer.BadParameter("goes with --eval, a network", param_hint="--symmetries")
    _check_rules(game, rules, weights, digest, background)
    _check_stdin(files, rules, weights)
    _check_files(game, files, [rules, weights, background], output, metrics, explain)
    streaming = output in (None, STDIN)
    with options.interrupt_says("the rows written so far are whole" if streaming else "nothing is written"):
        _run(
            RankingJob(
                game=game,
                paths=files,
                rules=rules,
                weights=weights,
                output=output,
                top=top,
                explain=explain,
                metrics=metrics,
                digest=digest,
                background=background,
                sizes=frozenset(size or ()),
                strict=strict,
                quiet=quiet,
                jobs=jobs,
                cluster=cluster,
                symmetries=symmetries,
            )
        )


def _check_rules(game: str, rules: str, weights: str | None, digest: str | None, background: str | None) -> None:
    """Raise typer.BadParameter where there is nothing to rank by, or an option of rules without rules."""
    if game != "go" and weights is None:
        raise typer.BadParameter("name the values: eval.npz of train-eval", param_hint="--eval")
    if not rules and weights is None:
        raise typer.BadParameter("name the rules: rules.pl or rules.so, or --eval", param_hint="--rules")
    if not rules and (digest is not None or background is not None):
        raise typer.BadParameter("is of rules; there are none", param_hint="--digest" if digest else "--background")


def _check_stdin(paths: list[str], rules: str, weights: str | None) -> None:
    """Raise typer.BadParameter where two things are to be read from stdin."""
    for name, file in (("--rules", rules), ("--eval", weights)):
        if file == STDIN and STDIN in paths:
            raise typer.BadParameter("stdin is read for PATH already", param_hint=name)
    if rules == STDIN == weights:
        raise typer.BadParameter("stdin is read for --rules already", param_hint="--eval")


def _check_files(
    game: str, paths: list[str], others: list[str | None], output: str | None, metrics: str | None, explain: bool
) -> None:
    from gotools.files.outputs import JSON, TABLE, TEXT, Output, check_outputs
    from gotools.go.examples.loading import SUFFIXES

    outputs = [Output("-o", output or "-", TEXT if explain else TABLE), Output("--metrics", metrics, JSON)]
    check_outputs(outputs, [*paths, *others], sorted({*SUFFIXES, *options.suffixes_of_records(game)}))


def _run(job: RankingJob) -> None:
    """Rank batch by batch: what is done leaves at once."""
    from gotools.cluster import workers_for
    from gotools.files.opening import open_if_named, open_output
    from gotools.files.writing import whole_writes
    from gotools.patterns.ranking import RankingTally, table_header
    from gotools.player.ranked import Wanted
    from gotools.screen_text import text_width

    width = text_width(sys.stdout if job.output in (None, "-") else None)
    top = job.top or EXPLAINED if job.explain else job.top
    wanted = Wanted(top, job.explain, job.metrics is not None, width)
    source = _of_go(job, wanted) if job.game == "go" else _of_game(job, wanted)
    tally, done, sizes = RankingTally(), 0, set[int]()
    with (
        open_if_named(job.metrics) as numbers,
        open_output(job.output) as out,
        Progress("ranking positions", job.quiet) as progress,
        workers_for(job.jobs, job.cluster, progress.say) as workers,
    ):
        for part in source.parts(progress.say, workers):
            with whole_writes():
                if not done and not job.explain:
                    out.write(table_header(job.game, source.rules, source.about))
                out.write(part.text)
                out.flush()
            done += part.positions
            progress.advance(part.positions)
            tally.join(part.tally)
            sizes |= part.sizes
        source.end(progress.say, done, sizes)
        if not done:
            raise GotoolsError("no position to rank: not one row of label 1 that leaves a legal move")
        if numbers is not None:
            of_values = {} if source.about is None else {"eval": source.about}
            _report_metrics(numbers, tally.metrics(source.rules) | of_values, job.quiet)


@dataclass(frozen=True, slots=True)
class _Source:
    """What is ranked, and by what.

    rules -- none, or those that rank; about -- the learned values, None without them
    parts -- ranks, with workers; end -- says at the end what was left out, given how many positions were ranked, and
        of which sizes. Both take the function that reports
    """

    rules: RuleSet
    about: str | None
    parts: Callable[[Say, Workers | None], Iterator[Ranked]]
    end: Callable[[Say, int, set[int]], None]


def _of_go(job: RankingJob, wanted: Wanted) -> _Source:
    from gotools.go.examples.loading import stream_decisions
    from gotools.go.records.selection import Selection
    from gotools.library.rules import load_rules
    from gotools.patterns.clauses.rules import RuleSet
    from gotools.patterns.matching import Interpreted
    from gotools.player.move_values import MoveValues
    from gotools.player.ranked import ranked

    if job.rules:
        matcher = load_rules(job.rules, digest=job.digest, background=job.background)
    else:
        matcher = Interpreted(RuleSet(()))
    judge = None if job.weights is None else MoveValues(job.weights, not job.rules, job.strict, job.symmetries)

    def parts(say: Say, workers: Workers | None) -> Iterator[Ranked]:
        batches = stream_decisions(job.paths, Selection(sizes=job.sizes), say, lambda: None, job.strict, bare=True)
        return ranked(batches, matcher, judge, wanted, workers)

    def end(say: Say, done: int, sizes: set[int]) -> None:
        if warning := matcher.rules.learned_elsewhere(sizes):
            say(f"{job.rules}: {warning}")
        if judge is not None:
            judge.report_left_out(say, done)

    return _Source(matcher.rules, None if judge is None else judge.about, parts, end)


def _of_game(job: RankingJob, wanted: Wanted) -> _Source:
    """Raises GotoolsError where --size asks for boards that the values are not for."""
    from gotools.games.records import decisions
    from gotools.patterns.clauses.rules import RuleSet
    from gotools.player.game_ranking import GameValues, ranked_decisions

    assert job.weights is not None
    values = GameValues(job.weights, job.game)
    if job.sizes and values.size not in job.sizes:
        raise GotoolsError(f"{job.weights}: weights for size {values.size}, which --size leaves out")

    def parts(say: Say, workers: Workers | None) -> Iterator[Ranked]:
        found = decisions(job.paths, values.game, say, {values.size}, job.strict)
        return ranked_decisions(found, values, wanted, workers)

    return _Source(RuleSet(()), values.about, parts, lambda say, done, sizes: None)


def _report_metrics(numbers: BinaryIO, metrics: dict[str, Any], quiet: bool) -> None:
    """Write the numbers, and show them."""
    import json

    from rich.console import Console

    from gotools.patterns.explain.report import accuracy_table
    from gotools.patterns.summary import FIGURES

    if not metrics["test"]["positions"]:
        raise GotoolsError("--metrics: not one move to measure on (a legal one, of label 1)")
    numbers.write((json.dumps(metrics, indent=1) + "\n").encode())
    if not quiet:
        console = Console(stderr=True)
        console.width = max(console.width, FIGURES)
        console.print(accuracy_table(metrics))
