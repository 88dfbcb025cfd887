"""Count games of Connect-4 weights against a player that looks six plies ahead and knows nothing else.

    python six_plies.py connect4-*.npz > six-plies.tsv           # 75 games as first player, 75 as second, for each file
    python plot_curves.py evolved=six-plies.tsv -o six-plies.svg

The other player sees every victory and every loss within its six plies; of moves that are alike to it, it draws one.
The weights look two plies ahead, as in training. The table is a training log, a row for each file: games learned from,
games won, drawn and lost, games lost as first and as second player, and the share with its 95 % interval.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from gotools.base.errors import GotoolsError
from gotools.files.tables import header
from gotools.values.games.match import Searcher, play_series
from gotools.values.training.training_log import KIND, VERSION, Share
from gotools.values.weights.evaluator import Evaluator, load_evaluator

COLUMNS = ("games", "won", "drawn", "lost", "lost_first", "lost_second")


def row(learned: Evaluator, depth: int, plies: int, games: int, seed: int, jobs: int) -> str:
    """Play so many games as first and as many as second player; returns the line of the table."""
    player, other = Searcher(depth, learned.evaluate, learned.numbers), Searcher(plies)
    first, second = play_series(learned.game, player, other, games, seed, jobs=jobs)
    won, drawn, lost = (a + b for a, b in zip(first, second, strict=True))
    share = Share.of(won, drawn, lost)
    cells = [learned.weights.games, won, drawn, lost, first.lost, second.lost]
    return "\t".join([*map(str, cells), *(f"{part:.4f}" for part in (share.share, share.low, share.high))])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="EVAL", help="eval.npz of train-eval --game connect4")
    parser.add_argument("--depth", type=int, default=2, metavar="N", help="plies of the weights; 2")
    parser.add_argument("--plies", type=int, default=6, metavar="N", help="of the other player; 6")
    parser.add_argument("--games", type=int, default=75, metavar="N", help="as first, and as second player; 75")
    parser.add_argument("--seed", type=int, default=7, metavar="N", help="of the games; 7")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="threads")
    o = parser.parse_args(arguments)
    try:
        players = [load_evaluator(path, "connect4") for path in o.files]
        lines = [row(player, o.depth, o.plies, o.games, o.seed, o.jobs) for player in players]
    except GotoolsError as error:
        parser.error(str(error))
    settings = {"game": "connect4", "depth": str(o.depth), "plies": str(o.plies), "seed": str(o.seed)}
    columns = [*COLUMNS, "plies", "plies_low", "plies_high"]
    sys.stdout.write(header(KIND, VERSION, settings, columns).decode() + "".join(line + "\n" for line in lines))


if __name__ == "__main__":
    main()
