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

from gotools import Board
from gotools.go.points import position_text, vertex

SIZE = 9


def row_of(kind: str, column: int, row: int) -> str:
    """Return the row of the position whose first stone of O stands at a column and row, from 0."""
    hunters = [(-1, 0), (0, 1), (1, 1), (0, -1), (1, -1)]
    if kind == "caught":
        hunters += [(2, 1), (2, -1)]
    board = Board(SIZE)
    for colour, places in ((1, hunters), (2, [(0, 0), (1, 0)])):
        for x, y in places:
            board.play_point(SIZE * (row + y) + column + x, colour)
    name = f"{kind}-{vertex(SIZE * row + column, SIZE)}:1"
    cells = [name, "w", position_text(board.cells, SIZE), "-", "-", "-", vertex(SIZE * row + column + 2, SIZE), "1"]
    return "\t".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write positions with stones in atari.")
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    lines = ["##gotools examples 1", "#id\tto_play\tposition\tko\tlast\tlast2\tmove\tlabel"]
    for row in range(1, SIZE - 1):
        for column in range(1 + row % 2, SIZE - 3, 2):
            lines += [row_of(kind, column, row) for kind in ("caught", "away")]
    words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
