"""Games that rules are learned from and measured on: what they have in common is said aloud."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gotools.games.go.examples.examples import GoExamples, PackedGo
from gotools.games.go.points import MAX_SIZE

FEWEST = 5
"""Fewest shared moves of a shared game: the first moves of different games may well be the same."""
_HASHED_AT_ONCE = 20_000
"""Rows that are hashed together: 60 MB of 19x19."""


def shared_games(test: GoExamples, train: GoExamples | PackedGo) -> str:
    """Report in a line how many games to measure on are also learned from; "" without any.

    A game is shared if all of its decisions are; a few moves (see FEWEST) prove nothing.
    """
    game = test.game_numbers()
    every = np.bincount(game)
    common = np.bincount(game[np.isin(_digests(test), _digests(train))], minlength=len(every))
    shared = int(((common == every) & (every >= FEWEST)).sum())
    if not shared:
        return ""
    of = int((every > 0).sum())
    which = "the only game" if of == 1 else f"{shared:,} of {of:,} games"
    return f"{which} to measure on {'is' if shared == 1 else 'are'} learned from as well; the figures flatter the rules"


def _digests(rows: GoExamples | PackedGo) -> NDArray[np.uint64]:
    """Return a number for each row: equal for equal positions, sides and moves, else equal by rare chance only."""
    keys = np.random.default_rng(0).integers(1 << 63, size=MAX_SIZE**2 + 3, dtype=np.uint64) | np.uint64(1)
    found = np.empty(len(rows), np.uint64)
    for begin in range(0, len(rows), _HASHED_AT_ONCE):
        end = min(begin + _HASHED_AT_ONCE, len(rows))
        some = rows.take(np.arange(begin, end))
        sums = some.board.astype(np.uint64) @ keys[: some.board.shape[1]]
        columns: tuple[NDArray[np.integer], ...] = some.size, some.to_play, some.move
        for key, column in zip(keys[MAX_SIZE**2 :], columns, strict=True):
            sums += column.astype(np.uint64) * key
        found[begin:end] = sums
    return found
