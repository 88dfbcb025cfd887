"""Settings of games that have start positions and limits, as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, nearest, quoted
from gotools.game.game import Game
from gotools.game.traits import Repetition
from gotools.jit.kernels.seams import ONGOING, TO_PLAY

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


def with_stones(game: Game, setting: str, cells: Sequence[str], move_to: Callable[[int], int]) -> Game:
    """Return a game in which stones are put in turn and never moved, from a position of both sides' stones.

    setting -- the text of the position; cells -- of the board, so that what lies below comes first: X the stones of
        side 1, O those of side 2, `.` none; move_to -- the move that puts a stone on a cell, by its number

    Raises GotoolsError for a position that cannot come, or in which the game is over.
    """
    counts = [cells.count(sign) for sign in "XO"]
    state = game.position()
    for cell, sign in enumerate(cells):
        if sign != ".":
            state[TO_PLAY] = "XO".index(sign) + 1
            if move_to(cell) not in game.moves_of(state):
                break  # the stones are then not those of the text
            state = game.play(state, move_to(cell))
    if game.text_of(state) != setting:
        raise GotoolsError(f"{game.name}: {quoted(setting)} is not a position that can come")
    state[TO_PLAY] = 1 + counts[0] - counts[1]
    if state[TO_PLAY] not in (1, 2):
        raise GotoolsError(f"{game.name}: {quoted(setting)} has {counts[0]} X and {counts[1]} O")
    if game.outcome(state) != ONGOING:
        raise GotoolsError(f"{game.name}: {quoted(setting)} is a finished game")

    def start(target: NDArray[np.int32], size: int) -> None:
        target[:] = state

    traits = {name: trait for name, trait in game.traits.items() if name != "Symmetry"}
    return replace(game, setting=setting, start=start, traits=traits)


def cells_of(game: Game, setting: str, rows: int, columns: int) -> str:
    """Return the cells of a position from the lowest row up, of its rows from the top with slashes between.

    Raises GotoolsError for a text that is not such a position.
    """
    found = setting.split("/")
    if len(found) != rows or any(len(row) != columns or set(row) - set(".XO") for row in found):
        what = f"{rows} rows from the top, each {columns} of `.`, `X` and `O`, with `/` between"
        raise GotoolsError(f"{game.name}: {quoted(setting)} is not a position: {what}")
    return "".join(reversed(found))
