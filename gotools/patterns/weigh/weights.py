"""Weigh rules by conditional logistic regression over the moves of each position.

The probability of a move is the softmax of its score over the position's legal moves, its score the sum of the weights
of the rules that fire there. Source: Coulom 2007, whose Bradley-Terry teams are the rules that fire together; McFadden
1978 for fitting on a sample of the moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools import exact
from gotools.patterns.weigh.accuracy import Choices
from gotools.patterns.weigh.firing import Firing
from gotools.patterns.weigh.kernels import softmax as _softmax

Weights = NDArray[np.float64]

PARTS = 8
"""Shares in which the positions are summed: fixed, so that the number of threads changes no digit."""

TOLERANCE = 1e-6
"""Slope of the mean log-likelihood at which a fit ends."""

DEFAULT_L2 = 40.0
"""Ridge if there are no games to choose one."""

STEPS = 80
"""Most steps of L-BFGS; the slope is nearly 0 by then."""

DIGITS = 3
"""Decimals of a weight: a thousandth of a log-odd is far below what games can resolve."""

L2S = (300.0, 150.0, 80.0, 40.0, 20.0, 10.0, 5.0)
"""Ridges to choose from, strongest first: each fit begins at the weights of the one before."""


@dataclass(frozen=True, slots=True)
class Sight:
    """Positions with their moves, and which rules fire there: the data that weights are fitted on.

    offset -- minus the logarithm of a move's share in a sample of the legal moves; zeros for all moves
    """

    first: NDArray[np.int64]  # int64[positions+1]
    played: NDArray[np.int64]  # int64[positions]
    firing: Firing
    offset: NDArray[np.float32]  # float32[rows]

    def __len__(self) -> int:
        return len(self.played)

    @staticmethod
    def concat(parts: Sequence[Sight]) -> Sight:
        """Return the positions of all parts, one part after the other."""
        before = np.cumsum([0, *(len(part.offset) for part in parts)])
        return Sight(
            np.concatenate([[0], *(part.first[1:] + rows for part, rows in zip(parts, before, strict=False))]),
            np.concatenate([part.played + rows for part, rows in zip(parts, before, strict=False)]),
            Firing.concat(part.firing for part in parts),
            np.concatenate([part.offset for part in parts]),
        )

    @staticmethod
    def of(choices: Choices, firing: Firing) -> Sight:
        """Return positions with all their legal moves."""
        return Sight(choices.first, choices.played, firing, np.zeros(len(choices.points), np.float32))

    def part(self, begin: int, end: int) -> Sight:
        """Return a range of the positions; the rows are not copied."""
        return Sight(self.first[begin : end + 1], self.played[begin:end], self.firing, self.offset)

    def only(self, kept: NDArray[np.int64]) -> Sight:
        """Return the positions with only some of the rules, renumbered."""
        return Sight(self.first, self.played, self.firing.only(kept), self.offset)


def probabilities(sight: Sight, weight: Weights) -> NDArray[np.float64]:
    """Return the probability of every move."""
    out = np.empty(len(sight.offset))
    _softmax.probabilities(sight.first, sight.firing.at, sight.firing.rule, sight.offset, weight, out)
    return out


def log_likelihood(sight: Sight, weight: Weights) -> float:
    """Return the mean log-probability of the moves played."""
    return _summed(sight, weight, 0, len(sight))[0] / len(sight)


def fit(sight: Sight, start: Weights, l2: float, steps: int, pool: Executor) -> Weights:
    """Return the weights of the largest log-likelihood less l2 / 2 times the sum of their squares.

    start -- weights to begin at; steps -- of L-BFGS at most; pool -- of threads
    """
    from scipy.optimize import minimize

    bounds = [len(sight) * k // PARTS for k in range(PARTS + 1)]

    def loss(weight: Weights) -> tuple[float, Weights]:
        sums = list(pool.map(lambda k: _summed(sight, weight, bounds[k], bounds[k + 1]), range(PARTS)))
        value = sum(value for value, _ in sums)
        slope: Weights = l2 * weight - np.sum([slope for _, slope in sums], axis=0)
        return float(l2 / 2 * exact.dot(weight, weight) - value), slope

    options = {"maxiter": steps, "maxcor": 20, "ftol": 1e-9, "gtol": TOLERANCE * len(sight)}
    found: Weights = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x
    return found


def _summed(sight: Sight, weight: Weights, begin: int, end: int) -> tuple[float, Weights]:
    """Return the sum of the log-probabilities of some positions' moves, and its slope."""
    slope = np.zeros(len(weight))
    firing = sight.firing
    value = _softmax.likelihood(
        sight.first, sight.played, firing.at, firing.rule, sight.offset, weight, begin, end, slope
    )
    return float(value), slope


def regress(sight: Sight, apart: int, start: Weights, l2: float, pool: Executor) -> tuple[Weights, float, str]:
    """Return the weights that predict the moves of all positions best, their ridge, and the origin of the ridge.

    apart -- the last so many positions are of held-out games: they choose the ridge, then count like the others
    start, l2 -- weights to begin at; the ridge if there are no games to choose it
    """
    if not apart:
        return fit(sight, start, l2, STEPS, pool), l2, "not chosen, for want of games to keep apart"
    learned, held = sight.part(0, len(sight) - apart), sight.part(len(sight) - apart, len(sight))
    weight, best = start, -np.inf
    for ridge in L2S:
        weight = fit(learned, weight, ridge, STEPS, pool)
        value = log_likelihood(held, weight)
        if value < best:
            break
        best, start, l2 = value, weight, ridge
    origin = f"chosen on {apart:,} moves of games kept apart; log-likelihood there {best:.3f}"
    return fit(sight, start, l2, STEPS, pool), l2, origin


def worth(sight: Sight, weight: Weights) -> NDArray[np.float64]:
    """Return about how much log-likelihood each rule is worth: w * w / 2 times its curvature."""
    p = probabilities(sight, weight)
    return np.asarray(weight * weight / 2 * sight.firing.sums(len(weight), p * (1 - p)), np.float64)
