"""A game of Go so far: ko and suicide by the rule set, repetition by stones and side, the end by two passes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from gotools.game.history import History
from gotools.game.outcome import Count, End
from gotools.game.sides import BLACK, WHITE
from gotools.game.traits import Repetition
from gotools.games.go.board import ILLEGAL_REASONS, Board
from gotools.games.go.go import GO
from gotools.games.go.kernels import rules as k
from gotools.games.go.points import NONE, PASS, parse_vertex, vertex
from gotools.games.go.rule_sets import rule_set

REPEATS: Final = 3
"""Occurrences of a position with the same side to move that end a game under simple ko."""


@dataclass(frozen=True, eq=False)
class GoHistory(History):
    """A game of Go so far; see History. Either side may move; moves are points, or PASS.

    Positions are never compared by their arrays: what of a state is not in use differs with the way it came about.

    before -- what is `same` of positions that came, known besides `positions`
    """

    before: frozenset[tuple[int, int]] = frozenset()

    @property
    def agreed(self) -> bool:
        """Whether both have passed, one after the other."""
        return [move for _, move in self.moves[-2:]] == [PASS, PASS]

    def text(self, move: int) -> str:
        """Return a point as GTP has it."""
        return vertex(move, self.size)

    def parse(self, text: str) -> int:
        """Return the point of a text. Raises ValueError."""
        try:
            point = parse_vertex(text, self.size)
        except ValueError:
            point = NONE
        if point == NONE:
            raise ValueError("not a point of the board")
        return point

    def played(self, side: int, move: int) -> NDArray[np.int32]:
        """Return the position after a legal move of either side."""
        state = self.state.copy()
        if move == PASS:
            k.pass_turn(state, side)
        else:
            k.put(state, int(k.pad(move, self.size)), side)
        return state

    def why_waits(self, side: int) -> str:
        """Return "": either side may move, after two passes too."""
        return ""

    def wanted(self) -> None:
        """Return None: no player repeats a position (`unrepeated`)."""

    def why_illegal(self, side: int, move: int) -> str:
        """Return why a side may not make a move, "" if it may: occupied, ko, suicide, positional superko ..."""
        if why := self.why_refused(side, move):
            return why
        if move == PASS or self.rules.ko == "simple":
            return ""
        repeats = self._repeats(side, move, self.rules.ko)
        return f"{self.rules.ko} superko" if repeats else ""

    def why_refused(self, side: int, move: int) -> str:
        """Return why a side may not make a move in this position, "" if it may: occupied, ko, suicide ..."""
        if move == PASS:
            return ""
        why = int(k.why_illegal(self.state, int(k.pad(move, self.size)), side, self.rules.suicide))
        return ILLEGAL_REASONS[why] if why else ""

    def asked(self, side: int) -> NDArray[np.int32]:
        """Return the position for a search, either side to play: never a finished game, as a move is wanted."""
        state = self.state.copy()
        state[k.TO_PLAY] = side
        if state[k.LAST] == PASS and state[k.LAST2] == PASS:
            state[k.LAST2] = NONE
        return state

    def unrepeated(self, side: int, moves: Iterable[int]) -> list[int]:
        """Return those of some moves of a search that are passes, or legal by positional superko."""
        return [move for move in moves if move == self.game.pass_move or self._is_new(side, move)]

    def _is_new(self, side: int, move: int) -> bool:
        if k.why_illegal(self.state, move, side, False):
            return False
        return not self._repeats(side, self.game.place_of(move, self.size), "positional")

    def _repeats(self, side: int, point: int, ko: str) -> bool:
        stones, mover = self.same(self.played(side, point))
        movers = (mover,) if ko == "situational" else (BLACK, WHITE)
        return any((stones, one) in self._keys for one in movers)

    def legal_moves(self) -> list[int]:
        """List the points where the side to play may put a stone, and PASS."""
        return self.may([*range(self.size**2), PASS])

    def same(self, state: NDArray[np.int32]) -> tuple[int, int]:
        """Return the hash of the stones, 64 bits, and the side to play."""
        low, high = state[[k.HASH_LOW, k.HASH_HIGH]].view(np.uint32)
        return int(high) << 32 | int(low), int(state[k.TO_PLAY])

    def after(self, side: int, move: int) -> Self:
        """Return the history with a legal move more."""
        found = super().after(side, move)
        if "_keys" in vars(self):  # else each move would hash the whole game again
            vars(found)["_keys"] = (*self._keys, found.same(found.state))
        return found

    @cached_property
    def _keys(self) -> tuple[tuple[int, int], ...]:
        """What each position has in common with those that repeat it."""
        return (*self.before, *map(self.same, self.positions))

    def verdict(self) -> Count | None:
        """Return the end without result by repetition under simple ko; None while the game goes on, or is `agreed`."""
        if self.rules.ko != "simple" or self._keys.count(self._keys[-1]) < REPEATS:
            return None
        return Count("Void", End.cycle, "the same position for the third time")


def history_of(board: Board, komi: float = 0.0) -> GoHistory:
    """Return the game that led to a board, which is not changed afterwards; the rules are those of a player.

    Of the positions before it, only what is the same is known.
    """
    state = board.state.copy()
    state[GO.komi] = round(2 * komi)
    return GoHistory(GO, board.side, (state,), rules=rule_set("chinese-kgs"), before=board.seen)


REPETITION: Final = Repetition(REPEATS, history=GoHistory)
