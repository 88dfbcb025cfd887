"""Positions of Go made by hand in which `tournament check` tries an engine."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, zip_longest
from typing import Final

from gotools.game.sides import BLACK, WHITE
from gotools.game.trials import MadePosition, Moves, Trials
from gotools.games.go.points import PASS

SMALLEST: Final = 4


def _in_turn(black: Iterable[int], white: Iterable[int]) -> Moves:
    """Return the moves of both sides, one by one as long as both have some."""
    pairs = zip_longest(((BLACK, point) for point in black), ((WHITE, point) for point in white))
    return [move for move in chain.from_iterable(pairs) if move is not None]


def _legal(size: int) -> Moves:
    points = [0, size - 1, 2 * size, PASS, 2 * size + 2, size * size - 1]
    return list(zip((BLACK, WHITE) * 3, points, strict=True))


def _cleared(size: int) -> list[Moves]:
    points = [0, size - 1, size + 1]
    return [[(side, point) for point in points] for side in (BLACK, WHITE, BLACK)]


def _corners(size: int) -> Moves:
    """A1 is suicide for white, the corner opposite for black."""
    last = size * size - 1
    return _in_turn((1, size), (last - 1, last - size))


def _settled(size: int) -> Moves:
    """Black has the left half, and the middle."""
    middle = (size + 1) // 2
    eyes = {0, 2 * size, size - 1, 3 * size - 1}
    columns = [[row * size + column for row in range(size)] for column in range(size)]
    black = [point for column in columns[middle - 1 :: -1] for point in column if point not in eyes]
    white = [point for column in columns[middle:] for point in column if point not in eyes]
    return _in_turn(black, white)


TRIALS: Final = Trials(
    positions={
        "captures": MadePosition(
            lambda size: [(WHITE, 0), (BLACK, 1), (BLACK, size)],
            (BLACK, 0),
            True,
            "takes captured stones off the board",
            "a stone at A1 was captured, and it refuses to put another there",
            SMALLEST,
        ),
        "occupied point": MadePosition(
            lambda size: [(BLACK, 0)],
            (WHITE, 0),
            False,
            "refuses a move on a stone",
            "takes `{line}` where a stone stands",
            2,
        ),
        "suicide": MadePosition(
            lambda size: [(BLACK, 1), (BLACK, size)],
            (WHITE, 0),
            None,
            "refuses suicide",
            "takes a suicide; right where the rules allow it (New Zealand, Tromp-Taylor), else not",
            SMALLEST,
        ),
        "ko": MadePosition(  # A1 B2; B1 C2 D1: black C1 takes B1
            lambda size: [*_in_turn((0, size + 1), (1, size + 2, 3)), (BLACK, 2)],
            (WHITE, 1),
            False,
            "refuses to take a ko back at once",
            "takes a ko back at once, which no rules allow",
            SMALLEST,
        ),
    },
    smallest=SMALLEST,
    legal=_legal,
    cleared=_cleared,
    corners=_corners,
    settled=_settled,
    passing=PASS,
)
