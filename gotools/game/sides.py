"""The two sides of any game: black moves first, where the start does not say otherwise."""

from __future__ import annotations

from typing import Final

BLACK: Final = 1
WHITE: Final = 2


def side_letter(side: int) -> str:
    """Return "b" or "w"."""
    return "bw"[side - 1]


def side_name(side: int) -> str:
    """Return "black" or "white"."""
    return "black" if side == BLACK else "white"
