"""The game by its own rules: what a tournament asks of it, and the answers for any `Game`. Those for Go: go_referee."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from gotools.errors import shown
from gotools.game.game import Game, find_game
from gotools.game.history import History
from gotools.game.outcome import Count, End
from gotools.game.traits import Repetition
from gotools.games.replay import legal_move
from gotools.go.rule_sets import GameRules
from gotools.kernels.seams import ONGOING, TO_PLAY
from gotools.tournament.game.go_referee import GoReferee, warm_up_go

LONGEST: Final = 500
"""Moves after which a game other than Go, whose rules have no limit, is a draw."""
NO_MOVE: Final = -1


class Referee(Protocol):
    """Follow one game.

    moves -- (colour, move) made so far, handicap stones not among them; colours are 1 and 2
    """

    moves: list[tuple[int, int]]

    @property
    def longest(self) -> int:
        """Moves that a game may have where the settings say nothing."""

    @property
    def to_play(self) -> int:
        """The side to play."""

    @property
    def verdict(self) -> Count | None:
        """The result by the rules alone; None while the game goes on, or if engines have to count it."""

    def begin(self, handicap: list[int]) -> None:
        """Put handicap stones on the empty board."""

    def why_illegal(self, colour: int, text: str) -> tuple[int, str]:
        """Return the move of an engine's answer, and why it is illegal ("" if it is not)."""

    def play(self, colour: int, move: int) -> None:
        """Make a legal move."""

    def text(self, move: int) -> str:
        """Return a move as GTP has it."""


class GameReferee:
    """Follow a game of any `Game`, whose functions decide; see Referee."""

    def __init__(self, game: Game, size: int) -> None:
        self._game, self._size = game, size
        self._positions = [game.position(size)]
        self.moves: list[tuple[int, int]] = []

    @property
    def _state(self) -> NDArray[np.int32]:
        return self._positions[-1]

    @property
    def longest(self) -> int:
        """The limit of the rules, where the game has one."""
        return self._game.plies or LONGEST

    @property
    def to_play(self) -> int:
        """The side to play."""
        return int(self._state[TO_PLAY])

    @property
    def verdict(self) -> Count | None:
        """The winner without a margin, or a draw; None while the game goes on."""
        value: float | None = self._game.outcome(self._state)
        if value != ONGOING:
            assert value is not None
            return Count(self._winner(value), End.score, f"by the rules of {self._game.name}")
        value = History(self._game, self._size, tuple(self._positions)).repetition_value()
        if value is None:
            return None
        repetition = self._game.find(Repetition)
        assert repetition is not None  # or nothing is repeated
        how = " by perpetual threats" if value else ""
        return Count(self._winner(value), End.cycle, f"the same position {repetition.count} times{how}")

    def _winner(self, value: float) -> str:
        """Return a result as SGF writes it, by its value for the side to play."""
        return "0" if value == 0 else "BW"[(self.to_play if value > 0 else 3 - self.to_play) - 1] + "+"

    def begin(self, handicap: list[int]) -> None:
        """Do nothing: only Go has handicap stones."""

    def why_illegal(self, colour: int, text: str) -> tuple[int, str]:
        """Return the move of an engine's answer, and why it is illegal ("" if it is not)."""
        if not text:
            return NO_MOVE, "an empty answer"
        if self.verdict is not None:
            return NO_MOVE, "the game is over"
        try:
            return legal_move(self._game, self._state, self._size, colour, text), ""
        except ValueError as error:
            return NO_MOVE, shown(error, 200)

    def legal_moves(self) -> list[int]:
        """Return the moves of the side to play."""
        return self._game.moves_of(self._state)

    def play(self, colour: int, move: int) -> None:
        """Make a legal move."""
        self._positions.append(self._game.play(self._state, move))
        self.moves.append((colour, move))

    def text(self, move: int) -> str:
        """Return a move in the game's own coordinates."""
        return self._game.move_text(move, self._size)


def new_referee(game: str, size: int, rules: GameRules, setting: str = "") -> Referee:
    """Return a referee for a new game; rules -- of Go; setting -- of other games. `begin` it before the first move."""
    return GoReferee(size, rules) if game == "go" else GameReferee(find_game(game).started_from(setting), size)


def warm_up(game: str, size: int) -> None:
    """Load or compile all that games need: compilation blocks the threads that keep time."""
    if game == "go":
        warm_up_go()
        return
    rules = find_game(game)
    start = rules.position(size)
    rules.outcome(rules.play(start, rules.moves_of(start)[0]))
