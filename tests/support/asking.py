"""Ask a player of Go about a board."""

from collections.abc import Collection

from gotools.game.choice import Choice, Limits, Report
from gotools.go.board import Board
from gotools.go.history import history_of
from gotools.player.player import Player


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
