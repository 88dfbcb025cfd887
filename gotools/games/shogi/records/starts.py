"""Start positions: from squares and hands to SFEN, from SFEN to the setting of the game; what stands where later."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from gotools.base.errors import GotoolsError, quoted
from gotools.game.sides import side_letter
from gotools.games.shogi.board import HANDICAPS, HELD, NAMES, USUAL, read_sfen, write_sfen
from gotools.games.shogi.records.sheets import BrokenSheet


def sfen_of(pieces: Mapping[str, str], hands: Sequence[Mapping[str, int]], side: int) -> str:
    """Return a position as SFEN.

    pieces -- as SFEN writes them, by the names of their squares; hands -- of side 1 and 2: how many of each letter
    """
    rows = ["".join(pieces.get(name, "1") for name in NAMES[start : start + 9]) for start in range(0, 81, 9)]
    held = "".join(
        f"{hand[letter]}{letter if number == 1 else letter.lower()}"
        for number, hand in enumerate(hands, 1)
        for letter in HELD
        if hand.get(letter)
    )
    return f"{'/'.join(rows)} {side_letter(side)} {held or '-'} 1"


@lru_cache(maxsize=256)
def setting_of(sfen: str) -> str:
    """Return the setting of the game that starts so: "" for the usual start, the name of a handicap, or the SFEN.

    Raises BrokenSheet for text that is not SFEN, and for impossible positions.
    """
    try:
        written = write_sfen(read_sfen(sfen))
    except GotoolsError as error:
        raise BrokenSheet(str(error)) from error
    named = {"": USUAL, **HANDICAPS}
    plain = written.rpartition(" ")[0]
    return next((name for name, start in named.items() if start.rpartition(" ")[0] == plain), written)


def start_of(setting: str) -> str:
    """Return the SFEN of a setting that `setting_of` returned."""
    return HANDICAPS.get(setting, setting or USUAL)


def first_side(setting: str) -> int:
    """Return the side that moves first."""
    return 1 if start_of(setting).split()[1] == "b" else 2


_CELLS: Final = re.compile(r"\+?[A-Za-z]|[1-9]")


class Placement:
    """Pieces by their squares, to read the moves of notations that name the piece.

    Nothing is checked but that the piece that moves is there.
    """

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
