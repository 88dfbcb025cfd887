"""`gotools solve`: positions in, whether mate is forced or marked stones are captured out."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Annotated

from gotools.commands import options
from gotools.commands.options import GameName, Jobs, Quiet
from gotools.commands.progress import Progress
from gotools.commands.settings_options import takes_settings
from gotools.engines.solving.answers import SolvingSettings
from gotools.game.table import USUAL
from gotools.library.solving import solve as solve_positions

FOR = "For solvers of problems, and for authors who check theirs: mates of shogi, captures in go, endings."
EPILOG = """\b
Examples:
  gotools solve --game shogi --shortest examples/shogi/mates.sfen \\
      -o out/mates.tsv
  gotools solve examples/problems.sgf
"""


@takes_settings(SolvingSettings)
def solve(
    *,
    paths: Annotated[
        list[str] | None, options.paths("Records of the positions, archives, -; of shogi also lines of SFEN.")
    ] = None,
    game: GameName = USUAL,
    settings: SolvingSettings,
    output: Annotated[str | None, options.output("A table: .tsv, .csv, .parquet; else stdout.")] = None,
    jobs: Jobs = 1,
    quiet: Quiet = False,
) -> None:
    """Solve mates and captures by proof-number search.

    Takes the first position of each record, and writes a row: the answer, the plies of a line, the nodes searched, the
    line. It reaches the goal against every defence; the defence shown is the longest that was found. Where the goal is
    out of reach, the line is the move that prevents it, if that side is to play. The answer is unknown where a limit
    came first.

    shogi: mate or nomate, of the side to play, by checks alone.

    go: captured, ko or safe, of the chain with a stone marked TR or MA. Both sides play on the points marked SQ and on
    the chain's liberties, everywhere if none is marked; PL says who begins. ko: captured by a side that has a threat
    for every ko.

    connect4, tictactoe: win, draw or loss of the side to play.

    Reads all. Ctrl-C writes what was solved so far.
    """
    from gotools.files.opening import open_output
    from gotools.files.outputs import TABLE, Output, check_outputs
    from gotools.game.game import suffixes_of

    files = options.paths_or_stdin(paths, "name positions, or send them to stdin")
    check_outputs([Output("-o", output, TABLE)], files, suffixes_of(game))
    with Progress("reading positions", quiet) as progress:
        found = solve_positions(files, settings=settings, game=game, jobs=jobs, report=progress.say, watch=progress)
    with open_output(output) as out:
        out.write(found.tsv)
    count = Counter(one.answer for one in found.solved)
    if not quiet:
        print(", ".join(f"{number:,} {answer}" for answer, number in count.most_common()), file=sys.stderr)
    if not found.whole:
        raise KeyboardInterrupt(f"{len(found.solved):,} positions were solved, and are written")
