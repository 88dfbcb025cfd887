"""A search that is made weaker: its move is drawn from what it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gotools.game.choice import Choice, Limits, Report, Search
from gotools.game.game import Game
from gotools.game.levels import Level


class Drawn:
    """Draw a move by the prior and the visits of a Monte-Carlo search with a policy.

    The odds of a move are (visits + prior) to the power of 1 / temperature: without playouts moves are drawn from the
    policy, with many from what they show. The same seed draws the same move in the same position.

    level -- the number of playouts, which other limits may lower, and the temperature
    """

    def __init__(self, search: Search, game: Game, level: Level, seed: int) -> None:
        self._search, self._game, self._level, self._seed = search, game, level, seed

    def choose(
        self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits, report: Report | None = None
    ) -> Choice:
        """Search, and draw among the moves; see `Search`."""
        found, odds = self.looked(state, moves, limits, report)
        chance = np.random.default_rng([self._seed, int(self._game.key(state)) & (1 << 63) - 1])
        drawn = int(chance.choice(len(odds), p=odds))
        option, others = found.options[drawn], found.options[:drawn] + found.options[drawn + 1 :]
        count = f"{found.nodes:,} playout{'s' * (found.nodes != 1)}"
        among = f"after {count}" if found.nodes else "by the policy alone"
        why = f"drawn at random {among}, with a probability of {100 * odds[drawn]:.1f} %"
        return replace(
            found, move=option.move, value=option.value if option.visits else found.value, line=option.line,
            depth=len(option.line), reason=why, options=(option, *others),
        )  # fmt: skip

    def looked(
        self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits, report: Report | None = None
    ) -> tuple[Choice, NDArray[np.float64]]:
        """Return what the search found, and the probability with which each of its options is drawn."""
        most = self._level.playouts if limits.nodes is None else min(self._level.playouts, limits.nodes)
        found = self._search.choose(state, moves, replace(limits, nodes=most), report)
        odds = np.array([option.visits + option.prior for option in found.options])
        odds = (odds / odds.max()) ** (1.0 / self._level.temperature)
        return found, odds / odds.sum()

    def stop(self) -> None:
        self._search.stop()

    def forget(self) -> None:
        self._search.forget()
