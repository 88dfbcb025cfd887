"""What learns from the results of games alone: Coevolution, and its simplest form, hill climbing by self-play.

Hill climbing has a champion, and one mutant at a time. Sources: Pollack and Blair, "Co-evolution in the successful
learning of backgammon strategy" (1998); the settings are those of an Abalone thesis after it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.game import Game
from gotools.game.learning import FeatureSet
from gotools.jit.kernels import exact
from gotools.values.checkpoint import Arrays, check_memory, foreign
from gotools.values.games.match import game_seeds, play_pairs
from gotools.values.methods import ClimbingSettings, EvolutionSettings
from gotools.values.td.perceptrons import Architecture, new_numbers, weights_of

LARGEST: Final = 1e9
"""Weights and step sizes beyond this have diverged: units have long been saturated."""

Floats = NDArray[np.float64]
Settings = TypeVar("Settings", EvolutionSettings, ClimbingSettings)
_MUTATION, _GAMES = 0, 1
_CHAMPION, _MUTANT = 0, 1


class Coevolution(ABC, Generic[Settings]):
    """Perceptrons for one game that learn from the results of games alone; `generation` of a subclass makes one step.

    The result depends on the seed and the settings alone: not on the number of threads, nor on how often a run was
    interrupted and resumed from its memory.

    Raises GotoolsError for a negative seed, and for komi in a game that has none.
    """

    def __init__(
        self,
        game: Game,
        features: FeatureSet,
        architecture: Architecture,
        settings: Settings,
        seed: int = 0,
        size: int | None = None,
        komi: float = 0.0,
    ) -> None:
        game.position(size, komi)  # raises for a wrong komi
        self._game, self._evaluate, self._seed = game, features.evaluate, seed
        self._size, self._komi = size or game.sizes[0], komi
        self._first = new_numbers(architecture, features.scales(self._size), seed, settings.spread)
        self.settings: Settings = settings
        self._generation = 0
        self._begin()

    @abstractmethod
    def _begin(self) -> None:
        """Make the first perceptrons."""

    def _generator(self, purpose: int) -> np.random.Generator:
        return np.random.default_rng((self._seed, self._generation, purpose))


def checked_memory(memory: Mapping[str, NDArray[Any]], own: Arrays) -> Arrays:
    """Return copies of the arrays of a checkpoint; own -- see check_memory. Raises GotoolsError if they do not fit."""
    check_memory(memory, own)
    if memory["generation"].min() < 0:
        raise foreign("generation")
    found = {name: np.array(memory[name]) for name in own}
    check_finite(found["weights"], found.get("steps", np.ones(1)))
    return found


def check_finite(weights: Floats, steps: Floats) -> None:
    """Raise GotoolsError if a weight or step size is not a number or beyond LARGEST, or a step size is not above 0."""
    for name, values in (("weights", weights), ("step sizes", steps)):
        largest = float(np.abs(values).max())
        if not largest <= LARGEST:
            raise GotoolsError(
                f"{name} run away: the largest is {largest:.3g}; smaller steps (largest step, a, sigma) may help"
            )
    if not steps.min() > 0:
        raise GotoolsError("a step size has shrunk to nothing; let step sizes change less (a)")


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
