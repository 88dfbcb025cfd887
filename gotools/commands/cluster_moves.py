"""`gotools cluster-moves`: good and bad moves in, an order of moves out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from gotools.commands import options
from gotools.commands.options import Cluster, GameName, Jobs, Quiet
from gotools.commands.progress import Progress
from gotools.commands.settings_options import takes_settings
from gotools.game.table import USUAL
from gotools.library.orders import find_clusters
from gotools.values.clusters.settings import ClusterSettings

if TYPE_CHECKING:
    from gotools.game.examples.examples import Examples
    from gotools.values.clusters.clustering import Found

FOR = "For engine authors who want their search to try good moves first."
EPILOG = """\b
Examples:
  gotools cluster-moves examples/games -o out/clusters.tsv
  gotools play --order out/clusters.tsv
"""


@takes_settings(ClusterSettings)
def cluster_moves(
    *,
    context: typer.Context,
    paths: Annotated[
        list[str] | None, options.paths("Game records, archives of them, examples (.tsv, .parquet).")
    ] = None,
    output: Annotated[str | None, options.output("clusters.tsv; .csv, .parquet too; else stdout.")] = None,
    game: GameName = USUAL,
    settings: ClusterSettings,
    show: Annotated[
        int, typer.Option(metavar="N", min=0, max=500, help="Draw the N largest centres of each kind.")
    ] = 3,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Learn an order of moves from good and bad ones.

    Moves are described by small numbers (edge, liberties, captures, distance to the last move, ...). k-means finds
    centres of the good moves and of the bad ones. A move is then looked at the earlier, the farther it is from the
    nearest bad centre and the nearer to the nearest good one.

    PATH is a file, a folder, a glob or `-`; without any, stdin is read. Rows of a table are good by label 1 and bad by
    label 0; ranks do not apply to them.

    --game takes records of other games. The --stages of shogi are situations: opening, attack, defence, even. A table
    of examples names its game.

    Reads all. On Ctrl-C nothing is written.
    """
    from gotools.base.blas import use_common_blas

    use_common_blas()
    from gotools.files.opening import open_output
    from gotools.files.outputs import TABLE, Output, check_outputs
    from gotools.jit.compiling import working_time
    from gotools.values.clusters.clusters_file import write_clusters

    options.check_one_crew(jobs, cluster)
    files = options.paths_or_stdin(paths, "name game records or a table, or send them to stdin")
    game = options.game_of(context, game, files)
    check_outputs([Output("-o", output, TABLE)], [*files, settings.ratings], options.suffixes_of_inputs(game))
    with options.interrupt_says("nothing is written"):
        began = working_time()
        with Progress("reading files", quiet) as progress:
            rows, found = find_clusters(files, settings, game, jobs, cluster, progress.say, progress)
        with open_output(output) as out:
            write_clusters(out, found.clusters)
        if not quiet:
            _print_summary(found, rows, show, working_time() - began)


def _print_summary(found: Found, rows: Examples, show: int, seconds: float) -> None:
    from rich.console import Console

    from gotools.values.clusters.summary import last_line, shown_moves, summary

    moves = shown_moves(rows)
    print(summary(found, moves, show, Console(stderr=True).width), end="", file=sys.stderr)
    print(last_line(found, moves, seconds), file=sys.stderr)
