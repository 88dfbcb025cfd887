"""Game, komi, handicap and board size from the texts of records: they determine the class of a game."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final

from gotools.ratings.games import GO, GameClass

GAME_NAME: Final = "game_name"
"""The key of the game in results; `game` is its number in journals."""
_KOMI: Final = re.compile(r"\s*([+-]?(?:[0-9]{1,20}(?:[.,][0-9]{0,20})?|[.,][0-9]{1,20}))(?![0-9eE.,])")
_WHOLE: Final = re.compile(r"\s*([0-9]{1,3})(?:\.0+)?\s*")


def class_of(values: Mapping[str, Any]) -> GameClass:
    """Return the class of values under game_name, komi, handicap and size, numbers or texts.

    People write "6,5", "7.5 points", "?"; a text without a number counts as missing. Komi and handicap are Go's.
    """
    game = values.get(GAME_NAME)
    if isinstance(game, str) and game.strip() and game != GO:
        return GameClass(size=_whole(values.get("size")), game=game.strip())
    handicap = _whole(values.get("handicap"))
    return GameClass(_komi(values.get("komi")), handicap or 0, _whole(values.get("size")))


def _komi(value: Any) -> float | None:
    found = _KOMI.match(_text(value))
    return float(found[1].replace(",", ".")) + 0.0 if found else None  # + 0.0: -0 is 0


def _whole(value: Any) -> int | None:
    found = _WHOLE.fullmatch(_text(value))
    return int(found[1]) if found else None


def _text(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
