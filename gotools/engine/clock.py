"""Clocks as data, and how long a move may take on them.

    none            no limit
    absolute        main time, no more
    canadian        main time, then `stones` moves in every period
    byoyomi         main time, then `stones` periods (Japanese): a move that stays inside its period gives it back
    fischer         main time, to which every move adds `increment`; may have a cap and a longest move

An engine answers a little later than it meant to: the search ends at a whole step, the answer takes its way through
pipes. OVERHEAD is what is promised for that. `seconds_for_move` keeps it back for every move that may come, so that a
clock which leaves OVERHEAD a move is never lost; a clock which leaves less is answered at once. All times are seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

OVERHEAD: Final = 0.05
"""Seconds between what `seconds_for_move` allows and the answer's arrival."""
MARGIN: Final = 0.2
"""Seconds of a clock never planned with: clocks are told in whole seconds, and networks lag."""
MARGIN_SHARE: Final = 0.02
"""Share of a clock's seconds that is never planned with either."""
MOVES_LEFT: Final = 0.3
"""Own moves expected for each empty point; 9x9 games take 25 to 30 moves a side, 19x19 games 110 to 130."""
FEWEST_LEFT: Final = 10
"""Own moves always expected to come."""
LONGEST_GAME: Final = 200
"""Own moves that time is kept back for on large boards; one and a half a point on small ones."""
LAST_MOVES: Final = 20
"""Own moves that time is kept back for, however long the game has lasted."""
ROUNDED: Final = 1.0
"""Seconds by which a clock told in whole seconds may have been rounded up."""


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
    """What one side's clock shows.

    stones -- 0 in main time; in overtime the moves left in this Canadian period, or the Japanese periods left
    """

    seconds: float
    stones: int = 0


def full_clock(control: TimeControl) -> TimeLeft:
    """Return what the clock shows before the first move."""
    if control.main > 0 or control.stones == 0:
        return TimeLeft(control.main)
    return TimeLeft(control.period, control.stones)


def clock_after(control: TimeControl, left: TimeLeft, used: float) -> TimeLeft:
    """Return what the clock shows after a move of `used` seconds.

    A move that begins in main time and ends in overtime is the first of its period. A clock that has run out shows no
    seconds; in Japanese overtime the last period begins again, for a game that goes on was not lost.
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


def seconds_for_move(control: TimeControl, left: TimeLeft, size: int, empty: int, made: int) -> float | None:
    """Return how long the side whose clock shows `left` may think now; None without limit, 0.0 to answer at once.

    size  -- of the board
    empty -- its empty points: they tell how long the game will last
    made  -- own moves made so far

    Main time is spread evenly over the moves expected. In overtime each move of a Canadian period gets the same, and a
    Japanese period is used to its end less the margin: no period is given away, and the last one's end is never seen.
    """
    if control.kind == "none":
        return None
    kept = OVERHEAD * max(longest_game(size) - made, LAST_MOVES)
    if control.kind == "fischer":
        return _fischer(control, left.seconds, empty, kept)
    share = _share_of_period(control, left)
    if left.stones > 0:
        return share
    if control.stones > 0 and control.period >= OVERHEAD * _moves_in_period(control):
        kept = 0.0  # overtime pays for the moves to come
    return max(_planned(left.seconds) - _rounded(left.seconds) - kept, 0.0) / _moves_expected(empty) + share


def longest_game(size: int) -> int:
    """Return the own moves that time is kept back for on a board."""
    return min(LONGEST_GAME, size * size * 3 // 2)


def _moves_expected(empty: int) -> float:
    return max(FEWEST_LEFT, MOVES_LEFT * empty)


def _moves_in_period(control: TimeControl) -> int:
    return control.stones if control.kind == "canadian" else 1


def _planned(seconds: float) -> float:
    """Return what is left of a clock when one move's overhead and the margin are taken off."""
    return max(seconds - OVERHEAD - MARGIN - MARGIN_SHARE * seconds, 0.0)


def _rounded(seconds: float) -> float:
    return ROUNDED if seconds == math.floor(seconds) else 0.0


def _share_of_period(control: TimeControl, left: TimeLeft) -> float:
    """Return what one move of overtime may take; 0.0 where there is no overtime.

    Never more than an even share of a whole period, for engine and controller may count the moves differently by one.
    """
    if control.stones == 0:
        return 0.0
    moves = _moves_in_period(control)
    even = max(_planned(control.period) - OVERHEAD * (moves - 1), 0.0) / moves
    if left.stones == 0:
        return even
    here = left.stones if control.kind == "canadian" else 1
    return min(even, max(_planned(left.seconds) - OVERHEAD * (here - 1), 0.0) / here)


def _fischer(control: TimeControl, seconds: float, empty: int, kept: float) -> float:
    """Spread the clock over the moves expected, with what each move adds and what the cap would cut off."""
    kept = kept * max(1.0 - control.increment / OVERHEAD, 0.0) + _rounded(seconds)  # increments pay for their share
    most = max(_planned(seconds) - kept, 0.0)
    wanted = most / _moves_expected(empty) + max(control.increment - OVERHEAD, 0.0)
    lost_to_cap = seconds + control.increment - control.cap
    return min(max(wanted, lost_to_cap), most, _planned(control.longest) if control.longest < math.inf else math.inf)
