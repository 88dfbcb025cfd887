"""A toolkit for Go and its sister games: from records to readable rules, players and ratings.

The commands are in `gotools --help`; `import gotools` offers the same work as functions (docs/library.md). Each is
imported when it is used for the first time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gotools.base.errors import GotoolsError
    from gotools.games.go.board import Board
    from gotools.library.induction import induce_rules
    from gotools.library.lessons import compare_players
    from gotools.library.matches import run_tournament
    from gotools.library.orders import cluster_moves, compare_orders
    from gotools.library.players import Player
    from gotools.library.ranking import rank_moves, write_ranking
    from gotools.library.ratings import rate
    from gotools.library.records import convert_records, read_examples, read_games
    from gotools.library.rules import compile_rules, load_rules, measure_rules
    from gotools.library.saving import save
    from gotools.library.showing import show, write_report
    from gotools.library.solving import solve
    from gotools.library.values import load_evaluation, train

__version__ = "0.2.0"

__all__ = [
    "Board",
    "GotoolsError",
    "Player",
    "cluster_moves",
    "compare_orders",
    "compare_players",
    "compile_rules",
    "convert_records",
    "induce_rules",
    "load_evaluation",
    "load_rules",
    "measure_rules",
    "rank_moves",
    "rate",
    "read_examples",
    "read_games",
    "run_tournament",
    "save",
    "show",
    "solve",
    "train",
    "write_ranking",
    "write_report",
]

_HOME = {
    name: module
    for module, names in {
        "base.errors": "GotoolsError",
        "games.go.board": "Board",
        "library.induction": "induce_rules",
        "library.lessons": "compare_players",
        "library.matches": "run_tournament",
        "library.orders": "cluster_moves compare_orders",
        "library.players": "Player",
        "library.ranking": "rank_moves write_ranking",
        "library.ratings": "rate",
        "library.records": "convert_records read_examples read_games",
        "library.rules": "compile_rules load_rules measure_rules",
        "library.saving": "save",
        "library.showing": "show write_report",
        "library.solving": "solve",
        "library.values": "load_evaluation train",
    }.items()
    for name in names.split()
}
"""The module of each name, below gotools."""


def __getattr__(name: str) -> object:
    """Import a name of the library when it is used; the heavy ones take half a second."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
