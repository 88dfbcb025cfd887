"""The log-likelihood of the Bradley-Terry model, its gradient and its information (the negative Hessian).

Parameters are log-odds (400 / ln 10 Elo is 1), in one array:

    0 .. n-1        ratings of the n players
    n               rating of the virtual average player, the opponent of the prior's draws
    n+1 .. n+c      first-move advantages of the c classes
    n+c+1           logarithm of Davidson's draw parameter

Parameters that a model leaves out (no prior, no advantage, draws as halves) are held at their start by
`newton.maximise`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gotools.ratings.information import Blocks, Bordered, Dense, Floats, Indexes, Information

_COLUMNS = ("black", "white", "kind", "wins", "draws", "losses")


@dataclass(frozen=True, slots=True)
class Curvature:
    """The likelihood at a place: its logarithm, gradient float64[N], and information of N x N."""

    value: float
    gradient: Floats
    information: Information


@dataclass(frozen=True, slots=True)
class _Draws:
    """The derivatives by the draw parameter: slope, weight, and by row the weight it shares with the edge."""

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
    order -- in which players are eliminated from sparse information; None: it is dense
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
    order: Indexes | None = None

    @property
    def size(self) -> int:
        """The number of parameters."""
        return self.players + self.classes + 2

    @property
    def average(self) -> int:
        """The index of the virtual player's rating."""
        return self.players

    @property
    def advantages(self) -> slice:
        """The indexes of the advantages."""
        return slice(self.players + 1, self.players + 1 + self.classes)

    def at(self, parameters: Floats) -> Curvature:
        """Return value, gradient and information at a place.

        Costs one pass over the rows, and where the information is dense a few over float64[N, N].
        """
        edge = parameters[self.black] - parameters[self.white]  # log-odds of black
        edge += parameters[self.advantages][self.kind]
        gradient = np.zeros(self.size)
        values, slope, weight, drawn = self.rows(edge, float(parameters[-1]))
        blocks = self._gather(slope, weight, gradient)
        if drawn is not None:
            self._gather_draws(drawn, gradient, blocks)
        value = float(values.sum()) + self._prior(parameters, gradient, blocks)
        return Curvature(value, gradient, Dense(blocks) if self.order is None else Bordered(blocks, self.order))

    def rows(self, edge: Floats, log_draw: float) -> tuple[Floats, Floats, Floats, _Draws | None]:
        """Return by row the value, the first derivative and the negative second one; what concerns the parameter nu."""
        games = self.wins + self.draws + self.losses
        if self.davidson:
            return self._davidson(edge, log_draw, games)
        score, missed = self.wins + 0.5 * self.draws, self.losses + 0.5 * self.draws
        value, slope, weight = _halves(edge, score, missed)
        return value, slope, weight, None

    def _davidson(self, edge: Floats, log_draw: float, games: Floats) -> tuple[Floats, Floats, Floats, _Draws]:
        """As `_rows`, in sums of small numbers only: a difference of large ones is noise in millions of games."""
        log_win = -np.logaddexp(0.0, np.logaddexp(-edge, log_draw - 0.5 * edge))
        log_loss = -np.logaddexp(0.0, np.logaddexp(edge, log_draw + 0.5 * edge))
        log_drawn = -np.logaddexp(0.0, np.logaddexp(0.5 * edge, -0.5 * edge) - log_draw)
        win, loss, draw = np.exp(log_win), np.exp(log_loss), np.exp(log_drawn)
        value = self.wins * log_win + self.losses * log_loss + self.draws * log_drawn
        slope = self.wins * (loss + 0.5 * draw) - self.losses * (win + 0.5 * draw) - 0.5 * self.draws * (win - loss)
        weight = 0.25 * games * (4.0 * win * loss + draw * (win + loss))
        surplus, spread = float(self.draws.sum() - games @ draw), float(games @ (draw * (1.0 - draw)))
        return value, slope, weight, _Draws(surplus, spread, -0.5 * games * draw * (win - loss))

    def _gather(self, slope: Floats, weight: Floats, gradient: Floats) -> Blocks:
        """Return the information of the rows on ratings (a weighted Laplacian of the graph of games) and advantages."""
        n, c = self.players, self.classes
        gradient[:n] += np.bincount(self.black, slope, n) - np.bincount(self.white, slope, n)
        gradient[self.advantages] += np.bincount(self.kind, slope, c)
        diagonal = np.add(np.bincount(self.black, weight, n), np.bincount(self.white, weight, n), dtype=np.float64)
        blocks = Blocks(self.black, self.white, weight, diagonal, np.zeros((n, c + 2)), np.zeros((c + 2, c + 2)))
        as_black = np.bincount(self.black * c + self.kind, weight, n * c)
        blocks.border[:, 1:-1] = (as_black - np.bincount(self.white * c + self.kind, weight, n * c)).reshape(n, c)
        blocks.corner[1:-1, 1:-1] = np.diag(np.bincount(self.kind, weight, c))
        return blocks

    def _gather_draws(self, drawn: _Draws, gradient: Floats, blocks: Blocks) -> None:
        n = self.players
        gradient[-1] = drawn.slope
        blocks.corner[-1, -1] = drawn.weight
        blocks.border[:, -1] = np.bincount(self.black, drawn.across, n) - np.bincount(self.white, drawn.across, n)
        by_class = np.bincount(self.kind, drawn.across, self.classes)
        blocks.corner[1:-1, -1] = blocks.corner[-1, 1:-1] = by_class

    def _prior(self, parameters: Floats, gradient: Floats, blocks: Blocks) -> float:
        if self.prior == 0:
            return 0.0
        n, v = self.players, self.average
        of_players, slope, weight = drawn_games(parameters[:n] - parameters[v], self.prior)
        gradient[:n] += slope
        gradient[v] -= slope.sum()
        blocks.diagonal += weight
        blocks.border[:, 0] -= weight
        blocks.corner[0, 0] += weight.sum()
        of_classes, slope, weight = drawn_games(parameters[self.advantages], self.prior)
        gradient[self.advantages] += slope
        classes = np.arange(1, 1 + self.classes)
        blocks.corner[classes, classes] += weight
        return float(of_players.sum() + of_classes.sum())


