"""Play and learn with tables of patterns, local shapes or n-tuples; `Learner` (values/td/td.py) is for perceptrons."""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.game import Game
from gotools.game.learning import Grid, Heuristic, TupleBoard
from gotools.jit import as_value
from gotools.search.knowledge import NO_ORDERING
from gotools.values.checkpoint import Arrays
from gotools.values.games.selfplay import (
    SEEDS,
    GameBatch,
    Guide,
    Policy,
    ValueFunction,
    empty_games,
    in_parts,
    play_games,
    some_of,
)
from gotools.values.settings import Rates
from gotools.values.td.kernels import table_games as g
from gotools.values.td.kernels import table_learning as k
from gotools.values.td.shapes import shapes_of
from gotools.values.td.td import Errors, bounded
from gotools.values.td.tuples import Cells, Tuples, find_tuples

ANNEALED: Final = 0.2
"""Share of the learning rate that is left after annealing."""
AVERAGED: Final = 1_024
"""Games between two tables that the mean is taken of."""
RECENT: Final = 3
"""A table weighs in proportion to this power of its number: most of the mean comes from the last two fifths."""


class ShapeLearner:
    """Learn the weights of local shapes from games; only `learn` and `restore` change them.

    weights -- float64[n], shared (shapes.py); numbers -- the table made of them, that the games are played with
    memory  -- what else a later call depends on, by name

    Raises GotoolsError for rates that shapes do not have.
    """

    def __init__(self, game: Game, size: int, komi: float, rates: Rates, guide: Guide | None = None) -> None:
        if len(rates.alpha) > 1:
            raise GotoolsError("shapes have one layer: give one learning rate")
        if rates.reward and not game.learning.tally:
            raise GotoolsError(f"{game.name} has no events to reward")
        self.game, self.size, self.rates, self._komi = game, size, rates, komi
        self._guide = guide or Guide("", NO_ORDERING, 0, 0.0)
        self._grid, self._shapes = game.need(Grid), shapes_of(game, size)
        self._functions = g.GridFunctions(as_value(self._grid.cells), as_value(self._grid.changes))
        self._start = game.position(size, komi)
        self.weights = np.zeros(self._shapes.weights)
        self.numbers = self._shapes.numbers(self.weights)
        self.memory: Arrays = {"games": np.zeros(1, np.int64)}
        if rates.coherent:
            self.memory |= {"net": np.zeros(len(self.weights)), "gross": np.zeros(len(self.weights))}

    @property
    def evaluation(self) -> ValueFunction:
        """Return the value function that has been learned."""
        return self._grid.evaluate, self.numbers

    @property
    def games(self) -> int:
        """Return the number of games that were learned from."""
        return int(self.memory["games"][0])

    @property
    def arrays(self) -> Arrays:
        """Return the arrays of a weights file."""
        return {"weights": self.weights}

    def play(
        self, opponent: Heuristic | None, policy: Policy, first: int, count: int, seed: int, jobs: int
    ) -> GameBatch:
        """Play games number first to first + count - 1; the number of jobs (threads) changes nothing."""
        game, size, komi = self.game, self.size, self._komi
        if not policy.alone:
            return play_games(game, self.evaluation, opponent, policy, first, count, seed, size, jobs, komi)
        games, guide = empty_games(game, count, size, policy.depth), self._guide
        how = g.GuidedPolicy(
            float(policy.epsilon), float(policy.temperature), guide.width, float(guide.penalty), guide.ordering.scorer
        )

        def part(begin: int, end: int) -> None:
            g.play_by_shapes(
                first + begin, seed & SEEDS, self._start, self.numbers, self._shapes.layout, how, game.rules,
                self._functions, some_of(games, begin, end),
            )  # fmt: skip

        in_parts(count, jobs, part)
        return games

    def restore(self, arrays: Arrays, memory: Arrays | None = None) -> None:
        """Go on from what an earlier learner had; without a memory, begin with its weights alone."""
        self.weights[:] = arrays["weights"]
        self.memory = self.memory if memory is None else memory
        self._shapes.fill(self.weights, self.numbers)

    def learn(self, games: GameBatch) -> Errors:
        """Learn from games in their order; return the differences that were found."""
        rates, none = _rates_of(self.rates, self.rates.alpha_after(self.games)), np.zeros(0)
        memory = k.ShapeMemory(self.weights, self.memory.get("net", none), self.memory.get("gross", none))
        tally = as_value(self.game.find_tally() or self._grid.evaluate)
        squared, absolute, count = k.learn_by_shapes(
            games, self._start, rates, memory, self._shapes.layout, self.game.rules, self._functions, tally
        )
        self.memory["games"] = self.memory["games"] + len(games.lengths)
        self._shapes.fill(self.weights, self.numbers)
        return Errors.of(squared, absolute, count, bounded(self.weights))


