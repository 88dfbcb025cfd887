"""One search for small boards, another one for larger ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gotools.kernels.seams import SIZE
from gotools.search.choice import Choice, Limits, Report, Search


class BySize:
    """Choose by one search on boards up to a size, by another one on larger ones."""

    def __init__(self, largest: int, small: Search, large: Search) -> None:
        self._largest, self._small, self._large = largest, small, large

    def stop(self) -> None:
        self._small.stop()
        self._large.stop()

    def forget(self) -> None:
        self._small.forget()
        self._large.forget()

    def choose(
        self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits, report: Report | None = None
    ) -> Choice:
        """Choose by the search for the size of the board; see `Search`."""
        search = self._small if state[SIZE] <= self._largest else self._large
        return search.choose(state, moves, limits, report)
