"""The legal moves of positions, and which of them were played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.examples.examples import Examples

NO_ROW: Final = -1
"""Entry of `LegalMoves.played` for a move that is not legal."""


@dataclass(frozen=True, slots=True, eq=False)
class LegalMoves:
    """The legal moves of m positions, n in all, one position after the other, and the moves played.

    examples -- the positions, a row each
    first    -- int64[m + 1]: the moves of position k are first[k] .. first[k+1]-1
    place    -- int16[n]
    played   -- int64[m]: the index of the move played, NO_ROW where it is not legal
    """

    examples: Examples
    first: NDArray[np.int64]
    place: NDArray[np.int16]
    played: NDArray[np.int64]

    @property
    def also(self) -> NDArray[np.int64]:
        """int64[0]: each row of a table is a position of its own."""
        return np.zeros(0, np.int64)

    @property
    def position(self) -> NDArray[np.int64]:
        """int64[n]: the position of each move."""
        return np.repeat(np.arange(len(self.played)), np.diff(self.first))

    def position_of(self, row: int) -> int:
        """Return the position of a move."""
        return int(np.searchsorted(self.first, row, "right")) - 1

    def only(self, positions: NDArray[np.int64]) -> tuple[LegalMoves, NDArray[np.int64]]:
        """Return some of the positions with all their moves, and the rows of these moves."""
        counts = np.diff(self.first)[positions]
        first = np.concatenate([[0], np.cumsum(counts)])
        rows = np.arange(first[-1]) + np.repeat(self.first[positions] - first[:-1], counts)
        played = self.played[positions] - self.first[positions] + first[:-1]
        return LegalMoves(self.examples.take(positions), first, self.place[rows], played), rows

    def move(self, row: int) -> int:
        """Return a move as the functions of the game take it."""
        return self.examples.of.move_at(int(self.place[row]), int(self.examples.size[self.position_of(row)]))


def legal_moves_of(some: Examples) -> LegalMoves:
    """Return the legal moves of decisions; positions without one are left out."""
    listed = some.legal()
    counts = np.diff(listed.first)
    if not counts.all():
        some = some.take(counts > 0)
    first = np.concatenate([[0], np.cumsum(counts[counts > 0])])
    position = np.repeat(np.arange(len(some)), np.diff(first))
    played, is_played = np.full(len(some), NO_ROW), np.flatnonzero(listed.place == some.move[position])
    played[position[is_played]] = is_played
    return LegalMoves(some, first, listed.place, played)
