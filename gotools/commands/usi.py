"""`gotools usi`: a player of shogi behind the Universal Shogi Interface, for graphical boards."""

from __future__ import annotations

from typing import Final

from gotools import __version__
from gotools.commands.options import Quiet, greet
from gotools.commands.settings_options import takes_settings
from gotools.engines.settings import PlayerSettings
from gotools.library.players import serve_usi

FOR = "For players of shogi with a graphical board such as ShogiGUI or Shogidokoro."
EPILOG = """\b
Example, typed or sent by a program:
  printf 'position startpos moves 7g7f\\ngo movetime 1000\\n' | gotools usi
"""
HINT = f"""\
gotools {__version__}, an engine that waits for commands of the Universal Shogi Interface (USI) and answers them.
Connect a board such as ShogiGUI to it, or type: usi, position startpos, go movetime 1000; quit ends."""
WITHOUT: Final = (
    "capture_all_dead",
    "heuristic",
    "keep_tree",
    "widths",
    "penalty",
    "selective",
    "extensions",
    "resign",
)


@takes_settings(PlayerSettings, without=WITHOUT)
def usi(*, settings: PlayerSettings, quiet: Quiet = False) -> None:
    """Play shogi over USI.

    Reads commands from stdin and answers on stdout until quit or the end of stdin; docs/usi.md explains them. With
    --nodes or --depth, no clock and one thread the same seed gives the same moves.

    Streams: every command is obeyed at once.
    """
    from gotools.base.blas import use_common_blas

    use_common_blas(with_scipy=False)
    greet(HINT, quiet)
    serve_usi(settings)
