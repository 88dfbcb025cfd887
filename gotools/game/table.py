"""The table of the games: the one place that lists them. Imports nothing slow, so that help can show their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

RECORDS: Final = (".sgf", ".jsonl")
"""The suffixes of records of any game: SGF and JSON lines."""


@dataclass(frozen=True, slots=True)
class Place:
    """What is known of a game without importing it.

    game     -- "module:ATTRIBUTE" of its `Game`
    sgf      -- GM of its records: assigned by the specification of SGF, or at least 1000 (docs/records.md)
    suffixes -- of the files of its records that are looked for in folders
    traits   -- those that `find_trait` finds without the game, by the names of their classes: "module:ATTRIBUTE".
                Scoring and SetUp are among them where the game has them
    package  -- the other package that supplies it, with its version; "" for our own
    """

    game: str
    sgf: int
    suffixes: tuple[str, ...] = RECORDS
    traits: Mapping[str, str] = field(default_factory=dict)
    package: str = ""

    @property
    def counted(self) -> bool:
        """Whether its games are counted at the end, with komi, and may have a handicap."""
        return "Scoring" in self.traits


GAMES: Final = {
    "go": Place(
        "gotools.games.go.go:GO",
        1,
        suffixes=(".sgf",),
        traits={
            "Scoring": "gotools.games.go.estimate.counting:SCORING",
            "SetUp": "gotools.games.go.setup:SET_UP",
            "Symmetry": "gotools.games.go.points:SYMMETRY",
            "Texts": "gotools.games.go.points:TEXTS",
            "Vocabulary": "gotools.games.go.vocabulary:VOCABULARY",
        },
    ),
    "tictactoe": Place("gotools.games.tictactoe.tictactoe:TICTACTOE", 1002),
    "connect4": Place("gotools.games.connect4.connect4:CONNECT4", 1001),
    "abalone": Place("gotools.games.abalone.abalone:ABALONE", 1003),
    "shogi": Place(
        "gotools.games.shogi.shogi:SHOGI",
        8,
        suffixes=(*RECORDS, ".kif", ".kifu", ".ki2", ".ki2u", ".csa", ".usi", ".sfen"),
    ),
}
"""The place of each game, by its name."""
USUAL: Final = next(iter(GAMES))
"""The game where none is named."""
USUAL_KOMI: Final = 7.5
"""Of a game that is counted, where none is named: that of area rules today."""
GAME_NAMES: Final = "|".join([*GAMES, "NAME"])
"""For help: ours, and any that another package supplies (known.py)."""


def plain_name(name: str) -> str:
    """Return the name of a game without its setting: abalone of abalone:belgian-daisy."""
    return name.partition(":")[0]


def game_of_sgf_number(number: int) -> str:
    """Return the name of the game whose records have this GM, "" for a game that is not in GAMES."""
    return next((name for name, place in GAMES.items() if place.sgf == number), "")
