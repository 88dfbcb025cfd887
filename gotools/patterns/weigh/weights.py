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
from gotools.patterns.weigh.firing import FiringTable
from gotools.patterns.weigh.kernels import softmax as _softmax

Weights = NDArray[np.float64]

PARTS = 8
"""Shares in which the positions are summed: fixed, so that the number of threads changes no digit."""

TOLERANCE = 1e-6
"""Slope of the mean log-likelihood at which a fit ends."""

DEFAULT_L2 = 40.0
"""Ridge if there are no games to choose one."""

MOST_STEPS = 80
"""Most steps of L-BFGS; the slope is nearly 0 by then."""

DIGITS = 3
"""Decimals of a weight: a thousandth of a log-odd is far below what games can resolve."""

L2S = (300.0, 150.0, 80.0, 40.0, 20.0, 10.0, 5.0)
"""Ridges to choose from, strongest first: each fit begins at the weights of the one before."""


@dataclass(frozen=True, slots=True)
class Observations:
    """Positions with their moves, and which rules fire there: the data that weights are fitted on.

    offset -- minus the logarithm of a move's share in a sample of the legal moves; zeros for all moves
    """

    first: NDArray[np.int64]  # int64[positions+1]
    played: NDArray[np.int64]  # int64[positions]
    firing: FiringTable
    offset: NDArray[np.float32]  # float32[rows]

    def __len__(self) -> int:
        return len(self.played)

    @staticmethod
    def concat(parts: Sequence[Observations]) -> Observations:
        """Return the positions of all parts, one part after the other."""
        before = np.cumsum([0, *(len(part.offset) for part in parts)])
        return Observations(
            np.concatenate([[0], *(part.first[1:] + rows for part, rows in zip(parts, before, strict=False))]),
            np.concatenate([part.played + rows for part, rows in zip(parts, before, strict=False)]),
            FiringTable.concat(part.firing for part in parts),
            np.concatenate([part.offset for part in parts]),
        )

    @staticmethod
    def of(choices: Choices, firing: FiringTable) -> Observations:
        """Return positions with all their legal moves."""
        return Observations(choices.first, choices.played, firing, np.zeros(len(choices.points), np.float32))

    def part(self, begin: int, end: int) -> Observations:
        """Return a range of the positions; the rows are not copied."""
        return Observations(self.first[begin : end + 1], self.played[begin:end], self.firing, self.offset)

    def only(self, kept: NDArray[np.int64]) -> Observations:
        """Return the positions with only some of the rules, renumbered."""
        return Observations(self.first, self.played, self.firing.only(kept), self.offset)


def probabilities(data: Observations, weight: Weights) -> NDArray[np.float64]:
    """Return the probability of every move."""
    out = np.empty(len(data.offset))
    _softmax.probabilities(data.first, data.firing.at, data.firing.rule, data.offset, weight, out)
    return out


def log_likelihood(data: Observations, weight: Weights) -> float:
    """Return the mean log-probability of the moves played."""
    return _summed(data, weight, 0, len(data))[0] / len(data)


def fit(data: Observations, start: Weights, l2: float, steps: int, pool: Executor) -> Weights:
    """Return the weights of the largest log-likelihood less l2 / 2 times the sum of their squares.

    start -- weights to begin at; steps -- of L-BFGS at most; pool -- of threads
    """
    from scipy.optimize import minimize

    bounds = [len(data) * k // PARTS for k in range(PARTS + 1)]

    def loss(weight: Weights) -> tuple[float, Weights]:
        sums = list(pool.map(lambda k: _summed(data, weight, bounds[k], bounds[k + 1]), range(PARTS)))
        value = sum(value for value, _ in sums)
        slope: Weights = l2 * weight - np.sum([slope for _, slope in sums], axis=0)
        return float(l2 / 2 * exact.dot(weight, weight) - value), slope

    options = {"maxiter": steps, "maxcor": 20, "ftol": 1e-9, "gtol": TOLERANCE * len(data)}
    found: Weights = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x
    return found


def _summed(data: Observations, weight: Weights, begin: int, end: int) -> tuple[float, Weights]:
    """Return the sum of the log-probabilities of some positions' moves, and its slope."""
    slope = np.zeros(len(weight))
    firing = data.firing
    value = _softmax.likelihood(data.first, data.played, firing.at, firing.rule, data.offset, weight, begin, end, slope)
    return float(value), slope


def regress(data: Observations, apart: int, start: Weights, l2: float, pool: Executor) -> tuple[Weights, float, str]:
    """Return the weights that predict the moves of all positions best, their ridge, and the origin of the ridge.

    apart -- the last so many positions are of held-out games: they choose the ridge, then count like the others
    start, l2 -- weights to begin at; the ridge if there are no games to choose it
    """
    if not apart:
        return fit(data, start, l2, MOST_STEPS, pool), l2, "not chosen, for want of games to keep apart"
    learned, held = data.part(0, len(data) - apart), data.part(len(data) - apart, len(data))
    weight, best = start, -np.inf
    for ridge in L2S:
        weight = fit(learned, weight, ridge, MOST_STEPS, pool)
        value = log_likelihood(held, weight)
        if value < best:
            break
        best, start, l2 = value, weight, ridge
    origin = f"chosen on {apart:,} moves of held-out games; log-likelihood there {best:.3f}"
    return fit(data, start, l2, MOST_STEPS, pool), l2, origin


def worth(data: Observations, weight: Weights) -> NDArray[np.float64]:
    """Return about how much log-likelihood each rule is worth: w * w / 2 times its curvature."""
    p = probabilities(data, weight)
    return np.asarray(weight * weight / 2 * data.firing.sums(len(weight), p * (1 - p)), np.float64)
