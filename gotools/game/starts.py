"""Settings of games that have start positions and limits, as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from gotools.base.errors import GotoolsError, nearest, quoted
from gotools.game.game import Game
from gotools.game.traits import Repetition

_MOST_PLIES: Final = 10_000
_LIMITS: Final = {"moves": 1, "repetition": 0}
"""What settings change besides the start, and the least values."""


def read_setting(game: Game, text: str, starts: Mapping[str, str], usual: str, what: str) -> tuple[str, Game]:
    """Read the setting of a game that has start positions.

    text   -- parts with commas between: a name of `starts`, or a position with slashes; moves=N, the plies after which
        a game is a draw; repetition=N, how often a position comes to end it, 0 for never
    starts -- positions by their names; usual -- the start where the text has none; what -- they are called in errors

    Returns the position, and the game with these limits, from its usual start. Raises GotoolsError.
    """
    setting = " ".join(text.split())
    rule = game.find(Repetition) or Repetition(0)
    start, found = usual, {"moves": game.plies, "repetition": rule.count}
    for part in setting.split(","):
        name, equals, value = part.strip().partition("=")
        if not equals:
            start = name
        elif name in _LIMITS:
            least = _LIMITS[name]
            if not re.fullmatch("[0-9]{1,6}", value) or not least <= int(value) <= _MOST_PLIES:
                raise GotoolsError(f"{game.name}: {quoted(part)} is not a number of {least} to {_MOST_PLIES}")
            found[name] = int(value)
        else:
            raise GotoolsError(f"{game.name} has no setting {quoted(name)}{nearest(name, list(_LIMITS))}")
    if "/" not in start and start not in starts:
        raise GotoolsError(f"{game.name} has no {what} {quoted(start)}{nearest(start, list(starts))}")
    traits = {**game.traits, "Repetition": replace(rule, count=found["repetition"])}
    return starts.get(start, start), replace(game, setting=setting, plies=found["moves"], traits=traits)
