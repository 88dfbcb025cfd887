"""The options of the USI server: what a board may set, and what the command line has set."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final

from gotools.base.errors import GotoolsError, quoted
from gotools.engines.settings import PlayerSettings

GAME: Final = "shogi"
EMPTY: Final = "<empty>"
"""What a text without content is written as."""


@dataclass(frozen=True, slots=True)
class UsiOptions:
    """The values of the options: settings of the player, and the milliseconds that an answer may be under way."""

    player: PlayerSettings
    delay: int = 0

    def lines(self) -> list[str]:
        """Return what the server says of the options."""
        rows = (
            "USI_Ponder type check default false",
            f"Threads type spin default {self.player.threads} min 1 max 256",
            f"EvalFile type string default {self.player.evaluation or EMPTY}",
            f"OrderFile type string default {self.player.order or EMPTY}",
            f"NetworkDelay type spin default {self.delay} min 0 max 10000",
        )
        return [f"option name {row}" for row in rows]

    def with_value(self, name: str, value: str) -> UsiOptions:
        """Return the options with another value.

        USI_Hash and USI_Ponder, which boards set without asking, change nothing: the table of positions has one size.
        Raises GotoolsError for another name, and for a number out of bounds.
        """
        match name.lower():
            case "usi_hash" | "usi_ponder":
                return self
            case "threads":
                return self._with(threads=_number(name, value, 1, 256))
            case "networkdelay":
                return replace(self, delay=_number(name, value, 0, 10_000))
            case "evalfile":
                return self._with(evaluation=_text(value))
            case "orderfile":
                return self._with(order=_text(value))
        raise GotoolsError(f"there is no option {quoted(name)}")

    def _with(self, **settings: Any) -> UsiOptions:
        return replace(self, player=replace(self.player, **settings))


def read_setting(words: list[str]) -> tuple[str, str]:
    """Return the name and the value of `setoption name NAME value VALUE`; both may have blanks.

    Raises GotoolsError where there is no name.
    """
    if words[:1] != ["name"] or len(words) < 2:
        raise GotoolsError("setoption name NAME value VALUE")
    end = words.index("value") if "value" in words else len(words)
    return " ".join(words[1:end]), " ".join(words[end + 1 :])


def _number(name: str, value: str, least: int, most: int) -> int:
    if not re.fullmatch("[0-9]{1,9}", value) or not least <= int(value) <= most:
        raise GotoolsError(f"{name}: {quoted(value)} is not a number of {least} to {most}")
    return int(value)


def _text(value: str) -> str | None:
    return None if value in ("", EMPTY) else value
