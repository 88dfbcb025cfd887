"""`gotools order-bench`: positions and orders of moves in, how many positions each order has to search out."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import typer

from gotools.commands import options
from gotools.commands.options import STDIN, GameName, Jobs, Quiet, option
from gotools.commands.progress import Progress
from gotools.commands.settings_options import takes_settings
from gotools.engines.orders.settings import ComparisonSettings
from gotools.game.table import USUAL
from gotools.library.orders import OrdersCompared, compare_orders

FOR = "For engine authors who ask how much work an order of moves saves."
EPILOG = """\b
Examples:
  gotools order-bench examples/test-games --positions 10 --order captures \\
      --order out/rules.so
  echo '{"game": "connect4", "moves": ["4", "4", "3"]}' | \\
      gotools order-bench --game connect4 --order centre --depth 8
"""


@takes_settings(ComparisonSettings)
def order_bench(
    *,
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        options.paths("Positions: game records (.sgf; .jsonl of other games), archives, examples, -."),
    ] = None,
    game: GameName = USUAL,
    order: Annotated[
        list[str] | None,
        option(
            "clusters.tsv, rules.so, rules.pl or a policy (eval.npz, default), or two of them together "
            "(FILE@root+FILE: one at the root, the other below); may be repeated. Also captures (go, shogi), centre "
            "(connect4), centre and pushes (abalone); perfect, worst: by exact values; minimax: all lines.",
            "FILE[+FILE]",
            reads="order",
        ),
    ] = None,
    settings: ComparisonSettings,
    output: Annotated[str | None, options.output(".tsv, .csv, .parquet, .json; else stdout.")] = None,
    format: Annotated[
        Literal["table", "tsv", "json"] | None, option("Else by the name of -o; a table on a terminal, TSV in a pipe.")
    ] = None,
    jobs: Jobs = 1,
    quiet: Quiet = False,
) -> None:
    """Count the positions searched in each order of moves.

    Alpha-beta searches each position to the same depth, in Go over all moves that fill no own eye: once by killers and
    history alone, and once for each --order, which is mixed with them. An order changes the work, never the value,
    unless --width, --penalty, --selective or --extensions are given, which mean what they do in `gtp`. Seconds are
    those of one core.

    perfect tries the best move first at every node, worst the worst one: values are known beforehand, which takes most
    of their seconds, and the search is made once, whatever --deepening says. minimax follows all lines.

    Rows of a table that are counter-examples are passed over. The game of a table need not be named.

    Reads all. Ctrl-C writes what was searched so far to stdout; with -o nothing is written.
    """
    from gotools.base.blas import use_common_blas

    use_common_blas(with_scipy=False)
    from gotools.files.outputs import FORMS, Output, check_outputs

    files = options.paths_or_stdin(paths, "name game records or tables, or send them to stdin")
    game = options.game_of(context, game, files)
    options.check_komi(context, game)
    form = options.written_as(format, output, ("tsv", "json"))
    inputs = [*files, settings.evaluation, *(one.removesuffix("@root") for s in order or [] for one in s.split("+"))]
    check_outputs([Output("-o", output, FORMS[form])], inputs, options.suffixes_of_inputs(game))
    with options.interrupt_says("nothing is written"), Progress("reading files", quiet) as progress:
        found = compare_orders(
            files, order or [], settings=settings, jobs=jobs, game=game, report=progress.say, watch=progress
        )
        if not found.whole and output not in (None, STDIN):
            raise KeyboardInterrupt
    _write(found, output, form, quiet)
    if not found.whole:
        raise KeyboardInterrupt(f"{len(found.searches):,} of {found.wanted:,} positions were searched")


def _write(found: OrdersCompared, output: str | None, form: str, quiet: bool) -> None:
    from gotools.engines.orders.benchmark_output import as_json, as_table, as_tsv
    from gotools.files.opening import open_output

    on_screen = output in (None, STDIN)
    with open_output(output) as out:
        if form == "table":
            out.write(as_table(found.searches, found.settings, colours=on_screen))
        else:
            out.write((as_json if form == "json" else as_tsv)(found.searches, found.settings))
    if not quiet and not (form == "table" and on_screen):
        print(as_table(found.searches, found.settings, colours=False).decode(), end="", file=sys.stderr)
