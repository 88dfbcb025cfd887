"""Monte-Carlo tree search by playouts: UCT with RAVE, and an ordering's scores as priors."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.jit import as_value
from gotools.search.kernels import mcts as k
from gotools.search.knowledge import Ordering
from gotools.search.tree_search import ROOM, TreeSearch

USUAL: Final = k.SelectionSettings(explore=2.5, equivalence=300.0, expand_at=2, sharpness=1.0)
"""Chosen by matches (bench/strength.md)."""


class MonteCarlo(TreeSearch):
    """UCT with RAVE; the ordering's scores are the priors, the game's playouts the values."""

    def __init__(
        self, game: Game, ordering: Ordering, seed: int = 0, settings: k.SelectionSettings = USUAL,
        room: int = ROOM, keep: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__(game, ordering, seed, room, keep)
        self._settings = settings

    def _score(self, state: NDArray[np.int32], moves: NDArray[np.int32], scores: NDArray[np.float64]) -> float:
        self._ordering.order(state, moves, len(moves), scores, self._ordering.numbers)
        return self._settings.sharpness

    def _simulate(self, state: NDArray[np.int32], count: int) -> int:
        rules, playout = self._game.rules, as_value(self._game.playout)
        return int(
            k.simulate(self._tree, self._work, state, count, self._settings, rules, playout, self._ordering.scorer)
        )
