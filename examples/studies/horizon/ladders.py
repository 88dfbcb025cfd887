"""Write positions in which a stone in atari may run into a ladder: in half of them it is caught, in half it gets away.

    python ladders.py [--most 12] -o ladders.tsv

A table of examples: the side to play has a stone in atari, the move of the row is to run. The ladder begins at each
point from which there is one, and ends at the edge; one more stone of the side to play, as far away as it helps, lets
the runner get away. Ids are caught-PLIES-POINT and away-PLIES-POINT, PLIES from the first move of the runner to the
capture, in the position without that stone. Every line of ataris and flights is read to its end.

      . b . .       the runner O plays a; X b or c, and so on up to the right
      X a c .
      X O X .
      . X . .
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from gotools import Board
from gotools.games.go.points import position_text, vertex

SIZE = 9
RUNNER, HUNTER = 2, 1
LONGEST = 60
Place = tuple[int, int]
"""Column and row, from 0."""


def point(place: Place) -> int:
    return SIZE * place[1] + place[0]


def on_board(place: Place) -> bool:
    return min(place) >= 0 and max(place) < SIZE


def beside(place: Place) -> list[Place]:
    column, row = place
    return [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]


def liberties(board: Board, at: int) -> set[int]:
    """Return the liberties of the chain of a stone, by flood fill."""
    colour, chain, found, cells = board.cells[at], {at}, set[int](), board.cells
    todo = [at]
    while todo:
        stone = todo.pop()
        column, row = stone % SIZE, stone // SIZE
        for place in filter(on_board, beside((column, row))):
            near = point(place)
            if cells[near] == 0:
                found.add(near)
            elif cells[near] == colour and near not in chain:
                chain.add(near)
                todo.append(near)
    return found


def played(board: Board, at: int, colour: int) -> Board | None:
    """Return the board after a move; None if it is not legal."""
    if at not in board.legal_points(colour):
        return None
    after = board.copy()
    after.play_point(at, colour)
    return after


def plies_to_capture(board: Board, stone: int, left: int = LONGEST) -> int | None:
    """Return after how many plies a chain in atari, whose turn it is, is caught when it runs; None: it gets away.

    The runner runs, or captures a hunter in atari beside him; the hunter gives atari at either liberty.
    """
    best = 0
    escapes = set(liberties(board, stone))
    for at in range(SIZE * SIZE):
        if board.cells[at] == HUNTER and len(own := liberties(board, at)) == 1:
            escapes |= own
    for flight in sorted(escapes):
        after = played(board, flight, RUNNER)
        if after is None:
            continue
        free = liberties(after, stone)
        if len(free) > 2 or left <= 0:
            return None
        if len(free) < 2:
            best = max(best, 2)
            continue
        found = []
        for atari in sorted(free):
            then = played(after, atari, HUNTER)
            if then is not None and len(liberties(then, stone)) == 1:
                plies = plies_to_capture(then, stone, left - 2)
                if plies is not None:
                    found.append(plies)
        if not found:
            return None
        best = max(best, 2 + min(found))
    return best


def away(board: Board, runner: Place) -> Board | None:
    """Return the board with a stone of the runner as far away as it helps; None if there is no such stone."""
    ahead = [(column, row) for column in range(runner[0], SIZE) for row in range(runner[1] + 1, SIZE)]
    for place in sorted(ahead, key=lambda at: (runner[0] + runner[1] - sum(at), at)):
        helped = played(board, point(place), RUNNER)
        if helped is not None and place not in beside(runner) and plies_to_capture(helped, point(runner)) is None:
            return helped
    return None


def ladders(most: int) -> Iterator[tuple[int, Place, Board, Board, int]]:
    """Yield ladders of 4 to `most` plies: plies, runner, the boards where it is caught and gets away, its flight."""
    for row in range(1, SIZE - 1):
        for column in range(1, SIZE - 1):
            runner = (column, row)
            hunters = [(column - 1, row), (column, row - 1), (column + 1, row), (column - 1, row + 1)]
            flight = (column, row + 1)
            if not all(map(on_board, [*hunters, flight])):
                continue
            board = Board(SIZE)
            for hunter in hunters:
                board.play_point(point(hunter), HUNTER)
            board.play_point(point(runner), RUNNER)
            plies = plies_to_capture(board, point(runner))
            if not plies or not 4 <= plies <= most:
                continue
            helped = away(board, runner)
            if helped is not None:
                yield plies, runner, board, helped, point(flight)


def read_options(what: str) -> argparse.Namespace:
    """Read the command line of a script that writes ladders; what -- the help says of it."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--most", type=int, default=12, help="the longest ladder, in plies")
    parser.add_argument("-o", "--output", type=Path, required=True)
    return parser.parse_args()


def write(path: Path, rows: list[str]) -> None:
    """Write a table of examples."""
    lines = ["##gotools examples 1", "#id\tto_play\tposition\tko\tlast\tlast2\tmove\tlabel", *rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def row_of(name: str, board: Board, side: str, move: int) -> str:
    cells = [name, side, position_text(board.cells, SIZE), "-", "-", "-", vertex(move, SIZE), "1"]
    return "\t".join(cells)


def main() -> None:
    words = read_options("Write positions with ladders.")
    rows = []
    for plies, runner, board, helped, flight in ladders(words.most):
        name = f"{plies:02}-{vertex(point(runner), SIZE)}"
        rows.append(row_of(f"caught-{name}:1", board, "w", flight))
        rows.append(row_of(f"away-{name}:1", helped, "w", flight))
    write(words.output, rows)


if __name__ == "__main__":
    main()
