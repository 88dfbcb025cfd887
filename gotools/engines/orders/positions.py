"""Positions to search, each made when it is wanted: of examples of Go, or of decisions in any other game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.records.replay import Decision
from gotools.games.go.board import Board
from gotools.games.go.examples.table import Examples
from gotools.games.go.history import history_of
from gotools.games.go.kernels import rules as k

State = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """A sequence of positions, with the sizes of their boards.

    named -- returns the id and the state of a position by its number; raises GotoolsError for an impossible one
    """

    sizes: NDArray[np.int64]
    named: Callable[[int], tuple[str, State]]

    def __len__(self) -> int:
        return len(self.sizes)

    def take(self, numbers: NDArray[np.int64]) -> Positions:
        """Return some of the positions."""
        return Positions(self.sizes[numbers], lambda number: self.named(int(numbers[number])))

    def spread(self, count: int | None) -> Positions:
        """Return `count` positions spread evenly over all, or all if there are no more."""
        if count is None or count >= len(self):
            return self
        return self.take(np.linspace(0, len(self) - 1, count).round().astype(np.int64))


def of_examples(rows: Examples, komi: float) -> Positions:
    """Return the positions before the moves of label 1."""
    played = rows.take(rows.label == 1)
    return Positions(
        played.size.astype(np.int64), lambda row: (played.take(np.array([row])).id[0], state_of(played, row, komi))
    )


def of_decisions(found: Sequence[Decision]) -> Positions:
    """Return the positions before the moves of decisions."""
    sizes = np.array([one.size for one in found], np.int64)
    return Positions(sizes, lambda number: (found[number].id, found[number].state))


def state_of(rows: Examples, row: int, komi: float) -> State:
    """Return the position before the move of a row: never a finished game, for a move was made there.

    Raises GotoolsError for stones that cannot stand so.
    """
    size = int(rows.size[row])
    try:
        board = Board.from_cells(rows.board[row], size, int(rows.to_play[row]), int(rows.ko[row]))
    except ValueError as error:
        raise GotoolsError(f"{rows.take(np.array([row])).id[0]}: {error}") from error
    board.state[k.LAST], board.state[k.LAST2] = k.pad(int(rows.last[row]), size), k.pad(int(rows.last2[row]), size)
    return history_of(board, komi).asked(board.to_play)
