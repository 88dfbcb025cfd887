"""Ranks as steps of one size, ratings, and bands of either: "30k-20k", "1d-9d"; "1000-1499", "1500-1999"."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gotools.base.errors import GotoolsError, shown
from gotools.game.records.ranks import PROFESSIONAL, parse_rank, rank_value, rating_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEFAULT_BANDS: Final = "30k-20k,19k-10k,9k-1k,1d-9d"
_FIRST_PROFESSIONAL: Final = 7.0
_PROFESSIONAL_STEP: Final = 0.3
"""On the scale of the European Go Federation 1p is 7d, and a professional's dan is 30 points of 100."""
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class Scale:
    """What the strength of players is measured by: numbers of their texts, nan for others, and texts of numbers.

    what -- ranks, or points of a rating
    """

    what: str
    steps: Callable[[str], float]
    text: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Band:
    """Strengths from `low` to `high`; those that round to them belong to it."""

    name: str
    low: float
    high: float
    scale: Scale

    def holds(self, steps: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return bool[n]: which strengths belong to it; nan does not."""
        return (steps >= self.low - _HALF) & (steps < self.high + _HALF)


def steps_of(text: str) -> float:
    """Convert the text of a rank to a number: 2k is -1, 1k 0, 1d 1, 2d 2; nan if it is not a rank.

    1p is 7, and each professional dan 0.3 more.
    """
    value = rank_value(text)
    return float("nan") if value is None else _steps(value)


def _steps(value: float) -> float:
    """Return a strength of `rank_value`, which has no 0 between 1k and 1d, in steps."""
    if value > PROFESSIONAL:
        return _FIRST_PROFESSIONAL + _PROFESSIONAL_STEP * (value - PROFESSIONAL - 1)
    if value >= 1:
        return value
    return value + 1 if value <= -1 else (value + 1) / 2


def rank_text(steps: float) -> str:
    """Return a number of steps as the nearest rank of an amateur: 0.2 is 1k, 1.4 is 1d."""
    nearest = math.floor(steps + _HALF)
    return f"{nearest}d" if nearest >= 1 else f"{1 - nearest}k"


RANKS: Final = Scale("ranks", steps_of, rank_text)
RATINGS: Final = Scale("points", lambda text: rating if (rating := rating_of(text)) else math.nan, "{:.0f}".format)
"""The ratings that records name; their ranks are none."""


def parse_bands(text: str) -> list[Band]:
    """Read bands: "30k-20k,19k-10k,1d-9d", the weakest first, or one rank ("5k"); or of ratings alone. At least two.

    Raises GotoolsError for a text that is not a pair of ranks or of ratings, and for bands that overlap, are not in
    order, or of both kinds.
    """
    bands = [_parse_band(part.strip()) for part in text.split(",")]
    if len(bands) < 2:
        raise GotoolsError(f"`{shown(text)}` is one band; two are compared at least: {DEFAULT_BANDS}")
    if len({band.scale.what for band in bands}) > 1:
        raise GotoolsError(f"`{shown(text)}` has bands of ranks and of ratings, which are not compared")
    for before, after in itertools.pairwise(bands):
        if after.low <= before.high:
            raise GotoolsError(f"the band {after.name} does not begin above {before.name}; name the weakest first")
    return bands


def _parse_band(text: str) -> Band:
    first, _, last = text.partition("-")
    low, high = first.strip(), (last or first).strip()
    scale = RANKS if rating_of(low) is None or rating_of(high) is None else RATINGS
    try:
        if scale is RANKS:
            parse_rank(low), parse_rank(high)
        ends = scale.steps(low), scale.steps(high)
    except GotoolsError as error:
        raise GotoolsError(f"`{shown(text)}` is not a band of ranks, as 19k-10k: {error}") from error
    if ends[0] > ends[1]:
        raise GotoolsError(f"the band {shown(text)} ends below its begin; name the weaker rank first")
    return Band(text, *ends, scale)


def halves(ratings: NDArray[np.float64]) -> list[Band]:
    """Return the bands of the weaker and of the stronger half of some ratings, each of which counts once.

    ratings -- nan is none

    Raises GotoolsError where there are not two.
    """
    import numpy as np

    found = np.unique(ratings[~np.isnan(ratings)])
    if len(found) < 2:
        raise GotoolsError("two ratings are compared at least" if len(found) else "no player has a rating")
    middle = float(found[len(found) // 2 - 1 :][:2].mean())
    return [Band("weaker", -math.inf, middle - _HALF, RATINGS), Band("stronger", middle + _HALF, math.inf, RATINGS)]


def band_of(steps: NDArray[np.float64], bands: Sequence[Band]) -> NDArray[np.int64]:
    """Return int64[n]: the number of the band of each rank, -1 outside all bands."""
    import numpy as np

    found = np.full(len(steps), -1)
    for number, band in enumerate(bands):
        found[band.holds(steps)] = number
    return found
