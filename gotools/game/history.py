"""A game so far: its positions and moves, and what its rules say of the next one and of the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Set
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.game import Game
from gotools.game.outcome import Count, End
from gotools.game.sides import side_letter
from gotools.game.traits import Repetition
from gotools.jit.kernels.seams import ONGOING, TO_PLAY

State = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class History:
    """A game so far. Never changed: `after` and `back` return others.

    positions -- from the start to now
    moves     -- between them: side, 1 or 2, and move; in Go the move is a point (points.py)
    rules     -- the rule set of a game that has several; None in others
    """

    game: Game
    size: int
    positions: tuple[State, ...]
    moves: tuple[tuple[int, int], ...] = ()
    rules: Any = None

    @staticmethod
    def start(game: Game, size: int, rules: Any = None, first: State | None = None) -> History:
        """Return the history of a game that begins.

        rules -- of a game that has several
        first -- the position at the start; None: the usual one
        """
        repetition = game.find(Repetition)
        kind = (repetition and repetition.history) or History
        found: History = kind(game, size, (game.position(size) if first is None else first,), (), rules)
        return found

    @property
    def state(self) -> State:
        """The position now."""
        return self.positions[-1]

    @property
    def to_play(self) -> int:
        """The side to play, 1 or 2."""
        return int(self.state[TO_PLAY])

    @property
    def agreed(self) -> bool:
        """Whether the players have agreed that the game is over, and it has to be counted."""
        return False

    def text(self, move: int) -> str:
        """Return a move as GTP has it."""
        return self.game.move_text(move, self.size)

    def parse(self, text: str) -> int:
        """Return the move of a text. Raises ValueError with a message for the user."""
        return self.game.parse_move(text, self.size)

    def after(self, side: int, move: int) -> Self:
        """Return the history with a legal move more."""
        return replace(self, positions=(*self.positions, self.played(side, move)), moves=(*self.moves, (side, move)))

    def back(self, count: int) -> Self:
        """Return the history without its last moves; count -- of them."""
        kept = len(self.moves) - count
        return replace(self, positions=self.positions[: kept + 1], moves=self.moves[:kept])

    def played(self, side: int, move: int) -> State:
        """Return the position after a legal move; side -- the one to play."""
        return self.game.play(self.state, move)

    def with_komi(self, komi: float) -> Self:
        """Return the history with another komi in its last position; itself in a game without komi."""
        if self.game.komi < 0:
            return self
        state = self.state.copy()
        state[self.game.komi] = round(2 * komi)
        return replace(self, positions=(*self.positions[:-1], state))

    def why_waits(self, side: int) -> str:
        """Return why a side may make no move now, "" if it may."""
        if self.verdict() is not None:
            return "the game is over"
        return "" if side == self.to_play else f"it is the turn of {side_letter(self.to_play)}"

    def why_illegal(self, side: int, move: int) -> str:
        """Return why a side may not make a move, "" if it may."""
        return self.why_waits(side) or self.why_refused(side, move)

    def why_refused(self, side: int, move: int) -> str:
        """Return why a side may not make a move in this position, whatever came before it; "" if it may."""
        return refusal(self.game, self.state, side, move)

    def may(self, moves: Iterable[int]) -> list[int]:
        """Return those of some moves that the side to play may make."""
        return [move for move in moves if not self.why_illegal(self.to_play, move)]

    def asked(self, side: int) -> State:
        """Return the position for a search in which a side is to move. Raises GotoolsError where the game is over."""
        if self.game.outcome(self.state) != ONGOING:
            raise GotoolsError("the game is over")
        return self.state

    def unrepeated(self, side: int, moves: Iterable[int]) -> list[int]:
        """Return those of some moves of a search that a player may choose though positions may not be repeated."""
        return list(moves)

    def legal_moves(self) -> list[int]:
        """List the moves of the side to play."""
        return self.game.moves_of(self.state)

    # repetition and the end -------------------------------------------------------------------------------------------

    def same(self, state: State) -> Hashable:
        """Return what positions have in common that count as repeated: all but the number of moves."""
        return (state if self.game.counter < 0 else np.delete(state, self.game.counter)).tobytes()

    def repetition_value(self) -> float | None:
        """Return what the position is worth to the side to play by repetition; None: the game goes on."""
        repetition = self.game.find(Repetition)
        if repetition is None or not repetition.count:
            return None
        keys = [self.same(state) for state in self.positions]
        if keys.count(keys[-1]) < repetition.count:
            return None
        if not repetition.perpetual:
            return 0.0
        side, repeated = self.to_play, self.positions[keys.index(keys[-1]) + 1 :]
        for value, threatened in ((1.0, side), (-1.0, 3 - side)):
            found = [bool(self.game.threatened(state)) for state in repeated if state[TO_PLAY] == threatened]
            if found and all(found):
                return value
        return 0.0

    def wanted(self) -> list[int] | None:
        """List the moves that lead to none of the positions so far, and after which no answer ends the game by one.

        Where no move is of the second kind, those that lead to a new position; None where that is all the same: the
        game knows no end by repetition, or no move leads to a new position.
        """
        repetition = self.game.find(Repetition)
        if repetition is None or not repetition.count:
            return None
        known = Counter(map(self.same, self.positions))
        new = [move for move in self.legal_moves() if self.same(self.played(self.to_play, move)) not in known]
        ends = {same for same, count in known.items() if count == repetition.count - 1}
        return [move for move in new if not ends or not self._is_answered_by(move, ends)] or new or None

    def _is_answered_by(self, move: int, positions: Set[Hashable]) -> bool:
        """Return whether an answer to a move leads to one of some positions, as `same` returns them."""
        state = self.played(self.to_play, move)
        return any(self.same(self.game.play(state, answer)) in positions for answer in self.game.moves_of(state))

    def verdict(self) -> Count | None:
        """Return the result by the rules alone; None while the game goes on, or if it has to be counted."""
        value: float | None = self.game.outcome(self.state)
        if value != ONGOING:
            assert value is not None
            return Count(self._winner(value), End.score, f"by the rules of {self.game.name}")
        value = self.repetition_value()
        if value is None:
            return None
        repetition = self.game.find(Repetition)
        assert repetition is not None  # or nothing is repeated
        how = " by perpetual threats" if value else ""
        return Count(self._winner(value), End.cycle, f"the same position {repetition.count} times{how}")

    def _winner(self, value: float) -> str:
        """Return a result as SGF writes it, by its value for the side to play."""
        return "0" if value == 0 else side_letter(self.to_play if value > 0 else 3 - self.to_play).upper() + "+"


def refusal(game: Game, state: State, side: int, move: int) -> str:
    """Return why a side may not make a move in a position, whatever came before it; "" if it may."""
    if game.outcome(state) != ONGOING:
        return "the game is over"
    if side != state[TO_PLAY]:
        return f"it is the turn of {side_letter(int(state[TO_PLAY]))}"
    return "" if move in game.moves_of(state) else game.why_illegal(state, move) or "not a legal move here"
