"""The hall of fame: champions of earlier generations, spread evenly over all of them.

Source: Rosin and Belew, "New methods for competitive coevolution" (1997), who keep every champion; here every second
one makes way when the hall is full, so that games against it reach back to the beginning and it does not grow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]


class HallOfFame:
    """Hold the champions of every n-th generation, n being the least power of two for which they have room.

    size -- most champions; 0: no hall; count -- weights of each
    """

    def __init__(self, size: int, count: int) -> None:
        self.rows: Weights = np.zeros((size, count))
        """The champions, oldest first, then rows of 0."""

    def held(self, generation: int) -> Weights:
        """Return the champions that are held after so many generations, oldest first."""
        return self.rows[: generation // self._every(generation)]

    def add(self, generation: int, champion: Weights) -> None:
        """Take in the champion of a generation, counted from 1, if it is one of those to hold.

        To be called after each generation, because that is when others make way.
        """
        every, before = self._every(generation), self._every(generation - 1)
        if every > before:
            kept = self.rows[1::2].copy()
            self.rows[:] = 0.0
            self.rows[: len(kept)] = kept
        if len(self.rows) and generation % every == 0:
            self.rows[generation // every - 1] = champion

    def _every(self, generation: int) -> int:
        """Return n of the generations that are held, see above."""
        every = 1
        while generation // every > len(self.rows) and every <= generation:
            every *= 2
        return every
