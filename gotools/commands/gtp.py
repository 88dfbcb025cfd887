"""`gotools gtp`: a player behind the Go Text Protocol, for graphical boards, servers and match runners."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from gotools import __version__
from gotools.commands.options import GameName, Quiet, Seed, check_game, check_only_go, finite, option, widths_of
from gotools.library.players import SECONDS, Search

if TYPE_CHECKING:
    from gotools.player.gtp.session import GtpSession
    from gotools.player.gtp.thinking import Settings

FOR = "For players with a graphical board, for servers and match runners: an engine that explains its moves."
EPILOG = """\b
Example, typed or sent by a program:
  printf 'boardsize 9\\ngenmove b\\nquit\\n' | gotools gtp --rules out/rules.so
"""
HINT = f"""\
gotools {__version__}, an engine that waits for commands of the Go Text Protocol (GTP) and answers them.
Connect a board such as Sabaki or GoGui to it, or type: list_commands, genmove b, showboard; quit ends."""
"""For people who start it by hand: an engine says nothing until it is spoken to."""


def gtp(
    game: GameName = "go",
    rules: Annotated[
        str | None, option("rules.pl, or what compile-patterns made: rules.so; none for none.", "FILE")
    ] = None,
    weights: Annotated[
        str | None,
        option(
            "eval.npz of train-eval, for mcts a network with a policy; none for none; default for the network of the "
            "package, by which mcts plays without rules and values.",
            "FILE",
            "--eval",
        ),
    ] = None,
    order: Annotated[
        str | None,
        option(
            "clusters.tsv of cluster-moves: what alpha-beta tries first. Also captures (go, shogi), centre (connect4).",
            "FILE",
        ),
    ] = None,
    heuristic: Annotated[
        str | None,
        option("What alpha-beta plays by without --eval: area or explicit of go, terminator of abalone.", "NAME"),
    ] = None,
    search: Annotated[
        Search | None,
        option(
            "mcts: Monte-Carlo tree search, the default of go; alphabeta: the default with --order, --heuristic, with "
            "--eval without a policy, and of other games."
        ),
    ] = None,
    time: Annotated[
        float | None,
        option(
            "For a move, when the controller sets no clock; 1 without --nodes and --depth.",
            "SECONDS",
            callback=finite,
            min=0.0,
            max=1e6,
        ),
    ] = None,
    nodes: Annotated[int | None, option("Most positions or playouts for a move.", "N", min=1)] = None,
    depth: Annotated[int | None, option("Most plies of alpha-beta.", "N", min=1)] = None,
    threads: Annotated[
        int,
        option(
            "Of Monte-Carlo with a policy; more than one, and a seed no longer fixes the moves.", "N", min=1, max=256
        ),
    ] = 1,
    keep_tree: Annotated[
        bool | None,
        option(
            "Monte-Carlo goes on with what it found for the last move; by default where time alone limits it.",
            "",
            "--keep-tree/--no-keep-tree",
        ),
    ] = None,
    width: Annotated[
        str | None,
        option(
            "Of alpha-beta with rules or a policy: the best moves that are searched; a list is for one ply before the "
            "leaves, two plies, and so on. 0: all. 6 if not given.",
            "N[,N...]",
        ),
    ] = None,
    penalty: Annotated[
        float | None,
        option(
            "Of alpha-beta with rules or a policy: value that a unit of score below the best move costs. 0.05 if not "
            "given.",
            "X",
            callback=finite,
            min=0.0,
            max=1.0,
        ),
    ] = None,
    reductions: Annotated[
        bool | None,
        option(
            "Alpha-beta searches late moves one ply less at first; not by default.", "", "--reductions/--no-reductions"
        ),
    ] = None,
    extensions: Annotated[
        int | None,
        option(
            "Alpha-beta searches a line one ply deeper for each threat in it (an atari; in shogi a check), up to N "
            "plies. 0 if not given.",
            min=0,
            max=20,
        ),
    ] = None,
    size: Annotated[
        int | None, option("Board at the start, 9 or that of --eval; boardsize changes it.", min=2, max=19)
    ] = None,
    komi: Annotated[float | None, option("Komi at the start, 7.5.", min=-1000, max=1000, callback=finite)] = None,
    resign: Annotated[
        float | None,
        option(
            "Resign when the chance to win is below P for three own moves in a row; never if not given.",
            "P",
            callback=finite,
            min=0.0,
            max=1.0,
        ),
    ] = None,
    capture_all_dead: Annotated[
        bool,
        option(
            "Every stone on the board counts as alive at the end, as on CGOS: pass only where the board as it stands "
            "is won. kata-set-rules tromp-taylor says the same.",
            "",
        ),
    ] = False,
    digest: Annotated[str | None, option("Refuse rules of another digest.", "HEX")] = None,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Play Go or another game over GTP, version 2.

    Reads commands from stdin and answers on stdout until quit or the end of stdin; list_commands names them,
    docs/gtp.md explains them. With --nodes or --depth, no clock and one thread the same
    seed gives the same moves.

    Streams: every command is answered at once.
    """
    from gotools.blas import use_common_blas

    use_common_blas(with_scipy=False)
    if not quiet and sys.stdin is not None and sys.stdin.isatty():
        print(HINT, file=sys.stderr)
    from gotools.player.gtp.early import begin_early
    from gotools.player.gtp.server import serve
    from gotools.player.gtp.session import GtpSession, check_size, warm_up
    from gotools.player.gtp.thinking import Settings
    from gotools.player.players import Selectivity, new_player

    if time is None and nodes is None and depth is None:
        time = SECONDS
    way = search
    selectivity = Selectivity(widths_of(width), penalty, reductions, extensions)
    settings = Settings(
        seconds=time, nodes=nodes, depth=depth, resign=resign, seed=seed, capture_all_dead=capture_all_dead
    )
    check_game(game)
    if game != "go":
        check_only_go(game, {
            "--rules": rules, "--komi": komi, "--digest": digest, "--capture-all-dead": capture_all_dead or None,
        })  # fmt: skip
        _serve_game(
            game, settings, search=way, seed=seed, weights=weights, order=order, size=size, heuristic=heuristic,
            threads=threads, keep_tree=keep_tree, selectivity=selectivity,
        )  # fmt: skip
        return
    player = new_player(  # a wrong file ends it before the first answer
        search=way, rules=rules, seed=seed, digest=digest, weights=weights, order=order, threads=threads,
        keep_tree=keep_tree, selectivity=selectivity, heuristic=heuristic,
    )  # fmt: skip
    first_size = size or player.only_size or 9
    check_size(player, first_size)

    def begin() -> GtpSession:
        warm_up(player)
        return GtpSession.begin(player, settings, first_size, 7.5 if komi is None else komi)

    serve(begin, partial(begin_early, name=player.name, any_size=player.only_size is None))


def _serve_game(game: str, settings: Settings, **options: Any) -> None:
    """Serve a game other than Go."""
    from gotools.player.gtp.game_session import GameSession, warm_up
    from gotools.player.gtp.server import serve
    from gotools.player.players import new_game_player

    player = new_game_player(game, **options)

    def begin() -> GameSession:
        warm_up(player)
        return GameSession.begin(player, settings)

    serve(begin)
