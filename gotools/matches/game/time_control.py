"""Time controls: their texts, their SGF properties, their GTP commands, and their verdicts."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Final

from gotools.base.clock import TimeControl, TimeLeft
from gotools.base.errors import GotoolsError, quoted
from gotools.game.sides import side_letter

FORMS: Final = (
    "none; 0.5s/move (a fixed time); 5m (no more than that); 5m+10s (Fischer: 10 s are added after each move); "
    "5m+5x30s (Japanese: then 5 periods of 30 s); 5m+25/10m (Canadian: then 25 moves in every 10 min)"
)
"""All that `parse_time` reads, for messages and help."""
SHORTEST_TIME: Final = Decimal("0.001")  # seconds; a controller cannot measure less
LONGEST_TIME: Final = Decimal(30 * 24 * 3600)  # seconds; more is a typing error
MOST_STONES: Final = 1000
LOSS: Final = 0.1
"""The share of a time that may be lost by sending it in whole seconds."""

_UNITS: Final = {"h": Decimal(3600), "m": Decimal(60), "s": Decimal(1), "ms": Decimal("0.001")}
_NUMBER: Final = r"[0-9]{1,12}(?:\.[0-9]{1,20})?"
_TIME: Final = re.compile("".join(rf"(?:(?P<{unit}>{_NUMBER}){unit})?" for unit in _UNITS))
_OVERTIME: Final = re.compile(r"(?:(?P<count>[0-9]{1,6})\s*(?P<sign>[x/])\s*)?(?P<time>[0-9a-z.]+)")


# texts ----------------------------------------------------------------------------------------------------------------


def parse_time(text: str) -> TimeControl:
    """Read a time control, in any case, with optional blanks around its signs.

    text -- one of FORMS. Times are a number with the unit h, m, s or ms, or several (1h30m); a bare number is seconds.
        `0` may stand for the main time before Japanese and Canadian overtime

    Raises GotoolsError for anything else, for times outside 1 ms to 30 days, and for more than 1000 moves or periods.
    """
    words = text.strip().lower()
    if words == "none":
        return TimeControl()
    main, plus, rest = (part.strip() for part in words.partition("+"))
    if not plus:
        a_move = re.fullmatch(r"(.*\S)\s*/\s*move", main)
        if a_move:
            return TimeControl("canadian", 0.0, _seconds(a_move[1], text), 1)
        return TimeControl("absolute", _seconds(main, text))
    found = _OVERTIME.fullmatch(rest)
    if found is None:
        raise _unreadable(text)
    time = _seconds(found["time"], text)
    if found["count"] is None:
        return TimeControl("fischer", _seconds(main, text), increment=time)
    count = int(found["count"])
    if not 1 <= count <= MOST_STONES:
        raise _unreadable(text, f"{count} is not a number from 1 to {MOST_STONES}")
    kind = "byoyomi" if found["sign"] == "x" else "canadian"
    return TimeControl(kind, 0.0 if main == "0" else _seconds(main, text), time, count)


def _seconds(time: str, text: str) -> float:
    """Read a time. The decimals are added exactly, so that 1m0.1s is 60.1."""
    if re.fullmatch(_NUMBER, time):
        exact = Decimal(time)
    elif time and (found := _TIME.fullmatch(time)):
        exact = sum((Decimal(found[unit]) * _UNITS[unit] for unit in _UNITS if found[unit]), Decimal(0))
    else:
        raise _unreadable(text)
    if not SHORTEST_TIME <= exact <= LONGEST_TIME:
        raise _unreadable(text, f"{time} is not a time from 1 ms to 30 days")
    return float(exact)


def _unreadable(text: str, why: str = "") -> GotoolsError:
    return GotoolsError(f"{quoted(text, 40)} is not a time control{': ' if why else ''}{why}; write one of: {FORMS}")


def time_text(control: TimeControl) -> str:
    """Write what `parse_time` reads as the same control.

    Raises ValueError for a Fischer clock with a cap or a longest move, which have no text.
    """
    if control.cap < math.inf or control.longest < math.inf:
        raise ValueError("a clock with a cap or a longest move has no text")
    main, period = _time(control.main), _time(control.period)
    if control.kind == "none":
        return "none"
    if control.kind == "absolute":
        return main
    if control.kind == "fischer":
        return f"{main}+{_time(control.increment)}"
    if control.kind == "byoyomi":
        return f"{main}+{control.stones}x{period}"
    if control.main == 0 and control.stones == 1:
        return f"{period}/move"
    return f"{main}+{control.stones}/{period}"


def _time(seconds: float) -> str:
    """Write a time in hours, minutes and seconds; in seconds alone where they are no whole number."""
    if seconds == 0:
        return "0"
    if seconds != int(seconds):
        return f"{_decimal(seconds)}s"
    minutes, rest = divmod(int(seconds), 60)
    parts = zip((minutes // 60, minutes % 60, rest), "hms", strict=True)
    return "".join(f"{count}{unit}" for count, unit in parts if count)


def _decimal(seconds: float) -> str:
    """Write a number shortly, without an exponent, so that it reads back equal."""
    text = format(Decimal(repr(float(seconds))), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def sgf_time(control: TimeControl) -> dict[str, str]:
    """Return the SGF properties TM and OT that apply.

    Overtime is written as CGoban does, Fischer's as OGS does; SGF does not define the text.
    """
    if control.kind == "none":
        return {}
    properties = {"TM": _decimal(control.main)}
    period = _decimal(control.period)
    overtime = {
        "byoyomi": f"{control.stones}x{period} byo-yomi",
        "canadian": f"{control.stones}/{period} Canadian",
        "fischer": f"{_decimal(control.increment)} fischer",
    }
    if control.kind in overtime:
        properties["OT"] = overtime[control.kind]
    return properties


# engines --------------------------------------------------------------------------------------------------------------


def clock_commands(control: TimeControl, knows: Callable[[str], bool]) -> list[str] | None:
    """Return the GTP commands that give an engine its clock before a game; None if they cannot express it.

    knows -- returns whether the engine has a command

    The first that is known of kata-time_settings, kgs-time_settings, time_settings is used. The latter two take whole
    seconds: times are rounded down, unless that would lose more than a tenth of one. They have no
    Fischer clock, so its main time is sent as absolute time; time_settings has no Japanese overtime, so one period is
    sent as Canadian overtime for one move. An engine that keeps to this stays within its clock. If there is no
    clock and neither of the former two is known, nothing is sent: an engine then keeps to limits of its own.

    Sources: KataGo, docs/GTP_Extensions.md; GTP version 2 draft 2, section 4.2.
    """
    if knows("kata-time_settings"):
        return [f"kata-time_settings {_settings(control, control.kind, _decimal)}"]
    if control.kind == "none":
        return ["kgs-time_settings none"] if knows("kgs-time_settings") else []
    times = (control.main, control.period)
    if control.longest < math.inf or any(math.floor(time) < time * (1 - LOSS) for time in times):
        return None
    if knows("kgs-time_settings"):
        kind = "absolute" if control.kind == "fischer" else control.kind
        return [f"kgs-time_settings {_settings(control, kind, _whole)}"]
    if not knows("time_settings"):
        return None
    stones = {"canadian": control.stones, "byoyomi": 1}.get(control.kind, 0)
    # 0 stones in a period above 0 would mean that there is no limit
    return [f"time_settings {_whole(control.main)} {_whole(control.period) if stones else 0} {stones}"]


def _settings(control: TimeControl, kind: str, write: Callable[[float], str]) -> str:
    """Return the arguments of kgs-time_settings and kata-time_settings."""
    if kind == "none":
        return "none"
    main = write(control.main)
    if kind == "absolute":
        return f"absolute {main}"
    if kind in ("canadian", "byoyomi"):
        return f"{kind} {main} {write(control.period)} {control.stones}"
    if control.cap == control.longest == math.inf:
        return f"fischer {main} {write(control.increment)}"
    limits = ("-1" if limit == math.inf else write(limit) for limit in (control.cap, control.longest))
    return f"fischer-capped {main} {write(control.increment)} {' '.join(limits)}"


def _whole(seconds: float) -> str:
    return str(math.floor(seconds))


def time_left_command(
    colour: int, left: TimeLeft, control: TimeControl, fractions: bool, *, periods: bool = True
) -> str:
    """Return the GTP command that sends an engine the time left on a clock, never more.

    colour    -- 1 or 2
    fractions -- the engine takes milliseconds (it knows kata-time_settings); else whole seconds
    periods   -- in Japanese overtime the periods left stand in place of the stones, as KGS has it; if it is false
        the stones are 1, for an engine that got its clock by time_settings
    """
    step = Decimal("0.001") if fractions else Decimal(1)
    exact = Decimal(repr(float(left.seconds)))
    seconds = _decimal(float(exact // step * step))
    stones = min(left.stones, 1) if control.kind == "byoyomi" and not periods else left.stones
    return f"time_left {side_letter(colour)} {seconds} {stones}"


# verdicts -------------------------------------------------------------------------------------------------------------


def longest_wait(control: TimeControl, left: TimeLeft) -> float:
    """Return the seconds until the clock runs out; inf without a clock."""
    if control.kind == "none":
        return math.inf
    if control.kind == "fischer":
        return min(left.seconds, control.longest)
    if control.stones == 0:
        return left.seconds
    if control.kind == "canadian":
        return left.seconds + (0.0 if left.stones else control.period)
    return left.seconds + control.period * (left.stones - 1 if left.stones else control.stones)


def used_up(control: TimeControl, left: TimeLeft, used: float, margin: float = 0.0) -> bool:
    """Return whether a move of `used` seconds loses on time.

    left   -- the clock before the move
    margin -- seconds beyond the clock that a move may take, for the way from the engine to the clock
    """
    return used > longest_wait(control, left) + margin
