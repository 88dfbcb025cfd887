"""Write positions with two stones in atari: in half of them a third one saves them, in half it is captured with them.

    python ataris.py -o ataris.tsv

A table of examples: the move of the row is a. Ids are away-POINT where it saves the stones (without the points marked
y) and caught-POINT where X stands there as well.

      . X X y .
      X O O a .
      . X X y .
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ladders import HUNTER, RUNNER, SIZE, row_of, write

from gotools import Board
from gotools.games.go.points import vertex


def position_row(kind: str, column: int, row: int) -> str:
    """Return the row of the position whose first stone of O stands at a column and row, from 0."""
    hunters = [(-1, 0), (0, 1), (1, 1), (0, -1), (1, -1)]
    if kind == "caught":
        hunters += [(2, 1), (2, -1)]
    board = Board(SIZE)
    for colour, places in ((HUNTER, hunters), (RUNNER, [(0, 0), (1, 0)])):
        for x, y in places:
            board.play_point(SIZE * (row + y) + column + x, colour)
    name = f"{kind}-{vertex(SIZE * row + column, SIZE)}:1"
    return row_of(name, board, "w", SIZE * row + column + 2)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write positions with stones in atari.")
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    rows = []
    for row in range(1, SIZE - 1):
        for column in range(1 + row % 2, SIZE - 3, 2):
            rows += [position_row(kind, column, row) for kind in ("caught", "away")]
    write(words.output, rows)


if __name__ == "__main__":
    main()
