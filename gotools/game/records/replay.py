"""Moves that are legal, or refused in words; the decisions of a record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, shown
from gotools.game.game import Game
from gotools.game.history import History, refusal
from gotools.game.records.record import Record
from gotools.game.sides import side_letter
from gotools.game.traits import Scoring, SetUp
from gotools.jit.kernels.seams import ONGOING


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


def played(record: Record, game: Game, rules: Any = None, most: int | None = None) -> tuple[History, str]:
    """Return the game of a record up to the first move that is not legal, and why it is not; "" where all are.

    rules -- of a game that has several, beside what the record allows; None: the usual ones
    most  -- moves to make; None: all

    Stones that are put on the board by hand are on the last position of those so many moves. A repetition ends no
    record. For a board or a setting that the game does not have, the history is that of the usual ones.
    """
    size, last = record.size, len(record.moves) if most is None else most
    if size not in game.sizes:
        return History.start(game, game.sizes[0], rules), record.stop
    try:
        game = game.started_from(record.setting)
    except GotoolsError as error:
        return History.start(game, size, rules), str(error)
    set_up, scoring = game.find(SetUp), game.find(Scoring)
    rules = scoring.replayed(rules or scoring.usual, record.rules) if scoring else None
    stones: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for stone in record.setup if set_up else ():
        stones[stone.after].append((stone.colour, stone.point))
    history = History.start(game, size, rules)
    for ply in range(last + 1):
        if set_up and ply in stones:
            try:
                state = set_up.put(history.state, stones[ply], _mover(record, ply, history))
            except ValueError as error:
                return history, f"stones set up before move {ply + 1}: {error}"
            history = replace(history, positions=(*history.positions[:-1], state))
        if ply < last:
            side, place = record.moves[ply].tolist()
            if why := history.why_refused(side, place):
                named = f"{side_letter(side).upper()} {shown(history.text(place), 20)}"
                return history, f"move {ply + record.first} ({named}): {why}"
            history = history.after(side, place)
    return history, record.stop if most is None else ""


def _mover(record: Record, ply: int, history: History) -> int:
    """Return whose turn it is after set-up stones: who moves next in the record, else white after a handicap."""
    if ply < len(record.moves):
        return int(record.moves[ply, 0])
    if ply > 0:
        return history.to_play
    return 2 if all(stone.colour == 1 for stone in record.setup if stone.after == 0) else 1


def replayed(record: Record, game: Game) -> Iterator[Decision]:
    """Yield the moves of a record with the positions before them.

    Raises ValueError at a move that is not legal, and for a board or a setting that the game does not have.
    """
    history, why = played(record, game)
    for ply, ((_, place), state) in enumerate(zip(history.moves, history.positions, strict=False), record.first):
        yield Decision(f"{record.id}:{ply}", record.size, state, game.move_at(place, record.size))
    if why:
        raise ValueError(why)


def end_on_board(record: Record, game: Game) -> int | None:
    """Return the side that has won by the position where a record ends, 0 for a draw; None where the game goes on.

    None too for a record with an illegal move.
    """
    history, why = played(record, game)
    if why or not history.moves:
        return None
    value, side = float(game.outcome(history.state)), history.to_play
    return None if value == ONGOING else 0 if value == 0 else side if value > 0 else 3 - side


def legal_move(game: Game, state: NDArray[np.int32], size: int, side: int, text: str) -> int:
    """Return the move that a text names. Raises ValueError, with the reason, for one that is none or not legal."""
    move = game.parse_move(text, size)
    if why := refusal(game, state, side, move):
        raise ValueError(why)
    return move
