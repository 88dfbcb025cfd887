"""The legal moves of positions, and which of them were played, or are right."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from gotools.game.examples.examples import Examples

NO_ROW: Final = -1
"""Entry of `LegalMoves.played` for a move that is not legal."""
Kept = TypeVar("Kept", bound=Examples)


@dataclass(frozen=True, slots=True, eq=False)
class LegalMoves:
    """The legal moves of m positions, n in all, one position after the other, and the moves played.

    examples -- the positions, a row each
    first    -- int64[m + 1]: the moves of position k are first[k] .. first[k+1]-1
    place    -- int16[n]
    played   -- int64[m]: the index of the move played, NO_ROW where it is not legal; where several are right, of one
    also     -- int64[...]: the indices of the other right moves, in ascending order
    """

    examples: Examples
    first: NDArray[np.int64]
    place: NDArray[np.int16]
    played: NDArray[np.int64]
    also: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def right(self) -> NDArray[np.bool_]:
        """bool[n]: the moves played, and the others that are right."""
        return are_right(len(self.place), self.played, self.also)

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
        also = np.flatnonzero(np.isin(rows, self.also))
        return LegalMoves(self.examples.take(positions), first, self.place[rows], played, also), rows

    def move(self, row: int) -> int:
        """Return a move as the functions of the game take it."""
        return self.examples.of.move_at(int(self.place[row]), int(self.examples.size[self.position_of(row)]))


def legal_moves_of(some: Examples) -> LegalMoves:
    """Return the legal moves of decisions; positions without one are left out."""
    heads, begins = heads_of(some)
    listed = heads.legal()
    counts = np.diff(listed.first)
    number = np.flatnonzero(counts)
    first = np.concatenate([[0], np.cumsum(counts[number])])
    played, also = right_moves(some, begins, number, first, listed.place)
    return LegalMoves(heads if len(number) == len(heads) else heads.take(number), first, listed.place, played, also)


def heads_of(rows: Kept) -> tuple[Kept, NDArray[np.bool_]]:
    """Return the rows that begin a decision, and bool[rows]: which they are."""
    begins = rows.begins()
    return rows if begins.all() else rows.take(begins), begins


def are_right(count: int, played: NDArray[np.int64], also: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the right ones of `count` moves; played, also -- as in LegalMoves."""
    found = np.zeros(count, np.bool_)
    found[played[played != NO_ROW]] = found[also] = True
    return found


def right_moves(
    rows: Examples,
    begins: NDArray[np.bool_],
    number: NDArray[np.integer],
    first: NDArray[np.int64],
    place: NDArray[np.integer],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return `played` and `also` of LegalMoves for the legal moves of some decisions.

    rows   -- of examples, a right move each; begins -- bool[rows]: those that begin a decision
    number -- int64[m]: which decision each position is; first, place -- as in LegalMoves
    """
    position = np.repeat(np.arange(len(number)), np.diff(first))
    if begins.all():
        found = np.flatnonzero(place == rows.move[number][position])
    else:
        places = np.int64(np.iinfo(rows.move.dtype).max) + 1
        right = (np.cumsum(begins) - 1) * places + rows.move
        found = np.flatnonzero(np.isin(number[position] * places + place, right[rows.move >= 0]))
    played = np.full(len(number), NO_ROW)
    played[position[found][::-1]] = found[::-1]
    return played, found[found != played[position[found]]]
