"""The settings of solving, and its answers as a table. Loads no compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gotools.base.settings import Settings, setting, strict_setting
from gotools.files.kinds import Kind
from gotools.files.tables import header, row

if TYPE_CHECKING:
    from gotools.game.game import Game

UNKNOWN: Final = "unknown"
"""The answer where a limit came first."""
COLUMNS: Final = ("id", "answer", "plies", "nodes", "line")


@dataclass(frozen=True, kw_only=True)
class SolvingSettings(Settings):
    """Which position of a record is solved, and how much is spent on it."""

    last: bool = setting(False, "Of a record the position after its last move, not the first.")
    nodes: int = setting(2_000_000, "Most positions to look at for an answer.", least=1, most=10**12)
    seconds: float | None = setting(
        None, "Most seconds for an answer, which then depends on the machine.", least=0.0, most=1e6
    )
    shortest: bool = setting(False, "Search on for the shortest line, as far as the limits allow.")
    strict: bool = strict_setting()


@dataclass(frozen=True, slots=True)
class Solved:
    """The answer for a position.

    answer -- as the game calls it: mate, nomate; "unknown" where a limit came first
    nodes  -- positions whose moves were listed
    line   -- the moves of both sides to the goal; else the move that prevents it, if that side is to play
    """

    id: str
    answer: str
    nodes: int
    line: tuple[str, ...]


def as_tsv(found: Sequence[Solved], game: Game, settings: SolvingSettings) -> bytes:
    """Return a table of answers, a row for each position."""
    about = {"game": game.full_name, "nodes": str(settings.nodes)}
    about |= {} if settings.seconds is None else {"seconds": f"{settings.seconds:g}"}
    rows = (
        (one.id, one.answer, len(one.line) if one.answer != UNKNOWN else "", one.nodes, " ".join(one.line) or "-")
        for one in found
    )
    return header(Kind.solved.word, Kind.solved.version, about, COLUMNS) + "".join(map(row, rows)).encode()
