"""Positions from games of random players on boards of any size, as arrays."""

from __future__ import annotations

import random
from functools import cache
from typing import NamedTuple

import numpy as np

from gotools.games.go.board import Board, legal_mask
from gotools.games.go.points import NONE, PASS
from gotools.rules.clauses.points import Points


class Position(NamedTuple):
    cells: np.ndarray
    size: int
    to_play: int
    ko: int
    last: int
    last2: int


def game(size: int, rng: random.Random) -> list[Position]:
    """Return all positions of a game of random players, who pass and move out of turn at times."""
    board, moves, found = Board(size), [NONE, NONE], []
    for _ in range(size * size * 2):
        side, ko = board.to_play, board.ko
        if rng.random() < 0.05:
            side, ko = 3 - side, NONE
        found.append(Position(board.cells, size, side, ko, moves[-1], moves[-2]))
        legal = np.flatnonzero(legal_mask(*table([found[-1]])[:4])).tolist()
        moves.append(rng.choice(legal) if legal and rng.random() > 0.03 else PASS)
        board.play_point(moves[-1], side)
    return found


@cache
def games(size: int) -> list[Position]:
    rng = random.Random(size)
    return [position for _ in range(24 if size < 6 else 6) for position in game(size, rng)]


def some_positions(size: int, count: int) -> list[Position]:
    """Return positions of random games; those with a ko and those after a pass are a third each, if there are any."""
    rng, every = random.Random(size), games(size)
    kos = [position for position in every if position.ko != NONE]
    passed = [position for position in every if PASS in (position.last, position.last2)]
    return [p for some in (kos, passed, every) for p in rng.sample(some, min(len(some), count // 3))]


def table(positions: list[Position]) -> tuple[np.ndarray, ...]:
    """Return positions, perhaps of several sizes, as arrays: board, size, to_play, ko, last, last2."""
    board = np.zeros((len(positions), max(len(p.cells) for p in positions)), np.uint8)
    for row, position in enumerate(positions):
        board[row, : len(position.cells)] = position.cells
    columns = zip(*(position[1:] for position in positions), strict=True)
    types = (np.uint8, np.uint8, np.int16, np.int16, np.int16)
    return board, *(np.array(column, kind) for column, kind in zip(columns, types, strict=True))


def legal_points(positions: list[Position]) -> Points:
    board, size, to_play, ko, last, last2 = table(positions)
    position, point = np.nonzero(legal_mask(board, size, to_play, ko))
    return Points(board, size, to_play, ko, last, last2, position.astype(np.int32), point.astype(np.int16))
