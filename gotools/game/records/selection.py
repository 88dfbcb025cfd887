"""Choose which games, and which players' moves in them, become examples: size, ranks, results, length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gotools.game.records.ranks import rank_value
from gotools.game.records.record import Record
from gotools.game.records.results import Result, read_result

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESULTS: Final[dict[str, Callable[[Result], bool]]] = {
    "decided": lambda result: result.winner > 0,
    "B": lambda result: result.winner == 1,
    "W": lambda result: result.winner == 2,
    "resign": lambda result: result.kind == "resign",
    "score": lambda result: result.kind in ("score", "draw"),
    "time": lambda result: result.kind == "time",
    "draw": lambda result: result.kind == "draw",
}
"""The values of --result, each with the results that it takes."""

_ROUNDING = 1e-6
"""Moves: (1 - 0.9) * 10 is a little less than 1."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which games and moves to take; the default takes all.

    `sizes` empty means any. `rank_above` and `weak_below` are strengths as `rank_value` gives them: moves of players
    at or below the first, or of no known rank, are left out; moves of players below the second who lost become
    counter-examples of source weak, and are no longer examples. `winners_only` leaves out the moves of all others,
    weak losers apart. `result` is a key of RESULTS. Only the first `max_moves` moves of a game count, and of all its
    moves, passes among them, only the share `last` at its end.
    """

    sizes: frozenset[int] = frozenset()
    rank_above: float | None = None
    result: str | None = None
    max_moves: int | None = None
    weak_below: float | None = None
    winners_only: bool = False
    last: float = 1.0

    def takes(self, record: Record) -> bool:
        """Return whether a game is of a size and result wanted."""
        if self.sizes and record.size not in self.sizes:
            return False
        return self.result is None or RESULTS[self.result](read_result(record.result))

    def takes_player(self, record: Record, colour: int) -> bool:
        """Return whether the moves of black (1) or white (2) are taken by rank and result; weak losers' always are."""
        if self.is_weak(record, colour):
            return True
        if self.winners_only and record.winner != colour:
            return False
        if self.rank_above is None:
            return True
        value = rank_value(record.ranks[colour - 1])
        return value is not None and value > self.rank_above

    def is_weak(self, record: Record, colour: int) -> bool:
        """Return whether black (1) or white (2) is below the weak rank and lost."""
        if self.weak_below is None:
            return False
        value = rank_value(record.ranks[colour - 1])
        return record.winner == 3 - colour and value is not None and value < self.weak_below


def late(ply: NDArray[np.int32], moves: NDArray[np.int64], share: float) -> NDArray[np.bool_]:
    """Mark the moves in the last share of their games.

    ply   -- the number of each move, from 1
    moves -- how many its game has; the first (1 - share) of them are left out
    """
    found: NDArray[np.bool_] = ply > (1.0 - share) * moves + _ROUNDING
    return found
