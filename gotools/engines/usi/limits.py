"""The words of `go`: clocks, limits, and how long a move may take by them. Times of USI are milliseconds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gotools.base.clock import TimeControl, TimeLeft
from gotools.engines.time_for_move import MOVES_LEFT, OVERHEAD, seconds_for_move

SIZE: Final = 19
"""Of a board of Go on which time is kept back for as many moves as a long game of shogi has."""
OWN_MOVES: Final = 50
"""Own moves expected of a game; games between professionals take about 115 plies."""
FEWEST_LEFT: Final = 20
"""Own moves always expected to come."""
_NUMBER: Final = re.compile("-?[0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class GoWords:
    """What `go` says; a number that it does not name is None.

    infinite, ponder -- the answer waits for `stop`, or for `ponderhit`
    mate -- a mate is to be solved, no move to be chosen; mate_time -- for it, None: without limit
    """

    btime: int | None = None
    wtime: int | None = None
    byoyomi: int | None = None
    binc: int | None = None
    winc: int | None = None
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    infinite: bool = False
    ponder: bool = False
    mate: bool = False
    mate_time: int | None = None

    @property
    def has_clock(self) -> bool:
        """Return whether a clock runs."""
        return any(time is not None for time in (self.btime, self.wtime, self.byoyomi, self.binc, self.winc))


_NUMBERS: Final = ("btime", "wtime", "byoyomi", "binc", "winc", "movetime", "nodes", "depth")
_FLAGS: Final = ("infinite", "ponder")


def read_go(words: Sequence[str]) -> GoWords:
    """Read the words after `go`; unknown words and what is not a number are passed over."""
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    if "mate" in words:
        time = (*words, "")[words.index("mate") + 1]
        return GoWords(mate=True, mate_time=max(int(time), 0) if _NUMBER.fullmatch(time) else None)
    values = iter(words)
    for word in values:
        if word in _FLAGS:
            flags.add(word)
        elif word in _NUMBERS and _NUMBER.fullmatch(value := next(values, "")):
            numbers[word] = max(int(value), 1 if word in ("nodes", "depth") else 0)
    return GoWords(**numbers, infinite="infinite" in flags, ponder="ponder" in flags, mate=False)


def seconds_of(words: GoWords, side: int, made: int, delay: float) -> float | None:
    """Return how long a move may take by the words of `go`; None where they set no time.

    side  -- to play
    made  -- own moves made so far
    delay -- seconds that an answer may be under way, beyond the margins of time_for_move.py
    """
    if words.movetime is not None:
        return max(words.movetime / 1000 - OVERHEAD - delay, 0.0)
    if not words.has_clock:
        return None
    main, added = (words.btime, words.binc) if side == 1 else (words.wtime, words.winc)
    control, left = _clock((main or 0) / 1000, (words.byoyomi or 0) / 1000, (added or 0) / 1000, delay)
    to_come = max(OWN_MOVES - made, FEWEST_LEFT)
    return seconds_for_move(control, left, SIZE, round(to_come / MOVES_LEFT), made)


def _clock(main: float, period: float, added: float, delay: float) -> tuple[TimeControl, TimeLeft]:
    """Return the clock and its state.

    A clock that shows less than is added for a move does not hold that yet: it is added before the move.
    """
    if period > 0:
        period = max(period - delay, 0.001)
        control = TimeControl("byoyomi", main, period, 1)
        return control, TimeLeft(main) if main > 0 else TimeLeft(period, 1)
    if added > 0:
        seconds = main if main >= added else main + added
        return TimeControl("fischer", main, increment=added), TimeLeft(max(seconds - delay, 0.0))
    return TimeControl("absolute", main), TimeLeft(max(main - delay, 0.0))
