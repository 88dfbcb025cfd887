"""Players: one of Go that chooses moves, servers of GTP and USI, and a game of a person against any of them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gotools.base.errors import GotoolsError, WrongUsage
from gotools.base.settings import with_settings
from gotools.engines.settings import DEFAULT, NONE, SECONDS, PlayerSettings
from gotools.files.settings_file import option_words
from gotools.game.known import place_of
from gotools.game.table import GAMES, USUAL, USUAL_KOMI
from gotools.jit import compiling

if TYPE_CHECKING:
    from gotools.game.choice import Choice
    from gotools.games.go.board import Board
    from gotools.matches.terminal.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A player's choice.

    vertex  -- as players write it: "D4", or "pass"; point -- its number for `Board.play_point`
    winrate -- chance to win, 0 to 1, for the side that moves
    line    -- the moves expected, beginning with this one
    nodes   -- positions or playouts searched
    reason  -- in words: what the search compared, or why the player passes
    choice  -- all that the search says, the other candidates among it
    """

    vertex: str
    point: int
    winrate: float
    line: tuple[str, ...]
    nodes: int
    reason: str
    choice: Choice

    def __repr__(self) -> str:
        return f"Move({self.vertex!r}, winrate={self.winrate:.3f}, nodes={self.nodes}, reason={self.reason!r})"


class Player:
    """A player of Go, as `gotools gtp` offers it to programs; its settings are options there.

    With `nodes` or `depth`, no time and one thread, the same seed gives the same moves.

    Raises GotoolsError for files that hold something else, and for what the search has no use for.
    """

    @with_settings(PlayerSettings, without=("time", "nodes", "depth", "resign", "capture_all_dead"))
    def __init__(self, *, settings: PlayerSettings) -> None:
        from gotools.engines.players import new_player

        self._player = new_player(settings=settings)
        self._komi = 0.0  # of the last choice

    def __repr__(self) -> str:
        return f"<Player {self.name}>"

    @property
    def name(self) -> str:
        """Return the player's name and version."""
        return self._player.name

    def choose(
        self,
        board: Board,
        *,
        colour: int | None = None,
        komi: float = USUAL_KOMI,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
    ) -> Move:
        """Choose a move, or a pass. The board is not changed; no position of its history is repeated.

        colour -- 1 black, 2 white; the side to play, where it is not given
        seconds, nodes, depth -- the first limit reached ends the search; without any it is one second

        Raises GotoolsError for a board size that the evaluation does not know.
        """
        from gotools.game.choice import Limits
        from gotools.games.go.history import history_of
        from gotools.games.go.points import vertex

        only = self._player.size
        if only not in (None, board.side):
            raise GotoolsError(f"weights for {only}x{only}, not for {board.side}x{board.side}")
        if seconds is None and nodes is None and depth is None:
            seconds = SECONDS
        limits = Limits(seconds=seconds, nodes=nodes, depth=depth)
        self._komi = komi
        choice = self._player.choose(history_of(board, komi), limits, side=colour)
        return Move(
            vertex=vertex(choice.move, board.side),
            point=choice.move,
            winrate=choice.chance,
            line=tuple(vertex(point, board.side) for point in choice.line),
            nodes=choice.nodes,
            reason=choice.reason,
            choice=choice,
        )

    def explain(self, board: Board, move: Move, *, colour: int | None = None) -> str:
        """Say in some lines why a move was chosen on a board: candidates, rules, what the evaluation sees."""
        from gotools.games.go.history import history_of

        side = board.to_play if colour is None else colour
        return self._player.explain(history_of(board, self._komi), side, move.choice)


