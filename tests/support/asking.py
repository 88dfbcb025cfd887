"""Ask a player of Go about a board."""

from collections.abc import Collection

from gotools.engines.player import Player
from gotools.game.choice import Choice, Limits, Report
from gotools.games.go.board import Board
from gotools.games.go.history import history_of


def ask(
    player: Player,
    board: Board,
    colour: int,
    komi: float,
    limits: Limits,
    report: Report | None = None,
    *,
    allowed: Collection[int] | None = None,
    cleanup: bool = False,
    alive: bool = False,
) -> Choice:
    """Return the player's choice for a colour."""
    history = history_of(board, komi)
    return player.choose(history, limits, report, side=colour, allowed=allowed, cleanup=cleanup, alive=alive)
