"""Keep to one game: ratings of Go and of Connect-4 do not mix."""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

from gotools.errors import GotoolsError, shown
from gotools.ratings.games import GO, GameClass
from gotools.ratings.reading.ledger import Batch
from gotools.ratings.reading.result_text import ANOTHER_GAME, UNCOUNTED_REASONS

_REASON: Final = UNCOUNTED_REASONS[ANOTHER_GAME]


class OneGame:
    """Leave out the results of all games but one: a given one, or the first that comes, after which others are errors.

    Games that gotools does not know (GameClass.game is "") pass: they do not count anyway.
    """

    def __init__(self, game: str | None) -> None:
        self._wanted, self._first = game, ""

    @property
    def name(self) -> str:
        """Return the game: the given one, else the first that came; "" before."""
        return self._wanted or self._first

    def of(self, batch: Batch, excluded: Counter[str]) -> Batch:
        """Return the results of the game in a batch; count the others by reason.

        Raises GotoolsError for results of a second game if none was given.
        """
        if self._wanted is None:
            self._check(batch)
            return batch
        if all(self._passes(kind) for kind in batch.classes):
            return batch
        return self._filtered(batch, excluded)

    def _check(self, batch: Batch) -> None:
        if self._first == GO and all(kind.game == GO for kind in batch.classes):
            return
        for number in np.flatnonzero(np.bincount(batch.kind, minlength=len(batch.classes))):
            game = batch.classes[number].game
            self._first = self._first or game
            if game not in ("", self._first):
                one, other = shown(self._first), shown(game)
                raise GotoolsError(f"results of {one} and of {other}: choose with --game {one} or --game {other}")

    def _passes(self, kind: GameClass) -> bool:
        return kind.game in ("", self._wanted)

    def _filtered(self, batch: Batch, excluded: Counter[str]) -> Batch:
        passing = np.array([self._passes(kind) for kind in batch.classes])
        numbers = np.cumsum(passing) - 1
        kept = np.flatnonzero(passing[batch.kind]).tolist()
        excluded[_REASON] += len(batch.black) - len(kept)
        return Batch(
            [batch.black[place] for place in kept],
            [batch.white[place] for place in kept],
            batch.score[kept],
            numbers[batch.kind[kept]].astype(np.int32),
            [kind for kind in batch.classes if self._passes(kind)],
        )
