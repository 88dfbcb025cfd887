"""A game of a person against a player of ours, or against any GTP engine."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gotools import compiling
from gotools.errors import WrongUsage
from gotools.player.settings import DEFAULT, NONE, PlayerSettings
from gotools.settings_file import option_words

if TYPE_CHECKING:
    from gotools.play.table import Table

KOMI = 7.5
PATIENCE = 600.0
"""Seconds that an engine may think: people stop it by Ctrl-C."""


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
    EngineError if the engine does not start.
    """
    from gotools.game.game import find_game
    from gotools.gtp_client.client import GtpEngine
    from gotools.learn.weights.weights_file import load_weights_of
    from gotools.play.table import GO, Setting, Table

    found = find_game(game)
    if komi is not None and found.komi < 0:
        raise WrongUsage(f"--komi is for go, not for {game}")
    player = option_words(settings)
    if engine is not None and player:
        raise WrongUsage(f"{player[0]} is for a player of ours, not for --engine")
    if settings.evaluation not in (None, NONE, DEFAULT):
        size = size or load_weights_of(settings.evaluation, game).size
    size = size or (9 if game == GO else found.sizes[0])
    if size not in found.sizes:
        raise WrongUsage(f"--size: {game} is not played on a board of size {size}")
    komi = KOMI if komi is None else komi
    ours = ["gtp", "--game", game, "--size", str(size), *player]
    command, heard = (engine, None) if engine is not None else ([sys.executable, "-m", "gotools", *ours], _pass_notice)
    with GtpEngine(command, PATIENCE, heard=heard) as program:
        if engine is None:
            program.name = shlex.join(["gotools", *ours])
        yield Table(Setting(game, size, komi, person), program)
