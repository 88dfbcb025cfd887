"""The table of the games: the one place that lists them. Imports nothing slow, so that help can show their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gotools.errors import GotoolsError, nearest, quoted


@dataclass(frozen=True, slots=True)
class Place:
    """What is known of a game without importing it.

    game     -- "module:ATTRIBUTE" of its `Game`
    sgf      -- GM of its records: assigned by the specification of SGF, or at least 1000 (docs/records.md)
    counted  -- whether its games are counted at the end, with komi, and may have a handicap
    suffixes -- of the files of records that it reads beside SGF and JSON lines
    """

    game: str
    sgf: int
    counted: bool = False
    suffixes: tuple[str, ...] = ()


GAMES: Final = {
    "go": Place("gotools.go.as_game:GO", 1, counted=True),
    "tictactoe": Place("gotools.games.tictactoe:TICTACTOE", 1002),
    "connect4": Place("gotools.games.connect4:CONNECT4", 1001),
    "abalone": Place("gotools.games.abalone:ABALONE", 1003),
    "shogi": Place(
        "gotools.games.shogi.shogi:SHOGI", 8, suffixes=(".kif", ".kifu", ".ki2", ".ki2u", ".csa", ".usi", ".sfen")
    ),
}
"""The place of each game, by its name."""
USUAL: Final = next(iter(GAMES))
"""The game where none is named."""
GAME_NAMES: Final = "|".join(GAMES)
"""For help."""


def plain_name(name: str) -> str:
    """Return the name of a game without its setting: abalone of abalone:belgian-daisy."""
    return name.partition(":")[0]


def check_game_name(name: str) -> str:
    """Return the plain name of a game. Raises GotoolsError for a name that is not in GAMES."""
    plain = plain_name(name)
    if plain not in GAMES:
        raise GotoolsError(f"there is no game {quoted(plain)}{nearest(plain, list(GAMES))}")
    return plain


def game_of_sgf_number(number: int) -> str:
    """Return the name of the game whose records have this GM, "" for a game that is not in GAMES."""
    return next((name for name, place in GAMES.items() if place.sgf == number), "")
