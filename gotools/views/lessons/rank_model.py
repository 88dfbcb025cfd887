"""Estimate a player's rank from habits: a linear model of single games, and what its mean over several games says.

A ridge regression gives each side a score: how strong its player looks by this game alone. It is learned from players
of known rank, and measured on players that it has not seen (cross-validation by players). Scores of one player's games
differ less than scores of different players: an analysis of variance with the player as a random effect says how much
the mean of n scores is worth, so an estimate moves away from the mean of all ranks as n grows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from gotools.views.lessons.habits import Sides
from gotools.views.lessons.shares import LEVEL

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

Floats = NDArray[np.float64]
MOST_OF_PLAYER: Final = 50
"""Games of a player that are learned from and measured on, so that a few who play thousands do not count for all."""
LEAST_DECISIONS: Final = 5
LEAST_PLAYERS: Final = 20
FOLDS: Final = 5
GROUPS: Final = (1, 10)
"""Games of a player from which the rank is estimated together."""
_CAUTION: Final = 10.0
"""Opportunities added to each side, played at the mean rate of all players: shrinks estimates from few."""
_RIDGE: Final = 1000.0


@dataclass(frozen=True, slots=True)
class Measured:
    """Error of the estimates from `games` games of a player, in ranks, on players that were not learned from.

    games, groups -- games of each estimate; number of estimates
    error         -- mean absolute error; baseline -- of the mean of all ranks
    correlation   -- of estimates and ranks; inside -- share of ranks within the 95 % interval
    """

    games: int
    groups: int
    error: float
    baseline: float
    correlation: float
    inside: float


@dataclass(frozen=True, slots=True)
class Spread:
    """How scores of single games and ranks vary together.

    rank, score     -- means over all sides; rank_variance -- of the ranks; covariance -- of scores and ranks
    between, within -- variance of the scores: of players, and of the games of one player
    """

    rank: float
    score: float
    rank_variance: float
    covariance: float
    between: float
    within: float

    def estimate(self, score: Floats, games: int) -> Floats:
        """Predict ranks from mean scores over `games` games."""
        return self.rank + self._slope(games) * (score - self.score)

    def half(self, games: int) -> float:
        """Return half the width of the 95 % interval of such an estimate."""
        from scipy.stats import norm

        left = self.rank_variance - self._slope(games) * max(self.covariance, 0.0)
        return float(norm.ppf(0.5 + LEVEL / 2)) * float(np.sqrt(max(left, 0.0)))

    def _slope(self, games: int) -> float:
        """Return the regression of ranks on mean scores."""
        variance = self.between + self.within / games
        return max(self.covariance, 0.0) / variance if variance > 0 else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class RankModel:
    """A learned model. rates -- float64[rules]: how often the moves of each rule are played; chances -- how often there
    is one to play, of all decisions
    """

    pipeline: Pipeline
    rates: Floats
    chances: Floats
    spread: Spread
    measured: list[Measured]

    def estimate(self, sides: Sides) -> tuple[float, float]:
        """Estimate the rank of one player from games, in steps; return it and half the width of its interval."""
        scores = self.pipeline.predict(_features(sides, self.rates, self.chances))
        mean = self.spread.estimate(np.array([scores.mean()]), len(sides))
        return float(mean[0]), self.spread.half(len(sides))


def learn_ranks(sides: Sides) -> RankModel | None:
    """Learn from the sides whose players have ranks; None where there are too few players, or all have one rank."""
    from sklearn.model_selection import GroupKFold, cross_val_predict

    known = _chosen(sides)
    players = known.player_numbers()
    if len(set(players.tolist())) < LEAST_PLAYERS or np.ptp(known.ranks) == 0:
        return None
    could, did = known.opportunities.sum(axis=0, dtype=np.int64), known.taken.sum(axis=0, dtype=np.int64)
    rates, chances = did / np.maximum(could, 1), could / known.decisions.sum()
    features = _features(known, rates, chances)
    scores = cross_val_predict(_pipeline(), features, known.ranks, groups=players, cv=GroupKFold(FOLDS))
    spread = _spread(scores, known.ranks, players)
    measured = [_measure(scores, known.ranks, players, spread, games) for games in GROUPS]
    pipeline = _pipeline().fit(features, known.ranks)
    return RankModel(pipeline, rates, chances, spread, [one for one in measured if one is not None])


def _chosen(sides: Sides) -> Sides:
    """Return the sides to learn from: with a rank, some decisions, and not too many of one player."""
    some = sides.take(~np.isnan(sides.ranks) & (sides.decisions >= LEAST_DECISIONS))
    return some.take(_place(some.player_numbers()) < MOST_OF_PLAYER)


def _place(players: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number the sides of each player from 0."""
    order = np.argsort(players, kind="stable")
    begin, counts = np.unique(players[order], return_index=True, return_counts=True)[1:]
    place = np.empty(len(players), np.int64)
    place[order] = np.arange(len(players)) - np.repeat(begin, counts)
    return place


def _pipeline() -> Pipeline:
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), Ridge(_RIDGE))


def _features(sides: Sides, rates: Floats, chances: Floats) -> Floats:
    """Return float64[n, 2 * rules + 4]: how much more often than all players a side played the move of each rule, and
    had one to play; mean log-likelihood, first and likely moves of the rules, logarithm of the decisions.
    """
    could, did = sides.opportunities.astype(np.float64), sides.taken
    decisions = sides.decisions[:, None].astype(np.float64)
    plain = np.stack([sides.log_likelihood, sides.first, sides.likely], axis=1) / decisions
    habits = (did - could * rates) / (could + _CAUTION)
    met = (could - decisions * chances) / (decisions + _CAUTION)
    found: Floats = np.hstack([habits, met, plain, np.log(decisions)])
    return found


def _spread(scores: Floats, ranks: Floats, players: NDArray[np.int64]) -> Spread:
    counts = np.bincount(players)
    means = np.bincount(players, scores) / counts
    free = len(scores) - len(counts)
    total = float(scores.var())
    within = float(((scores - means[players]) ** 2).sum()) / free if free else total
    return Spread(
        rank=float(ranks.mean()),
        score=float(scores.mean()),
        rank_variance=float(ranks.var()),
        covariance=float(np.mean((scores - scores.mean()) * (ranks - ranks.mean()))),
        between=max(total - within, 0.0),
        within=within,
    )


def _measure(scores: Floats, ranks: Floats, players: NDArray[np.int64], spread: Spread, games: int) -> Measured | None:
    """Estimate ranks from groups of `games` games of a player; the true rank of a group is its mean."""
    group = players * MOST_OF_PLAYER + _place(players) // games
    number = np.unique(group, return_inverse=True)[1]
    counts = np.bincount(number)
    full = counts == games
    if full.sum() < 2:
        return None
    rank, score = (np.bincount(number, values)[full] / games for values in (ranks, scores))
    found, half = spread.estimate(score, games), spread.half(games)
    moves = found.std() > 0 and rank.std() > 0
    return Measured(
        games=games,
        groups=int(full.sum()),
        error=float(np.abs(found - rank).mean()),
        baseline=float(np.abs(rank.mean() - rank).mean()),
        correlation=float(np.corrcoef(found, rank)[0, 1]) if moves else 0.0,
        inside=float((np.abs(found - rank) <= half).mean()),
    )
