"""GTP commands that set the clocks: of the standard, of KGS, and of KataGo."""

from __future__ import annotations

import math
from typing import Final

from gotools.base.clock import TimeControl, TimeLeft
from gotools.engines.gtp.arguments import expect, read_colour, read_count, read_number, read_seconds, syntax_error
from gotools.engines.gtp.session import Row, Session

_KGS: Final = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}
_KATA: Final = {**_KGS, "fischer": 2, "fischer-capped": 4}
"""Kinds of clocks, and how many numbers each takes."""


def time_settings(session: Session, words: list[str]) -> str:
    """time_settings MAIN BYOYOMI STONES: set a clock with Canadian overtime.

    Without a byo-yomi time there is main time only; a byo-yomi time with no stones means no limit.
    """
    expect(words, "MAIN_TIME BYO_YOMI_TIME BYO_YOMI_STONES", 3)
    main, period = read_seconds(words[0], "the main time"), read_seconds(words[1], "the byo-yomi time")
    stones = read_count(words[2], "the number of stones")
    no_limit = period > 0 and stones == 0
    session.set_clock(TimeControl() if no_limit else _with_overtime("canadian", main, period, stones))
    return ""


def kgs_time_settings(session: Session, words: list[str]) -> str:
    """kgs-time_settings KIND NUMBERS: set a clock of one of the kinds of KGS."""
    session.set_clock(_read_clock(words, _KGS))
    return ""


def kata_time_settings(session: Session, words: list[str]) -> str:
    """kata-time_settings KIND NUMBERS: set a clock of one of the kinds of KataGo."""
    session.set_clock(_read_clock(words, _KATA))
    return ""


def list_time_settings(session: Session, words: list[str]) -> str:
    """kata-list_time_settings: list the kinds of clocks."""
    expect(words, "", 0)
    return " ".join(_KATA)


def time_left(session: Session, words: list[str]) -> str:
    """time_left COLOR TIME STONES: set what a clock shows; 0 stones in main time.

    In Japanese overtime the periods left stand in place of the stones, as KGS has it.
    """
    expect(words, "COLOR TIME STONES", 3)
    colour = read_colour(words[0])
    seconds, stones = read_seconds(words[1], "the time"), read_count(words[2], "the number of stones")
    session.set_left(colour, TimeLeft(seconds, stones if session.state.control.stones else 0))
    return ""


def _read_clock(words: list[str], kinds: dict[str, int]) -> TimeControl:
    kind, numbers = (words or [""])[0], words[1:]
    if kind not in kinds:
        raise syntax_error(f"a clock is one of {', '.join(kinds)}")
    expect(numbers, f"{kinds[kind]} numbers after {kind}", kinds[kind])
    if kind == "none":
        return TimeControl()
    main = read_seconds(numbers[0], "the main time")
    if kind == "absolute":
        return TimeControl("absolute", main)
    second = read_seconds(numbers[1], "the second time")
    if kind in ("byoyomi", "canadian"):
        return _with_overtime(kind, main, second, read_count(numbers[2], "the last number"))
    cap, longest = (_read_limit(text) for text in (numbers[2:] or ("-1", "-1")))
    if cap < main:
        raise syntax_error("the cap of the main time is less than the main time")
    return TimeControl("fischer", main, increment=second, cap=cap, longest=longest)


def _with_overtime(kind: str, main: float, period: float, stones: int) -> TimeControl:
    """Return a clock with overtime; one without where that would have no time or no moves."""
    return TimeControl(kind, main, period, stones) if period > 0 and stones > 0 else TimeControl("absolute", main)


def _read_limit(text: str) -> float:
    """Read a limit of time; negative numbers mean no limit."""
    return math.inf if read_number(text, "a limit") < 0 else read_seconds(text, "a limit")


COMMANDS: Final = {
    "kata-list_time_settings": Row(list_time_settings),
    "kata-time_settings": Row(kata_time_settings),
    "kgs-time_settings": Row(kgs_time_settings),
    "time_left": Row(time_left),
    "time_settings": Row(time_settings),
}
