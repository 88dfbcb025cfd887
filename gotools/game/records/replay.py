"""Moves that are legal, or refused in words; the decisions of a record."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError, shown
from gotools.game.game import Game
from gotools.game.history import refusal
from gotools.game.records.record import Record
from gotools.game.sides import side_letter
from gotools.jit.kernels.seams import ONGOING, TO_PLAY


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


def replayed(record: Record, game: Game) -> Iterator[Decision]:
    """Yield the moves of a record with the positions before them.

    Raises ValueError at a move that is not legal, and for a board or a setting that the game does not have.
    """
    if record.size not in game.sizes:
        raise ValueError(record.stop)
    try:
        game = game.started_from(record.setting)
    except GotoolsError as error:
        raise ValueError(str(error)) from error
    size, state = record.size, game.position(record.size)
    for ply, (side, place) in enumerate(record.moves.tolist(), record.first):
        move = game.move_at(place, size)
        if why := refusal(game, state, side, move):
            raise ValueError(f"move {ply} ({side_letter(side).upper()} {shown(game.move_text(move, size), 20)}): {why}")
        yield Decision(f"{record.id}:{ply}", size, state, move)
        state = game.play(state, move)
    if record.stop:
        raise ValueError(record.stop)


def stopped(path: str, record: Record, game: Game, why: ValueError) -> FileFormatError:
    """Return the error of a record that `replayed` stopped reading; path -- of its file."""
    rest = "; left out from there on" if record.size in game.sizes else ""
    return FileFormatError(path, None, f"game {record.id}: {shown(why, 200)}{rest}")


def end_on_board(record: Record, game: Game) -> int | None:
    """Return the side that has won by the position where a record ends, 0 for a draw; None where the game goes on.

    None too for a record with an illegal move.
    """
    try:
        last = [*deque(replayed(record, game), maxlen=1)]
    except ValueError:
        return None
    if not last:
        return None
    game = game.started_from(record.setting)
    state = game.play(last[0].state, last[0].move)
    value = float(game.outcome(state))
    side = int(state[TO_PLAY])
    return None if value == ONGOING else 0 if value == 0 else side if value > 0 else 3 - side


def legal_move(game: Game, state: NDArray[np.int32], size: int, side: int, text: str) -> int:
    """Return the move that a text names. Raises ValueError, with the reason, for one that is none or not legal."""
    move = game.parse_move(text, size)
    if why := refusal(game, state, side, move):
        raise ValueError(why)
    return move
