"""Positions made by hand in which an engine is tried: what a game that is counted supplies to `tournament check`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Moves = list[tuple[int, int]]
"""Moves as side and place."""


@dataclass(frozen=True, slots=True)
class MadePosition:
    """A position, and a move there that an engine takes or refuses.

    moves    -- that lead to it on a board of a size; move -- the one that is tried
    legal    -- whether it is; None: some rules allow it
    right    -- the finding for an engine that takes or refuses it rightly
    wrong    -- the finding for one that does not; {line} stands for the command
    smallest -- board on which there is room
    """

    moves: Callable[[int], Moves]
    move: tuple[int, int]
    legal: bool | None
    right: str
    wrong: str
    smallest: int


@dataclass(frozen=True, slots=True)
class Trials:
    """Moves and positions for trials, each for a board of a size.

    positions -- by the name of the check
    smallest  -- board with room for what follows
    legal     -- moves that are legal one after the other, a pass among them, and that in words
    cleared   -- games that can follow one another only if the board is cleared between them
    corners   -- moves after which each side has a point where it may not play
    settled   -- moves that fill the board but for two eyes of each side
    passing   -- the place of a pass
    """

    positions: Mapping[str, MadePosition]
    smallest: int
    legal: Callable[[int], Moves]
    cleared: Callable[[int], list[Moves]]
    corners: Callable[[int], Moves]
    settled: Callable[[int], Moves]
    passing: int
