"""Slow, obvious twin of the selective search, where an ordering ranks all moves and the table remembers one position.

What is left out and reduced is written as it is explained in gotools/search/kernels/selective.py, in plain numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from support.slow_search import UNIT, State, listed

from gotools.game.game import Game
from gotools.jit.kernels.seams import ONGOING
from gotools.search.knowledge import Ordering

EXACT, LOWER, UPPER = "exact", "lower", "upper"
INFINITE = 4 * UNIT


def plies_reduced(depth: int, number: int, aside: bool) -> int:
    """Return by how many plies the quiet move of a number, from 0, is searched less deep."""
    if depth < 3 or number < 3:
        return 0
    amount = int(0.3 + math.log(depth) * math.log(min(number, 63)) / 2) - (not aside)
    return max(0, min(amount, depth - 1))


@dataclass
class SlowSelective:
    """The search of one position at one depth, without quiescence; all values in millionths for the side to play.

    skip, margin, extensions -- as in AlphaBetaSettings, the margin in millionths
    visited   -- positions looked at
    left_out  -- how often each reason to leave something out held, by its name
    """

    game: Game
    evaluate: Callable[[State], float]
    ordering: Ordering
    skip: int
    margin: int
    extensions: int = 0
    visited: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    _remembered: tuple[int, int, str, int, int] | None = None
    _farthest: int = 0

    def value(self, state: State, depth: int) -> int:
        """Return the value of a position, searched for the first time."""
        self._farthest = depth + self.extensions
        return self._search(state, 0, depth, -INFINITE, INFINITE, before=-1)

    def _count(self, reason: str) -> None:
        self.left_out[reason] = self.left_out.get(reason, 0) + 1

    def _sorted(self, state: State, first: int) -> list[int]:
        moves = np.array(listed(self.game, self.game.worthy)(state), np.int32)
        scores = np.zeros(len(moves))
        self.ordering.order(state, moves, len(moves), scores, self.ordering.numbers)
        ranked = [int(moves[i]) for i in np.argsort(-scores, kind="stable")]
        return [first] * (first in ranked) + [move for move in ranked if move != first]

    def _search(self, state: State, ply: int, depth: int, alpha: int, beta: int, before: int) -> int:
        self.visited += 1
        end: float = self.game.outcome(state)
        if end != ONGOING:
            return round(end * UNIT)
        if depth <= 0:
            return round(self.evaluate(state) * UNIT)
        decided, word, first = UNIT, int(self.game.key(state)), -1
        aside = ply > 0 and beta - alpha == 1 and -decided < alpha and beta < decided
        if self._remembered is not None and self._remembered[0] == word:
            _, deep, bound, value, first = self._remembered
            settles = bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
            if ply > 0 and settles and (deep == depth or (aside and deep > depth)):
                self._count("known")
                return value
        safe = aside and not (self.game.threatened and self.game.threatened(state))
        static = round(self.evaluate(state) * UNIT)
        if safe and self.margin > 0 and depth <= 3 and static - self.margin * depth >= beta:
            self._count("beyond")
            return static
        if safe and self.skip >= 0 and depth >= 3 and static >= beta and before != self.skip:
            after, left = self.game.play(state, self.skip), depth - 3 - depth // 6
            if -self._search(after, ply + 1, left, -beta, 1 - beta, self.skip) >= beta:
                self._count("skip")
                return beta
        best, best_move, low = -INFINITE, -1, alpha
        for number, move in enumerate(self._sorted(state, first)):
            if number > 0 and safe and depth <= 3:
                late = number > 12 + 8 * depth * depth
                hopeless = self.margin > 0 and static + self.margin * (depth + 1) <= low
                if late or hopeless:
                    self._count("late" if late else "hopeless")
                    best = max(best, low)
                    continue
            found = self._child(state, move, number, ply, depth, low, beta, aside)
            if found > best:
                best, best_move, low = found, move, max(low, found)
            if low >= beta:
                break
        bound = EXACT if alpha < best < beta else LOWER if best >= beta else UPPER
        self._remembered = word, depth if ply > 0 else 0, bound, best, best_move
        return best

    def _child(
        self, state: State, move: int, number: int, ply: int, depth: int, low: int, beta: int, aside: bool
    ) -> int:
        """Return what a move is worth: less deep first, in a window of no width, and again where it looks better."""
        after, left = self.game.play(state, move), depth - 1
        if self.extensions and self._farthest - ply - depth > 0 and self.game.threatened(after):
            left += 1
        less = plies_reduced(depth, number, aside) if number > 0 and left < depth else 0
        found = beta
        if number > 0:
            found = -self._search(after, ply + 1, left - less, -low - 1, -low, move)
            if less and found > low:
                self._count("again")
                found = -self._search(after, ply + 1, left, -low - 1, -low, move)
        if number == 0 or low < found < beta:
            found = -self._search(after, ply + 1, left, -beta, -low, move)
        return found
