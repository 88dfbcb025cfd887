"""Games that rules are learned from and measured on: what they have in common is said aloud."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.game.examples.examples import Examples
from gotools.game.examples.packed import PackedExamples
from gotools.game.examples.states import States

FEWEST = 5
"""Fewest shared moves of a shared game: the first moves of different games may well be the same."""
MOST_CELLS = 4096
"""Of the states of a game."""
_HASHED_AT_ONCE = 20_000
"""Rows that are hashed together: 60 MB of 19x19."""


def shared_games(test: Examples, train: Examples | PackedExamples[Any]) -> str:
    """Report in a line how many games to measure on are also learned from; "" without any.

    A game is shared if all of its decisions are; a few moves (see FEWEST) prove nothing.
    """
    learned = _digests(train.row_by_row if isinstance(train, PackedExamples) else train)
    game = test.game_numbers()
    every = np.bincount(game)
    common = np.bincount(game[np.isin(_digests(test), learned)], minlength=len(every))
    shared = int(((common == every) & (every >= FEWEST)).sum())
    if not shared:
        return ""
    of = int((every > 0).sum())
    which = "the only game" if of == 1 else f"{shared:,} of {of:,} games"
    return f"{which} to measure on {'is' if shared == 1 else 'are'} learned from as well; the figures flatter the rules"


def _digests(rows: Examples | PackedExamples[Any]) -> NDArray[np.uint64]:
    """Return a number for each row: equal for equal positions, sides and moves, else equal by rare chance only."""
    keys = np.random.default_rng(0).integers(1 << 63, size=3 + MOST_CELLS, dtype=np.uint64) | np.uint64(1)
    found = np.empty(len(rows), np.uint64)
    for begin in range(0, len(rows), _HASHED_AT_ONCE):
        end = min(begin + _HASHED_AT_ONCE, len(rows))
        some: Any = rows.take(np.arange(begin, end))
        cells = some.positions if isinstance(some, States) else some.board
        sums = cells.astype(np.uint64) @ keys[3 : 3 + cells.shape[1]]
        columns: tuple[NDArray[np.integer], ...] = some.size, some.to_play, some.move
        for key, column in zip(keys[:3], columns, strict=True):
            sums += column.astype(np.uint64) * key
        found[begin:end] = sums
    return found
