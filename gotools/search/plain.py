"""What all games of players who learn have in common: room for a search, and an end."""

from __future__ import annotations

from typing import Final

from gotools.game import Game
from gotools.jit import as_value
from gotools.search.kernels import plain as k

_LONGEST: Final = 3
"""Moves of a game without a limit in its rules at most, for each point of a square board of its size."""


def longest_game(game: Game, size: int) -> int:
    """Return the moves after which a game is cut off, if its rules have not ended it."""
    return game.plies or _LONGEST * size * size


def new_scratch(game: Game, depth: int, limit: float = 1.0, quiescence: int = 0) -> k.Scratch:
    """Make what one thread needs to search so deep.

    limit      -- the largest value of a position that is not decided
    quiescence -- plies of noisy moves beyond the depth
    """
    scratch: k.Scratch = k.new_scratch(game.cells, game.longest, depth, limit, quiescence, as_value(game.noisy))
    return scratch
