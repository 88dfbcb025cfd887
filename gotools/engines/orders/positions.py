"""Positions to search, each made when it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.game.examples.examples import Examples

State = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """A sequence of positions, with the sizes of their boards.

    named -- returns the id and the state of a position by its number; raises GotoolsError for an impossible one
    """

    sizes: NDArray[np.int64]
    named: Callable[[int], tuple[str, State]]

    def __len__(self) -> int:
        return len(self.sizes)

    def take(self, numbers: NDArray[np.int64]) -> Positions:
        """Return some of the positions."""
        return Positions(self.sizes[numbers], lambda number: self.named(int(numbers[number])))

    def spread(self, count: int | None) -> Positions:
        """Return `count` positions spread evenly over all, or all if there are no more."""
        if count is None or count >= len(self):
            return self
        return self.take(np.linspace(0, len(self) - 1, count).round().astype(np.int64))


def of_examples(rows: Examples, komi: float) -> Positions:
    """Return the positions before the moves of label 1: never of finished games, for a move was made there."""
    played, komi = rows.take(rows.label == 1), komi if rows.of.komi >= 0 else 0.0
    return Positions(
        played.size.astype(np.int64), lambda row: (played.take(np.array([row])).id[0], played.state(row, komi))
    )
