"""The input and output of a search; moves are numbered as the game numbers them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends: at the first limit that it reaches; without any, when it is stopped.

    nodes -- positions of alpha-beta, playouts of Monte-Carlo: the same number, the same answer
    depth -- of alpha-beta, in plies; Monte-Carlo does not look at it
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """A move that a search looked at.

    value  -- for the side to play; visits -- nodes spent on it; prior -- of the ordering, if the search uses one
    line   -- begins with move
    chance -- to win, 0 to 1, as a player knows it
    """

    move: int
    value: float
    visits: int
    prior: float
    line: tuple[int, ...]
    chance: float = 0.5


@dataclass(frozen=True, slots=True)
class Choice:
    """The answer of a search or of a player; the moves of a player's answer are places (`Game.place_of`).

    value   -- in [-1, 1] for the side to play
    line    -- the moves expected, beginning with `move`
    nodes   -- positions or playouts
    depth   -- plies searched in full; of Monte-Carlo the length of the line
    reason  -- in words for people: what the search compared, why it ended
    options -- the moves looked at, best first, as far as the search knows them
    chance  -- of the side to play to win, 0 to 1, as a player knows it
    lead    -- of the side to play, in points, where a count was made
    """

    move: int
    value: float
    line: tuple[int, ...]
    nodes: int
    depth: int
    reason: str
    options: tuple[Option, ...]
    chance: float = 0.5
    lead: float | None = None


def without_search(move: int, reason: str, lead: float | None = None) -> Choice:
    """Return a move that no search chose; lead -- by how many points the side is ahead, if that is known."""
    value = 0.0 if lead is None else (1.0 if lead > 0 else -1.0)
    return Choice(move, value, (move,), 0, 0, reason, (Option(move, value, 0, 0.0, (move,)),), lead=lead)


Report = Callable[[Choice], None]
"""Called some times a second with the answer so far."""


class Search(Protocol):
    """A way to choose moves in one game. One search thinks about one position at a time."""

    def choose(
        self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits, report: Report | None = None
    ) -> Choice:
        """Choose among `moves`, legal ones of the position; there must be one."""

    def stop(self) -> None:
        """Make a `choose` of another thread answer now with what it has."""

    def forget(self) -> None:
        """Drop what was kept from earlier positions: what comes is another game."""
