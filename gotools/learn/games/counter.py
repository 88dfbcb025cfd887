"""Directed exploration by a counter: the moves whose positions are least like those seen lately."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.game import FeatureSet, Game
from gotools.jit import as_value
from gotools.learn.games.kernels import counter as k
from gotools.learn.games.selfplay import Games
from gotools.learn.networks import Architecture, new_numbers, weights_of

TRACE_RATE: Final = 0.0001
"""Weight of a new position: the trace is of about the last 10,000, some batches."""


class Counter:
    """A trace c of the inputs Phi of positions: c = (1 - rate) c + rate Phi, for each position after a learner's move.

    trace -- float64[inputs], of the scaled inputs
    """

    def __init__(self, game: Game, features: FeatureSet, size: int, komi: float = 0.0) -> None:
        self._game, self._features = game, features
        self._scales = np.ascontiguousarray(features.scales(size), np.float64)
        self.trace = np.zeros(len(self._scales))
        self._row, self._states = np.zeros(len(self._scales)), np.zeros((2, game.cells), np.int32)
        self._root = game.position(size, komi)

    @property
    def evaluation(self) -> tuple[Any, NDArray[np.float64]]:
        """Return an evaluation whose best move is that with the least c . Phi of the position after it.

        A move that ends the game is worth its result, as for all evaluations.
        """
        numbers = new_numbers(Architecture(), self._scales, 0)
        largest = float(np.abs(self.trace).max())
        # the position after a move is worth -tanh to who made it; far from 1 no two sums look alike
        weights_of(numbers)[:] = self.trace / (len(self.trace) * largest) if largest else 0.0
        return self._features.evaluate, numbers

    def add(self, games: Games) -> None:
        """Count the positions of games, in order."""
        inputs = as_value(self._features.inputs)
        k.count_games(
            games.rows, TRACE_RATE, self.trace, self._scales, self._row, self._states, self._root, self._game.rules,
            inputs,
        )  # fmt: skip
