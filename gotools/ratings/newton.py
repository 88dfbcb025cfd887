"""Newton's method on a concave log-likelihood, with step control and, where wanted, one linear constraint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gotools.ratings.likelihood import Curvature, Floats, Likelihood

LONGEST = 4.0
"""Longest change of a parameter in a step, log-odds (700 Elo): beyond it the quadratic model tells nothing."""
FAR = 200.0
"""A parameter beyond this (35,000 Elo) is on its way to infinity."""
ENOUGH = 1e-12
"""A step that promises less than this in value is the last: it leaves an error of the order of its square."""
STEPS = 200


class NoMaximum(Exception):
    """The likelihood grows for ever in some direction, or is level in it."""


@dataclass(frozen=True)
class Fit:
    """A maximum: the place, the value there, and the Cholesky factor of the information."""

    likelihood: Likelihood
    fixed: Any  # bool[N]: the parameters held
    parameters: Floats
    value: float
    factor: Any

    def covariance(self) -> Floats:
        """Return the inverse of the information, float64[N, N]; zero for what is held.

        Raises NoMaximum where the information is singular but for rounding.
        """
        from scipy.linalg.lapack import dpotri

        inverse, failed = dpotri(self.factor[0], lower=1)
        if failed:
            raise NoMaximum
        covariance: Floats = np.tril(inverse) + np.tril(inverse, -1).T
        covariance[self.fixed, :] = 0.0
        covariance[:, self.fixed] = 0.0
        deviation = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
        if not np.isfinite(deviation).all() or (deviation > 1e4).any():
            raise NoMaximum
        return covariance


def maximise(
    likelihood: Likelihood,
    start: Floats,
    fixed: Any,
    contrast: Floats | None = None,
    wanted: float = 0.0,
    enough: float = ENOUGH,
    advance: Callable[[], object] = lambda: None,
) -> Fit:
    """Return the maximum over the parameters that are not `fixed`.

    contrast, wanted -- keep `contrast @ parameters == wanted`
    enough  -- what the last step may promise
    advance -- is called at each step

    Raises NoMaximum where there is none within reach.
    """
    place = start.copy()
    if contrast is not None:
        wanted -= float(contrast[fixed] @ start[fixed])
        contrast = np.where(fixed, 0.0, contrast)
    here = _held(likelihood.at(place), fixed)
    for step_number in range(STEPS):
        advance()
        factor = _factor(here)
        step = _step(here, factor, place, contrast, wanted)
        if contrast is not None and step_number == 0:  # the first one leads onto the constraint, wherever that is
            place = place + step
            here = _held(likelihood.at(place), fixed)
            continue
        if float(here.gradient @ step) < enough:
            return Fit(likelihood, fixed, place + step, here.value, factor)
        longest = float(np.abs(step).max())
        place, here = _improved(likelihood, place, here, step * min(1.0, LONGEST / longest), fixed)
        if np.abs(place).max() > FAR:
            break
    raise NoMaximum


def is_determined(likelihood: Likelihood, fixed: Any) -> bool:
    """Say whether the likelihood is level in no direction; it may have no maximum even so."""
    nowhere = np.zeros(likelihood.size)
    here = _held(likelihood.at(nowhere), fixed)
    try:
        Fit(likelihood, fixed, nowhere, here.value, _factor(here)).covariance()
    except NoMaximum:
        return False
    return True


def _held(curvature: Curvature, fixed: Any) -> Curvature:
    """Cut what is held out of the equations, by rows of the unit matrix."""
    curvature.gradient[fixed] = 0.0
    curvature.information[fixed, :] = 0.0
    curvature.information[:, fixed] = 0.0
    curvature.information[fixed, fixed] = 1.0
    return curvature


def _factor(here: Curvature) -> Any:
    from scipy.linalg import LinAlgError, cho_factor

    try:
        return cho_factor(here.information.T, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:
        raise NoMaximum from None


def _step(here: Curvature, factor: Any, place: Floats, contrast: Floats | None, wanted: float) -> Floats:
    from scipy.linalg import cho_solve

    free: Floats = cho_solve(factor, here.gradient, check_finite=False)
    if contrast is None:
        return free
    along: Floats = cho_solve(factor, contrast, check_finite=False)
    missing = wanted - float(contrast @ (place + free))
    return free + along * (missing / float(contrast @ along))


def _improved(
    likelihood: Likelihood, place: Floats, here: Curvature, step: Floats, fixed: Any
) -> tuple[Floats, Curvature]:
    """Take the step, or the first of its halves that does not lower the value (but for rounding)."""
    slack = 1e-10 * (1.0 + abs(here.value))
    for halving in range(40):
        there = place + step * 0.5**halving
        curvature = likelihood.at(there)
        if curvature.value >= here.value - slack:
            return there, _held(curvature, fixed)
    raise NoMaximum
