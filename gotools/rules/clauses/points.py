"""The moves at which clauses are evaluated: those of examples, or all legal moves of positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.game.table import USUAL


class Moves(Protocol):
    """Moves on positions at which clauses are evaluated: n moves on m positions."""

    @property
    def position(self) -> NDArray[np.int32]:
        """int32[n]: equal ones in a row are read once"""

    @property
    def place(self) -> NDArray[np.int16]:
        """int16[n]: the move as records know it"""

    def __len__(self) -> int: ...

    def take(self, rows: slice | NDArray[np.int64]) -> Self:
        """Return some of the moves, on the same positions."""

    def on(self, positions: NDArray[np.integer], number: NDArray[np.int32], rows: NDArray[np.int64]) -> Self:
        """Return some of the moves on some of the positions; number -- of the new position of each."""


@dataclass(frozen=True, slots=True)
class Points:
    """Points on boards of Go at which clauses are evaluated."""

    board: NDArray[np.uint8]  # uint8[m, c] by point number
    size: NDArray[np.uint8]  # uint8[m]
    to_play: NDArray[np.uint8]  # uint8[m]
    ko: NDArray[np.int16]  # int16[m]
    last: NDArray[np.int16]  # int16[m]
    last2: NDArray[np.int16]  # int16[m]
    position: NDArray[np.int32]
    point: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.point)

    @property
    def place(self) -> NDArray[np.int16]:
        return self.point

    def take(self, rows: slice | NDArray[np.int64]) -> Points:
        boards = self.board, self.size, self.to_play, self.ko, self.last, self.last2
        return Points(*boards, self.position[rows], self.point[rows])

    def on(self, positions: NDArray[np.integer], number: NDArray[np.int32], rows: NDArray[np.int64]) -> Points:
        board, size, to_play, ko, last, last2 = (
            of[positions] for of in (self.board, self.size, self.to_play, self.ko, self.last, self.last2)
        )
        return Points(board, size, to_play, ko, last, last2, number, self.point[rows])


@dataclass(frozen=True, slots=True)
class StateMoves:
    """Moves of any game, on its states."""

    game: Game
    state: NDArray[np.signedinteger[Any]]  # int16[m, cells] or int32
    size: NDArray[np.uint8]  # uint8[m]
    position: NDArray[np.int32]
    place: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.place)

    @property
    def move(self) -> NDArray[np.int32]:
        """int32[n]: as the functions of the game take them"""
        return self.game.moves_at(self.place, self.size[self.position])

    def take(self, rows: slice | NDArray[np.int64]) -> StateMoves:
        return StateMoves(self.game, self.state, self.size, self.position[rows], self.place[rows])

    def on(self, positions: NDArray[np.integer], number: NDArray[np.int32], rows: NDArray[np.int64]) -> StateMoves:
        return StateMoves(self.game, self.state[positions], self.size[positions], number, self.place[rows])


def game_of(moves: Moves) -> str:
    """Return the name of the game of some moves."""
    return moves.game.name if isinstance(moves, StateMoves) else USUAL


def chunks(moves: Moves, size: int) -> Iterator[slice]:
    """Cut moves into slices of about `size`, between positions."""
    ends = np.flatnonzero(np.diff(moves.position, append=-1)) + 1
    begin = 0
    while begin < len(moves):
        last = int(np.searchsorted(ends, begin + size))
        end = int(ends[min(last, len(ends) - 1)])
        yield slice(begin, end)
        begin = end