def _halves(edge: Floats, score: Floats | float, missed: Floats | float) -> tuple[Floats, Floats, Floats]:
    """Return value, slope and weight of games of which black took `score` points and white `missed`.

    In sums of small numbers only, see `Likelihood._davidson`.
    """
    small = np.exp(-np.abs(edge))
    large = 1.0 / (1.0 + small)
    ahead = edge >= 0
    black, white = np.where(ahead, large, small * large), np.where(ahead, small * large, large)
    games = score + missed
    lost = missed * np.maximum(edge, 0.0) + score * np.maximum(-edge, 0.0) + games * np.log1p(small)
    return -lost, score * white - missed * black, games * (black * white)


def drawn_games(edge: Floats, games: float) -> tuple[Floats, Floats, Floats]:
    """Return value, slope and weight of virtual draws (half a win, half a loss each)."""
    return _halves(edge, 0.5 * games, 0.5 * games)


class OwnGames:
    """The games of each of some players, those of the prior included, as a function of that player's rating alone."""

    def __init__(self, whole: Likelihood, parameters: Floats, players: Indexes) -> None:
        group = np.full(whole.players, -1)
        group[players] = np.arange(len(players))
        black, white = np.flatnonzero(group[whole.black] >= 0), np.flatnonzero(group[whole.white] >= 0)
        rows = np.concatenate([black, white])
        self._group = np.concatenate([group[whole.black[black]], group[whole.white[white]]])
        self._side = np.concatenate([np.ones(len(black)), -np.ones(len(white))])
        columns = (getattr(whole, name)[rows] for name in _COLUMNS)
        self._own = replace(whole, **dict(zip(_COLUMNS, columns, strict=True)), order=None)
        edge = parameters[self._own.black] - parameters[self._own.white]
        edge += parameters[whole.advantages][self._own.kind]
        self._rest = edge - self._side * parameters[players][self._group]
        self._average, self._log_draw = float(parameters[whole.average]), float(parameters[-1])

    def values(self, ratings: Floats) -> Floats:
        """Return the log-likelihood of each player's games at a rating of that player."""
        return self._sums(0, ratings)

    def information(self, ratings: Floats) -> Floats:
        """Return the information of each player's games."""
        return self._sums(2, ratings)

    def _sums(self, which: int, ratings: Floats) -> Floats:
        edge = self._rest + self._side * ratings[self._group]
        value, _, weight, _ = self._own.rows(edge, self._log_draw)
        drawn = drawn_games(ratings - self._average, self._own.prior)[which]
        found: Floats = np.bincount(self._group, weight if which else value, len(ratings)) + drawn
        return found
