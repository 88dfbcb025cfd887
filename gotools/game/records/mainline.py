"""What the main lines of records have in common: their raw properties in SGF, their moves as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import shown
from gotools.game.sides import side_letter

if TYPE_CHECKING:
    from gotools.game.game import Game

MOST_MOVES: Final = 32_000
"""Longer main lines count as damaged; the longest serious games have some 400 moves."""

RUN: Final = b"RUN"
MARK: Final = b"\xff"
"""First byte of a folded run of moves (`Records.fold`): no UTF-8 text holds it, so no file can bring such a run."""

Property = tuple[bytes, list[bytes], int]  # name, raw values, number of its token
Node = list[Property]


class Broken(Exception):
    """A game that cannot be read; token is the number of the token at fault, or None for the end of the text."""

    def __init__(self, what: str, token: int | None) -> None:
        super().__init__(what)
        self.what = what
        self.token = token


def moves_of(texts: Sequence[tuple[int, str]], game: Game, size: int) -> tuple[NDArray[np.int32], str]:
    """Return moves from their texts, and what is wrong with the first text that names none ("": nothing).

    texts -- (side, text) of each move

    Returns int32[k, 2], side and place, up to there; none on a board of a size that the game does not have, which is
    then what is wrong. Legality is not checked.
    """
    if size not in game.sizes:
        return np.empty((0, 2), np.int32), f"{game.name} has no board of size {size}"
    moves, stop = list[tuple[int, int]](), ""
    for ply, (side, text) in enumerate(texts, 1):
        try:
            moves.append((side, game.place_of(game.parse_move(text, size), size)))
        except ValueError as error:
            stop = f"move {ply} ({side_letter(side).upper()} {shown(text, 20)}): {error}"
            break
    return np.array(moves, np.int32).reshape(-1, 2), stop
