"""Hill climbing of a network by self-play: a champion, and one mutant at a time.

Sources: Pollack and Blair, "Co-evolution in the successful learning of backgammon strategy" (1998); the settings are
those of an Abalone thesis after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools import exact
from gotools.errors import GotoolsError
from gotools.game import FeatureSet, Game
from gotools.learn.games.match import Rules, game_seeds, play_pairs
from gotools.learn.population.evolution import check_finite, check_memory
from gotools.learn.td.perceptrons import Architecture, new_numbers, weights_of

_MUTATION, _GAMES = 0, 1
_CHAMPION, _MUTANT = 0, 1

Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ClimbingSettings:
    """How a champion is challenged.

    sigma   -- standard deviation of what is added to each weight of the champion to make the mutant
    matches -- games of champion and mutant, who play first in turn; the mutant has to win more than half of them
    rate    -- part of the way to such a mutant that the champion moves
    epsilon -- chance of a random move, of both: networks that always play their best play few different games
    depth   -- plies of search
    spread  -- first weights are drawn alike from [-spread, spread]
    opening -- so many first plies of a game are random
    """

    sigma: float = 0.1
    matches: int = 4
    rate: float = 0.05
    epsilon: float = 0.05
    depth: int = 1
    spread: float = 0.0
    opening: int = 0

    def __post_init__(self) -> None:
        if self.matches < 1 or self.depth < 1 or self.opening < 0:
            raise GotoolsError("champion and mutant play 1 game at least, 1 ply deep at least, with an opening of 0 up")
        if not (self.sigma > 0 and 0 < self.rate <= 1 and 0 <= self.epsilon <= 1 and self.spread >= 0):
            raise GotoolsError("sigma has to be above 0, the rate in (0, 1], epsilon in [0, 1], the spread 0 or more")


class Challenge(NamedTuple):
    """What a mutant came to.

    won, lost -- games of the mutant
    moved     -- the champion moved towards it
    games     -- played
    """

    won: int
    lost: int
    moved: bool
    games: int


class Climbing:
    """A champion for one game; `generation` challenges it once.

    The result depends on the seed and the settings alone: not on the number of threads, nor on how often a run was
    broken off and begun again from its memory.

    Raises GotoolsError for a negative seed, and for komi in a game that has none.
    """

    def __init__(
        self,
        game: Game,
        features: FeatureSet,
        architecture: Architecture,
        settings: ClimbingSettings | None = None,
        seed: int = 0,
        size: int | None = None,
        komi: float = 0.0,
    ) -> None:
        game.position(size, komi)
        self.settings = settings or ClimbingSettings()
        self._game, self._evaluate, self._seed = game, features.evaluate, seed
        size = size or game.sizes[0]
        epsilon = self.settings.epsilon
        self._rules = Rules(self.settings.depth, epsilon, epsilon, self.settings.opening, size, komi)
        self.numbers = new_numbers(architecture, features.scales(size), seed, self.settings.spread)
        self._generation = 0

    @property
    def games(self) -> int:
        """Count the games played so far."""
        return self._generation * self.settings.matches

    @property
    def memory(self) -> dict[str, NDArray[np.generic]]:
        """Return all there is to go on from here, as arrays."""
        return {"weights": weights_of(self.numbers).copy(), "generation": np.array([self._generation])}

    @memory.setter
    def memory(self, memory: Mapping[str, NDArray[np.generic]]) -> None:
        """Go on from a memory of a run with the same settings; raises GotoolsError where it does not fit."""
        check_memory(memory, self.memory, "climb")
        weights = np.array(memory["weights"], np.float64)
        check_finite(weights, np.ones(1))
        self.numbers = self._with(weights)
        self._generation = int(np.asarray(memory["generation"], np.int64)[0])

    def generation(self, jobs: int = 1) -> Challenge:
        """Make a mutant, let it play the champion, and move the champion towards it where it wins more than half.

        jobs -- threads

        Raises GotoolsError where the weights run away; the champion is then as it was before.
        """
        s = self.settings
        random = np.random.default_rng((self._seed, self._generation, _MUTATION))
        champion = weights_of(self.numbers)
        mutant = champion + s.sigma * exact.normal(random, len(champion))
        check_finite(mutant, np.ones(1))
        pairs = np.array([(_MUTANT, _CHAMPION, i % 2) for i in range(s.matches)], np.int64)
        seeds = game_seeds(s.matches, self._seed, self._generation, _GAMES)
        pool = np.stack((self.numbers, self._with(mutant)))
        results = play_pairs(self._game, self._evaluate, pool, pairs, self._rules, seeds, jobs)
        won, lost = int((results > 0).sum()), int((results < 0).sum())
        if moved := 2 * won > s.matches:
            self.numbers = self._with(champion + s.rate * (mutant - champion))
        self._generation += 1
        return Challenge(won, lost, moved, s.matches)

    def _with(self, weights: Weights) -> Weights:
        """Return the network's numbers with other weights."""
        numbers = self.numbers.copy()
        weights_of(numbers)[:] = weights
        return numbers
