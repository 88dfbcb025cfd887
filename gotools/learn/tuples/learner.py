"""Play and learn with n-tuples, as `ShapeLearner` (learn/shapes/learner.py) does with local patterns."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError
from gotools.game import Game, Heuristic
from gotools.jit import as_value
from gotools.learn.games.selfplay import Games, Policy, empty_games, play_games
from gotools.learn.td.td import Errors, Rates
from gotools.learn.tuples.kernels import games as g
from gotools.learn.tuples.kernels import learning as k
from gotools.learn.tuples.tuples import Cells, Tuples, board_of, find_tuples

ANNEALED: Final = 0.2
"""Share of the learning rate that is left after annealing."""
AVERAGED: Final = 1_024
"""Games between two tables that the mean is taken of."""
RECENT: Final = 3
"""The tables count in proportion to this power of their number: most of the mean is of the last two fifths."""
_SEEDS: Final = 2**63 - 1


class TupleLearner:
    """Learns the table of n-tuples from games; nothing is learned but by `learn`.

    What has been learned is the mean of the tables so far, later ones with more weight (polynomial decay averaging,
    Shamir and Zhang 2013): a table itself swings from one thousand games to the next. Games are played by the table.

    tuples  -- the cells and their layout; table -- float32[2, entries]; numbers -- the same, as evaluations take it
    memory  -- what else a later call depends on, by name: the number of games, and of each entry that was ever learned
               (entries, ascending) the number in the table and the net and gross errors of temporal coherence

    siblings -- share of the positions of a game whose other moves are learned from too; seed -- of that draw
    anneal   -- games over which the learning rate falls to a fifth in a straight line; 0: it does not

    Raises GotoolsError for rates that n-tuples do not have.
    """

    def __init__(
        self,
        game: Game,
        size: int,
        cells: Cells,
        rates: Rates,
        siblings: float = 0.0,
        seed: int = 0,
        anneal: int = 0,
    ) -> None:
        if len(rates.alpha) > 1:
            raise GotoolsError("n-tuples have one layer: give one learning rate")
        if not 0 <= siblings <= 1:
            raise GotoolsError(f"siblings are a share from 0 to 1, not {siblings}")
        self.game, self.size, self.rates = game, size, rates
        self._siblings, self._seed, self._anneal = float(siblings), seed, anneal
        self.tuples: Tuples = find_tuples(game, size, cells)
        self._board = board_of(game)
        self._look = as_value(self._board.states)
        self._start = game.position(size)
        self.numbers, self.table = self.tuples.numbers()
        self._mean_numbers, self._mean = self.tuples.numbers()
        coherent = rates.coherent
        self._steps = np.zeros((2, self.tuples.entries if coherent else 0, 2), np.float32)
        self._games = 0

    @property
    def evaluation(self) -> tuple[Any, NDArray[np.float64]]:
        """Return a function compiled with the signature EVALUATE, and the numbers that have been learned."""
        return self._board.evaluate, self.numbers if self._games < AVERAGED else self._mean_numbers

    @property
    def games(self) -> int:
        """Return how many games were learned from."""
        return self._games

    def play(self, opponent: Heuristic | None, policy: Policy, first: int, count: int, seed: int, jobs: int) -> Games:
        """Play games number first to first + count - 1; the number of jobs (threads) changes nothing."""
        if not policy.alone:
            evaluation = self._board.evaluate, self.numbers
            return play_games(self.game, evaluation, opponent, policy, first, count, seed, self.size, jobs)
        games = empty_games(self.game, count, self.size, policy.depth)
        step = -(-count // (4 * jobs)) if jobs > 1 else count

        def part(begin: int) -> None:
            g.play_games(
                first + begin,
                seed & _SEEDS,
                self._start,
                float(policy.epsilon),
                float(policy.temperature),
                self.table,
                self.tuples.layout,
                self.game.rules,
                self._look,
                games.part(begin, min(begin + step, count)).rows,
            )

        if jobs == 1:
            part(0)
            return games
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(part, range(0, count, step)))
        return games

    def learn(self, games: Games) -> Errors:
        """Learn from games in their order; returns the differences that were found."""
        alpha = self.rates.alpha[0]
        if self.rates.decays:
            alpha *= self.rates.t0 / (self.rates.t0 + self._games)
        if self._anneal:
            alpha *= 1 - (1 - ANNEALED) * min(self._games / self._anneal, 1.0)
        rates = k.TupleRates(
            alpha=float(alpha),
            lam=float(self.rates.lam),
            coherence=int(self.rates.coherent),
            siblings=self._siblings,
            seed=self._seed & _SEEDS,
        )
        squared, absolute, count = k.learn_games(
            self._games,
            games.rows,
            self._start,
            rates,
            self.table,
            self._steps,
            self.tuples.layout,
            self.game.rules,
            self._look,
        )
        before, self._games = self._games, self._games + len(games.lengths)
        numbers = range(before // AVERAGED + 1, self._games // AVERAGED + 1)  # several in a large batch
        if numbers:
            kept = prod((number - 1) / (number + RECENT) for number in numbers)
            self._mean += (self.table - self._mean) * np.float32(1 - kept)
        return Errors(squared / max(count, 1), absolute / max(count, 1), int(count), bool(np.isfinite(squared)))

    # as files hold it ------------------------------------------------------------------------------------------------

    @property
    def weights(self) -> NDArray[np.float64]:
        """Return the entries that were ever learned, in the order of their places."""
        learned = self.table if self._games < AVERAGED else self._mean
        return learned.ravel()[self._learned()].astype(np.float64)

    @property
    def entries(self) -> NDArray[np.int32]:
        """Return the places of the entries that were ever learned, ascending."""
        return self._learned().astype(np.int32)

    @property
    def memory(self) -> dict[str, NDArray[Any]]:
        steps = self._steps.reshape(-1, 2)
        learned = self._learned()
        held = steps[learned] if len(steps) else steps
        return {
            "games": np.array([self._games], np.int64),
            "table": self.table.ravel()[learned],
            "net": held[:, 0].copy(),
            "gross": held[:, 1].copy(),
        }

    def restore(
        self, entries: NDArray[np.int32], weights: NDArray[np.float64], memory: dict[str, NDArray[Any]] | None = None
    ) -> None:
        """Go on from what an earlier learner had; without a memory, begin with its table alone."""
        for table in (self.table, self._mean):
            table.ravel()[:] = 0.0
            table.ravel()[entries] = weights
        if memory is not None:
            self._games = int(memory["games"][0])
            self.table.ravel()[entries] = memory["table"]
            if self._steps.size:
                self._steps.reshape(-1, 2)[entries] = np.stack([memory["net"], memory["gross"]], axis=1)

    def _learned(self) -> NDArray[np.int64]:
        steps = self._steps.reshape(-1, 2)
        return np.flatnonzero(steps[:, 1] if len(steps) else (self.table != 0) | (self._mean != 0))
