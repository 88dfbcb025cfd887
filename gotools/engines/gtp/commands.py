"""The table of GTP commands, and a rehearsal of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gotools.engines.gtp import about, analysis, clocks, gogui, play, setup, status
from gotools.engines.gtp.session import Command, Row, Session
from gotools.engines.settings import PlayerSettings
from gotools.game.choice import Limits
from gotools.game.game import Game
from gotools.game.history import History
from gotools.game.traits import Scoring

if TYPE_CHECKING:
    from gotools.engines.player import Player

COMMANDS: Final[dict[str, Row]] = {
    **about.COMMANDS,
    **analysis.COMMANDS,
    **clocks.COMMANDS,
    **gogui.COMMANDS,
    **play.COMMANDS,
    **setup.COMMANDS,
    **status.COMMANDS,
}
FIRST_NODES: Final = 60
"""Nodes of the first search of a rehearsal: enough for a tree below its move, with which the next search goes on."""
SMALL: Final = 5
"""Size of the board of a rehearsal, where the player knows all sizes."""
REHEARSAL: Final = (
    "genmove b",
    "play w pass",
    "kgs-genmove_cleanup b",
    "gotools-explain",
    "final_score",
    "final_status_list seki",
)
"""Commands on a board with one dead white stone: all that a game which is counted needs besides its searches."""


def commands_of(game: Game) -> dict[str, Command]:
    """Return the commands of a game, by name."""
    return {name: row.obey for name, row in COMMANDS.items() if row.is_of(game)}


def warm_up(player: Player) -> None:
    """Rehearse a game on a small board, to its count: what any game needs is compiled or loaded before the clock runs.

    A kernel that a game uses and this does not is found by tests/house/test_warm_up.py.
    """
    game, commands = player.game, commands_of(player.game)
    session = Session.begin(player, PlayerSettings(nodes=FIRST_NODES), player.size or SMALL, 0.5)
    side = session.state.history.to_play
    move = session.make(side, session.think(side))
    assert move is not None
    history = session.state.history
    for name in ("gotools-explain", "showboard"):
        commands[name](session, [])
    game.why_illegal(history.state, game.move_at(move, history.size))
    session.choices(history.to_play)
    # a search without a limit of nodes goes on with the last tree
    session.think(history.to_play, limits=Limits(seconds=0.0))
    if scoring := game.find(Scoring):
        session.set_up(History.start(game, history.size, history.rules, scoring.finished(history.size)))
        for line in REHEARSAL:
            name, *words = line.split()
            commands[name](session, words)
    player.forget()
