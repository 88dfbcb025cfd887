"""A game of Go so far: ko and suicide by the rule set, repetition by stones and side, the end by two passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.game.history import History
from gotools.game.outcome import Count, End
from gotools.game.traits import Repetition
from gotools.go.board import ILLEGAL_REASONS, Board
from gotools.go.kernels import rules as k
from gotools.go.points import BLACK, NONE, PASS, WHITE, parse_vertex, vertex

REPEATS: Final = 3
"""Occurrences of a position with the same side to move that end a game under simple ko."""


class GoHistory(History):
    """A game of Go so far; see History. Either side may move; moves are points, or PASS.

    Positions are never compared by their arrays: what of a state is not in use differs with the way it came about.
    """

    @staticmethod
    def first_position(game: Game, size: int, stones: Sequence[int]) -> NDArray[np.int32]:
        """Return the empty board, or one with handicap stones of black and white to play."""
        cells = np.zeros(size**2, np.uint8)
        cells[list(stones)] = BLACK
        return Board.from_cells(cells, size, WHITE if stones else BLACK).state

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

    def why_illegal(self, side: int, move: int) -> str:
        """Return why a side may not make a move, "" if it may: occupied, ko, suicide, positional superko ..."""
        if move == PASS:
            return ""
        if why := int(k.why_illegal(self.state, int(k.pad(move, self.size)), side, self.rules.suicide)):
            return ILLEGAL_REASONS[why]
        if self.rules.ko == "simple":
            return ""
        stones, mover = self.same(self.played(side, move))
        movers = (mover,) if self.rules.ko == "situational" else (BLACK, WHITE)
        return f"{self.rules.ko} superko" if any((stones, one) in self._seen for one in movers) else ""

    def legal_moves(self) -> list[int]:
        """List the points where the side to play may put a stone, and PASS."""
        return self.may([*range(self.size**2), PASS])

    def same(self, state: NDArray[np.int32]) -> tuple[int, int]:
        """Return the hash of the stones, 64 bits, and the side to play."""
        low, high = state[[k.HASH_LOW, k.HASH_HIGH]].view(np.uint32)
        return int(high) << 32 | int(low), int(state[k.TO_PLAY])

    @cached_property
    def _seen(self) -> Counter[tuple[int, int]]:
        """How often each position came."""
        return Counter(map(self.same, self.positions))

    def verdict(self) -> Count | None:
        """Return the end without result by repetition under simple ko; None while the game goes on, or is `agreed`."""
        if self.rules.ko != "simple" or self._seen[self.same(self.state)] < REPEATS:
            return None
        return Count("Void", End.cycle, "the same position for the third time")


REPETITION: Final = Repetition(REPEATS, history=GoHistory)
