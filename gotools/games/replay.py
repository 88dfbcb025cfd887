"""Moves of games other than Go from text: legal, or refused in words; the decisions of a record."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError, shown
from gotools.game.game import Game
from gotools.game.history import refusal
from gotools.games.text_games import TextGame
from gotools.kernels.seams import ONGOING, TO_PLAY


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


def replayed(record: TextGame, game: Game, size: int) -> Iterator[Decision]:
    """Yield the moves of a record with the positions before them. Raises ValueError at a move that is not legal."""
    try:
        game = game.started_from(record.setting)
    except GotoolsError as error:
        raise ValueError(str(error)) from error
    state = game.position(size)
    for ply, (colour, text) in enumerate(record.moves, record.first):
        try:
            move = legal_move(game, state, size, colour, text)
        except ValueError as error:
            raise ValueError(f"move {ply} ({'BW'[colour - 1]} {shown(text, 20)}): {error}") from error
        yield Decision(f"{record.id}:{ply}", size, state, move)
        state = game.play(state, move)


def end_on_board(record: TextGame, game: Game) -> int | None:
    """Return the side that has won by the position where a record ends, 0 for a draw; None where the game goes on.

    None too for a record with an illegal move.
    """
    size = game.sizes[0] if record.size is None else record.size
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
