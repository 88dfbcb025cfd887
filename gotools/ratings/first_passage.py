"""When a Brownian motion first leaves an interval: the basis for correcting the estimate after a sequential test."""

from __future__ import annotations

import math


def upper_exit_by(time: float, drift: float, variance: float, lower: float, upper: float) -> float:
    """Return the probability that the motion reaches `upper` by `time`, before it reaches `lower`.

    The motion starts at 0; drift and variance are those of a unit of time. By images: the paths to the interval's
    mirrored ends are added and subtracted (W. Feller, An Introduction to Probability Theory and its Applications,
    vol. 2, X.5; D. Siegmund, Sequential Analysis, 1985, chapter III). Every term is at most 1, so nothing overflows.

    lower, upper -- lower < 0 < upper
    """
    width, spread = upper - lower, math.sqrt(variance * time)
    pull = drift / variance
    total = 0.0
    reach = math.ceil(10 * spread / (2 * width)) + 2
    for image in range(-reach, reach + 1):
        place = upper + 2 * image * width
        far = abs(place)
        straight = _weight(pull * upper - abs(pull) * far, (abs(drift) * time - far) / spread)
        mirrored = _weight(pull * upper + abs(pull) * far, -(abs(drift) * time + far) / spread)
        total += math.copysign(straight + mirrored, place)
    return min(1.0, max(0.0, total))


def lower_exit_by(time: float, drift: float, variance: float, lower: float, upper: float) -> float:
    """Return the probability that the motion reaches `lower` by `time`, before it reaches `upper`."""
    return upper_exit_by(time, -drift, variance, -upper, -lower)


def _weight(exponent: float, quantile: float) -> float:
    """Return exp(exponent) times the standard normal distribution function, where either alone may overflow."""
    if quantile > -30:
        log_share = math.log(0.5 * math.erfc(-quantile / math.sqrt(2)))
    else:  # the first terms of the asymptotic series; the next is 3 / quantile^4
        log_share = -quantile * quantile / 2 - math.log(-quantile * math.sqrt(2 * math.pi)) - 1 / quantile**2
    return math.exp(min(exponent + log_share, 0.0))
