"""Clocks as data: their state before a game and after each move, and when they have run out. Times are seconds.

none            no limit
absolute        main time, no more
canadian        main time, then `stones` moves in every period; a fixed time a move is a period for one stone
byoyomi         main time, then `stones` periods (Japanese): a move that stays inside its period gives it back
fischer         main time, to which every move adds `increment`; may have a cap and a longest move
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The clock of a game, the same for both sides.

    kind      -- none, absolute, canadian, byoyomi, fischer
    period    -- length of a Canadian or Japanese period
    stones    -- moves in a Canadian period, or number of Japanese periods
    increment -- added after each move
    cap       -- most that a Fischer clock holds
    longest   -- most that one move may take
    """

    kind: str = "none"
    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    increment: float = 0.0
    cap: float = math.inf
    longest: float = math.inf


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The state of one side's clock.

    stones -- 0 in main time; in overtime the moves left in this Canadian period, or the Japanese periods left
    """

    seconds: float
    stones: int = 0


def full_clock(control: TimeControl) -> TimeLeft:
    """Return the clock before the first move."""
    if control.main > 0 or control.stones == 0:
        return TimeLeft(control.main)
    return TimeLeft(control.period, control.stones)


def clock_after(control: TimeControl, left: TimeLeft, used: float) -> TimeLeft:
    """Return the clock after a move of `used` seconds.

    A move that begins in main time and ends in overtime is the first of its period. A clock that has run out has no
    seconds left; in Japanese overtime the last period begins again, for a game that continues is not lost.
    """
    if control.kind == "fischer":
        return TimeLeft(min(max(left.seconds - used, 0.0) + control.increment, control.cap))
    if control.stones == 0:
        return TimeLeft(max(left.seconds - used, 0.0))
    if left.stones == 0:
        if used < left.seconds:
            return TimeLeft(left.seconds - used)
        used -= left.seconds
        left = TimeLeft(control.period, control.stones)
    if control.kind == "byoyomi":
        over = used - left.seconds
        gone = 0 if over < 0 else 1 + int(min(over / control.period, left.stones))
        return TimeLeft(control.period, max(left.stones - gone, 1))
    if left.stones == 1:
        return TimeLeft(control.period, control.stones)
    return TimeLeft(max(left.seconds - used, 0.0), left.stones - 1)
