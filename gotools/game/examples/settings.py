"""The settings of examples: which games and moves are taken, and which counter-examples are drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gotools.base.errors import GotoolsError, nearest, shown
from gotools.base.settings import SettingError, Settings, seed_setting, setting, size_setting, strict_setting
from gotools.game.records.sources import SOURCES

if TYPE_CHECKING:
    from gotools.game.game import Game
    from gotools.game.records.selection import Selection


def check_strength(rank: str | float | None) -> None:
    """Raise GotoolsError for a text that is not a rank; numbers are strengths."""
    from gotools.game.records.ranks import parse_rank, strength_of

    if isinstance(rank, str) and strength_of(rank) is None:
        parse_rank(rank)


def wanted_negatives(text: str) -> dict[str, int | None]:
    """Read `random=70,suicide=27,unplayed`: the counter-examples of each source, None: as many as there are examples.

    Raises GotoolsError for an unknown source, a count that is not a number, or a source named twice.
    """
    wanted: dict[str, int | None] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, count = (piece.strip() for piece in part.partition("="))
        if name not in SOURCES[1:]:
            raise GotoolsError(f"`{shown(name)}` is not a source of counter-examples{nearest(name, SOURCES[1:])}")
        if name in wanted:
            raise GotoolsError(f"`{shown(name)}` stands twice in `{shown(text)}`")
        if equals and not (count.isascii() and count.isdigit()):
            raise GotoolsError(f"`{shown(part)}`: expected a count after `=`, as in {shown(name)}=100")
        wanted[name] = int(count) if equals else None
    return wanted


def sizes_of(size: int | Iterable[int]) -> frozenset[int]:
    """Return board sizes as a set; empty for any size."""
    return frozenset([size] if isinstance(size, int) else size)


def selection_of(
    game: Game,
    size: int | Iterable[int],
    rank_above: str | float | None,
    weak_below: str | float,
    negatives: str,
    result: str | None = None,
    max_moves: int | None = None,
) -> Selection:
    """Return which games and moves are taken; moves of the weak are set apart if they are to be counter-examples.

    Raises GotoolsError for a text that names no strength in the game.
    """
    from gotools.game.records.selection import Selection, Strengths

    strengths = Strengths.of_game(game)
    return Selection(
        sizes=sizes_of(size),
        rank_above=strengths.limit(rank_above),
        result=result,
        max_moves=max_moves,
        weak_below=strengths.limit(weak_below) if "weak" in wanted_negatives(negatives) else None,
        strengths=strengths,
    )


Result = Literal["decided", "B", "W", "resign", "score", "time", "draw"]
"""Which games, by their result."""


@dataclass(frozen=True, kw_only=True)
class ExampleSettings(Settings):
    """Which examples are taken from records. The random player of `negatives` plays against `engine`."""

    size: int | Iterable[int] = size_setting()
    rank_above: str | float | None = setting(
        None, "Only moves of players above this: 12k, 3d, 5p, 1500.", "RANK", typed=str | None, check=check_strength
    )
    result: Result | None = setting(None, "Only games that somebody won (B: black did), or ended so.")
    max_moves: int | None = setting(None, "Only the first N moves of a game.", "N", least=1)
    negatives: str = setting(
        "",
        "Counter-examples: random, suicide, unplayed, weak; without N as many as there are examples.",
        "SOURCE[=N],...",
        check=wanted_negatives,
    )
    engine: str | None = setting(
        None,
        "GTP opponent of the random player, as 'gnugo --mode gtp --level 6'; else it plays itself.",
        "COMMAND",
    )
    weak_below: str | float = setting(
        "10k",
        "Source weak: moves of losers below this; they are examples no more.",
        "RANK",
        typed=str,
        check=check_strength,
    )
    seed: int = seed_setting()
    strict: bool = strict_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.engine is not None and "random" not in self.negatives:
            raise SettingError("engine", "plays the random player of {negatives} random=N")

    def selection(self, game: Game) -> Selection:
        """Return which games and moves are taken. Raises GotoolsError for a strength that the game does not know."""
        kept = self.size, self.rank_above, self.weak_below, self.negatives, self.result, self.max_moves
        return selection_of(game, *kept)
