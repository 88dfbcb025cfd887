"""`gotools usi`: a player of shogi behind the Universal Shogi Interface, for graphical boards."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from gotools import __version__
from gotools.commands.options import Quiet, Seed, finite, option
from gotools.library.players import SECONDS

if TYPE_CHECKING:
    from gotools.player.game_player import GamePlayer
    from gotools.player.usi.options import UsiOptions
    from gotools.player.usi.session import UsiSession

GAME = "shogi"
FOR = "For players of shogi with a graphical board such as ShogiGUI or Shogidokoro."
EPILOG = """\b
Example, typed or sent by a program:
  printf 'position startpos moves 7g7f\\ngo movetime 1000\\n' | gotools usi
"""
HINT = f"""\
gotools {__version__}, an engine that waits for commands of the Universal Shogi Interface (USI) and answers them.
Connect a board such as ShogiGUI to it, or type: usi, position startpos, go movetime 1000; quit ends."""


def usi(
    weights: Annotated[str | None, option("eval.npz of train-eval.", "FILE", "--eval")] = None,
    order: Annotated[
        str | None, option("clusters.tsv of cluster-moves: what alpha-beta tries first; or captures.", "FILE")
    ] = None,
    search: Annotated[
        str | None, option("mcts, the default with a policy in --eval, or alphabeta.", "mcts|alphabeta")
    ] = None,
    time: Annotated[
        float | None,
        option(
            "For a move, when go sets no clock and no limit; 1 without --nodes and --depth.",
            "SECONDS",
            callback=finite,
            min=0.0,
            max=1e6,
        ),
    ] = None,
    nodes: Annotated[int | None, option("Most positions or playouts for a move.", "N", min=1)] = None,
    depth: Annotated[int | None, option("Most plies of alpha-beta.", "N", min=1)] = None,
    threads: Annotated[int, option("Of Monte-Carlo with a policy.", "N", min=1, max=256)] = 1,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Play shogi over USI.

    Reads commands from stdin and answers on stdout until quit or the end of stdin; docs/usi.md explains them. With
    --nodes or --depth, no clock and one thread the same seed gives the same moves.

    Streams: every command is obeyed at once.
    """
    from gotools.blas import use_common_blas

    use_common_blas(with_scipy=False)
    if not quiet and sys.stdin is not None and sys.stdin.isatty():
        print(HINT, file=sys.stderr)
    from gotools.player.gtp.thinking import Settings
    from gotools.player.usi.options import UsiOptions
    from gotools.player.usi.server import serve

    if time is None and nodes is None and depth is None:
        time = SECONDS
    settings = Settings(seconds=time, nodes=nodes, depth=depth, seed=seed)
    options = UsiOptions(eval_file=weights, order_file=order, threads=threads)
    serve(_begin(options, settings, search=search, seed=seed))


def _begin(options: UsiOptions, settings: Any, **given: Any) -> Callable[[Callable[[str], None]], UsiSession]:
    """Return what makes a session; a wrong file ends it before the first answer."""
    from gotools.player.gtp.game_session import warm_up
    from gotools.player.players import new_game_player
    from gotools.player.usi.session import UsiSession

    def make(wanted: UsiOptions) -> GamePlayer:
        return new_game_player(GAME, weights=wanted.eval_file, order=wanted.order_file, threads=wanted.threads, **given)

    player = make(options)
    return lambda send: UsiSession(player, options, settings, send, make=make, prepare=warm_up)
