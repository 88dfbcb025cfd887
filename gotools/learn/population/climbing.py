"""Hill climbing of a perceptron by self-play: a champion, and one mutant at a time.

Sources: Pollack and Blair, "Co-evolution in the successful learning of backgammon strategy" (1998); the settings are
those of an Abalone thesis after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools import exact
from gotools.learn.checkpoint import Arrays
from gotools.learn.games.match import game_seeds, play_pairs
from gotools.learn.methods import ClimbingSettings
from gotools.learn.population.coevolution import Coevolution, Floats, check_finite, checked_memory
from gotools.learn.td.perceptrons import weights_of

_MUTATION, _GAMES = 0, 1
_CHAMPION, _MUTANT = 0, 1


class Challenge(NamedTuple):
    """Result of one challenge.

    won, lost -- games that the mutant won and lost
    moved     -- whether the champion moved towards it
    games     -- number of games played
    """

    won: int
    lost: int
    moved: bool
    games: int


class Climbing(Coevolution[ClimbingSettings]):
    """A champion for one game; `generation` challenges it once."""

    def _begin(self) -> None:
        self.numbers = self._first

    @property
    def games(self) -> int:
        """Count the games played so far."""
        return self._generation * self.settings.matches

    @property
    def memory(self) -> Arrays:
        """Return what is needed to go on from here, as arrays."""
        return {"weights": weights_of(self.numbers).copy(), "generation": np.array([self._generation])}

    @memory.setter
    def memory(self, memory: Mapping[str, NDArray[np.generic]]) -> None:
        """Go on from the memory of a run with the same settings. Raises GotoolsError if it does not fit."""
        found = checked_memory(memory, self.memory)
        self.numbers = self._with(found["weights"])
        self._generation = int(found["generation"][0])

    def generation(self, jobs: int = 1) -> Challenge:
        """Make a mutant, let it play the champion, and move the champion towards it where it wins more than half.

        jobs -- threads

        Raises GotoolsError if the weights diverge; the champion is then as it was before.
        """
        s = self.settings
        champion = weights_of(self.numbers)
        mutant = champion + s.sigma * exact.normal(self._generator(_MUTATION), len(champion))
        check_finite(mutant, np.ones(1))
        pairs = np.array([(_MUTANT, _CHAMPION, i % 2) for i in range(s.matches)], np.int64)
        seeds = game_seeds(s.matches, self._seed, self._generation, _GAMES)
        pool = np.stack((self.numbers, self._with(mutant)))
        results = play_pairs(
            self._game, self._evaluate, pool, pairs, seeds, jobs, s.depth, epsilon=s.epsilon, dilution=s.epsilon,
            opening=s.opening, size=self._size, komi=self._komi,
        )  # fmt: skip
        won, lost = int((results > 0).sum()), int((results < 0).sum())
        if moved := 2 * won > s.matches:
            self.numbers = self._with(champion + s.rate * (mutant - champion))
        self._generation += 1
        return Challenge(won, lost, moved, s.matches)

    def _with(self, weights: Floats) -> Floats:
        """Return the numbers with other weights."""
        numbers = self.numbers.copy()
        weights_of(numbers)[:] = weights
        return numbers
