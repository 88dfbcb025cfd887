"""The result of one game, as a tournament keeps it, and its line in the journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gotools.game.outcome import End
from gotools.game.table import USUAL

GAMES_FOLDER: Final = "games"
"""The folder of the games' SGFs, below that of their run."""

CRASHES = frozenset({End.crash, End.stall, End.flood, End.setup})
"""Ends of an engine that does not work."""
ILLEGAL = frozenset({End.illegal, End.refused, End.rejected})
"""Ends of an engine that breaks the rules of the game, or rejects legal moves."""
TIME_LOSSES = frozenset({End.time})


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game that is over.

    game    -- its number in the schedule, from 1; pair -- that of its pair of games with colours exchanged, from 1
    black, white -- names of the engines
    result  -- "B+3.5", "W+R", "B+T", "W+F", "0" (a draw), "Void" (no result), "?" (disputed)
    fault   -- the side by whose fault the game ended, "b" or "w"; "" without a fault
    what    -- the fault in words; for a score how it was counted
    opening -- how many of the moves are from the opening
    moves   -- as in GTP, separated by blanks, black first (white with handicap stones), the opening included
    seconds -- of black and white, all their moves; slowest -- their longest moves
    contested_moves, contested_seconds -- of black and white, of the moves in the contested part (see Referee); None
               where a journal does not say
    notes   -- oddities that did not change the verdict
    game_name -- the game that was played, by its name in gotools.game.table.GAMES
    setting -- of the start of this game, where the games of a tournament begin differently; "" otherwise
    """

    game: int
    pair: int
    black: str
    white: str
    result: str
    end: End
    fault: str
    what: str
    size: int
    komi: float
    handicap: int
    opening: int
    moves: str
    seconds: tuple[float, float]
    slowest: tuple[float, float]
    contested_moves: tuple[int, int] | None = None
    contested_seconds: tuple[float, float] | None = None
    notes: tuple[str, ...] = ()
    game_name: str = USUAL
    setting: str = ""

    @property
    def score(self) -> float | None:
        """Black's score: 1, 0.5 or 0; None for a game that does not count."""
        return {"B": 1.0, "W": 0.0, "0": 0.5}.get(self.result[:1])

    @property
    def counts(self) -> bool:
        """Return whether the game counts."""
        return self.score is not None

    @property
    def culprit(self) -> str:
        """The engine by whose fault the game ended, "" without a fault."""
        return {"b": self.black, "w": self.white}.get(self.fault, "")


def sgf_name(game: int) -> str:
    """Return the path of a game's SGF below the folder of its run."""
    return f"{GAMES_FOLDER}/{game:04d}.sgf"
