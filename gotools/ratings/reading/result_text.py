"""Texts of records: the winner, or why a game does not count; and game, komi, handicap and size, which make its class.

Unknown texts never count as draws.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from gotools.game.records.numbers import read_handicap, read_komi
from gotools.game.records.results import read_result
from gotools.game.table import GAMES
from gotools.ratings.games import GameClass

LOSS, DRAW, WIN = 0, 1, 2
"""Codes of black's score, twice the score; codes above are reasons why a game does not count."""
VOID, UNKNOWN, UNFINISHED, FAILED, ANOTHER_GAME = 3, 4, 5, 6, 7
UNCOUNTED_REASONS: Final = {
    VOID: "void",
    UNKNOWN: "unknown result",
    UNFINISHED: "unfinished",
    FAILED: "an engine failed",
    ANOTHER_GAME: "another game",
}

_CODES: Final = {"draw": DRAW, "void": VOID, "unfinished": UNFINISHED, "unknown": UNKNOWN}
_SCORE: Final = re.compile(r"[01](?:\.0*)?|0?\.50*")
_LOST: Final = re.compile(r"-1(?:\.0*)?")


def score_code(text: str) -> int:
    """Return the code of a result as written in SGF, in our journal, and by people: see `read_result`."""
    result = read_result(text)
    return _CODES[result.kind] if not result.winner else WIN if result.winner == 1 else LOSS


def number_code(text: str) -> int:
    """Return the code for black's score as a number: 1, 0.5, 0; UNKNOWN for others."""
    return round(2 * float(text)) if _SCORE.fullmatch(text) else UNKNOWN


def table_code(text: str, zero_is_draw: bool | None, black_first: bool = True) -> int:
    """Return the code for a result in a table, where besides the words of `score_code` numbers may stand.

    zero_is_draw -- what `0` means: a draw, as in SGF, or black's score; None: unknown
    black_first  -- whether black's column is before white's: 1-0 is a win of the player named first

    Scores may have a comma, `0,5`, and a half may be `½`. `-1` is black's loss in a table of 1, 0 and -1, where `0` is
    a draw.
    """
    words = text.strip()
    if words in ("1-0", "0-1"):
        return WIN if (words == "1-0") == black_first else LOSS
    score = _score_text(words)
    if _LOST.fullmatch(score) and zero_is_draw:
        return LOSS
    if not _SCORE.fullmatch(score):
        return score_code(words)
    if float(score) or zero_is_draw is False:
        return number_code(score)
    return DRAW if zero_is_draw else UNKNOWN


def zero_is_draw(texts: Iterable[str]) -> bool | None:
    """Return what `0` means in a table, by the first conclusive result: B+... or -1: a draw; 0.5: black's loss.

    A 1 is not conclusive: it may be one of 1, 0.5, 0 or of 1, 0, -1.
    """
    for text in texts:
        score = _score_text(text.strip())
        if read_result(text).winner or _LOST.fullmatch(score):
            return True
        if _SCORE.fullmatch(score) and float(score) == 0.5:
            return False
    return None


def has_ones(texts: Iterable[str]) -> bool:
    """Return whether one of the results in a table is the score 1."""
    return any(number_code(_score_text(text.strip())) == WIN for text in texts)


def _score_text(words: str) -> str:
    return "0.5" if words == "½" else words.replace(",", ".")


GAME_NAME: Final = "game_name"
"""The key of the game in results; `game` is its number in journals."""
WANTED: Final = ("black", "white", "result")
CLASS_KEYS: Final = ("komi", "handicap", "size", GAME_NAME)
"""What a game is read from, and its class."""
_WHOLE: Final = re.compile(r"\s*([0-9]{1,3})(?:\.0+)?\s*")


def class_of(values: Mapping[str, Any]) -> GameClass:
    """Return the class of values under game_name, komi, handicap and size, numbers or texts.

    Komi and handicap are Go's, and texts are read as those of SGF (game/records/numbers.py); numbers with decimals,
    of JSON, are points of komi as they are.
    """
    game = values.get(GAME_NAME)
    if isinstance(game, str) and game.strip() and not (game in GAMES and GAMES[game].counted):
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
