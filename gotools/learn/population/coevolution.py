"""What evolution and hill climbing share: perceptrons that learn from the results of games alone, and the hall of fame.

The hall of fame holds champions of earlier generations, spread evenly over all of them: Rosin and Belew, "New methods
for competitive coevolution" (1997), keep every champion; here every second one makes way when the hall is full, so that
it reaches back to the beginning and does not grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError
from gotools.game.game import Game
from gotools.game.traits import FeatureSet
from gotools.learn.checkpoint import Arrays, check_memory, foreign
from gotools.learn.td.perceptrons import Architecture, new_numbers

LARGEST: Final = 1e9
"""Weights and step sizes beyond this have diverged: units have long been saturated."""

Floats = NDArray[np.float64]


class _Settings(Protocol):
    """What settings of both have in common."""

    @property
    def spread(self) -> float:
        """Return the bound of the first weights: they are drawn uniformly from [-spread, spread]."""


Settings = TypeVar("Settings", bound=_Settings)


class Coevolution(Generic[Settings]):
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
        self.settings, self._generation = settings, 0
        self._begin()

    def _begin(self) -> None:
        """Make the first perceptrons."""
        raise NotImplementedError

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


class HallOfFame:
    """Champions of every n-th generation, where n is the smallest power of two for which they fit.

    size -- largest number of champions; 0: no hall; count -- weights of each
    """

    def __init__(self, size: int, count: int) -> None:
        self.rows: Floats = np.zeros((size, count))
        """The champions, oldest first, then rows of 0."""

    def held(self, generation: int) -> Floats:
        """Return the champions that are held after the given number of generations, oldest first."""
        return self.rows[: generation // self._every(generation)]

    def add(self, generation: int, champion: Floats) -> None:
        """Add the champion of a generation, counted from 1, if n divides its number.

        Call this after each generation: it is also when others make way.
        """
        every, before = self._every(generation), self._every(generation - 1)
        if every > before:
            kept = self.rows[1::2].copy()
            self.rows[:] = 0.0
            self.rows[: len(kept)] = kept
        if len(self.rows) and generation % every == 0:
            self.rows[generation // every - 1] = champion

    def _every(self, generation: int) -> int:
        """Return n of the generations that are held."""
        every = 1
        while generation // every > len(self.rows) and every <= generation:
            every *= 2
        return every