def serve_gtp(game: str, settings: PlayerSettings, *, size: int | None = None, komi: float | None = None) -> None:
    """Play a game over GTP, with the controller at stdin and stdout, until `quit` or the end of stdin.

    size -- of the first board; None: 9, that of the evaluation, or that of the game
    komi -- of a game that is counted; None: the usual one

    Raises GotoolsError, before the first answer, for settings that do not go together, FileFormatError for their files.
    """
    is_counted = place_of(game).counted
    if komi is not None and not is_counted:
        counted = ", ".join(name for name, place in GAMES.items() if place.counted)
        raise GotoolsError(f"--komi is for {counted}, not for {game}")
    from gotools.engines.gtp.commands import commands_of, warm_up
    from gotools.engines.gtp.server import serve
    from gotools.engines.gtp.session import Session, check_size
    from gotools.engines.players import new_player

    player = new_player(game, size, settings=settings)
    check_size(player, size)
    komi = USUAL_KOMI if komi is None and is_counted else komi or 0.0

    serve(
        lambda: Session.begin(player, settings, size, komi), commands_of(player.game), prepare=lambda: warm_up(player)
    )


def serve_usi(settings: PlayerSettings) -> None:
    """Play shogi over USI, with the board at stdin and stdout, until `quit` or the end of stdin.

    Raises GotoolsError, before the first answer, for settings that do not go together, FileFormatError for their files.
    """
    from gotools.engines.players import new_player
    from gotools.engines.usi.options import GAME, UsiOptions
    from gotools.engines.usi.server import serve
    from gotools.engines.usi.session import UsiSession

    player = new_player(GAME, settings=settings)
    serve(lambda send: UsiSession(player, UsiOptions(settings), send))


# a game of a person ---------------------------------------------------------------------------------------------------

PATIENCE = 600.0
"""Seconds that an engine may think: people stop it by Ctrl-C."""
_OURS = "gotools gtp: "
"""What an error of our own engine begins with."""


def _pass_notice(said: bytes) -> None:
    """Print the notice about compilation where our engine has printed it."""
    if compiling.NOTICE.encode() in said:
        compiling.notify()


@contextmanager
def open_table(
    game: str,
    person: int,
    settings: PlayerSettings,
    *,
    engine: str | None = None,
    size: int | None = None,
    komi: float | None = None,
) -> Iterator[Table]:
    """Yield a game that begins; the engine runs until the block ends.

    person -- the person's side, 1 moves first; engine -- a command line; None: a player of ours with these settings

    Raises WrongUsage for options that do not go together, FileFormatError for weights of another game, MissingTool and
    EngineError if the engine does not start; what a player of ours said of its settings as GotoolsError.
    """
    from gotools.game.game import find_game
    from gotools.gtp_client.client import GtpEngine, GtpFailure
    from gotools.matches.terminal.table import Setting, Table
    from gotools.values.weights.weights_file import load_weights_of

    found = find_game(game)
    if komi is not None and found.komi < 0:
        raise WrongUsage(f"--komi is for games that are counted, such as {USUAL}; {game} is not")
    player = option_words(settings)
    if engine is not None and player:
        raise WrongUsage(f"{player[0]} is for a player of ours, not for --engine")
    if settings.evaluation not in (None, NONE, DEFAULT):
        size = size or load_weights_of(settings.evaluation, game).size
    size = size or found.sizes[0]
    if size not in found.sizes:
        raise WrongUsage(f"--size: {game} is not played on a board of size {size}")
    komi = USUAL_KOMI if komi is None else komi
    ours = ["gtp", "--game", game, "--size", str(size), *player]
    command, heard = (engine, None) if engine is not None else ([sys.executable, "-m", "gotools", *ours], _pass_notice)
    with GtpEngine(command, PATIENCE, heard=heard) as program:
        if engine is None:
            program.name = shlex.join(["gotools", *ours])
        try:
            table = Table(Setting(game, size, komi, person), program)
        except GtpFailure as failure:
            said = [line for line in program.last_words().splitlines() if line.startswith(_OURS)]
            if engine is not None or not said:
                raise
            raise GotoolsError(said[-1].removeprefix(_OURS)) from failure
        yield table
