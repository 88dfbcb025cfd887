"""Openings: prescribed first moves, so that equal players do not play the same game twice.

Each is meant to be played twice with colours exchanged, so that its advantage goes to both players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import permutations
from pathlib import Path

import numpy as np

from gotools.errors import GotoolsError
from gotools.game.records.reading import read_records
from gotools.game.records.record import Record
from gotools.go.as_game import GO
from gotools.go.board import Board
from gotools.go.points import BLACK, MAX_SIZE, MIN_SIZE, PASS, symmetry_tables, vertex


def moves_text(points: Sequence[int], size: int) -> str:
    """Write moves as "E5 C3 pass"."""
    return " ".join(vertex(point, size) for point in points)


# generated ------------------------------------------------------------------------------------------------------------


def generated_openings(size: int, seed: int) -> list[list[int]]:
    """Return all openings of two moves on sensible points, black's and white's, in an order drawn by the seed.

    seed -- not negative

    Of openings that differ by a symmetry of the board one is kept. Sensible are, on boards from 13x13 on, the points on
    the third to fifth lines of a corner; from 8x8 on those on the third line or higher; from 5x5 on those on the second
    line or higher; on smaller boards all. Balance is not considered otherwise. The same on all machines.
    """
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"board sizes are {MIN_SIZE} to {MAX_SIZE}, not {size}")
    tables = symmetry_tables(size)
    openings = sorted({tuple(min(tables[:, pair].tolist())) for pair in _pairs(size)})
    return [list(openings[i]) for i in np.random.default_rng(seed).permutation(len(openings))]


def _pairs(size: int) -> Iterator[list[int]]:
    points = [y * size + x for y in range(size) for x in range(size) if _sensible(_line(x, size), _line(y, size), size)]
    yield from (list(pair) for pair in permutations(points, 2))


def _line(coordinate: int, size: int) -> int:
    """Return the line, counted from the nearer edge, from 1."""
    return min(coordinate, size - 1 - coordinate) + 1


def _sensible(column: int, row: int, size: int) -> bool:
    """Return whether a point is a sensible opening move."""
    if size >= 13:
        return 3 <= column <= 5 and 3 <= row <= 5
    lowest = 3 if size >= 8 else 2 if size >= 5 else 1
    return min(column, row) >= lowest


# of games -------------------------------------------------------------------------------------------------------------


def openings_of_games(
    paths: Sequence[str | Path], size: int, plies: int, say: Callable[[str], None] = lambda _: None
) -> list[list[int]]:
    """Return the first moves of game records, in the order of the games.

    paths -- SGF files, archives, folders, globs (see `expand_paths`)
    plies -- how many moves, at least 1
    say   -- called with a message for each file or game that cannot be read, and at the end with the number of games
        left out, and why

    Left out are games of another size, shorter ones, those with set-up stones, a pass or an illegal move by then, those
    in which black does not begin or the players do not alternate, and those that lead to the position of an earlier
    opening, turned or mirrored.

    Raises GotoolsError if none is left.
    """
    if plies < 1:
        raise ValueError("an opening has at least one move")
    where = f"of {plies} moves on {size}x{size} in {', '.join(map(str, paths))}"
    return different_openings(_found(paths, size, plies, say), where, say)


FoundOpening = tuple[list[int], Hashable, str]
"""The first moves of a game, what all openings to the same position have in common, and why it is unfit, else ""."""


def different_openings(
    found: Iterable[FoundOpening], where: str, say: Callable[[str], None] = lambda _: None
) -> list[list[int]]:
    """Return the openings that are fit, the first one to each position, and say how many games were left out.

    where -- for messages: the length of openings, and the files

    Raises GotoolsError if none is left.
    """
    openings: dict[Hashable, list[int]] = {}
    left_out: Counter[str] = Counter()
    games = 0
    for moves, position, why in found:
        games += 1
        if not why and openings.setdefault(position, moves) is not moves:
            why = "the same opening again"
        if why:
            left_out[why] += 1
    reasons = ", ".join(f"{count} {why}" for why, count in left_out.most_common())
    if not openings:
        what = f"no opening {where}: {games} games read"
        raise GotoolsError(what + (f"; left out: {reasons}" if reasons else ""))
    if left_out:
        say(f"{len(openings)} openings from {games} games; left out: {reasons}")
    return list(openings.values())


def _found(paths: Sequence[str | Path], size: int, plies: int, say: Callable[[str], None]) -> Iterator[FoundOpening]:
    for _, record in read_records(paths, GO, say):
        why, points = _unfit(record, size, plies), record.moves[:plies, 1].tolist()
        yield points, b"" if why else _position(points, size), why


def _unfit(record: Record, size: int, plies: int) -> str:
    """Return why the first moves of a game are not usable as an opening, "" if they are."""
    if record.size != size:
        return f"of size {record.size}"
    if any(stone.after < plies for stone in record.setup):
        return "with set-up stones"
    first = record.moves[:plies]
    if len(first) < plies:
        return "too short"
    if (first[:, 1] == PASS).any():
        return "with a pass"
    colours = 1 + np.arange(plies) % 2
    if (first[:, 0] != colours).any():
        return "in which the players do not alternate from black on"
    board = Board(size)
    for colour, point in first.tolist():
        if not board.is_legal(point, colour):
            return "with an illegal move"
        board.play_point(point, colour)
    return ""


def _position(points: list[int], size: int) -> bytes:
    """Return the position that moves lead to, the least of its images under the symmetries of the board."""
    board = Board(size)
    for ply, point in enumerate(points):
        board.play_point(point, BLACK + ply % 2)
    position: bytes = min(turned.tobytes() for turned in board.cells[symmetry_tables(size)])
    return position
