"""Monte-Carlo tree search by a policy and a value: PUCT."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.game import Game
from gotools.jit import as_value
from gotools.search.kernels import puct as k
from gotools.search.knowledge import Judgement
from gotools.search.tree_search import ROOM, TreeSearch


@dataclass(frozen=True, slots=True)
class PuctSettings:
    """How a search by a policy and a value chooses; see PuctSelectionSettings in kernels/puct.py."""

    explore: float = 1.2
    reduction: float = 0.2
    sharpness: float = 1.0
    room: int = ROOM


class Puct(TreeSearch):
    """PUCT: the judgement's policy gives the priors; its value, mixed with a playout's, the values."""

    def __init__(self, game: Game, judgement: Judgement, seed: int = 0, settings: PuctSettings | None = None) -> None:
        settings = settings or PuctSettings()
        super().__init__(game, seed, settings.room)
        self._judgement = judgement
        self._settings = k.PuctSelectionSettings(
            float(settings.explore), float(settings.reduction), float(judgement.trust), float(settings.sharpness)
        )

    def _score(self, state: NDArray[np.int32], moves: NDArray[np.int32], scores: NDArray[np.float64]) -> float:
        value = self._judgement.judge(state, moves, len(moves), scores, self._judgement.numbers)
        self._tree.visits[0], self._tree.wins[0] = 1, -value
        return self._settings.sharpness

    def _simulate(self, state: NDArray[np.int32], count: int) -> int:
        rules, playout, judge = self._game.rules, as_value(self._game.playout), self._judgement.record
        return int(k.simulate(self._tree, self._work, state, count, self._settings, rules, playout, judge))
