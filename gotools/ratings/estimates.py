"""The estimates of a rating: ratings, intervals, differences, and how likely one player is the stronger."""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, shown
from gotools.ratings.information import Floats, Indexes, Inverse
from gotools.ratings.intervals import BUDGET, Profiles, interval_reach

if TYPE_CHECKING:
    from gotools.ratings.games import GameClass
    from gotools.ratings.settings import RatingSettings

ELO = 400.0 / math.log(10.0)
"""Elo of one unit of log-odds."""

Bound = Literal["", ">", "<", "?"]


@dataclass
class Spread:
    """Covariance of the ratings, in Elo squared; NaN for those not rated.

    inverse -- of the information
    mean    -- float64[n], weights of the players in the mean that ratings are relative to; zeros with anchors
    rated   -- bool[n]
    """

    inverse: Inverse
    mean: Floats
    rated: NDArray[np.bool_]

    @cached_property
    def variances(self) -> Floats:
        """Return the variances of the ratings, float64[n]. Raises NoMaximum if the games do not determine them."""
        n, size = len(self.mean), len(self.inverse.variances)
        found = self.inverse.variances[:n]
        if self.mean.any():
            to_mean = self.inverse.solve(np.concatenate([self.mean, np.zeros(size - n)]))[:n]
            found = found - 2.0 * to_mean + self.mean @ to_mean
        return np.where(self.rated, found, np.nan) * ELO**2

    def of_differences(self, one: Indexes, other: Indexes) -> Floats:
        """Return the variances of the ratings of some players less those of others; NaN if one is not rated."""
        own = self.inverse.variances
        found = np.maximum(own[one] + own[other] - 2.0 * self.inverse.between(one, other), 0.0) * ELO**2
        return np.where(self.rated[one] & self.rated[other], found, np.nan)

    @property
    def matrix(self) -> Floats:
        """Return all of it, float64[n, n]."""
        n = len(self.mean)
        to_mean = self.inverse.matrix[:n, :n] @ self.mean
        found = self.inverse.matrix[:n, :n] - to_mean[:, None] - to_mean[None, :] + self.mean @ to_mean
        return np.where(self.rated[:, None] & self.rated[None, :], found, np.nan) * ELO**2