class TupleLearner:
    """Learn the table of n-tuples from games; only `learn` and `restore` change it.

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
        self._siblings, self._seed, self._anneal = float(siblings), seed & SEEDS, anneal
        self.tuples: Tuples = find_tuples(game, size, cells)
        self._board = game.need(TupleBoard)
        self._look = as_value(self._board.states)
        self._start = game.position(size)
        self.numbers, self.table = self.tuples.numbers()
        self._mean_numbers, self._mean = self.tuples.numbers()
        self._steps = np.zeros((2, self.tuples.entries if rates.coherent else 0, 2), np.float32)
        self.games = 0

    @property
    def evaluation(self) -> ValueFunction:
        """Return the value function that has been learned."""
        return self._board.evaluate, self.numbers if self.games < AVERAGED else self._mean_numbers

    @property
    def arrays(self) -> Arrays:
        """Return the arrays of a weights file: the entries that were ever learned, in the order of their places."""
        learned = self._learned()
        table = self.table if self.games < AVERAGED else self._mean
        weights, entries = table.ravel()[learned].astype(np.float64), learned.astype(np.int32)
        return {"weights": weights, "cells": self.tuples.cells, "entries": entries}

    @property
    def memory(self) -> Arrays:
        """Return what else `restore` needs; arrays of the entries that were ever learned."""
        steps, learned = self._steps.reshape(-1, 2), self._learned()
        net, gross = (steps[learned] if len(steps) else steps).T.copy()
        games = np.array([self.games], np.int64)
        return {"games": games, "table": self.table.ravel()[learned], "net": net, "gross": gross}

    def empty_memory(self, entries: int) -> Arrays:
        """Return the arrays of a memory of some entries, with any numbers."""
        table, steps = np.zeros(entries, np.float32), np.zeros(entries if len(self._steps[0]) else 0, np.float32)
        return {"games": np.zeros(1, np.int64), "table": table, "net": steps, "gross": steps}

    def play(
        self, opponent: Heuristic | None, policy: Policy, first: int, count: int, seed: int, jobs: int
    ) -> GameBatch:
        """Play games number first to first + count - 1; the number of jobs (threads) changes nothing."""
        game, size = self.game, self.size
        if not policy.alone:
            evaluation = self._board.evaluate, self.numbers
            return play_games(game, evaluation, opponent, policy, first, count, seed, size, jobs)
        games = empty_games(game, count, size, policy.depth)

        def part(begin: int, end: int) -> None:
            g.play_by_tuples(
                first + begin, seed & SEEDS, self._start, float(policy.epsilon), float(policy.temperature), self.table,
                self.tuples.layout, game.rules, self._look, some_of(games, begin, end),
            )  # fmt: skip

        in_parts(count, jobs, part)
        return games

    def restore(self, arrays: Arrays, memory: Arrays | None = None) -> None:
        """Go on from what an earlier learner had; without a memory, begin with its table alone.

        Raises GotoolsError where the arrays are of other tuples.
        """
        if not np.array_equal(arrays["cells"], self.tuples.cells):
            raise GotoolsError("the tuples are others: give the --tuples and the --seed that they were found with")
        entries = arrays["entries"]
        for table in (self.table, self._mean):
            table.ravel()[:] = 0.0
            table.ravel()[entries] = arrays["weights"]
        if memory is not None:
            self.games = int(memory["games"][0])
            self.table.ravel()[entries] = memory["table"]
            if self._steps.size:
                self._steps.reshape(-1, 2)[entries] = np.stack([memory["net"], memory["gross"]], axis=1)

    def learn(self, games: GameBatch) -> Errors:
        """Learn from games in their order; return the differences that were found."""
        alpha = self.rates.alpha_after(self.games)
        if self._anneal:
            alpha *= 1 - (1 - ANNEALED) * min(self.games / self._anneal, 1.0)
        rates = _rates_of(self.rates, alpha, self._siblings, self._seed)
        squared, absolute, count = k.learn_by_tuples(
            self.games, games, self._start, rates, self.table, self._steps, self.tuples.layout, self.game.rules,
            self._look,
        )  # fmt: skip
        before, self.games = self.games, self.games + len(games.lengths)
        numbers = range(before // AVERAGED + 1, self.games // AVERAGED + 1)  # several in a large batch
        if numbers:
            kept = prod((number - 1) / (number + RECENT) for number in numbers)
            self._mean += (self.table - self._mean) * np.float32(1 - kept)
        return Errors.of(squared, absolute, count, bool(np.isfinite(squared)))

    def _learned(self) -> NDArray[np.int64]:
        """Return the places of the entries that were ever learned, ascending."""
        steps = self._steps.reshape(-1, 2)
        return np.flatnonzero(steps[:, 1] if len(steps) else (self.table != 0) | (self._mean != 0))


def _rates_of(rates: Rates, alpha: float, siblings: float = 0.0, seed: int = 0) -> k.TableRates:
    return k.TableRates(
        alpha=float(alpha), lam=float(rates.lam), coherence=int(rates.coherent), gamma=float(rates.gamma),
        kappa=float(rates.kappa), reward=float(rates.reward), step=rates.step, cut=int(rates.cut),
        siblings=siblings, seed=seed,
    )  # fmt: skip
