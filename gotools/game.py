"""What a game leaves behind (GameRecord), and what it supplies to those who search it (Game)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError


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

    Two records are equal when all of this is. Legality of the moves is not checked.
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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameRecord):
            return NotImplemented
        return self._header() == other._header() and np.array_equal(self.moves, other.moves)

    __hash__ = None  # type: ignore[assignment]

    def _header(self) -> tuple[object, ...]:
        return (
            self.id,
            self.size,
            self.setup,
            self.players,
            self.ranks,
            self.result,
            self.komi,
            self.rules,
            self.handicap,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """What a game of two players who alternate (a pass is a move) supplies to search and learning.

    The functions are compiled with the signatures of gotools/_seams.py, where their meaning stands. A position is one
    int32 array; a move is an int from 0 to moves - 1.

    cells    -- length of a position
    moves    -- one more than the largest move
    longest  -- most moves that one position may offer, passes included
    sizes    -- board sizes; the first is the usual one
    legal    -- lists all legal moves
    worthy   -- lists those worth searching: Go leaves out own eyes; others list all
    noisy    -- lists those that a position has to be searched for before it is valued (quiescence); may list none
    playout  -- plays to the end at random, with the game's knowledge of what is foolish
    """

    name: str
    cells: int
    moves: int
    longest: int
    sizes: tuple[int, ...]
    start: Any
    legal: Any
    worthy: Any
    after: Any
    outcome: Any
    key: Any
    noisy: Any
    playout: Any
    move_text: Callable[[int, int], str]
    """Text of a move on a board of a size: move_text(move, size)."""
    parse_move: Callable[[str, int], int]
    """Move of a text; raises ValueError with a message for the user."""
    draw: Callable[[NDArray[np.int32]], str]
    """A position as lines of text."""

    def position(self, size: int | None = None) -> NDArray[np.int32]:
        """Return the position at the start."""
        state = np.zeros(self.cells, np.int32)
        self.start(state, size or self.sizes[0])
        return state

    def moves_of(self, state: NDArray[np.int32]) -> list[int]:
        """List the legal moves."""
        moves = np.empty(self.longest, np.int32)
        return [int(move) for move in moves[: self.legal(state, moves)]]

    def play(self, state: NDArray[np.int32], move: int) -> NDArray[np.int32]:
        """Return the position after a legal move."""
        target = np.empty(self.cells, np.int32)
        self.after(state, move, target)
        return target


GAMES = {
    "go": "gotools.go.as_game:GO",
    "tictactoe": "gotools.games.tictactoe:TICTACTOE",
    "connect4": "gotools.games.connect4:CONNECT4",
}
"""Where each game is found; it is imported when it is asked for."""


def find_game(name: str) -> Game:
    """Return a game by its name.

    Raises GotoolsError for a name that is not in GAMES.
    """
    if name not in GAMES:
        raise GotoolsError(f"there is no game {name!r}; there are {', '.join(GAMES)}")
    module, attribute = GAMES[name].split(":")
    game: Game = getattr(import_module(module), attribute)
    return game
