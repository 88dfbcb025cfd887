"""The settings of a rating."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gotools.base.errors import GotoolsError, shown
from gotools.base.settings import SettingError, Settings, setting
from gotools.game.known import check_game_name
from gotools.game.table import GAME_NAMES

BRADLEY_TERRY: Final = "bradley-terry"
_BRADLEY_TERRY: Final = {"method": (BRADLEY_TERRY,)}
FARTHEST_ANCHOR: Final = 20_000.0
"""Elo. Beyond it the likelihood is lost in rounding, and no player is that strong."""


def read_anchors(texts: Sequence[str]) -> dict[str, float]:
    """Return the ratings that texts such as "gnugo=1800" give. Raises GotoolsError."""
    anchors: dict[str, float] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            elo = float(number)
        except ValueError:
            name = ""
        if not name:
            raise GotoolsError(f"`{shown(text)}` should read NAME=ELO, as gnugo=1800")
        if not math.isfinite(elo):
            raise GotoolsError(f"{elo} is not a finite number")
        if name in anchors:
            raise GotoolsError(f"`{shown(name)}` is given twice")
        if abs(elo) > FARTHEST_ANCHOR:
            limit = f"{FARTHEST_ANCHOR:,.0f}"
            raise GotoolsError(f"`{shown(text)}`: Elo lies between -{limit} and {limit}")
        anchors[name] = elo
    return anchors


@dataclass(frozen=True, kw_only=True)
class RatingSettings(Settings):
    """How to rate.

    `draws`: a draw is half a win and half a loss, or (davidson) an outcome of its own, as likely as the geometric mean
    of the two wins times a draw parameter that is learned (Davidson 1970). The virtual player of `prior` has a free
    rating, and so settles where the player scores half against the field. With `prior` 0 ratings are of maximum
    likelihood.
    """

    method: Literal["bradley-terry", "elo", "abalone"] = setting(
        BRADLEY_TERRY, "elo and abalone go game by game: they depend on the order of the games."
    )
    prior: float = setting(
        1.0,
        "P drawn games of each player against a virtual average one, and of equals in each class; 0: none.",
        "P",
        least=0.0,
        most=1e6,
        only=_BRADLEY_TERRY,
    )
    draws: Literal["half", "davidson"] = setting(
        "half", "Half a win each, or an outcome of its own, with a parameter that is learned.", only=_BRADLEY_TERRY
    )
    advantage: bool = setting(
        True, "A first-move advantage for each komi, handicap and board size.", only=_BRADLEY_TERRY
    )
    anchors: Mapping[str, float] = setting(
        {},
        "A given rating; may be repeated. Else the mean is 0.",
        "NAME=ELO",
        "--anchor",
        typed=list[str] | None,
        read=read_anchors,
        shown="",
        only=_BRADLEY_TERRY,
    )
    level: float = setting(0.95, "Of the intervals: 0.95 is 95 %.", least=0.5, most=0.9999, only=_BRADLEY_TERRY)
    min_games: int = setting(0, "Show players of N games or more; all games count.", "N", least=0)
    groups: bool = setting(
        False, "Rate groups without games between them apart, each with mean 0.", only=_BRADLEY_TERRY
    )
    compare: tuple[str, str] | None = setting(None, "Add the difference of two players.", "A B", only=_BRADLEY_TERRY)
    k: float = setting(20.0, "--method elo: K.", "K", "--k", least=0.0, most=1e4, only={"method": ("elo",)})
    start: float = setting(1500.0, "--method elo, abalone: of new players.", "ELO", only={"method": ("elo", "abalone")})
    game: str | None = setting(
        None,
        "Rate the results of this game, leave out others. Else all must be of one.",
        GAME_NAMES,
        check=check_game_name,
    )
    strict: bool = setting(False, "Stop at the first broken game, with exit code 1.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.groups and (given := "anchors" if self.anchors else "compare" if self.compare else ""):
            raise SettingError(given, "not with {groups}: groups do not compare")


DEFAULT: Final = RatingSettings()
