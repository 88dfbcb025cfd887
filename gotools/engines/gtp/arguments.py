"""Read the arguments of GTP commands; what cannot be read is a syntax error that says why."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from gotools.base.errors import GotoolsError
from gotools.game.history import History

LONGEST_TIME: Final = 2.0**31
"""Seconds, 68 years: the largest time that is taken for one."""
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,10}")
_SIDES: Final = {"b": 1, "black": 1, "w": 2, "white": 2}


def syntax_error(why: str) -> GotoolsError:
    """Return the error to raise for arguments that cannot be read."""
    return GotoolsError(f"syntax error: {why}")


def expect(words: Sequence[str], what: str, least: int, most: int | None = None) -> None:
    """Raise a syntax error unless there are `least` arguments (to `most`).

    what -- the arguments for people, e.g. "COLOR VERTEX"
    """
    if not least <= len(words) <= (least if most is None else most):
        raise syntax_error(f"expected {what or 'no arguments'}, not {len(words)} words")


def read_integer(text: str, what: str) -> int:
    """Read a whole number of at most ten digits."""
    if not _INTEGER.fullmatch(text):
        raise syntax_error(f"{what} is a whole number, not {text[:40]!r}")
    return int(text)


def read_number(text: str, what: str) -> float:
    """Read a number that is finite."""
    try:
        number = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise syntax_error(f"{what} is a number, not {text[:40]!r}")
    return number


def read_seconds(text: str, what: str) -> float:
    """Read a time: 0 to LONGEST_TIME."""
    seconds = read_number(text, what)
    if not 0 <= seconds <= LONGEST_TIME:
        raise syntax_error(f"{what} is a time from 0 to 2^31 seconds, not {text[:40]}")
    return seconds + 0.0  # no -0.0


def read_count(text: str, what: str) -> int:
    """Read a whole number from 0 on."""
    count = read_integer(text, what)
    if count < 0:
        raise syntax_error(f"{what} is not negative, as {count} is")
    return count


def read_colour(text: str) -> int:
    """Read b, w, black or white, in any case."""
    if not is_colour(text):
        raise syntax_error(f"{text[:40]!r} is not a colour (b or w)")
    return _SIDES[text.lower()]


def read_move(text: str, history: History) -> int:
    """Read a move as the game writes it."""
    try:
        move = history.game.parse_move(text[:40], history.size)
    except ValueError as error:
        raise syntax_error(str(error)) from None
    return history.game.place_of(move, history.size)


def is_colour(text: str) -> bool:
    """Return whether a word is a colour."""
    return text.lower() in _SIDES


def read_flag(text: str, what: str) -> bool:
    """Read true or false."""
    if text.lower() not in ("true", "false"):
        raise syntax_error(f"{what} is true or false, not {text[:40]!r}")
    return text.lower() == "true"
