"""`gotools cluster-moves`: good and bad moves in, an order of moves out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from gotools.commands import options
from gotools.commands.options import (
    Cluster,
    GameName,
    Jobs,
    Quiet,
    Seed,
    Sizes,
    Strict,
    check_game,
    check_only_go,
    finite,
    option,
)
from gotools.commands.progress import Progress
from gotools.library import orders

if TYPE_CHECKING:
    from gotools.games.good_and_bad import GameMoves
    from gotools.go.examples.table import Examples
    from gotools.learn.clusters.clustering import Found

FOR = "For engine authors who want their search to try good moves first."
EPILOG = """\b
Examples:
  gotools cluster-moves examples/games -o out/clusters.tsv
  gotools play --order out/clusters.tsv
"""


DEFAULT = options.defaults_of(orders.cluster_moves)


def cluster_moves(
    context: typer.Context,
    paths: Annotated[
        list[str] | None, options.paths("Game records, archives of them, examples (.tsv, .parquet).")
    ] = None,
    output: Annotated[str | None, options.output("clusters.tsv; .csv, .parquet too; else stdout.")] = None,
    game: GameName = DEFAULT.game,
    good_above: Annotated[
        str | None, option("Good moves: of winners above this (3d, 9p, 1500); else of all.", "RANK")
    ] = DEFAULT.good_above,
    bad_below: Annotated[
        str | None,
        option("Bad moves: of losers below this; else other legal moves where the good ones were played.", "RANK"),
    ] = DEFAULT.bad_below,
    ratings: Annotated[
        str | None, option("ratings.tsv of elo: the ratings of players by their names. Not of Go.", "FILE")
    ] = None,
    last: Annotated[
        float,
        typer.Option(metavar="SHARE", min=0.0, max=1.0, callback=finite, help="Only moves in the last part of a game."),
    ] = DEFAULT.last,
    k: Annotated[int, typer.Option("--k", metavar="K", min=2, max=500, help="Centres of each kind.")] = DEFAULT.k,
    starts: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="Random starts of k-means; the best is kept.")
    ] = DEFAULT.starts,
    metric: Annotated[orders.Metric, typer.Option(help="How to measure.")] = DEFAULT.metric,
    stages: Annotated[bool, typer.Option("--stages", help="Centres of their own for opening, middle and end.")] = False,
    size: Sizes = None,
    show: Annotated[
        int, typer.Option(metavar="N", min=0, max=500, help="Draw the N largest centres of each kind.")
    ] = 3,
    seed: Seed = DEFAULT.seed,
    jobs: Jobs = DEFAULT.jobs,
    cluster: Cluster = None,
    strict: Strict = DEFAULT.strict,
    quiet: Quiet = False,
) -> None:
    """Learn an order of moves from good and bad ones.

    Moves are described by small numbers (edge, liberties, captures, distance to the last move, ...). k-means finds
    centres of the good moves and of the bad ones. A move is then looked at the earlier, the farther it is from the
    nearest bad centre and the nearer to the nearest good one.

    PATH is a file, a folder, a glob or `-`; without any, stdin is read. Rows of a table are good by label 1 and bad by
    label 0; ranks do not apply to them.

    --game takes records of other games that have features of moves: shogi. Its --stages are situations: opening,
    attack, defence, even. A table of examples names its game, and is read as the records that it was made of.

    Reads all. On Ctrl-C nothing is written.
    """
    from gotools.blas import use_common_blas

    use_common_blas()
    from gotools.compiling import working_time
    from gotools.files.opening import open_output
    from gotools.files.outputs import TABLE, Output, check_outputs
    from gotools.go.examples.loading import SUFFIXES
    from gotools.learn.clusters.clusters_file import write_clusters

    options.check_one_crew(jobs, cluster)
    files = options.paths_or_stdin(paths, "name game records or a table, or send them to stdin")
    game = options.game_of(context, game, files)
    check_game(game)
    check_only_go(game, {"--size": size})
    if game == "go" and ratings is not None:
        raise typer.BadParameter("of games other than Go, whose records have ranks", param_hint="--ratings")
    if not last:
        raise typer.BadParameter("above 0: the share of each game to learn from", param_hint="--last")
    check_outputs(
        [Output("-o", output, TABLE)], [*files, ratings], sorted({*SUFFIXES, *options.suffixes_of_records(game)})
    )
    if game == "go":
        for name, rank in (("--good-above", good_above), ("--bad-below", bad_below)):
            options.parsed_rank(rank, name)
    with options.interrupt_says("nothing is written"):
        began = working_time()
        with Progress("reading files", quiet) as progress:
            rows, found = orders.find_clusters(
                files,
                good_above=good_above,
                bad_below=bad_below,
                last=last,
                k=k,
                starts=starts,
                metric=metric,
                stages=stages,
                size=size or (),
                seed=seed,
                jobs=jobs,
                cluster=cluster,
                strict=strict,
                game=game,
                ratings=ratings,
                report=progress.say,
                watch=progress,
            )
        with open_output(output) as out:
            write_clusters(out, found.clusters)
        if not quiet:
            _print_summary(found, rows, show, working_time() - began)


def _print_summary(found: Found, rows: Examples | GameMoves, show: int, seconds: float) -> None:
    from rich.console import Console

    from gotools.commands.cluster_summary import last_line, shown_moves, summary

    moves = shown_moves(rows)
    print(summary(found, moves, show, Console(stderr=True).width), end="", file=sys.stderr)
    print(last_line(found, moves, seconds), file=sys.stderr)
