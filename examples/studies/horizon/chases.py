"""Write positions in which the hunter of a ladder may give the next atari: in half of them that works, in half not.

    python chases.py [--most 12] -o chases.tsv

A table of examples: the ladders of ladders.py after the runner's first move. The move of the row is the only atari that
catches the runner where nothing stands in the way. Ids are works-PLIES-POINT and fails-PLIES-POINT; in the second one
more stone of the runner's side lets it get away. PLIES count to the capture, from the runner's first move.
"""

from __future__ import annotations

from ladders import (
    HUNTER,
    RUNNER,
    SIZE,
    ladders,
    liberties,
    played,
    plies_to_capture,
    point,
    read_options,
    row_of,
    write,
)

from gotools import Board
from gotools.games.go.points import vertex


def catching(board: Board, stone: int) -> list[int]:
    """Return the ataris that catch a chain with two liberties."""
    found = []
    for atari in sorted(liberties(board, stone)):
        then = played(board, atari, HUNTER)
        if then is not None and len(liberties(then, stone)) == 1 and plies_to_capture(then, stone) is not None:
            found.append(atari)
    return found


def main() -> None:
    words = read_options("Write positions in which a ladder goes on, or should not.")
    rows = []
    for plies, runner, board, helped, flight in ladders(words.most):
        stone, name = point(runner), f"{plies:02}-{vertex(point(runner), SIZE)}"
        chased, saved = played(board, flight, RUNNER), played(helped, flight, RUNNER)
        if chased is None or saved is None or len(liberties(saved, stone)) != 2:
            continue
        good = catching(chased, stone)
        if len(good) == 1 and not catching(saved, stone):
            rows.append(row_of(f"works-{name}:1", chased, "b", good[0]))
            rows.append(row_of(f"fails-{name}:1", saved, "b", good[0]))
    write(words.output, rows)


if __name__ == "__main__":
    main()
