"""Counted games, the input of the models: who played whom, with which advantage, and how often each side won."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.table import USUAL

ITSELF: Final = "against itself"
"""Why a game of a player against itself is left out."""
TallyRow = tuple[str, str, "GameClass", int, int, int]
"""Black, white, class; black's wins, draws, losses."""


@dataclass(frozen=True, slots=True)
class GameClass:
    """Games whose first player has the same advantage; None for what a record does not say.

    game -- by its name in gotools.game.table.GAMES; Go where the record names none; "" for one that is not known
    """

    komi: float | None = None
    handicap: int = 0
    size: int | None = None
    game: str = USUAL


@dataclass
class GameTally:
    """Games counted, condensed.

    players      -- their names, each once; some may have no game that counts
    black, white -- int32[k], indexes into players; a row for each (black, white, class) that was played
    kind         -- int32[k], index into classes
    classes      -- kinds of games, each once
    wins, draws, losses -- int64[k], of black
    excluded     -- reason -> games left out, broken records among them

    Raises ValueError if these are inconsistent: a fault of the program, not of a file.
    """

    players: list[str]
    black: NDArray[np.int32]
    white: NDArray[np.int32]
    kind: NDArray[np.int32]
    classes: list[GameClass]
    wins: NDArray[np.int64]
    draws: NDArray[np.int64]
    losses: NDArray[np.int64]
    excluded: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        columns = (self.black, self.white, self.kind, self.wins, self.draws, self.losses)
        if any(column.ndim != 1 or len(column) != len(self.black) for column in columns):
            raise ValueError("the columns of a tally have one length")
        for index, count in ((self.black, self.players), (self.white, self.players), (self.kind, self.classes)):
            if len(index) and not (int(index.min()) >= 0 and int(index.max()) < len(count)):
                raise ValueError("an index of a tally points at nothing")
        if len(set(self.players)) < len(self.players) or len(set(self.classes)) < len(self.classes):
            raise ValueError("a player or a class occurs twice")
        if any((column < 0).any() for column in (self.wins, self.draws, self.losses)):
            raise ValueError("a count below zero")

    @classmethod
    def from_rows(cls, rows: Iterable[TallyRow], excluded: dict[str, int] | None = None) -> GameTally:
        """Add up rows, of which several may be about the same players and class."""
        counts: dict[tuple[str, str, GameClass], list[int]] = {}
        for black, white, kind, *scores in rows:
            sums = counts.setdefault((black, white, kind), [0, 0, 0])
            sums[:] = [a + b for a, b in zip(sums, scores, strict=True)]
        players = {name: None for black, white, _ in counts for name in (black, white)}
        classes = {kind: None for _, _, kind in counts}
        number = {name: index for index, name in enumerate(players)}
        kind_number = {kind: index for index, kind in enumerate(classes)}
        indexes = np.array([(number[b], number[w], kind_number[k]) for b, w, k in counts], np.int32).reshape(-1, 3)
        sums_of = np.array(list(counts.values()), np.int64).reshape(-1, 3)
        columns, sums_by_score = indexes.T.copy(), sums_of.T.copy()
        return cls(
            list(players),
            *(columns[0], columns[1], columns[2], list(classes)),
            *(sums_by_score[0], sums_by_score[1], sums_by_score[2], dict(excluded or {})),
        )

    @property
    def games(self) -> int:
        """How many games count."""
        return int(self.wins.sum() + self.draws.sum() + self.losses.sum())
