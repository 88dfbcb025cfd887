"""Directed exploration by a counter: prefer the moves to positions that are least like recent ones."""

from __future__ import annotations

from typing import Final

import numpy as np

from gotools.game import FeatureSet, Game
from gotools.jit import as_value
from gotools.learn.games.selfplay import GameBatch, ValueFunction
from gotools.learn.td.kernels import td as k
from gotools.learn.td.perceptrons import Architecture, new_numbers, weights_of

TRACE_RATE: Final = 0.0001
"""Weight of a new position: the trace averages about the last 10,000 positions, which are some batches."""


class ExplorationCounter:
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
    def evaluation(self) -> ValueFunction:
        """Return an evaluation whose best move leads to the position with the least c . Phi.

        A move that ends the game is worth its result, as for all evaluations.
        """
        numbers = new_numbers(Architecture(), self._scales, 0)
        largest = float(np.abs(self.trace).max())
        # the mover sees -tanh of the sum: kept small, because near 1 different sums round to the same value
        weights_of(numbers)[:] = self.trace / (len(self.trace) * largest) if largest else 0.0
        return self._features.evaluate, numbers

    def add(self, games: GameBatch) -> None:
        """Count the positions of games, in order."""
        inputs = as_value(self._features.inputs)
        k.count_games(
            games.rows, TRACE_RATE, self.trace, self._scales, self._row, self._states, self._root, self._game.rules,
            inputs,
        )  # fmt: skip
