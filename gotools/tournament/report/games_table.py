"""The games of a run as a table, a row each: for data programs, and for `gotools elo`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gotools.files.cells import MISSING
from gotools.files.kinds import Kind
from gotools.files.tables import header, row
from gotools.tournament.game.game_result import GameResult

KIND, VERSION = Kind.results_table.word, Kind.results_table.version
COLUMNS: Final = (
    *("game", "pair", "black", "white", "result", "end", "fault", "what", "size", "komi", "handicap", "opening"),
    *("moves", "black_seconds", "white_seconds", "black_slowest", "white_slowest", "notes", "game_name", "setting"),
)


def games_table(results: Mapping[int, GameResult], game: str) -> bytes:
    """Return a table with a row for each game, in their order.

    results -- by the number of the game; game -- its name
    """
    lines = [row(_cells(results[number])) for number in sorted(results)]
    settings = {"game": game, "games": str(len(lines))}
    return header(KIND, VERSION, settings, COLUMNS) + "".join(lines).encode("utf-8", "replace")


def _cells(one: GameResult) -> tuple[object, ...]:
    words = {"fault": one.fault, "what": one.what, "notes": "; ".join(one.notes), "setting": one.setting}
    times = dict(zip(COLUMNS[-7:-3], (*one.seconds, *one.slowest), strict=True))
    known = {name: text or MISSING for name, text in words.items()} | times
    return tuple(known[name] if name in known else getattr(one, name) for name in COLUMNS)
