"""List marbles won and lost and the moves of the games of tournaments of Abalone, after tables 6.1 and 6.2.

    python marbles.py out/training/abalone/programs-*

Folders are those of `gotools tournament`. A row for each game, seen by its first engine, whose opponents the others
are: `moves` counts those of both sides, random ones at the start included. A row with game "all" has the means of an
opponent, and games won-drawn-lost.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.games.abalone.kernels.rules import EACH, marbles_of
from gotools.matches.journal import read_journal

COLUMNS = ("folder", "engine", "against", "game", "first", "result", "marbles_won", "marbles_lost", "moves")


def lost_marbles(moves: Sequence[str]) -> tuple[int, int]:
    """Return how many marbles black and white have lost after some moves."""
    game = find_game("abalone")
    state = game.position()
    for move in moves:
        state = game.play(state, game.parse_move(move, game.sizes[0]))
    black, white = (EACH - int(marbles_of(state, side)).bit_count() for side in (1, 2))
    return black, white


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    options = parser.parse_args(arguments)
    print("#" + "\t".join(COLUMNS))
    try:
        for folder in options.folders:
            run = read_journal(folder / "results.jsonl", lambda text: print(text, file=sys.stderr))
            engine = (run.plays or {})["engines"][0]["name"]
            found: dict[str, list[tuple[float, int, int, int]]] = defaultdict(list)
            for _, game in sorted(run.results.items()):
                own = int(game.white == engine)
                lost = lost_marbles(moves := game.moves.split())
                score = game.score if own == 0 else 1.0 - (game.score or 0.0)
                other = game.black if own else game.white
                found[other].append((score or 0.0, lost[1 - own], lost[own], len(moves)))
                cells = (engine, other, game.game, game.black, score, lost[1 - own], lost[own], len(moves))
                print(folder.name, *cells, sep="\t")
            for other, rows in found.items():
                scores, *means = np.array(rows).T
                counts = "-".join(str(int((scores == score).sum())) for score in (1.0, 0.5, 0.0))
                won, lost_by, plies = (float(each.mean()) for each in means)
                print(
                    folder.name, engine, other, "all", "-", counts, f"{won:.2f}\t{lost_by:.2f}\t{plies:.0f}", sep="\t"
                )
    except GotoolsError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
