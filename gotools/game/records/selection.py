"""Choose which games, and which players' moves in them, become examples: size, ranks, results, length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gotools.base.errors import GotoolsError, shown
from gotools.game.records.ranks import RANK, RATING, Strength, parse_rank, strength_of
from gotools.game.records.record import Record
from gotools.game.records.results import Result, read_result

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gotools.game.game import Game

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
class Strengths:
    """How strong the players of records are.

    read    -- the strength of the text of a rank
    ratings -- of players by their names, in place of what the records say; None: as they say
    """

    read: Callable[[str], Strength | None] = strength_of
    ratings: Mapping[str, float] | None = None

    @staticmethod
    def of_game(game: Game, ratings: Mapping[str, float] | None = None) -> Strengths:
        """Return the strengths of the players of a game."""
        return Strengths(game.records.strength or strength_of, ratings)

    def of(self, record: Record, side: int) -> Strength | None:
        """Return the strength of black (1) or white (2), None where it is not known."""
        if self.ratings is None:
            return self.read(record.ranks[side - 1])
        rating = self.ratings.get(record.players[side - 1])
        return None if rating is None else Strength(RATING, rating)

    def limit(self, text: str | float | None) -> Strength | None:
        """Return the strength that a setting names; a number is a strength on the scale of ranks, None none.

        Raises GotoolsError for a text that is not a rank or a rating, and with `ratings` for one that is not a rating.
        """
        if text is None:
            return None
        if not isinstance(text, str):
            return Strength(RANK, float(text))
        found = self.read(text) if self.ratings is None else strength_of(text)
        if found is None:
            parse_rank(text)
        if found is None or (self.ratings is not None and found.scale != RATING):
            raise GotoolsError(f"`{shown(text)}` is not a rating")
        return found


@dataclass(frozen=True, slots=True)
class Selection:
    """Which games and moves to take; the default takes all.

    `sizes` empty means any. Moves of players at or below `rank_above`, or of unknown strength, are left out; moves of
    players below `weak_below` who lost become counter-examples of source weak, and are no longer examples.
    `winners_only` leaves out the moves of all others, weak losers apart. `result` is a key of RESULTS. Only the first
    `max_moves` moves of a game count, and of all its moves, passes among them, only the share `last` at its end.
    """

    sizes: frozenset[int] = frozenset()
    rank_above: Strength | None = None
    result: str | None = None
    max_moves: int | None = None
    weak_below: Strength | None = None
    winners_only: bool = False
    last: float = 1.0
    strengths: Strengths = Strengths()

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
        strength = self.strengths.of(record, colour)
        return strength is not None and strength.above(self.rank_above)

    def is_weak(self, record: Record, colour: int) -> bool:
        """Return whether black (1) or white (2) is below the weak rank and lost."""
        if self.weak_below is None or record.winner != 3 - colour:
            return False
        strength = self.strengths.of(record, colour)
        return strength is not None and self.weak_below.above(strength)


def late(ply: NDArray[np.int32], moves: NDArray[np.int64], share: float) -> NDArray[np.bool_]:
    """Mark the moves in the last share of their games.

    ply   -- the number of each move, from 1
    moves -- how many its game has; the first (1 - share) of them are left out
    """
    found: NDArray[np.bool_] = ply > (1.0 - share) * moves + _ROUNDING
    return found
