"""The points on boards at which clauses are evaluated: moves of examples, or all legal moves of positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Points:
    """Points on boards at which clauses are evaluated: n examples on m positions."""

    board: NDArray[np.uint8]  # uint8[m, c] by point number
    size: NDArray[np.uint8]  # uint8[m]
    to_play: NDArray[np.uint8]  # uint8[m]
    ko: NDArray[np.int16]  # int16[m]
    last: NDArray[np.int16]  # int16[m]
    last2: NDArray[np.int16]  # int16[m]
    position: NDArray[np.int32]  # int32[n]: equal ones in a row are read once
    point: NDArray[np.int16]  # int16[n]

    def __len__(self) -> int:
        return len(self.point)

    def take(self, rows: slice | NDArray[np.int64]) -> Points:
        """Return some of the examples, on the same positions."""
        boards = self.board, self.size, self.to_play, self.ko, self.last, self.last2
        return Points(*boards, self.position[rows], self.point[rows])

    def chunks(self, size: int) -> Iterator[slice]:
        """Cut the examples into slices of about `size`, between positions."""
        ends = np.flatnonzero(np.diff(self.position, append=-1)) + 1
        begin = 0
        while begin < len(self):
            last = int(np.searchsorted(ends, begin + size))
            end = int(ends[min(last, len(ends) - 1)])
            yield slice(begin, end)
            begin = end
