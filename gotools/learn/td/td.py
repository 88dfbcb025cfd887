"""Learning by temporal differences from batches of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError, quoted
from gotools.game import FeatureSet, Game, Heuristic
from gotools.jit import as_value
from gotools.kernels.network import SIZES
from gotools.kernels.seams import Valuer
from gotools.learn.checkpoint import Arrays
from gotools.learn.games.selfplay import GameBatch, Policy, ValueFunction, play_games
from gotools.learn.td.kernels import td as k
from gotools.learn.td.perceptrons import Architecture, check_numbers, layer_of, new_numbers, scales_of, weights_of
from gotools.search.kernels.knowledge import no_value

CHIS: Final = ("linear", "logcosh")
"""Functions that weigh differences by kappa, in the order of the kernel's numbers."""
TRACE_RATE: Final = 0.0001
"""Weight of a new position: the trace averages about the last 10,000 positions, which are some batches."""
LARGEST: Final = 1e6
"""Larger weights have diverged: every tanh is saturated long before."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How to learn from the difference between a position's value and the next one's.

    alpha    -- learning rate of each layer of the perceptron; the last is also used for further layers
    gamma    -- discount from a position to the next of its chain; the outcome itself is not discounted
    lam      -- lambda, the decay of eligibility traces
    kappa    -- attitude to risk, -1 to 1: below 0 seeks it, above 0 avoids it
    schedule -- "fixed"; "decay": alpha * t0 / (t0 + games); "coherence": each weight's rate is multiplied by the
                agreement of its steps so far, 0 to 1 (temporal coherence of Beal and Smith)
    step     -- 2: a position learns from the one after the same side's next move; 1: from the one after the next move
    reward   -- for each event of the game's tally (in Go: a prisoner); a value includes the reward of the last move
    cut      -- nothing is learned across a move that was explored: traces end before it
    kappa_end, kappa_games -- kappa changes linearly to kappa_end over kappa_games games; 0: it does not
    reward_at -- "move": events are rewarded with their moves; "end": all of them when the game is over
    chi      -- "linear": differences weigh 1 - kappa above 0, 1 + kappa below; "logcosh": small ones nearly alike
    """

    alpha: tuple[float, ...] = (0.02,)
    gamma: float = 1.0
    lam: float = 0.7
    kappa: float = 0.0
    schedule: Literal["fixed", "decay", "coherence"] = "fixed"
    step: Literal[1, 2] = 2
    reward: float = 0.0
    cut: bool = False
    t0: float = 10_000.0
    kappa_end: float = 0.0
    kappa_games: int = 0
    chi: Literal["linear", "logcosh"] = "linear"
    reward_at: Literal["move", "end"] = "move"

    def __post_init__(self) -> None:
        if not self.alpha or not all(0 <= alpha < np.inf for alpha in self.alpha):
            raise GotoolsError(f"learning rates are numbers of at least 0, one or more, not {self.alpha}")
        for name in ("gamma", "lam"):
            if not 0 <= getattr(self, name) <= 1:
                raise GotoolsError(f"{'lambda' if name == 'lam' else name} is 0 to 1, not {getattr(self, name)}")
        self._check_risk()
        if self.schedule not in ("fixed", "decay", "coherence"):
            raise GotoolsError(f"a schedule is fixed, decay or coherence, not {quoted(self.schedule)}")
        if self.step not in (1, 2):
            raise GotoolsError(f"a position learns 1 or 2 plies ahead, not {self.step}")
        if not np.isfinite(self.reward):
            raise GotoolsError(f"a reward is a number, not {self.reward}")
        if self.reward_at not in ("move", "end"):
            raise GotoolsError(f"events are rewarded at the move or the end, not at {quoted(self.reward_at)}")
        if not self.t0 > 0:
            raise GotoolsError(f"t0 is a number of games above 0, not {self.t0}")

    def _check_risk(self) -> None:
        for kappa in (self.kappa, self.kappa_end):
            if not -1 <= kappa <= 1:
                raise GotoolsError(f"kappa is -1 to 1, not {kappa}")
        if self.kappa_games < 0:
            raise GotoolsError(f"kappa changes over at least 0 games, not {self.kappa_games}")
        if self.kappa_games and self.kappa == self.kappa_end:
            raise GotoolsError(f"kappa changes over some games, but from {self.kappa} to {self.kappa_end}")
        if self.kappa_end and not self.kappa_games:
            raise GotoolsError("kappa has an end, but no number of games to reach it")
        if self.chi not in CHIS:
            raise GotoolsError(f"chi is linear or logcosh, not {quoted(self.chi)}")
        if self.step == 1 and (self.kappa != 0 or self.kappa_end != 0):
            raise GotoolsError("a sense of risk (kappa) needs step 2: each side has its own risks")

    @property
    def coherent(self) -> bool:
        """Return whether the rates follow temporal coherence."""
        return self.schedule == "coherence"

    @property
    def decays(self) -> bool:
        """Return whether the rates fall with the number of games."""
        return self.schedule == "decay"

    def alpha_after(self, games: int) -> float:
        """Return the learning rate after a number of games, of a learner with one layer."""
        return self.alpha[0] * (self.t0 / (self.t0 + games)) if self.decays else self.alpha[0]


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
            games.rows, TRACE_RATE, self.trace, self._scales, self._row, self._states, self._root, self._game.rules,
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
        rates: Rates,
        size: int,
        komi: float = 0.0,
        directed: bool = False,
    ) -> None:
        check_numbers(numbers)
        inputs = len(features.labels(size))
        if int(numbers[SIZES]) != inputs:
            raise GotoolsError(f"features {features.name} are {inputs} inputs, the network has {int(numbers[SIZES])}")
        if rates.reward and not game.tally:
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
        k.learn(games.rows, work, settings, self._states, sums, self._root, self.game.rules, inputs, self._tally)
        memory["games"] = memory["games"] + len(games.lengths)
        if self._counter is not None:
            self._counter.add(games)
        return Errors.of(sums[k.SQUARES], sums[k.SIZES], sums[k.COUNT], bounded(weights_of(self.numbers)))
