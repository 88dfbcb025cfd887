"""Records whose moves are written as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gotools.game.game import Game
from gotools.game.records.mainline import moves_of
from gotools.game.records.record import Record


def record_of(texts: Sequence[str], game: Game, **more: Any) -> Record:
    """Return a record of moves by both sides in turn, side 1 first."""
    moves, stop = moves_of([(1 + ply % 2, text) for ply, text in enumerate(texts)], game, game.sizes[0])
    return Record("x", game.sizes[0], moves, stop=stop, **more)


def texts_of(record: Record, game: Game) -> list[tuple[int, str]]:
    """Return the side and the text of each move."""
    size = record.size
    return [(side, game.move_text(game.move_at(place, size), size)) for side, place in record.moves.tolist()]
