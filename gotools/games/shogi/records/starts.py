"""Start positions: from squares and hands to SFEN, and from SFEN to the setting of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from gotools.errors import GotoolsError
from gotools.games.shogi.board import HANDICAPS, NAMES, USUAL, read_sfen, write_sfen
from gotools.games.shogi.records.sheets import BrokenSheet

HELD: Final = "RBGSNLP"
"""The order of pieces in hand."""


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
    return f"{'/'.join(rows)} {'bw'[side - 1]} {held or '-'} 1"


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
