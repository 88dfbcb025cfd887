"""Game, komi, handicap and board size from the texts of records: they determine the class of a game."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final

from gotools.go.records.numbers import read_handicap, read_komi
from gotools.ratings.games import GO, GameClass

GAME_NAME: Final = "game_name"
"""The key of the game in results; `game` is its number in journals."""
_WHOLE: Final = re.compile(r"\s*([0-9]{1,3})(?:\.0+)?\s*")


def class_of(values: Mapping[str, Any]) -> GameClass:
    """Return the class of values under game_name, komi, handicap and size, numbers or texts.

    Komi and handicap are Go's, and texts are read as those of SGF (go/records/numbers.py); numbers with decimals,
    of JSON, are points of komi as they are.
    """
    game = values.get(GAME_NAME)
    if isinstance(game, str) and game.strip() and game != GO:
        return GameClass(size=_whole(values.get("size")), game=game.strip())
    handicap = read_handicap(_text(values.get("handicap")))
    return GameClass(_komi(values.get("komi")), handicap or 0, _whole(values.get("size")))


def _komi(value: Any) -> float | None:
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else None  # + 0.0: -0 is 0
    return read_komi(_text(value))


def _whole(value: Any) -> int | None:
    found = _WHOLE.fullmatch(_text(value))
    return int(found[1]) if found else None


def _text(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
