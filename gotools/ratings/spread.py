"""The uncertainty of ratings: variances relative to the mean of all rated players, and variances of differences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gotools.ratings.information import DenseInverse, Floats, Indexes, Inverse


@dataclass
class Spread:
    """Covariance of the ratings, in units of `unit` squared; NaN for those not rated.

    inverse -- of the information
    mean    -- float64[n], weights of the players in the mean that ratings are relative to; zeros with anchors
    rated   -- bool[n]
    """

    inverse: Inverse
    mean: Floats
    rated: NDArray[np.bool_]
    unit: float

    @cached_property
    def variances(self) -> Floats:
        """Return the variances of the ratings, float64[n]. Raises NoMaximum if the games do not determine them."""
        n = len(self.mean)
        if isinstance(self.inverse, DenseInverse):
            return self.matrix.diagonal()
        found = self.inverse.variances()[:n]
        if self.mean.any():
            to_mean = self.inverse.solve(np.concatenate([self.mean, np.zeros(self._others)]))[:n]
            found = found - 2.0 * to_mean + self.mean @ to_mean
        return np.where(self.rated, found, np.nan) * self.unit**2

    def of_differences(self, one: Indexes, other: Indexes) -> Floats:
        """Return the variances of the ratings of some players less those of others; NaN if one is not rated."""
        if isinstance(self.inverse, DenseInverse):
            c = self.matrix
            found = c[one, one] + c[other, other] - 2.0 * c[one, other]
        else:
            own = self.inverse.variances()
            found = (own[one] + own[other] - 2.0 * self.inverse.between(one, other)) * self.unit**2
            found[~(self.rated[one] & self.rated[other])] = np.nan
        return np.maximum(found, 0.0)

    @cached_property
    def matrix(self) -> Floats:
        """Return all of it, float64[n, n]."""
        n = len(self.mean)
        covariance = self.inverse.matrix()[:n, :n]
        if self.mean.any():
            to_mean = covariance @ self.mean
            covariance = covariance - to_mean[:, None] - to_mean[None, :] + self.mean @ to_mean
        covariance[~self.rated, :] = np.nan
        covariance[:, ~self.rated] = np.nan
        return covariance * self.unit**2

    @property
    def _others(self) -> int:
        return len(self.inverse.variances()) - len(self.mean)
