"""Stones set up by hand, and places of handicap stones: the trait SetUp of Go. Loads compiled code when it is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.traits import SetUp
from gotools.games.go.points import fixed_points, most_fixed


def free_points(size: int, count: int) -> list[int]:
    """Choose the points of a free handicap: the fixed places as far as they go, then where most room is left.

    Raises GotoolsError for less than two stones or a full board.
    """
    if not 2 <= count < size * size:
        raise GotoolsError("invalid number of stones")
    points = fixed_points(size, min(count, most_fixed(size))) if most_fixed(size) else []
    y, x = np.divmod(np.arange(size * size), size)
    # the edge counts like a stone a little beyond it: so the first stones do not stand on the lowest lines
    room = np.minimum(np.minimum(x, size - 1 - x), np.minimum(y, size - 1 - y)) + 1.5
    for point in points:
        room = np.minimum(room, np.hypot(x - x[point], y - y[point]))
    while len(points) < count:
        point = int(room.argmax())
        points.append(point)
        room = np.minimum(room, np.hypot(x - x[point], y - y[point]))
    return points


def _put(state: NDArray[np.int32], stones: Sequence[tuple[int, int]], to_play: int) -> NDArray[np.int32]:
    from gotools.games.go.board import Board

    board = Board.of_state(state)
    cells = board.cells
    for colour, point in stones:
        cells[point] = colour
    return Board.from_cells(cells, board.side, to_play).state


def _stones(state: NDArray[np.int32], colour: int) -> list[int]:
    from gotools.games.go.board import Board

    found: list[int] = np.flatnonzero(Board.of_state(state).cells == colour).tolist()
    return found


SET_UP: Final = SetUp(_put, _stones, fixed_points, most_fixed, free_points)
