"""`gotools gtp`: a player behind the Go Text Protocol, for graphical boards, servers and match runners."""

from __future__ import annotations

from typing import Annotated

from gotools import __version__
from gotools.commands.options import GameName, Quiet, finite, greet, option
from gotools.commands.settings_options import takes_settings
from gotools.engines.settings import PlayerSettings
from gotools.game.table import USUAL, USUAL_KOMI
from gotools.library.players import serve_gtp

FOR = "For players with a graphical board, for servers and match runners: an engine that explains its moves."
EPILOG = """\b
Example, typed or sent by a program:
  printf 'boardsize 9\\ngenmove b\\nquit\\n' | gotools gtp --rules out/rules.so
"""
HINT = f"""\
gotools {__version__}, an engine that waits for commands of the Go Text Protocol (GTP) and answers them.
Connect a board such as Sabaki or GoGui to it, or type: list_commands, genmove b, showboard; quit ends."""


@takes_settings(PlayerSettings)
def gtp(
    *,
    game: GameName = USUAL,
    size: Annotated[
        int | None, option("Board at the start, 9 or that of --eval; boardsize changes it.", "N", min=2, max=19)
    ] = None,
    komi: Annotated[
        float | None, option(f"Komi at the start, {USUAL_KOMI}.", "X", min=-1000, max=1000, callback=finite)
    ] = None,
    settings: PlayerSettings,
    quiet: Quiet = False,
) -> None:
    """Play Go or another game over GTP, version 2.

    Reads commands from stdin and answers on stdout until quit or the end of stdin; list_commands names them,
    docs/gtp.md explains them. With --nodes or --depth, no clock and one thread the same
    seed gives the same moves.

    Streams: every command is answered at once.
    """
    from gotools.base.blas import use_common_blas

    use_common_blas(with_scipy=False)
    greet(HINT, quiet)
    serve_gtp(game, settings, size=size, komi=komi)
