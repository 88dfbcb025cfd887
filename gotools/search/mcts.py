"""Monte-Carlo tree search by playouts: UCT with RAVE, and an ordering's scores as priors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.jit import as_value
from gotools.search.kernels import mcts as k
from gotools.search.knowledge import Ordering
from gotools.search.tree_search import ROOM, TreeSearch


@dataclass(frozen=True, slots=True)
class MonteCarloSettings:
    """How Monte-Carlo tree search chooses; see SelectionSettings in kernels/mcts.py.

    The defaults were chosen by matches (bench/strength.md).
    """

    explore: float = 2.5
    equivalence: float = 300.0
    expand_at: int = 2
    sharpness: float = 1.0
    room: int = ROOM


class MonteCarlo(TreeSearch):
    """UCT with RAVE; the ordering's scores are the priors, the game's playouts the values."""

    def __init__(
        self, game: Game, ordering: Ordering, seed: int = 0, settings: MonteCarloSettings | None = None,
        keep: bool | None = None,
    ) -> None:  # fmt: skip
        settings = settings or MonteCarloSettings()
        super().__init__(game, ordering, seed, settings.room, keep)
        self._settings = k.SelectionSettings(
            float(settings.explore), float(settings.equivalence), settings.expand_at, float(settings.sharpness)
        )

    def _score(self, state: NDArray[np.int32], moves: NDArray[np.int32], scores: NDArray[np.float64]) -> float:
        self._ordering.order(state, moves, len(moves), scores, self._ordering.numbers)
        return self._settings.sharpness

    def _simulate(self, state: NDArray[np.int32], count: int) -> int:
        rules, playout = self._game.rules, as_value(self._game.playout)
        return int(
            k.simulate(self._tree, self._work, state, count, self._settings, rules, playout, self._ordering.scorer)
        )
