"""`gotools order-bench`: positions and orders of moves in, how many positions each order has to search out."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gotools.commands import options
from gotools.commands.options import (
    GameName,
    Jobs,
    Quiet,
    Sizes,
    Strict,
    check_game,
    check_only_go,
    finite,
    option,
    widths_of,
)
from gotools.commands.progress import Progress
from gotools.library.orders import compare_orders

if TYPE_CHECKING:
    from gotools.orders.order_bench import Bench, Search
    from gotools.orders.positions import Positions

FOR = "For engine authors who ask how much work an order of moves saves."
EPILOG = """\b
Examples:
  gotools order-bench examples/test-games --positions 10 --order captures \\
      --order out/rules.so
  echo '{"game": "connect4", "moves": ["4", "4", "3"]}' | \\
      gotools order-bench --game connect4 --order centre --depth 8
"""


DEFAULT = options.defaults_of(compare_orders)


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchJob:
    """The options apart from how to search."""

    paths: list[str]
    output: str | None
    format: str
    positions: int | None
    size: list[int]
    strict: bool
    quiet: bool
    jobs: int


def order_bench(
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        options.paths("Positions: game records (.sgf; .jsonl of other games), archives, examples, -."),
    ] = None,
    game: GameName = DEFAULT.game,
    order: Annotated[
        list[str] | None,
        option(
            "clusters.tsv, rules.so, rules.pl or a policy (eval.npz, default), or two of them together "
            "(FILE@root+FILE: one at the root, the other below); may be repeated. Also captures (go, shogi), centre "
            "(connect4), centre and pushes (abalone); perfect, worst: by exact values; minimax: all lines.",
            "FILE[+FILE]",
        ),
    ] = None,
    depth: Annotated[int, typer.Option(metavar="N", min=1, max=60, help="Plies to search.")] = DEFAULT.depth,
    deepening: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=10, help="Plies from each depth searched to the next; 0: only the last."),
    ] = DEFAULT.deepening,
    quiescence: Annotated[
        int, typer.Option(metavar="N", min=0, max=20, help="Plies of captures and saves after the last.")
    ] = DEFAULT.quiescence,
    order_from: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=60, help="Plies left from which on the orders are asked; that of --depth: the root."
        ),
    ] = DEFAULT.order_from,
    width: Annotated[
        str | None,
        option(
            "Of orders by rules or a policy: the best moves that are searched; a list is for one ply before the "
            "leaves, two plies, and so on. 0, or not given: all.",
            "N[,N...]",
        ),
    ] = None,
    penalty: Annotated[
        float | None,
        option(
            "Of the same: value that a unit of score below the best move costs. None if not given.",
            "X",
            callback=finite,
            min=0.0,
            max=1.0,
        ),
    ] = DEFAULT.penalty,
    reductions: Annotated[
        bool | None,
        option("Late moves are searched one ply less at first; not by default.", "", "--reductions/--no-reductions"),
    ] = DEFAULT.reductions,
    extensions: Annotated[
        int | None,
        option(
            "A line is searched one ply deeper for each threat in it (an atari; in shogi a check), up to N plies. 0 "
            "if not given.",
            min=0,
            max=20,
        ),
    ] = DEFAULT.extensions,
    weights: Annotated[
        str | None, option("eval.npz; default for the network of the package; else the built-in.", "FILE", "--eval")
    ] = DEFAULT.evaluation,
    positions: Annotated[int | None, option("So many, spread evenly; else all.", "N", min=1)] = DEFAULT.positions,
    size: Sizes = None,
    komi: Annotated[
        float, typer.Option(min=-1000, max=1000, callback=finite, help="Of all positions of Go, without --eval.")
    ] = DEFAULT.komi,
    output: Annotated[str | None, options.output(".tsv, .csv, .parquet, .json; else stdout.")] = None,
    format: Annotated[
        Literal["table", "tsv", "json"] | None, option("Else by the name of -o; a table on a terminal, TSV in a pipe.")
    ] = None,
    jobs: Jobs = DEFAULT.jobs,
    strict: Strict = False,
    quiet: Quiet = False,
) -> None:
    """Count the positions searched in each order of moves.

    Alpha-beta searches each position to the same depth, in Go over all moves that fill no own eye: once by killers and
    history alone, and once for each --order, which is mixed with them. An order changes the work, never the value,
    unless --width, --penalty, --reductions or --extensions are given, which mean what they do in `gtp`. Seconds are
    those of one core.

    perfect tries the best move first at every node, worst the worst one: values are known beforehand, which takes most
    of their seconds, and the search is made once, whatever --deepening says. minimax follows all lines.

    Rows of a table that are counter-examples are passed over. The game of a table need not be named.

    Reads all. Ctrl-C writes what was searched so far to stdout; with -o nothing is written.
    """
    from gotools.blas import use_common_blas

    use_common_blas(with_scipy=False)
    from gotools.files.outputs import FORMS, Output, check_outputs
    from gotools.go.examples.loading import SUFFIXES
    from gotools.orders.order_bench import Bench
    from gotools.player.players import Selectivity

    files = options.paths_or_stdin(paths, "name game records or tables, or send them to stdin")
    game = options.game_of(context, game, files)
    check_game(game)
    check_only_go(game, {"--komi": komi if options.is_typed(context, "komi") else None})
    form = options.written_as(format, output, ("tsv", "json"))
    orders = [file.removesuffix("@root") for parts in order or [] for file in parts.split("+")]
    suffixes = sorted({*SUFFIXES, *options.suffixes_of_records(game)})
    check_outputs([Output("-o", output, FORMS[form])], [*files, *orders, weights], suffixes)
    bench = Bench.of(
        depth,
        order or [],
        deepening=deepening,
        quiescence=quiescence,
        order_from=order_from,
        weights=weights,
        komi=komi,
        game=game,
        selectivity=Selectivity(widths_of(width), penalty, reductions, extensions),
    )
    _run(
        BenchJob(
            paths=files,
            output=output,
            format=form,
            positions=positions,
            size=size or [],
            strict=strict,
            quiet=quiet,
            jobs=jobs,
        ),
        bench,
    )


def _positions(job: BenchJob, bench: Bench, progress: Progress) -> Positions:
    from gotools.go.examples.loading import load_decisions
    from gotools.go.records.selection import Selection
    from gotools.library.orders import positions_for, positions_of_game
    from gotools.orders.positions import of_examples

    sizes = frozenset(job.size)
    if bench.size is not None and sizes - {bench.size}:
        raise typer.BadParameter(f"--eval has weights for {bench.size_text(bench.size)}", param_hint="--size")
    if bench.game.name == "go":
        rows = load_decisions(job.paths, Selection(sizes=sizes), progress.say, progress.advance, job.strict)
        found = of_examples(rows, bench.komi)
    else:
        found = positions_of_game(bench, job.paths, sizes, progress.say, job.strict)
    return positions_for(bench, found, job.positions, progress.say)


def _run(job: BenchJob, bench: Bench) -> None:
    found, wanted = list[list["Search"]](), 0
    try:
        with Progress("reading files", job.quiet) as progress:
            positions = _positions(job, bench, progress)
            wanted = len(positions)
            progress.phase("searches", wanted * len(bench.orders))
            for searches in bench.searches(positions, progress.advance, job.jobs):
                found.append(searches)
    except KeyboardInterrupt:
        if not found or job.output not in (None, "-"):
            raise KeyboardInterrupt("nothing is written") from None
        _write(job, bench, found)
        raise KeyboardInterrupt(f"{len(found):,} of {wanted:,} positions were searched") from None
    _write(job, bench, found)


def _write(job: BenchJob, bench: Bench, found: list[list[Search]]) -> None:
    from gotools.files.opening import open_output
    from gotools.orders.order_report import as_json, as_table, as_tsv

    settings: dict[str, str | float] = {
        "game": bench.game.full_name,
        "depth": bench.depth,
        "deepening": bench.deepening,
        "quiescence": bench.quiescence,
        "order_from": bench.order_from,
        "evaluation": bench.evaluation.name,
        **({"komi": bench.komi} if bench.game.komi >= 0 else {}),
        **bench.selectivity.words,
        "positions": len(found),
    }
    on_screen = job.output in (None, "-")
    with open_output(job.output) as out:
        if job.format == "table":
            out.write(as_table(found, settings, colours=on_screen))
        else:
            out.write((as_json if job.format == "json" else as_tsv)(found, settings))
    if not job.quiet and not (job.format == "table" and on_screen):
        print(as_table(found, settings, colours=False).decode(), end="", file=sys.stderr)
