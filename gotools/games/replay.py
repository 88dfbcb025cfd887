"""Games other than Go by text: settings, moves, legal or refused in words, and the decisions of a record."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from gotools.errors import FileFormatError, GotoolsError, nearest, quoted, shown
from gotools.game.game import Game
from gotools.game.history import refusal
from gotools.game.traits import Repetition
from gotools.kernels.seams import ONGOING, TO_PLAY

if TYPE_CHECKING:
    from gotools.games.text_games import TextGame


_MOST_PLIES: Final = 10_000
_LIMITS: Final = {"moves": 1, "repetition": 0}
"""What settings change besides the start, and the least values."""


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A move that was played.

    id    -- "name:ply", plies from 1; size -- of the board
    state -- the position before the move
    """

    id: str
    size: int
    state: NDArray[np.int32]
    move: int


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


def replayed(record: TextGame, game: Game, size: int) -> Iterator[Decision]:
    """Yield the moves of a record with the positions before them. Raises ValueError at a move that is not legal."""
    game = started(game, record.setting)
    state = game.position(size)
    for ply, (colour, text) in enumerate(record.moves, record.first):
        try:
            move = legal_move(game, state, size, colour, text)
        except ValueError as error:
            raise ValueError(f"move {ply} ({'BW'[colour - 1]} {shown(text, 20)}): {error}") from error
        yield Decision(f"{record.id}:{ply}", size, state, move)
        state = game.play(state, move)


def decisions_of(path: str, record: TextGame, game: Game) -> Iterator[Decision]:
    """Yield what `replayed` does.

    Raises FileFormatError, with the name of the file, at a move that is not legal, and for a board that the game lacks.
    """
    size = size_of(record, game)
    if size not in game.sizes:
        raise FileFormatError(path, None, f"game {record.id}: {game.name} has no board of size {size}")
    try:
        yield from replayed(record, game, size)
    except ValueError as error:
        what = f"game {record.id}: {shown(error, 200)}; left out from there on"
        raise FileFormatError(path, None, what) from error


def size_of(record: TextGame, game: Game) -> int:
    """Return the board size of a record, the usual one where it names none."""
    return game.sizes[0] if record.size is None else record.size


def started(game: Game, setting: str) -> Game:
    """Return a game with the setting of a record. Raises ValueError for one that it does not have."""
    try:
        return game.started_from(setting)
    except GotoolsError as error:
        raise ValueError(str(error)) from error


def end_on_board(record: TextGame, game: Game) -> int | None:
    """Return the side that has won by the position where a record ends, 0 for a draw; None where the game goes on.

    None too for a record with an illegal move.
    """
    size = size_of(record, game)
    try:
        last = [*deque(replayed(record, game, size), maxlen=1)] if size in game.sizes else []
    except ValueError:
        return None
    if not last:
        return None
    game = game.started_from(record.setting)
    state = game.play(last[0].state, last[0].move)
    value = float(game.outcome(state))
    side = int(state[TO_PLAY])
    return None if value == ONGOING else 0 if value == 0 else side if value > 0 else 3 - side


def legal_move(game: Game, state: NDArray[np.int32], size: int, colour: int, text: str) -> int:
    """Return the move that a text names.

    colour -- the side that makes it, 1 or 2

    Raises ValueError, with the reason, for what is not a move, after the end of the game, out of turn, or illegal.
    """
    move = game.parse_move(text, size)
    if why := refusal(game, state, colour, move):
        raise ValueError(why)
    return move
