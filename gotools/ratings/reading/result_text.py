"""The texts of a game's result: the winner, or why the game does not count. Unknown texts never count as draws."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

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

_WON: Final = re.compile(r"(b|w|black|white)(?:\s*\+.*|\s+(?:wins?|won)\b.*)?", re.DOTALL)
_DRAWN: Final = re.compile(r"0(?:\.0*)?|(?:draw|drawn|jigo|tie)\b.*|1/2-1/2|½-½", re.DOTALL)
_VOID: Final = re.compile(r"(?:void|no result)\b.*", re.DOTALL)
_OPEN: Final = ("", "*", "-", "unfinished", "none")
_SCORE: Final = re.compile(r"[01](?:\.0*)?|0?\.50*")
_LOST: Final = re.compile(r"-1(?:\.0*)?")


def score_code(text: str) -> int:
    """Return the code of a result as written in SGF, in our journal, and by people.

    B+3.5, b+, B+R, Black wins: WIN; W+...: LOSS; 0, Draw, Jigo, 1/2-1/2: DRAW; Void: VOID; nothing or *: UNFINISHED;
    ? and everything else: UNKNOWN.
    """
    words = text.strip().casefold()
    if won := _WON.fullmatch(words):
        return WIN if won[1].startswith("b") else LOSS
    if _DRAWN.fullmatch(words):
        return DRAW
    if _VOID.fullmatch(words):
        return VOID
    return UNFINISHED if words in _OPEN else UNKNOWN


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
        words = text.strip().casefold()
        score = _score_text(words)
        if _WON.fullmatch(words) or _LOST.fullmatch(score):
            return True
        if _SCORE.fullmatch(score) and float(score) == 0.5:
            return False
    return None


def has_ones(texts: Iterable[str]) -> bool:
    """Return whether one of the results in a table is the score 1."""
    return any(number_code(_score_text(text.strip())) == WIN for text in texts)


def _score_text(words: str) -> str:
    return "0.5" if words == "½" else words.replace(",", ".")
