"""Newton's method on a concave log-likelihood, with step control and optionally one linear constraint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.ratings.information import Floats, Inverse, NoMaximum
from gotools.ratings.likelihood import Curvature, Likelihood

LONGEST_STEP = 4.0
"""Longest change of a parameter in a step, log-odds (700 Elo): beyond it the quadratic model is useless."""
FAR = 200.0
"""A parameter beyond this (35,000 Elo) is on its way to infinity."""
LEAST_GAIN = 1e-12
"""Expected gain below which a step is the last: it leaves an error of the order of its square."""
MOST_STEPS = 200


@dataclass(frozen=True)
class Fit:
    """A maximum: the place, the value there, and the inverse of the information."""

    likelihood: Likelihood
    fixed: NDArray[np.bool_]  # bool[N]: the parameters held
    parameters: Floats
    value: float
    inverse: Inverse


def maximise(
    likelihood: Likelihood,
    start: Floats,
    fixed: NDArray[np.bool_],
    contrast: Floats | None = None,
    wanted: float = 0.0,
    enough: float = LEAST_GAIN,
    advance: Callable[[], object] = lambda: None,
) -> Fit:
    """Return the maximum over the parameters that are not `fixed`.

    contrast, wanted -- keep `contrast @ parameters == wanted`
    enough  -- expected gain below which a step is the last
    advance -- called at each step

    Raises NoMaximum without one in reach.
    """
    place = start.copy()
    if contrast is not None:
        wanted -= float(contrast[fixed] @ start[fixed])
        contrast = np.where(fixed, 0.0, contrast)
    here = _held(likelihood.at(place), fixed)
    for step_number in range(MOST_STEPS):
        advance()
        inverse = here.information.inverse()
        step = _step(here, inverse, place, contrast, wanted)
        if contrast is not None and step_number == 0:  # the first one leads onto the constraint, wherever that is
            place = place + step
            here = _held(likelihood.at(place), fixed)
            continue
        if float(here.gradient @ step) < enough:
            return Fit(likelihood, fixed, place + step, here.value, inverse)
        longest = float(np.abs(step).max())
        place, here = _improved(likelihood, place, here, step * min(1.0, LONGEST_STEP / longest), fixed)
        if np.abs(place).max() > FAR:
            break
    raise NoMaximum


def is_determined(likelihood: Likelihood, fixed: NDArray[np.bool_]) -> bool:
    """Return whether the likelihood is curved in every direction; it may still have no maximum."""
    nowhere = np.zeros(likelihood.size)
    here = _held(likelihood.at(nowhere), fixed)
    try:
        return bool(np.isfinite(here.information.inverse().variances).all())
    except NoMaximum:
        return False


def _held(curvature: Curvature, fixed: NDArray[np.bool_]) -> Curvature:
    curvature.gradient[fixed] = 0.0
    curvature.information.hold(fixed)
    return curvature


def _step(here: Curvature, inverse: Inverse, place: Floats, contrast: Floats | None, wanted: float) -> Floats:
    free = inverse.solve(here.gradient)
    if contrast is None:
        return free
    along = inverse.solve(contrast)
    missing = wanted - float(contrast @ (place + free))
    return free + along * (missing / float(contrast @ along))


def _improved(
    likelihood: Likelihood, place: Floats, here: Curvature, step: Floats, fixed: NDArray[np.bool_]
) -> tuple[Floats, Curvature]:
    """Take the step, or the first of its halves that does not lower the value (up to rounding)."""
    slack = 1e-10 * (1.0 + abs(here.value))
    for halving in range(40):
        there = place + step * 0.5**halving
        curvature = likelihood.at(there)
        if curvature.value >= here.value - slack:
            return there, _held(curvature, fixed)
    raise NoMaximum
