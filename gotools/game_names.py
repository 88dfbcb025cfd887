"""The names of the games: the one place that lists them. Imports nothing slow, so that help can show them."""

from __future__ import annotations

from typing import Final

from gotools.errors import GotoolsError, nearest, quoted

GAMES: Final = {
    "go": "gotools.go.as_game:GO",
    "tictactoe": "gotools.games.tictactoe:TICTACTOE",
    "connect4": "gotools.games.connect4:CONNECT4",
    "abalone": "gotools.games.abalone:ABALONE",
    "shogi": "gotools.games.shogi.shogi:SHOGI",
}
"""Where the `Game` of each name is: "module:ATTRIBUTE". The first is the default."""
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
