"""A game of a person against a player of ours, or against any GTP engine."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gotools import compiling
from gotools.errors import WrongUsage

if TYPE_CHECKING:
    from gotools.play.table import Table

KOMI = 7.5
PATIENCE = 600.0
"""Seconds that an engine may think: people stop it by Ctrl-C."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A player of ours: the options of `gotools gtp` by their names there."""

    rules: str | None = None
    weights: str | None = None
    order: str | None = None
    heuristic: str | None = None
    search: str | None = None
    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    seed: int = 0

    def words(self) -> list[str]:
        """Return the options as words of a command line."""
        given = {
            "--rules": self.rules,
            "--eval": self.weights,
            "--order": self.order,
            "--heuristic": self.heuristic,
            "--search": self.search,
            "--time": self.time,
            "--nodes": self.nodes,
            "--depth": self.depth,
        }
        return [word for name, value in given.items() if value is not None for word in (name, str(value))]


def _pass_notice(said: bytes) -> None:
    """Print the notice about compilation where our engine has printed it."""
    if compiling.NOTICE.encode() in said:
        compiling.notify()


@contextmanager
def open_table(
    game: str, person: int, level: Level, *, engine: str | None = None, size: int | None = None, komi: float | None
) -> Iterator[Table]:
    """Yield a game that begins; the engine runs until the block ends.

    person -- the person's side, 1 moves first; engine -- a command line; None: a player of ours of that level

    Raises WrongUsage for options that do not go together, FileFormatError for weights of another game, MissingTool and
    EngineError if the engine does not start.
    """
    from gotools.game import find_game
    from gotools.gtp_client.client import GtpEngine
    from gotools.learn.weights.weights_file import load_weights_of
    from gotools.play.table import GO, Setting, Table

    found = find_game(game)
    if komi is not None and found.komi < 0:
        raise WrongUsage(f"--komi is for go, not for {game}")
    if engine is not None and level.words():
        raise WrongUsage(f"{level.words()[0]} is for a player of ours, not for --engine")
    if level.weights is not None:
        size = size or load_weights_of(level.weights, game).size
    size = size or (9 if game == GO else found.sizes[0])
    if size not in found.sizes:
        raise WrongUsage(f"--size: {game} is not played on a board of size {size}")
    komi = KOMI if komi is None else komi
    ours = ["gtp", "--game", game, "--size", str(size), "--seed", str(level.seed), *level.words()]
    command, heard = (engine, None) if engine is not None else ([sys.executable, "-m", "gotools", *ours], _pass_notice)
    with GtpEngine(command, PATIENCE, heard=heard) as program:
        if engine is None:
            program.name = shlex.join(["gotools", *ours])
        yield Table(Setting(game, size, komi, person), program)
