"""The record of a game: its main line and what its header says."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Setup(NamedTuple):
    """A stone put on the board, or taken off it, by hand.

    after  -- how many moves were made before (0 for the start position)
    colour -- 1 black, 2 white, 0 when the point is emptied
    """

    after: int
    colour: int
    point: int


@dataclass(frozen=True, slots=True, eq=False)
class GameRecord:
    """The main line of one game and what its header says.

    id       -- name of the record, unique among the records of a run
    moves    -- int16[k, 2]: colour and point (PASS for a pass) of each move, in order
    setup    -- ordered by `after`
    players  -- black, white
    ranks    -- black, white, as written
    result   -- as in the RE property of SGF: "B+3.5", "W+R", "0", ""
    komi     -- None where the record does not say
    handicap -- stones that the header claims; those on the board stand in `setup`
    remarks  -- what of the header was not understood or does not fit the moves, for people

    Two records are equal when all but the remarks are. Legality of the moves is not checked.
    """

    id: str
    size: int
    moves: NDArray[np.int16]
    setup: tuple[Setup, ...] = ()
    players: tuple[str, str] = ("", "")
    ranks: tuple[str, str] = ("", "")
    result: str = ""
    komi: float | None = None
    rules: str = ""
    handicap: int = 0
    remarks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        about = f"{self.id!r}, size={self.size}, moves={len(self.moves)}, players={self.players}"
        return f"GameRecord({about}, result={self.result!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameRecord):
            return NotImplemented
        return self._header() == other._header() and np.array_equal(self.moves, other.moves)

    __hash__ = None  # type: ignore[assignment]

    def _header(self) -> tuple[object, ...]:
        return tuple(getattr(self, one.name) for one in fields(self) if one.name not in ("moves", "remarks"))
