"""What stands where in the course of a game, to read the moves of notations that name the piece."""

from __future__ import annotations

import re
from typing import Final

from gotools.errors import quoted
from gotools.games.shogi.board import NAMES
from gotools.games.shogi.records.sheets import BrokenSheet

_CELLS: Final = re.compile(r"\+?[A-Za-z]|[1-9]")


class Placement:
    """Pieces by their squares. Nothing is checked but that the piece that moves is there."""

    def __init__(self, sfen: str) -> None:
        self._pieces: dict[str, str] = {}
        at = 0
        for cell in _CELLS.findall(sfen.split()[0]):
            if cell.isdigit():
                at += int(cell)
            else:
                self._pieces[NAMES[at]] = cell
                at += 1

    def by_square(self) -> dict[str, str]:
        """Return the pieces as SFEN writes them, by the names of their squares."""
        return dict(self._pieces)

    def at(self, side: int, square: str) -> str:
        """Return the piece of a side on a square, in capitals; "" for none."""
        piece = self._pieces.get(square, "")
        return piece.upper() if piece.isupper() == (side == 1) else ""

    def move(self, side: int, origin: str, to: str, before: str, after: str) -> str:
        """Move a piece and return the move as USI writes it. Raises BrokenSheet where that piece is not there."""
        if not before or self.at(side, origin) != before or after not in (before, f"+{before}"):
            there = f"holds {quoted(self._pieces[origin])}" if origin in self._pieces else "is empty"
            raise BrokenSheet(f"{origin} {there}, not {quoted(before)}")
        del self._pieces[origin]
        self._pieces[to] = after if side == 1 else after.lower()
        return f"{origin}{to}{'+' if after != before else ''}"

    def drop(self, side: int, letter: str, to: str) -> str:
        """Drop a piece and return the move as USI writes it. Raises BrokenSheet for what cannot be in hand."""
        if len(letter) != 1 or letter == "K":
            raise BrokenSheet(f"{quoted(letter)} is dropped")
        self._pieces[to] = letter if side == 1 else letter.lower()
        return f"{letter}*{to}"
