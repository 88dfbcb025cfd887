"""Monte-Carlo tree search by a policy and a value: PUCT."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.jit import as_value
from gotools.kernels.basics import seed_random
from gotools.search.kernels import puct as k
from gotools.search.kernels.mcts import new_work
from gotools.search.knowledge import NO_ORDERING, Judgement, Ordering
from gotools.search.tree_search import ROOM, TreeSearch


@dataclass(frozen=True, slots=True)
class PuctSettings:
    """How a search by a policy and a value chooses; see PuctSelectionSettings in kernels/puct.py."""

    explore: float = 1.2
    reduction: float = 0.2
    sharpness: float = 1.0
    mix: float = 0.3
    room: int = ROOM


class Puct(TreeSearch):
    """PUCT: the judgement's policy gives the priors; its value, mixed with a playout's, the values.

    threads  -- that grow the tree; with more than one the answer depends on chance
    ordering -- its scores are added to the policy's, times `settings.mix`
    """

    def __init__(
        self, game: Game, judgement: Judgement, seed: int = 0, settings: PuctSettings | None = None,
        threads: int = 1, keep: bool | None = None, ordering: Ordering = NO_ORDERING,
    ) -> None:  # fmt: skip
        settings = settings or PuctSettings()
        super().__init__(game, ordering, seed, settings.room, keep)
        self._judgement = judgement
        others = [new_work(game.moves, game.longest) for _ in range(threads - 1)]
        self._works = [self._work, *(work._replace(stop=self._work.stop) for work in others)]
        for number, work in enumerate(others, 1):  # the first is seeded for each position
            seed_random(work.random, (seed + number) & (1 << 63) - 1)
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._settings = k.PuctSelectionSettings(
            float(settings.explore), float(settings.reduction), float(judgement.trust), float(settings.sharpness),
            0.0 if ordering is NO_ORDERING else float(settings.mix),
        )  # fmt: skip

    def _score(self, state: NDArray[np.int32], moves: NDArray[np.int32], scores: NDArray[np.float64]) -> float:
        judgement = self._judgement
        if judgement.root is None:
            value = judgement.judge(state, moves, len(moves), scores, judgement.numbers)
        else:
            scores[:], value = judgement.root(state, moves)
        if self._settings.mix:
            others = np.zeros(len(moves))
            self._ordering.order(state, moves, len(moves), others, self._ordering.numbers)
            scores += self._settings.mix * others
        self._tree.visits[0], self._tree.wins[0] = 1, -value
        return self._settings.sharpness

    def _simulate(self, state: NDArray[np.int32], count: int) -> int:
        rules, playout, judge = self._game.rules, as_value(self._game.playout), self._judgement.record
        scorer = self._ordering.scorer

        def simulate(number: int) -> int:
            part = count // len(self._works) + (number < count % len(self._works))
            work = self._works[number]
            return int(k.simulate(self._tree, work, state, part, self._settings, rules, playout, judge, scorer))

        if self._pool is None:
            return simulate(0)
        others = [self._pool.submit(simulate, number) for number in range(1, len(self._works))]
        return simulate(0) + sum(other.result() for other in others)
