"""Folders of tournaments that nobody played: their journals, and records with what engines said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gotools.game.records.record import Record
from gotools.game.records.sgf import write_game
from gotools.game.sides import BLACK
from gotools.games.go.go import GO
from gotools.games.go.points import parse_vertex
from gotools.matches.config import load_config
from gotools.matches.game.game_result import GameResult
from gotools.matches.journal import Journal


def write_run(folder: Path, results: Sequence[GameResult], comment: str = "", **settings: Any) -> Path:
    """Write a run of these games and return its folder.

    comment -- of each move of the records, with {at} for its number; "": no records
    settings -- of the tournament
    """
    names = list(dict.fromkeys(name for game in results for name in (game.black, game.white))) or ["a", "b"]
    given = {
        "engine": [f"e{at}=true" for at in range(len(names))],
        "games": len(results) + len(results) % 2 or 2,
        **settings,
    }
    config = load_config(None, given)
    plays = config.identity()
    for engine, name in zip(plays["engines"], names, strict=True):
        engine["name"] = name
    with Journal(folder, plays, config.wishes(), print) as journal:
        journal.expect({})
        for result in results:
            journal.append(result, _sgf(result, comment) if comment else None)
    return folder


def _sgf(result: GameResult, comment: str) -> bytes:
    words = result.moves.split()
    moves = [(BLACK + at % 2, parse_vertex(word, result.size)) for at, word in enumerate(words)]
    record = Record(
        id="x",
        size=result.size,
        moves=np.array(moves, np.int16).reshape(-1, 2),
        players=(result.black, result.white),
        result=result.result,
    )
    return write_game(record, GO, {}, [{"C": comment.format(at=at)} for at in range(1, len(words) + 1)])
