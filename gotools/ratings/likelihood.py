"""The log-likelihood of the Bradley-Terry model, its gradient and its information (the negative Hessian), dense.

Parameters are log-odds (400 / ln 10 Elo is 1), in one array:

    0 .. n-1        ratings of the n players
    n               rating of the virtual average player, whom the prior's draws are played against
    n+1 .. n+c      first-move advantages of the c classes
    n+c+1           logarithm of Davidson's draw parameter

What a model leaves out (no prior, no advantage, draws as halves) is held at its start by `newton.maximise`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indexes = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Curvature:
    """The likelihood at a place: its logarithm, gradient float64[N], and information float64[N, N]."""

    value: float
    gradient: Floats
    information: Floats


@dataclass(frozen=True, slots=True)
class _Draws:
    """What the rows say of the draw parameter: slope, weight, and by row the weight it shares with the edge."""

    slope: float
    weight: float
    across: Floats


@dataclass(frozen=True)
class Likelihood:
    """Games condensed, and a prior, as a function of the parameters.

    black, white -- intp[k] players; kind -- intp[k] class of the games of a row
    wins, draws, losses -- float64[k] of black
    prior -- virtual draws of each player against the virtual player, and in each class between two equal players
    davidson -- a draw is an outcome of its own (Davidson 1970); else half a win and half a loss
    """

    players: int
    classes: int
    black: Indexes
    white: Indexes
    kind: Indexes
    wins: Floats
    draws: Floats
    losses: Floats
    prior: float
    davidson: bool

    @property
    def size(self) -> int:
        """The number of parameters."""
        return self.players + self.classes + 2

    @property
    def average(self) -> int:
        """Where the virtual player's rating stands."""
        return self.players

    @property
    def advantages(self) -> slice:
        """Where the advantages stand."""
        return slice(self.players + 1, self.players + 1 + self.classes)

    def at(self, parameters: Floats) -> Curvature:
        """Return value, gradient and information at a place.

        Costs one pass over the rows and a few over float64[N, N].
        """
        edge = parameters[self.black] - parameters[self.white]  # log-odds of black
        edge += parameters[self.advantages][self.kind]
        gradient = np.zeros(self.size)
        information = np.zeros((self.size, self.size))
        value, slope, weight, drawn = self._rows(edge, float(parameters[-1]))
        if drawn is not None:
            self._gather_draws(drawn, gradient, information)
        self._gather(slope, weight, gradient, information)
        value += self._prior(parameters, gradient, information)
        return Curvature(value, gradient, information)

    def along(self, parameters: Floats, i: int, rating: float) -> tuple[float, float]:
        """Return the value, and the information of one rating alone, where this player has another rating.

        Counts all rows, but of the prior only this player's games.
        """
        moved = parameters.copy()
        moved[i] = rating
        edge = moved[self.black] - moved[self.white] + moved[self.advantages][self.kind]
        value, _, weight, _ = self._rows(edge, float(moved[-1]))
        prior, _, held = _drawn(moved[[i]] - moved[self.average], self.prior)
        return value + prior, float(weight.sum() + held[0])

    def _rows(self, edge: Floats, log_draw: float) -> tuple[float, Floats, Floats, _Draws | None]:
        """Return the value; by row the first derivative and the negative second one; what concerns the parameter nu."""
        games = self.wins + self.draws + self.losses
        if self.davidson:
            return self._davidson(edge, log_draw, games)
        score, missed = self.wins + 0.5 * self.draws, self.losses + 0.5 * self.draws
        value, slope, weight = _halves(edge, score, missed)
        return value, slope, weight, None

    def _davidson(self, edge: Floats, log_draw: float, games: Floats) -> tuple[float, Floats, Floats, _Draws]:
        """As `_rows`, in sums of small numbers only: a difference of large ones is noise in millions of games."""
        log_win = -np.logaddexp(0.0, np.logaddexp(-edge, log_draw - 0.5 * edge))
        log_loss = -np.logaddexp(0.0, np.logaddexp(edge, log_draw + 0.5 * edge))
        log_drawn = -np.logaddexp(0.0, np.logaddexp(0.5 * edge, -0.5 * edge) - log_draw)
        win, loss, draw = np.exp(log_win), np.exp(log_loss), np.exp(log_drawn)
        value = float(self.wins @ log_win + self.losses @ log_loss + self.draws @ log_drawn)
        slope = self.wins * (loss + 0.5 * draw) - self.losses * (win + 0.5 * draw) - 0.5 * self.draws * (win - loss)
        weight = 0.25 * games * (4.0 * win * loss + draw * (win + loss))
        surplus, spread = float(self.draws.sum() - games @ draw), float(games @ (draw * (1.0 - draw)))
        return value, slope, weight, _Draws(surplus, spread, -0.5 * games * draw * (win - loss))

    def _gather_draws(self, drawn: _Draws, gradient: Floats, information: Floats) -> None:
        n, own = self.players, self.advantages
        gradient[-1] = drawn.slope
        information[-1, -1] = drawn.weight
        column = np.bincount(self.black, drawn.across, n) - np.bincount(self.white, drawn.across, n)
        information[:n, -1] = information[-1, :n] = column
        by_class = np.bincount(self.kind, drawn.across, self.classes)
        information[own, -1] = information[-1, own] = by_class

    def _gather(self, slope: Floats, weight: Floats, gradient: Floats, information: Floats) -> None:
        """Add what the rows say about ratings (a weighted Laplacian of the graph of games) and advantages."""
        n, c = self.players, self.classes
        gradient[:n] += np.bincount(self.black, slope, n) - np.bincount(self.white, slope, n)
        met = np.bincount(self.black * n + self.white, weight, n * n).reshape(n, n)
        ratings = information[:n, :n]
        ratings -= met
        ratings -= met.T
        ratings[np.diag_indices(n)] += np.bincount(self.black, weight, n) + np.bincount(self.white, weight, n)
        own = self.advantages
        gradient[own] += np.bincount(self.kind, slope, c)
        information[own, own] += np.diag(np.bincount(self.kind, weight, c))
        as_black = np.bincount(self.black * c + self.kind, weight, n * c)
        across = (as_black - np.bincount(self.white * c + self.kind, weight, n * c)).reshape(n, c)
        information[:n, own] += across
        information[own, :n] += across.T

    def _prior(self, parameters: Floats, gradient: Floats, information: Floats) -> float:
        if self.prior == 0:
            return 0.0
        n, v = self.players, self.average
        value, slope, weight = _drawn(parameters[:n] - parameters[v], self.prior)
        gradient[:n] += slope
        gradient[v] -= slope.sum()
        information[np.arange(n), np.arange(n)] += weight
        information[:n, v] -= weight
        information[v, :n] -= weight
        information[v, v] += weight.sum()
        of_classes, slope, weight = _drawn(parameters[self.advantages], self.prior)
        gradient[self.advantages] += slope
        where = np.arange(self.size)[self.advantages]
        information[where, where] += weight
        return value + of_classes


def _halves(edge: Floats, score: Floats | float, missed: Floats | float) -> tuple[float, Floats, Floats]:
    """Return value, slope and weight of games of which black took `score` points and white `missed`.

    In sums of small numbers only, see `Likelihood._davidson`.
    """
    small = np.exp(-np.abs(edge))
    large = 1.0 / (1.0 + small)
    ahead = edge >= 0
    black, white = np.where(ahead, large, small * large), np.where(ahead, small * large, large)
    games = score + missed
    lost = missed * np.maximum(edge, 0.0) + score * np.maximum(-edge, 0.0) + games * np.log1p(small)
    return -float(np.sum(lost)), score * white - missed * black, games * (black * white)


def _drawn(edge: Floats, games: float) -> tuple[float, Floats, Floats]:
    """Return value, slope and weight of virtual draws (half a win, half a loss each)."""
    return _halves(edge, 0.5 * games, 0.5 * games)
