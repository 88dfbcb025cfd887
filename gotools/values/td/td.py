"""Learning by temporal differences from batches of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.game import Game
from gotools.game.learning import FeatureSet, Heuristic
from gotools.jit import as_value
from gotools.jit.kernels.network import SIZES
from gotools.jit.kernels.seams import Valuer
from gotools.search.kernels.knowledge import no_value
from gotools.values.checkpoint import Arrays
from gotools.values.games.selfplay import GameBatch, Policy, ValueFunction, play_games
from gotools.values.settings import NetworkRates
from gotools.values.td.kernels import td as k
from gotools.values.td.perceptrons import Architecture, check_numbers, layer_of, new_numbers, scales_of, weights_of

CHIS: Final = ("linear", "logcosh")
"""Functions that weigh differences by kappa, in the order of the kernel's numbers."""
TRACE_RATE: Final = 0.0001
"""Weight of a new position: the trace averages about the last 10,000 positions, which are some batches."""
LARGEST: Final = 1e6
"""Larger weights have diverged: every tanh is saturated long before."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Temporal differences of a batch: means over `count` of them; finite: no weight has diverged."""

    mean_squared: float
    mean_absolute: float
    count: int
    finite: bool

    @staticmethod
    def of(squared: float, absolute: float, count: float, finite: bool) -> Errors:
        """Return the means of sums."""
        known = max(int(count), 1)
        return Errors(float(squared) / known, float(absolute) / known, int(count), finite)


def bounded(weights: NDArray[np.float64]) -> bool:
    """Return whether no weight has diverged."""
    return bool(np.all(np.abs(weights) <= LARGEST))


class ExplorationCounter:
    """Directed exploration: prefer the moves to positions that are least like recent ones.

    A trace c of the inputs Phi is kept: c = (1 - rate) c + rate Phi for each position after a learner's move.

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
            games, TRACE_RATE, self.trace, self._scales, self._row, self._states, self._root, self._game.rules,
            inputs,
        )  # fmt: skip


class Learner:
    """Learn the weights of a perceptron from games; only `learn` and `restore` change them.

    numbers  -- float64[k], the perceptron (kernels/network.py); learning writes to it
    memory   -- what else a later call depends on, by name: to continue a run, restore both
    directed -- moves are explored by an ExplorationCounter, not at random
    """

    def __init__(
        self,
        game: Game,
        features: FeatureSet,
        numbers: NDArray[np.float64],
        rates: NetworkRates,
        size: int,
        komi: float = 0.0,
        directed: bool = False,
    ) -> None:
        check_numbers(numbers)
        inputs = len(features.labels(size))
        if int(numbers[SIZES]) != inputs:
            raise GotoolsError(f"features {features.name} are {inputs} inputs, the network has {int(numbers[SIZES])}")
        if rates.reward and not game.learning.tally:
            raise GotoolsError(f"{game.name} has no events to reward")
        self.game, self.features, self.rates, self.size, self._komi = game, features, rates, size, komi
        self._counter = ExplorationCounter(game, features, size, komi) if directed else None
        self.numbers = np.ascontiguousarray(numbers, np.float64)
        count = len(weights_of(self.numbers))
        self.memory: Arrays = {"games": np.zeros(1, np.int64)}
        if rates.coherent:
            self.memory |= {"net": np.zeros(count), "sum": np.zeros(count)}
        if self._counter is not None:
            self.memory["counter"] = self._counter.trace
        if len(rates.alpha) > 1 + int(layer_of(self.numbers).max()):
            raise GotoolsError(f"{len(rates.alpha)} learning rates are more than this network has layers")
        alphas = np.array([*rates.alpha, *[rates.alpha[-1]] * 3])[layer_of(self.numbers)]
        self._work = k.TdMemory(
            numbers=self.numbers,
            alphas=alphas,
            net=np.empty(0),
            sum=np.empty(0),
            traces=np.zeros((2, count)),
            gradient=np.zeros(count),
            inputs=np.zeros((3, inputs)),
            views=np.zeros((3, 3)),
        )
        self._states = np.zeros((3, game.cells), np.int32)
        self._root = game.position(size, komi)
        self._tally = Valuer(as_value(game.find_tally() if rates.reward else no_value), np.zeros(1))

    @property
    def evaluation(self) -> ValueFunction:
        """Return the value function that has been learned."""
        return self.features.evaluate, self.numbers

    @property
    def games(self) -> int:
        """Return the number of games that were learned from."""
        return int(self.memory["games"][0])

    @property
    def arrays(self) -> Arrays:
        """Return the arrays of a weights file, as views."""
        return {"weights": weights_of(self.numbers), "scales": scales_of(self.numbers)}

    def restore(self, arrays: Arrays, memory: Arrays | None = None) -> None:
        """Go on from what an earlier learner had; without a memory, begin with its weights alone."""
        weights_of(self.numbers)[:] = arrays["weights"]
        if memory is not None:
            self.memory = memory
            if self._counter is not None:
                self._counter.trace = memory["counter"]

    def play(
        self, opponent: Heuristic | None, policy: Policy, first: int, count: int, seed: int, jobs: int
    ) -> GameBatch:
        """Play games number first to first + count - 1; the number of jobs (threads) changes nothing."""
        explorer = None if self._counter is None else self._counter.evaluation
        return play_games(
            self.game, self.evaluation, opponent, policy, first, count, seed, self.size, jobs, self._komi, explorer
        )

    def learn(self, games: GameBatch) -> Errors:
        """Learn from games in their order, replaying their moves; return the differences that were found.

        Moves have to be legal, which is not checked.
        """
        rates, memory = self.rates, self.memory
        settings = k.TdSettings(
            gamma=float(rates.gamma),
            lam=float(rates.lam),
            kappa=float(rates.kappa),
            reward=float(rates.reward),
            half=float(rates.t0) if rates.decays else 0.0,
            step=int(rates.step),
            cut=int(rates.cut),
            coherent=int(rates.coherent),
            games=int(memory["games"][0]),
            kappa_end=float(rates.kappa_end),
            kappa_games=int(rates.kappa_games),
            chi=CHIS.index(rates.chi),
            late=int(rates.reward_at == "end"),
        )
        work = self._work._replace(net=memory.get("net", np.empty(0)), sum=memory.get("sum", np.empty(0)))
        sums = np.zeros(3)
        inputs = as_value(self.features.inputs)
        k.learn(games, work, settings, self._states, sums, self._root, self.game.rules, inputs, self._tally)
        memory["games"] = memory["games"] + len(games.lengths)
        if self._counter is not None:
            self._counter.add(games)
        return Errors.of(sums[k.SQUARES], sums[k.SIZES], sums[k.COUNT], bounded(weights_of(self.numbers)))
