"""The games that are there, ours and those of other packages: `gotools show games`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gotools import __version__
from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.game.known import installed
from gotools.game.table import GAMES
from gotools.views.contents import Contents
from gotools.views.parts import Table

WORD: Final = "games"
COLUMNS: Final = ("game", "package", "version", "sizes", "traits", "state")
READY: Final = "ready"


def show_known_games() -> Contents:
    """Return a row for each game, with its package, board sizes and traits, and whether it can be used.

    The one place that loads all games: one that cannot be loaded is a row that says why.
    """
    rows = [*game_rows()]
    return Contents(WORD, "the games that commands know by name", {}, [Table("games", COLUMNS, rows, total=len(rows))])


def game_rows() -> Iterator[tuple[str, ...]]:
    """Yield name, package, version, board sizes, traits and state of each game."""
    declared = [(one.name, one.package, one.version, one.fault) for one in installed()]
    for name, package, version, fault in [*((name, "gotools", __version__, "") for name in GAMES), *declared]:
        sizes, traits = "", ""
        if not fault:
            try:
                game = find_game(name)
                sizes, traits = sizes_text(game.sizes), ", ".join(sorted(game.traits))
            except GotoolsError as error:
                fault = str(error).partition(" cannot be used: ")[2] or str(error)
        yield name, package, version, sizes, traits, fault or READY


def sizes_text(sizes: tuple[int, ...]) -> str:
    """Return board sizes in order: "2 to 19", or each of them."""
    least, most = min(sizes), max(sizes)
    return f"{least} to {most}" if 2 < len(sizes) == most - least + 1 else ", ".join(map(str, sorted(sizes)))
