"""Intervals from the profile of the likelihood: how far its maximum falls as one rating is held elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from gotools.ratings.information import Floats, Indexes, NoMaximum
from gotools.ratings.likelihood import OwnGames
from gotools.ratings.newton import Fit, maximise

NEAR = 1e-6
"""Tolerance of an end, in deviations."""
LEAST_GAIN = 1e-9
"""Gain below which a Newton step on a profile is the last: it changes the deviation by less than NEAR."""
FARTHEST = 31.0
"""Log-odds (5,400 Elo) from the estimate to search for an end: beyond, the curvature is lost in rounding."""
BUDGET = 2e10
"""Profiled players times the cube of all parameters, beyond which profiles would take about a minute."""


def interval_reach(level: float) -> float:
    """Return the deviations from the middle of a normal distribution to the ends of its interval of this level."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def bound_reach(level: float) -> float:
    """Return how far, as the root of the likelihood ratio, a one-sided bound of this level lies from infinity.

    The maximum at infinity predicts every result, so the ratio is the probability of the results themselves: at the
    bound it is 1 - level. A normal quantile would be wrong, as the estimate is not normal there.
    """
    return math.sqrt(-2.0 * math.log(1.0 - level))


@dataclass
class Profiles:
    """Profiles around a maximum. Each point of one is a maximum over all other parameters: a few steps of Newton.

    mean -- float64[n] weights of the players in the mean that ratings are relative to; zeros with anchors
    """

    fit: Fit
    mean: Floats

    def of_player(self, i: int) -> Floats:
        """Return the linear combination of the parameters that is player i's rating."""
        contrast = np.zeros_like(self.fit.parameters)
        contrast[: len(self.mean)] = -self.mean
        contrast[i] += 1.0
        return contrast

    def of_pair(self, i: int, j: int) -> Floats:
        """Return the linear combination of the parameters that is i's rating less j's."""
        contrast = np.zeros_like(self.fit.parameters)
        contrast[i], contrast[j] = 1.0, -1.0
        return contrast

    def deviations(self, contrast: Floats, value: float) -> float:
        """Return how far the estimate lies above `value`, as the signed root of the likelihood ratio.

        McCullagh, Nelder (1989), section 7.4: to first order a standard normal deviate.
        """
        return math.copysign(self._drop(contrast, value, self.fit.parameters)[0], self._best(contrast) - value)

    def ends(self, contrast: Floats, level: float) -> tuple[float | None, float | None]:
        """Return both ends of the interval of this level, log-odds; None for a missing end."""
        reach = interval_reach(level)
        return self._end(contrast, reach, -1), self._end(contrast, reach, 1)

    def bound(self, contrast: Floats, level: float, side: int) -> float | None:
        """Return the one-sided bound of this level, from below (side -1) or above (1), without a maximum."""
        return self._end(contrast, bound_reach(level), side)

    def _end(self, contrast: Floats, reach: float, side: int) -> float | None:
        """Return where, below (side -1) or above (1), the root of the likelihood ratio reaches `reach`."""
        place = self.fit.parameters

        def drop(value: float) -> float:
            nonlocal place
            root, place = self._drop(contrast, value, place)
            return root

        try:
            return find_end(drop, self._best(contrast), reach, side)
        except NoMaximum:
            return None

    def own_ends(self, players: Indexes, level: float, variances: Floats, side: int) -> Floats:
        """As `ends` of some players' ratings, but faster: the other players are held, and the result is corrected.

        variances -- of the ratings, from the covariance: an end moves by its ratio to that of the own games alone
        side -- -1: the lower ends, 1: the upper ones; NaN for a missing end
        """
        own = OwnGames(self.fit.likelihood, self.fit.parameters, players)
        best = self.fit.parameters[players]
        top = own.values(best)

        def drop(values: Floats) -> Floats:
            return np.sqrt(np.maximum(2.0 * (top - own.values(values)), 0.0))

        stretch = np.sqrt(np.maximum(variances * own.information(best), 1.0))
        offset = best - float(self.mean @ self.fit.parameters[: len(self.mean)])
        return offset + (find_ends(drop, best, interval_reach(level), side) - best) * stretch

    def own_bound(self, i: int, rated: NDArray[np.bool_], level: float, side: int) -> float | None:
        """Return the bound of a player who won (side -1: from below) or lost (1) all games against those rated.

        Fast: from these games alone, the other players held. None without such games.
        """
        whole = self.fit.likelihood
        rows = ((whole.black == i) & rated[whole.white]) | ((whole.white == i) & rated[whole.black])
        if not rows.any():
            return None
        sign = np.where(whole.black[rows] == i, 1.0, -1.0)
        others = np.where(sign > 0, whole.white[rows], whole.black[rows])
        edge = sign * self.fit.parameters[whole.advantages][whole.kind[rows]] - self.fit.parameters[others]
        games = (whole.wins + whole.draws + whole.losses)[rows]

        def drop(value: float) -> float:
            return math.sqrt(2.0 * float(games @ np.logaddexp(0.0, side * (value + edge))))

        middle = float(self.mean @ self.fit.parameters[: len(self.mean)])
        sure = -side * (float((side * edge).max()) + FARTHEST / 2)  # so far off that every result is nearly certain
        end = find_end(drop, sure, bound_reach(level), side)
        return None if end is None else end - middle

    def _best(self, contrast: Floats) -> float:
        return float(contrast @ self.fit.parameters)

    def _drop(self, contrast: Floats, value: float, start: Floats) -> tuple[float, Floats]:
        """Return the root of the likelihood ratio, and the other parameters there."""
        held = maximise(self.fit.likelihood, start, self.fit.fixed, contrast, value, LEAST_GAIN)
        return math.sqrt(max(2.0 * (self.fit.value - held.value), 0.0)), held.parameters


def find_end(drop: Callable[[float], float], best: float, wanted: float, side: int) -> float | None:
    """As `find_ends`, of one function; None for an end out of reach."""
    end = float(find_ends(lambda place: np.array([drop(float(place[0]))]), np.array([best]), wanted, side)[0])
    return None if math.isnan(end) else end


def find_ends(drop: Callable[[Floats], Floats], best: Floats, wanted: float, side: int) -> Floats:
    """Return where, on one side of the best values, functions reach `wanted`; NaN for an end not within FARTHEST.

    drop -- of each function the value at its place: 0 at the best one, growing on both sides

    By false position (Illinois): the root of a likelihood ratio is nearly linear.
    """
    near, low = best.copy(), np.full(len(best), -wanted)
    far, high = near.copy(), low.copy()
    step, out = 1.0, np.zeros(len(best), bool)
    while (open_ := (high < 0) & ~out).any():
        out |= open_ & (np.abs(far - best) >= FARTHEST)
        open_ &= ~out
        near, low = np.where(open_, far, near), np.where(open_, high, low)
        far = np.where(open_, far + side * step, far)
        high = np.where(open_, drop(far) - wanted, high)
        step *= 2
    found = np.where(out, np.nan, far)
    looking = ~out
    for _ in range(60):
        if not looking.any():
            break
        middle = np.where(looking, near - low * (far - near) / np.where(looking, high - low, 1.0), best)
        off = drop(middle) - wanted
        found = np.where(looking, middle, found)
        looking &= np.abs(off) >= NEAR
        above = off > 0
        far, high = np.where(above, middle, far), np.where(above, off, high / 2)
        near, low = np.where(above, near, middle), np.where(above, low / 2, off)
    return found
