"""The record of a game: its main line and what its header says."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.game.records.results import read_result


class Setup(NamedTuple):
    """A stone put on the board, or taken off it, by hand.

    after  -- how many moves were made before (0 for the start position)
    colour -- 1 black, 2 white, 0 when the point is emptied
    """

    after: int
    colour: int
    point: int


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """The main line of one game and what its header says.

    id       -- name of the record, unique among the records of a run
    size     -- of the board; the moves are not read where the game has no such board
    moves    -- int16 or int32[k, 2]: side and place (`Game.place_of`) of each move, in order
    setup    -- ordered by `after`
    players  -- black, white
    ranks    -- black, white, as written
    result   -- as in the RE property of SGF: "B+3.5", "W+R", "0", ""
    komi     -- None where the record does not say
    handicap -- stones that the header claims; those on the board stand in `setup`
    stop     -- what is wrong with the text after these moves, which names no move of the game; "" where these are all
    setting  -- of the game's start, "" for the usual one
    first    -- the number of the first move: more than 1 where a table has only the later moves of a game
    marks    -- of the start position: what a diagram marks, as the property of SGF and a place; ("PL", side) where it
                says who plays first
    remarks  -- what of the header was not understood or does not fit the moves, for people

    Two records are equal when all but the remarks are. Legality of the moves is not checked.
    """

    id: str
    size: int
    moves: NDArray[np.integer]
    setup: tuple[Setup, ...] = ()
    players: tuple[str, str] = ("", "")
    ranks: tuple[str, str] = ("", "")
    result: str = ""
    komi: float | None = None
    rules: str = ""
    handicap: int = 0
    stop: str = ""
    setting: str = ""
    first: int = 1
    marks: tuple[tuple[str, int], ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def winner(self) -> int:
        """The side that has won by the result, 1 or 2; 0 if it names neither."""
        return read_result(self.result).winner

    def __repr__(self) -> str:
        about = f"{self.id!r}, size={self.size}, moves={len(self.moves)}, players={self.players}"
        return f"Record({about}, result={self.result!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return self._header() == other._header() and np.array_equal(self.moves, other.moves)

    __hash__ = None  # type: ignore[assignment]

    def _header(self) -> tuple[object, ...]:
        return tuple(getattr(self, one.name) for one in fields(self) if one.name not in ("moves", "remarks"))


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a game, or a whole file, could not be read: a text for the user, and a line counted from 1 where known.

    harmless -- the game before it is read all the same
    """

    what: str
    line: int | None
    harmless: bool = False
