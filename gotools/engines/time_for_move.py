"""How long a move may take on a clock.

An engine answers a little later than it meant to: the search ends at a whole step, the answer takes its way through
pipes. OVERHEAD is what is promised for that. `seconds_for_move` keeps it back for every move that may come, so that a
clock which leaves OVERHEAD a move is never lost; a clock which leaves less is answered at once. All times are seconds.
"""

from __future__ import annotations

import math
from typing import Final

from gotools.base.clock import TimeControl, TimeLeft

OVERHEAD: Final = 0.05
"""Seconds between what `seconds_for_move` allows and the answer's arrival."""
MARGIN: Final = 0.2
"""Seconds of a clock never planned with: controllers give clocks in whole seconds, and networks lag."""
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
"""Seconds by which a clock in whole seconds may have been rounded up."""


def seconds_for_move(control: TimeControl, left: TimeLeft, size: int, empty: int, made: int) -> float | None:
    """Return how long the side whose clock shows `left` may think now; None without limit, 0.0 to answer at once.

    size  -- of the board
    empty -- its empty points, which say how long the game will last
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
