"""Play and learn with local patterns, as `Learner` (learn/td/td.py) and learn/games/selfplay.py do with networks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError
from gotools.game import Game, Heuristic
from gotools.jit import as_value
from gotools.learn.games.selfplay import Games, Guide, Policy, empty_games, play_games
from gotools.learn.shapes.kernels import games as g
from gotools.learn.shapes.kernels import learning as k
from gotools.learn.shapes.shapes import grid_of, shapes_of
from gotools.learn.td.td import LARGEST, Errors, Rates
from gotools.search.knowledge import NO_ORDERING

_SEEDS: Final = 2**63 - 1


class ShapeLearner:
    """Learns the weights of local patterns from games; nothing is learned but by `learn`.

    weights -- float64[n], shared (shapes.py); numbers -- the table made of them, that the games are played with
    memory  -- what else a later call depends on, by name

    Raises GotoolsError for rates that patterns do not have.
    """

    def __init__(self, game: Game, size: int, komi: float, rates: Rates, guide: Guide | None = None) -> None:
        if len(rates.alpha) > 1:
            raise GotoolsError("shapes have one layer: give one learning rate")
        if rates.kappa_games or rates.chi != "linear":
            raise GotoolsError("shapes have one kappa for all games, and the linear chi")
        if rates.reward_at != "move":
            raise GotoolsError("shapes learn from rewards with their moves")
        if rates.reward and not game.tally:
            raise GotoolsError(f"{game.name} has no events to reward")
        self.game, self.size, self.rates, self._komi = game, size, rates, komi
        self._guide = guide or Guide("", NO_ORDERING, 0, 0.0)
        self._grid, self._shapes = grid_of(game), shapes_of(game, size)
        self._functions = g.GridFunctions(as_value(self._grid.cells), as_value(self._grid.changes))
        self._start = game.position(size, komi)
        self.weights = np.zeros(self._shapes.weights)
        self.numbers = self._shapes.numbers(self.weights)
        self.memory: dict[str, NDArray[Any]] = {"games": np.zeros(1, np.int64)}
        if rates.coherent:
            self.memory |= {"net": np.zeros(len(self.weights)), "gross": np.zeros(len(self.weights))}

    @property
    def evaluation(self) -> tuple[Any, NDArray[np.float64]]:
        """Return a function compiled with the signature EVALUATE, and its numbers."""
        return self._grid.evaluate, self.numbers

    @property
    def games(self) -> int:
        """Return how many games were learned from."""
        return int(self.memory["games"][0])

    def play(self, opponent: Heuristic | None, policy: Policy, first: int, count: int, seed: int, jobs: int) -> Games:
        """Play games number first to first + count - 1; the number of jobs (threads) changes nothing."""
        if not policy.alone:
            return play_games(
                self.game, self.evaluation, opponent, policy, first, count, seed, self.size, jobs, self._komi
            )
        games, guide = empty_games(self.game, count, self.size, policy.depth), self._guide
        step = -(-count // (4 * jobs)) if jobs > 1 else count
        how = g.GuidedPolicy(
            float(policy.epsilon), float(policy.temperature), guide.width, float(guide.penalty), guide.ordering.scorer
        )

        def part(begin: int) -> None:
            rows = games.part(begin, min(begin + step, count)).rows
            g.play_games(
                first + begin,
                seed & _SEEDS,
                self._start,
                self.numbers,
                self._shapes.layout,
                how,
                self.game.rules,
                self._functions,
                rows,
            )

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(part, range(0, count, step)))
        return games

    def restore(self, weights: NDArray[np.float64], memory: dict[str, NDArray[Any]]) -> None:
        """Go on from what an earlier learner had."""
        self.weights[:] = weights
        self.memory = memory
        self._shapes.fill(self.weights, self.numbers)

    def learn(self, games: Games) -> Errors:
        """Learn from games in their order; returns the differences that were found."""
        done = int(self.memory["games"][0])
        alpha = self.rates.alpha[0]
        if self.rates.decays:
            alpha *= self.rates.t0 / (self.rates.t0 + done)
        rates = k.ShapeRates(
            alpha=alpha,
            gamma=float(self.rates.gamma),
            lam=float(self.rates.lam),
            kappa=float(self.rates.kappa),
            reward=float(self.rates.reward),
            step=self.rates.step,
            cut=int(self.rates.cut),
            coherence=int(self.rates.coherent),
        )
        nothing = np.zeros(0)
        memory = k.ShapeMemory(self.weights, self.memory.get("net", nothing), self.memory.get("gross", nothing))
        tally = as_value(self.game.find_tally() or self._grid.evaluate)
        squared, absolute, count = k.learn_games(
            games.rows, self._start, rates, memory, self._shapes.layout, self.game.rules, self._functions, tally
        )
        self.memory["games"] = self.memory["games"] + len(games.lengths)
        self._shapes.fill(self.weights, self.numbers)
        finite = bool(np.all(np.abs(self.weights) <= LARGEST))
        return Errors(squared / max(count, 1), absolute / max(count, 1), int(count), finite)
