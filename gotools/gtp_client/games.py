"""The commands that begin a game with a GTP engine, and the question which game it plays."""

from __future__ import annotations

from typing import Final

from gotools.game.game import Game
from gotools.game.table import plain_name
from gotools.gtp_client.client import GtpEngine

GAME_ID: Final = "gogui-rules_game_id"
"""The command by which an engine names its game."""
START: Final = "gotools-start"
"""The command that begins a game from another start."""


def another_game(game: str, engine: GtpEngine) -> str:
    """Return the game that an engine plays, if it says so and it is another than `game`; else "".

    Case and punctuation do not matter: GoGui's own servers answer "Go" or "Connect-4". Raises GtpFailure.
    """
    played = " ".join(engine.ask(GAME_ID).split()) if engine.knows(GAME_ID) else ""
    return "" if _plain(played) in ("", _plain(plain_name(game))) else played


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def beginning(game: Game, size: int, komi: float) -> list[str]:
    """Return the commands that begin a game; komi is sent where the game has it, a start where it is not the usual."""
    lines = [f"boardsize {size}", "clear_board"]
    if game.komi >= 0:
        lines.append(f"komi {komi:g}")
    if game.setting:
        lines.append(f"{START} {game.setting}")
    return lines
