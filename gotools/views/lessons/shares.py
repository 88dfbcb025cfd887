"""How often moves are played where rules cover one, with intervals that allow for a player's decisions being alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.views.lessons.habits import Sides

LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class HabitShares:
    """Of some sides, for each rule: arrays over the rules.

    opportunities, taken -- int64; share -- float64: taken / opportunities, nan without an opportunity
    effective            -- float64: the number of independent decisions with the same variance
    low, high            -- float64: the 95 % interval of Wilson for that number
    """

    opportunities: NDArray[np.int64]
    taken: NDArray[np.int64]
    share: NDArray[np.float64]
    effective: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def habit_shares(sides: Sides, clusters: NDArray[np.int64]) -> HabitShares:
    """Return how often the moves of rules are played, all sides together.

    clusters -- int64[n]: sides of one number are alike (a player, a game); the variance is computed for a ratio of sums
        over clusters (W. G. Cochran, Sampling Techniques, 6.4)

    An interval is never narrower than for independent decisions.
    """
    opportunities, taken = (counts.sum(axis=0, dtype=np.int64) for counts in (sides.opportunities, sides.taken))
    total = np.maximum(opportunities, 1)
    share = taken / total
    effective = _effective(sides, clusters, share, opportunities)
    low, high = wilson(share, effective)
    none = opportunities == 0
    return HabitShares(
        opportunities=opportunities,
        taken=taken,
        share=np.where(none, np.nan, share),
        effective=effective,
        low=np.where(none, np.nan, low),
        high=np.where(none, np.nan, high),
    )


def _effective(
    sides: Sides, clusters: NDArray[np.int64], share: NDArray[np.float64], opportunities: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return p (1 - p) / variance of p, at most the opportunities, and the opportunities if there is only one cluster.

    With few clusters their variance is uncertain, and the number is lower: by the square of the normal quantile divided
    by the quantile of Student's t (E. L. Korn and B. I. Graubard, Surv. Methodol. 24, 1998).
    """
    from scipy.stats import norm, t

    most = np.maximum(opportunities, 1).astype(np.float64)
    order = np.argsort(clusters, kind="stable")
    begin = np.unique(clusters[order], return_index=True)[1]
    count = len(begin)
    if count < 2:
        return most
    both = sides.opportunities, sides.taken
    could, did = (np.add.reduceat(some[order], begin, axis=0, dtype=np.float64) for some in both)
    squares = ((did - share * could) ** 2).sum(axis=0) * count / (count - 1)
    alone = share * (1 - share) * most**2
    known = float((norm.ppf(0.5 + LEVEL / 2) / t.ppf(0.5 + LEVEL / 2, count - 1)) ** 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(squares > 0, np.minimum(most, known * alone / squares), most)


def wilson(share: NDArray[np.float64], count: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends of the 95 % intervals of shares of `count` decisions (E. B. Wilson, 1927)."""
    from scipy.stats import norm

    z = float(norm.ppf(0.5 + LEVEL / 2))
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * np.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return np.clip(middle - half, 0.0, 1.0), np.clip(middle + half, 0.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class HabitDifferences:
    """How much more often the strong play a rule's move than the weak: float64 arrays over the rules, nan unknown."""

    difference: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def order(self) -> NDArray[np.int64]:
        """Return the rules in the order of the least difference that the interval leaves, the largest first."""
        least = np.maximum(np.maximum(self.low, -self.high), 0.0)
        keys = np.nan_to_num(np.abs(self.difference), nan=-1.0), np.nan_to_num(least, nan=-1.0)
        return np.lexsort((np.arange(len(least)), -keys[0], -keys[1]))


def habit_differences(strong: HabitShares, weak: HabitShares) -> HabitDifferences:
    """Return the differences of two groups with 95 % intervals (R. G. Newcombe, Stat. Med. 17, 1998, method 10)."""
    difference = strong.share - weak.share
    down = np.hypot(strong.share - strong.low, weak.high - weak.share)
    up = np.hypot(strong.high - strong.share, weak.share - weak.low)
    return HabitDifferences(difference, difference - down, difference + up)
