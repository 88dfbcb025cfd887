"""`gotools order-bench`: positions and orders of moves in, how many positions each order has to search out."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gotools.commands import Jobs, Quiet, finite
from gotools.commands.progress import Progress
from gotools.errors import GotoolsError

if TYPE_CHECKING:
    from gotools.go.examples.table import Examples
    from gotools.player.order_bench import Bench, Search

FOR = "For engine authors who ask how much work an order of moves saves."
EPILOG = """\b
Example:
  gotools order-bench games/ --order clusters.tsv --order rules.so
"""


class Format(StrEnum):
    """How the comparison is written."""

    table = "table"
    tsv = "tsv"
    json = "json"


@dataclass(frozen=True, slots=True)
class Job:
    """What was asked for, apart from how to search."""

    paths: list[str]
    output: str | None
    format: str
    positions: int | None
    size: list[int]
    strict: bool
    quiet: bool
    jobs: int


def order_bench(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", show_default=False, help="Positions: game records (.sgf), tables (.tsv), -."),
    ] = None,
    order: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE[+FILE]",
            show_default=False,
            help="clusters.tsv, rules.so or rules.pl, or two of them together; may be repeated.",
        ),
    ] = None,
    depth: Annotated[int, typer.Option(metavar="N", min=1, max=60, help="Plies to search.")] = 3,
    deepening: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=10, help="Plies from each depth searched to the next; 0: only the last."),
    ] = 1,
    quiescence: Annotated[
        int, typer.Option(metavar="N", min=0, max=20, help="Plies of captures and saves after the last.")
    ] = 6,
    order_from: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=60, help="Plies left from which on the orders are asked; that of --depth: the root."
        ),
    ] = 1,
    weights: Annotated[
        str | None,
        typer.Option("--eval", metavar="FILE", show_default=False, help="eval.npz of train-eval; else the built-in."),
    ] = None,
    positions: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, show_default=False, help="So many, spread evenly; else all."),
    ] = None,
    size: Annotated[
        list[int] | None, typer.Option(min=2, max=19, show_default=False, help="Only this board size; may be repeated.")
    ] = None,
    komi: Annotated[
        float, typer.Option(min=-1000, max=1000, callback=finite, help="Of all positions, without --eval.")
    ] = 7.5,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", show_default=False, help=".tsv, .json; else stdout."),
    ] = None,
    format: Annotated[
        Format | None,
        typer.Option(show_default=False, help="Else by the name of -o; a table on a terminal, TSV in a pipe."),
    ] = None,
    jobs: Jobs = 1,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first broken game, with exit code 1.")] = False,
    quiet: Quiet = False,
) -> None:
    """Count the positions searched in each order of moves.

    Alpha-beta searches each position to the same depth, over all moves that fill no own eye: once by killers and
    history alone, and once for each --order, which is mixed with them. Pruning by rules and fees, which `gtp --rules`
    adds, is off: an order changes the work, never the value. Seconds are those of one core.

    Rows of a table that are counter-examples are passed over.

    Reads all. Ctrl-C writes what was searched so far to stdout; with -o nothing is written.
    """
    from gotools.blas import use_common_blas

    use_common_blas(with_scipy=False)
    from gotools import compiling
    from gotools.commands.recipes import ready
    from gotools.files.outputs import FORMS, Output, check_outputs
    from gotools.go.examples.loading import SUFFIXES
    from gotools.player.order_bench import Bench

    compiling.quiet = quiet
    if not paths and (sys.stdin is None or sys.stdin.isatty()):
        raise typer.BadParameter("name game records or tables, or send them to stdin", param_hint="PATH")
    form = _format(format, output)
    orders = [file for files in order or [] for file in files.split("+")]
    check_outputs([Output("-o", output, FORMS[form])], [*(paths or ["-"]), *orders, weights], SUFFIXES)
    ready("order-bench", quiet)
    bench = Bench.of(depth, order or [], deepening, quiescence, order_from, weights, komi)
    _run(Job(paths or ["-"], output, form, positions, size or [], strict, quiet, jobs), bench)


def _format(wanted: Format | None, output: str | None) -> str:
    if wanted is not None:
        return wanted.value
    if output not in (None, "-"):
        return "json" if str(output).lower().removesuffix(".gz").endswith(".json") else "tsv"
    return "table" if sys.stdout is not None and sys.stdout.isatty() else "tsv"


def _rows(job: Job, bench: Bench, progress: Progress) -> Examples:
    from gotools.go.examples.loading import load_decisions
    from gotools.go.records.selection import Selection
    from gotools.player.order_bench import spread

    sizes = frozenset(job.size)
    if bench.size is not None and sizes - {bench.size}:
        raise typer.BadParameter(f"--eval has weights for {bench.size}x{bench.size}", param_hint="--size")
    rows = load_decisions(job.paths, Selection(sizes), progress.say, progress.advance, job.strict)
    played = bench.fitting(rows.take(rows.label == 1), progress.say)
    if not len(played):
        raise GotoolsError("no position: not one row of label 1")
    return spread(played, job.positions)


def _run(job: Job, bench: Bench) -> None:
    found, wanted = list[list["Search"]](), 0
    try:
        with Progress("reading files", job.quiet) as progress:
            rows = _rows(job, bench, progress)
            wanted = len(rows)
            progress.phase("searches", wanted * len(bench.orders))
            for searches in bench.searches(rows, progress.advance, job.jobs):
                found.append(searches)
    except KeyboardInterrupt:
        if not found or job.output not in (None, "-"):
            raise KeyboardInterrupt("nothing is written") from None
        _write(job, bench, found)
        raise KeyboardInterrupt(f"{len(found):,} of {wanted:,} positions were searched") from None
    _write(job, bench, found)


def _write(job: Job, bench: Bench, found: list[list[Search]]) -> None:
    from gotools.files.opening import open_output
    from gotools.player.order_report import as_json, as_table, as_tsv

    settings: dict[str, str | float] = {
        "depth": bench.depth,
        "deepening": bench.deepening,
        "quiescence": bench.quiescence,
        "order_from": bench.order_from,
        "evaluation": bench.evaluation.name,
        "komi": bench.komi,
        "positions": len(found),
    }
    on_screen = job.output in (None, "-")
    with open_output(job.output) as out:
        if job.format == Format.table.value:
            out.write(as_table(found, settings, colours=on_screen))
        else:
            out.write((as_json if job.format == Format.json.value else as_tsv)(found, settings))
    if not job.quiet and not (job.format == Format.table.value and on_screen):
        print(as_table(found, settings, colours=False).decode(), end="", file=sys.stderr)
