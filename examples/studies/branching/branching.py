"""Count the legal moves of every position in records, and the moves of every game, beside the figures of the sources.

    python branching.py go:records=games/ connect4:self-play=run/games --sources sources.tsv -o branching.tsv

A row for each game, board size and source: branching is the mean number of legal moves, passes included, over the
positions of each game and then over the games; plies is the mean length; log10_tree is the mean over games of the sum
of log10(moves) along the game, Allis' complexity of the tree where games are as here. low and high are the ends of
intervals of 95 %. Rows of sources.tsv have no intervals: low and high are the figure.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

import gotools
from gotools.game import find_game
from gotools.games.records import decisions

COLUMNS = ("game", "source", "games", "branching", "branching_low", "branching_high", "plies", "plies_low")
COLUMNS += ("plies_high", "log10_tree")


def of_go(path: str, most: int) -> Iterator[tuple[str, str, int]]:
    """Yield board, game and number of legal moves of the positions in records of Go."""
    for number, record in enumerate(islice(gotools.read_games(path), most)):
        board = gotools.Board(record.size)
        for colour, point in record.moves.tolist():
            yield f"go {record.size}x{record.size}", str(number), len(board.legal_points(colour)) + 1
            if point >= 0:
                board.play_point(point, colour)


def of_another(name: str, path: str) -> Iterator[tuple[str, str, int]]:
    """Yield the same of the records of another game."""
    game = find_game(name)
    for one in decisions([path], game, print):
        yield name, one.id.rpartition(":")[0], len(game.moves_of(one.state))


def spread(values: list[float]) -> list[str]:
    """Return a mean with the ends of its interval of 95 %."""
    mean, error = float(np.mean(values)), 1.96 * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return [f"{x:.1f}" for x in (mean, mean - error, mean + error)]


def rows_of(source: str, found: Iterator[tuple[str, str, int]]) -> Iterator[list[str]]:
    counts = defaultdict[str, dict[str, list[int]]](lambda: defaultdict(list))
    for board, game, moves in found:
        counts[board][game].append(moves)
    for board, games in counts.items():
        if len(games) < 2:
            continue
        branching = spread([float(np.mean(moves)) for moves in games.values()])
        plies = spread([float(len(moves)) for moves in games.values()])
        tree = np.mean([sum(map(math.log10, moves)) for moves in games.values()])
        yield [board, source, str(len(games)), *branching, *plies, f"{tree:.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Count legal moves and moves of games.")
    parser.add_argument("records", nargs="+", metavar="GAME:SOURCE=PATH")
    parser.add_argument("--most", type=int, default=100, help="games of Go from one source")
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    rows = [line.split("\t") for line in words.sources.read_text(encoding="utf-8").splitlines()[1:]]
    for text in words.records:
        kind, _, path = text.partition("=")
        game, _, source = kind.partition(":")
        rows += rows_of(source, of_go(path, words.most) if game == "go" else of_another(game, path))
    lines = ["\t".join(row) for row in [list(COLUMNS), *rows]]
    words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