@dataclass(frozen=True)
class Ratings:
    """The result of `rate`, in Elo throughout.

    elo -- float64[n]; where `bound` is ">" or "<" the 95 % one-sided bound, NaN without one
    bound -- by player: "" rated; with prior 0 ">" for a player without an upper limit (no losses), "<" for one
        without a lower limit (no wins), "?" for one whom no chain of wins ties to those rated
    spread -- the uncertainty of the ratings
    advantage, advantage_sd -- float64[c]; draw_parameter -- Davidson's nu, None without
    games, wins, draws, losses -- int64[n]
    """

    players: list[str]
    elo: Floats
    bound: list[Bound]
    spread: Spread
    classes: list[GameClass]
    class_games: NDArray[np.int64]
    advantage: Floats
    advantage_sd: Floats
    draw_parameter: float | None
    games: NDArray[np.int64]
    wins: NDArray[np.int64]
    draws: NDArray[np.int64]
    losses: NDArray[np.int64]
    excluded: dict[str, int]
    options: RatingSettings
    profiles: Profiles
    unusual: int  # players at 0 %, at 100 %, or without a maximum
    _ends: dict[float, tuple[list[float | None], list[float | None]]] = field(default_factory=dict)

    @property
    def covariance(self) -> Floats:
        """Return the covariance of the ratings, float64[n, n], Elo^2, relative to the mean of the rated or anchors.

        NaN where not rated.
        """
        return self.spread.matrix

    def interval(self, i: int, level: float = 0.95) -> tuple[float | None, float | None]:
        """Return the ends of a player's interval; None for an end that the games do not bound.

        By the curvature (Wald) for a player with both points scored and points lost; at 0 % and 100 %, where the
        likelihood is far from normal, by its profile. An anchor has no width.
        """
        if self.bound[i]:
            if self._profiled:
                return self._one_sided(self.profiles.of_player(i), self.bound[i], level)
            return self._own_bound(i, level)
        variance = float(self.spread.variances[i])
        if self._is_perfect(i) and variance > 0:
            if self._profiled:
                return _elo(*self.profiles.ends(self.profiles.of_player(i), level))
            low, high = self._quick_ends(level)
            return low[i], high[i]
        reach = interval_reach(level) * math.sqrt(max(variance, 0.0))
        return float(self.elo[i]) - reach, float(self.elo[i]) + reach

    def difference(self, i: int, j: int, level: float = 0.95) -> tuple[float, float | None, float | None]:
        """Return i's rating less j's, and the ends of its interval, None for an end that the games do not bound."""
        if self.bound[i] or self.bound[j]:
            side = self._side(i, j)
            low, high = self._one_sided(self.profiles.of_pair(i, j), side, level)
            known = [end for end in (low, high) if end is not None]
            return (known[0] if known else math.nan), low, high
        elo = float(self.elo[i] - self.elo[j])
        if self._profiled and self._uneven(i, j):
            return elo, *_elo(*self.profiles.ends(self.profiles.of_pair(i, j), level))
        reach = interval_reach(level) * math.sqrt(self._variance(i, j))
        return elo, elo - reach, elo + reach

    def superiority(self, i: int, j: int) -> float:
        """Return the likelihood that i is stronger than j: the normal share of the difference in its deviations.

        Where one of the two scored 0 % or 100 %, the deviations are those of the likelihood ratio. NaN where nothing
        ties the two and there are too many such players for that.
        """
        if i == j:
            return 0.5
        if self._profiled and (self.bound[i] or self.bound[j] or self._uneven(i, j)):
            return NormalDist().cdf(self.profiles.deviations(self.profiles.of_pair(i, j), 0.0))
        if self.bound[i] or self.bound[j]:
            return math.nan
        return float(_normal_shares(self.elo[i] - self.elo[j], np.sqrt(self._variance(i, j))))

    def superiorities_in(self, order: Sequence[int]) -> list[float]:
        """Return the `superiority` of each of some players over the next, one fewer than there are."""
        one, other = np.array(order[:-1], np.intp), np.array(order[1:], np.intp)
        if self._profiled or len(order) < 2:
            return [self.superiority(i, j) for i, j in pairwise(order)]
        apart, deviation = self.elo[one] - self.elo[other], np.sqrt(self.spread.of_differences(one, other))
        unrated = ~(self._rated[one] & self._rated[other])
        return [float(share) for share in np.where(unrated, math.nan, _normal_shares(apart, deviation))]

    def superiorities(self, players: Sequence[int] | None = None) -> Floats:
        """Return `superiority` of every pair of some players (None: of all), float64[m, m].

        Among very many players those at 0 % and 100 % are treated like the others.
        """
        n, size = len(self.players), self.profiles.fit.likelihood.size
        shown = np.arange(n) if players is None else np.array(players, np.intp)
        found = np.empty((len(shown), len(shown)))
        for row, i in enumerate(shown.tolist()):
            deviation = np.sqrt(self.spread.of_differences(np.full(len(shown), i), shown))
            found[row] = _normal_shares(self.elo[i] - self.elo[shown], deviation)
        for row, i in enumerate(shown.tolist()):
            if (self.bound[i] or self._is_perfect(i)) and n * self.unusual * size**3 <= BUDGET:
                found[row] = [self.superiority(i, j) for j in shown.tolist()]
                found[:, row] = 1.0 - found[row]
        return found

    def index(self, name: str) -> int:
        """Return the number of a player. Raises GotoolsError with the nearest name."""
        return find_player(self.players, name)

    @property
    def _profiled(self) -> bool:
        """Return whether there are few enough players at 0 %, 100 % or without a maximum to profile each."""
        return self.unusual * self.profiles.fit.likelihood.size**3 <= BUDGET

    def _uneven(self, i: int, j: int) -> bool:
        return i != j and (self._is_perfect(i) or self._is_perfect(j)) and self._variance(i, j) > 0

    def _variance(self, i: int, j: int) -> float:
        return float(self.spread.of_differences(np.array([i]), np.array([j]))[0])

    def _is_perfect(self, i: int) -> bool:
        return bool(self._perfect[i])

    @cached_property
    def _perfect(self) -> NDArray[np.bool_]:
        return np.asarray((self.draws == 0) & ((self.wins == 0) | (self.losses == 0)))

    def _quick_ends(self, level: float) -> tuple[list[float | None], list[float | None]]:
        """Return the ends of the intervals of all rated players at 0 % and 100 %, None for the others."""
        if level not in self._ends:
            variances = self.spread.variances
            players = np.flatnonzero(self._perfect & (variances > 0))
            lists: tuple[list[float | None], list[float | None]] = ([None] * len(self.elo), [None] * len(self.elo))
            for ends, side in zip(lists, (-1, 1), strict=True):
                found = self.profiles.own_ends(players, level, variances[players] / ELO**2, side)
                for i, end in zip(players.tolist(), found.tolist(), strict=True):
                    ends[i] = None if math.isnan(end) else end * ELO
            self._ends[level] = lists
        return self._ends[level]

    def _side(self, i: int, j: int) -> Bound:
        order = {"<": -1, "": 0, ">": 1}
        mine, other = self.bound[i], self.bound[j]
        if mine == "?" or other == "?" or mine == other:
            return "?"
        return ">" if order[mine] > order[other] else "<"

    def _own_bound(self, i: int, level: float) -> tuple[float | None, float | None]:
        if self.bound[i] == ">":
            return _elo(self.profiles.own_bound(i, self._rated, level, -1), None)
        if self.bound[i] == "<":
            return _elo(None, self.profiles.own_bound(i, self._rated, level, 1))
        return None, None

    @cached_property
    def _rated(self) -> NDArray[np.bool_]:
        return np.array([not mark for mark in self.bound])

    def _one_sided(self, contrast: Floats, side: Bound, level: float) -> tuple[float | None, float | None]:
        if not self._profiled or side not in ("<", ">"):
            return None, None
        end = self.profiles.bound(contrast, level, -1 if side == ">" else 1)
        return _elo(end, None) if side == ">" else _elo(None, end)


def _normal_shares(apart: Floats, deviation: Floats) -> Floats:
    """Return how likely differences are above 0; those without a deviation, as of two anchors, are certain."""
    from scipy.special import ndtr

    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(deviation > 0, ndtr(apart / deviation), 0.5 + 0.5 * np.sign(apart))
    return found


def _elo(low: float | None, high: float | None) -> tuple[float | None, float | None]:
    return None if low is None else low * ELO, None if high is None else high * ELO


def find_player(players: Sequence[str], name: str) -> int:
    """Return the number of a player. Raises GotoolsError with the nearest name."""
    try:
        return players.index(name)
    except ValueError:
        near = difflib.get_close_matches(name, players, 1, 0.0)
        hint = f"; the nearest name is {near[0]}" if near else ""
        raise GotoolsError(f"no games of a player named {shown(name)}{hint}") from None
