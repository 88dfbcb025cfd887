"""The settings of an order of moves learned from good and bad ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from gotools.base.errors import GotoolsError
from gotools.base.settings import Settings, seed_setting, setting, size_setting, strict_setting

Metric = Literal["euclid", "manhattan", "cosine", "mahalanobis"]
"""Ways to measure distances between moves."""


def check_share(share: float) -> None:
    """Raise GotoolsError for no share of a game."""
    if not share:
        raise GotoolsError("above 0: the share of each game to learn from")


@dataclass(frozen=True, kw_only=True)
class ClusterSettings(Settings):
    """Which moves are good, which are bad, and how both are clustered. Ranks may be ratings."""

    good_above: str | None = setting(None, "Good moves: of winners above this (3d, 9p, 1500); else of all.", "RANK")
    bad_below: str | None = setting(
        None, "Bad moves: of losers below this; else other legal moves where the good ones were played.", "RANK"
    )
    ratings: str | None = setting(None, "ratings.tsv of elo: the ratings of players by their names. Not of Go.", "FILE")
    last: float = setting(
        0.667, "Only moves in the last part of a game.", "SHARE", least=0.0, most=1.0, check=check_share
    )
    k: int = setting(20, "Centres of each kind.", "K", "--k", least=2, most=500)
    starts: int = setting(8, "Random starts of k-means; the best is kept.", least=1, most=10_000)
    metric: Metric = setting("manhattan", "How to measure.")
    stages: bool = setting(False, "Centres of their own for opening, middle and end.")
    size: int | Iterable[int] = size_setting()
    seed: int = seed_setting()
    strict: bool = strict_setting()
