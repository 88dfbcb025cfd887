"""The table of GTP commands for Go, and a rehearsal of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from gotools.engines.gtp import about, analysis, clocks, gogui, handicap, play, setup, status
from gotools.engines.gtp.about import Command
from gotools.engines.gtp.session import GtpSession
from gotools.engines.gtp.thinking import FIRST_NODES
from gotools.engines.settings import PlayerSettings
from gotools.game.choice import Limits
from gotools.games.go.board import Board
from gotools.games.go.points import BLACK, EMPTY, WHITE

if TYPE_CHECKING:
    from gotools.engines.player import Player

COMMANDS: Final[dict[str, Command]] = {
    **about.COMMANDS,
    **analysis.COMMANDS,
    **clocks.COMMANDS,
    **gogui.COMMANDS,
    **handicap.COMMANDS,
    **play.COMMANDS,
    **setup.COMMANDS,
    **status.COMMANDS,
}

REHEARSAL: Final = (
    "genmove b",
    "play w pass",
    "kgs-genmove_cleanup b",
    "gotools-explain",
    "final_score",
    "final_status_list seki",
)
"""Commands on a board of black stones with one dead white stone: all that a game needs besides its searches."""


def warm_up(player: Player) -> None:
    """Rehearse a game on a small board, to its count: what any game needs is compiled or loaded before the clock runs.

    A kernel that a game uses and this does not is found by tests/house/test_warm_up.py.
    """
    size = player.size or 5
    session = GtpSession.begin(player, PlayerSettings(nodes=FIRST_NODES), size, 0.5)
    session.play(BLACK, session.think(BLACK).move)
    session.think(WHITE, limits=Limits(seconds=0.0))  # a search without a limit of nodes goes on with the last tree
    cells = np.full((size, size), BLACK, np.uint8)
    cells[:, (0, -1)] = EMPTY
    cells[0, 0] = WHITE
    session.set_up(Board.from_cells(cells.ravel(), size))
    for line in REHEARSAL:
        name, *words = line.split()
        COMMANDS[name](session, words)
    player.forget()
