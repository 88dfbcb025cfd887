"""`gotools cluster-moves`: good and bad moves in, an order of moves out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gotools.commands import Jobs, Quiet, Seed, finite
from gotools.commands.progress import Progress
from gotools.errors import GotoolsError

if TYPE_CHECKING:
    from gotools.go.examples.good_and_bad import GoodBadSelection
    from gotools.go.examples.table import Examples
    from gotools.learn.clusters.clustering import Found, Settings

FOR = "For engine authors who want their search to try good moves first."
EPILOG = """\b
Examples:
  gotools cluster-moves games/ --good-above 1d --bad-below 10k -o clusters.tsv
  gotools gtp --order clusters.tsv
"""


class Metric(StrEnum):
    """Ways to measure distances between moves."""

    euclid = "euclid"
    manhattan = "manhattan"
    cosine = "cosine"
    mahalanobis = "mahalanobis"


@dataclass(frozen=True, slots=True)
class Job:
    """What was asked for, apart from the moves and how to cluster them."""

    paths: list[str]
    output: str | None
    made: dict[str, str]
    stages: bool
    show: int
    strict: bool
    quiet: bool
    jobs: int


def cluster_moves(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", show_default=False, help="Game records (SGF) and examples.tsv."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", show_default=False, help="clusters.tsv; else stdout."),
    ] = None,
    good_above: Annotated[
        str | None,
        typer.Option(
            metavar="RANK", show_default=False, help="Good moves: of winners above this (3d, 9p, 1500); else of all."
        ),
    ] = None,
    bad_below: Annotated[
        str | None,
        typer.Option(
            metavar="RANK",
            show_default=False,
            help="Bad moves: of losers below this; else other legal moves where the good ones were played.",
        ),
    ] = None,
    last: Annotated[
        float,
        typer.Option(metavar="SHARE", min=0.0, max=1.0, callback=finite, help="Only moves in the last part of a game."),
    ] = 0.667,
    k: Annotated[int, typer.Option("--k", metavar="K", min=2, max=500, help="Centres of each kind.")] = 20,
    starts: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="Random starts of k-means; the best is kept.")
    ] = 8,
    metric: Annotated[Metric, typer.Option(help="How to measure.")] = Metric.manhattan,
    stages: Annotated[bool, typer.Option("--stages", help="Centres of their own for opening, middle and end.")] = False,
    size: Annotated[
        list[int] | None, typer.Option(min=2, max=19, show_default=False, help="Only this board size; may be repeated.")
    ] = None,
    show: Annotated[
        int, typer.Option(metavar="N", min=0, max=500, help="Draw the N largest centres of each kind.")
    ] = 3,
    seed: Seed = 0,
    jobs: Jobs = 1,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first broken game, with exit code 1.")] = False,
    quiet: Quiet = False,
) -> None:
    """Learn an order of moves from good and bad ones.

    Moves are described by small numbers (edge, liberties, captures, distance to the last move, ...). k-means finds
    centres of the good moves and of the bad ones. A move is then looked at the earlier, the farther it is from the
    nearest bad centre and the nearer to the nearest good one.

    PATH is a file, a folder, a glob or `-`; without any, stdin is read. Rows of a table are good by label 1 and bad by
    label 0; ranks do not apply to them.

    Reads all. On Ctrl-C nothing is written.
    """
    from gotools.blas import use_common_blas

    use_common_blas()
    from gotools import compiling
    from gotools.commands.recipes import ready
    from gotools.files.outputs import TABLE, Output, check_outputs
    from gotools.go.examples.loading import SUFFIXES
    from gotools.learn.clusters.clustering import Settings

    compiling.quiet = quiet
    if not paths and (sys.stdin is None or sys.stdin.isatty()):
        raise typer.BadParameter("name game records or a table, or send them to stdin", param_hint="PATH")
    if not last:
        raise typer.BadParameter("above 0: the share of each game to learn from", param_hint="--last")
    check_outputs([Output("-o", output, TABLE)], paths or ["-"], SUFFIXES)
    limits = {"good_above": good_above, "bad_below": bad_below}
    made = {name: text for name, text in limits.items() if text is not None}
    made |= {"last": f"{last:g}", "k": str(k), "starts": str(starts), "seed": str(seed)}
    job = Job(paths or ["-"], output, made, stages, show, strict, quiet, jobs)
    ready("cluster-moves", quiet)
    with _nothing_written():
        _cluster(job, _choice(good_above, bad_below, last, size, seed), Settings(k, metric.value, starts, seed))


def _choice(
    good_above: str | None, bad_below: str | None, last: float, size: list[int] | None, seed: int
) -> GoodBadSelection:
    from gotools.go.examples.good_and_bad import GoodBadSelection

    above, below = _strength(good_above, "--good-above"), _strength(bad_below, "--bad-below")
    return GoodBadSelection(above, below, last, frozenset(size or ()), seed)


def _strength(text: str | None, option: str) -> float | None:
    """Read a rank; what is none is wrong usage."""
    from gotools.go.records.ranks import parse_rank

    try:
        return None if text is None else parse_rank(text)
    except GotoolsError as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


@contextmanager
def _nothing_written() -> Iterator[None]:
    """Say at Ctrl-C what is kept."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt("nothing is written") from None


def _cluster(job: Job, choice: GoodBadSelection, settings: Settings) -> None:
    """Read moves, find centres, write them, and tell of them."""
    from gotools.commands.cluster_summary import last_line
    from gotools.compiling import working_time
    from gotools.files.opening import open_output
    from gotools.go.examples.good_and_bad import good_and_bad
    from gotools.learn.clusters.clusters_file import write_clusters

    began = working_time()
    with Progress("reading files", job.quiet) as progress:
        rows = good_and_bad(job.paths, choice, progress.say, progress.advance, job.strict)
        found = _found(job, rows, settings, progress)
    with open_output(job.output) as out:
        write_clusters(out, found.clusters)
    if not job.quiet:
        good = int((rows.label == 1).sum())
        _tell(found, rows, job.show)
        print(last_line(found, good, len(rows) - good, working_time() - began), file=sys.stderr)


def _found(job: Job, rows: Examples, settings: Settings, progress: Progress) -> Found:
    from gotools.go.as_game import GO
    from gotools.go.inputs.move_features import MOVE_FEATURES, describe
    from gotools.go.points import vertex
    from gotools.learn.clusters.clustering import Moves, cluster_moves

    def move_id(row: int) -> str:
        """Name a move; one that was not played has the number of the move that was."""
        place = rows.names[rows.game[row]] + (f":{rows.ply[row]}" if rows.ply[row] else "")
        return f"{place} {vertex(int(rows.move[row]), int(rows.size[row]))}"

    progress.phase("describing moves")
    features, stage = describe(rows)
    good = rows.label == 1
    moves = Moves(features, good, stage if job.stages else None, move_id)
    made = {**job.made, "good_moves": str(good.sum()), "bad_moves": str((~good).sum())}
    return cluster_moves(moves, MOVE_FEATURES, GO.name, settings, made, job.jobs, progress)


def _tell(found: Found, rows: Examples, show: int) -> None:
    from rich.console import Console

    from gotools.commands.cluster_summary import summary

    print(summary(found, rows, show, Console(stderr=True).width), end="", file=sys.stderr)
