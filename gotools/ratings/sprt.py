"""The sequential probability ratio test of two engines on pairs of games, and estimates from pairs.

A pair is two games with colours exchanged, from the same opening. Its two results depend on each other through the
opening, so the test and the estimates count pairs, not games. Elo is logistic: a mean score of s a game, draws half a
point, is 400 log10(s / (1 - s)) Elo.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np

from gotools.errors import GotoolsError, quoted, shown
from gotools.ratings.pair_likelihood import PAIR_SCORES, dispersion, log_likelihood_ratio

PairCounts = tuple[int, int, int, int, int]
"""Pairs in which the first engine scored 0, 0.5, 1, 1.5 and 2."""

WIDEST = 4000.0
"""Elo beyond which strengths are not distinguished, so that the ends of an interval stay finite."""
_NORMAL = NormalDist()
_NORMALIZED = 800 / math.log(10)
"""Normalized Elo of one deviation of a game."""


def score_of_elo(elo: float) -> float:
    """Return the mean score a game."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """Return the logistic Elo of a mean score, within ±4000 Elo."""
    least = score_of_elo(-WIDEST)
    if least < score < 1 - least:
        return 400 * math.log10(score / (1 - score))
    return -WIDEST if score <= least else WIDEST


def pair_counts(scores: Iterable[tuple[float | None, ...]]) -> PairCounts:
    """Count pairs by their score.

    scores -- the first engine's scores (0, 0.5, 1) in the games of each pair; a pair without two games, or
              with a game that does not count (None), is left out
    """
    counts = [0, 0, 0, 0, 0]
    for pair in scores:
        points = [score for score in pair if score is not None]
        if len(points) == len(pair) == 2:
            counts[round(2 * sum(points))] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]


@dataclass(frozen=True, slots=True)
class Sprt:
    """Decide between "the first engine is elo0 stronger" (H0) and "elo1 stronger" (H1), testing after each pair.

    elo0, elo1 -- logistic Elo of the mean score a game
    alpha -- probability of deciding for H1 at a true elo0; beta -- of deciding for H0 at a true elo1

    Source: A. Wald, Sequential Analysis, 1947, for the bounds; pair_likelihood.py for the ratio.
    Raises GotoolsError for parameters that do not define a test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            if not math.isfinite(getattr(self, name)):
                raise GotoolsError(f"SPRT: {name} is {getattr(self, name)}; give a number")
        if not self.elo0 < self.elo1:
            raise GotoolsError(f"SPRT: elo0={self.elo0:g} has to be less than elo1={self.elo1:g}")
        if max(abs(self.elo0), abs(self.elo1)) > WIDEST / 2:
            raise GotoolsError(f"SPRT: elo0 and elo1 have to be within ±{WIDEST / 2:g} Elo")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 1:
                raise GotoolsError(f"SPRT: {name}={getattr(self, name):g} has to be between 0 and 1")
        if not self.alpha + self.beta < 1:
            raise GotoolsError(f"SPRT: alpha={self.alpha:g} and beta={self.beta:g} have to be less than 1 together")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    @property
    def scores(self) -> tuple[float, float]:
        """The mean scores a game of H0 and H1."""
        return score_of_elo(self.elo0), score_of_elo(self.elo1)

    def llr(self, counts: PairCounts) -> float:
        """Return the log-likelihood ratio of H1 to H0: finite for all counts, 0 without pairs."""
        return float(log_likelihood_ratio(np.array(counts, dtype=np.float64), *self.scores))

    def verdict(self, counts: PairCounts) -> Literal["h0", "h1"] | None:
        """Return the accepted hypothesis, None while games are still needed."""
        lower, upper = self.bounds
        ratio = self.llr(counts)
        return "h1" if ratio >= upper else "h0" if ratio <= lower else None


def parse_sprt(text: str) -> Sprt:
    """Read "elo0=0,elo1=20", with alpha and beta unless they are 0.05.

    Raises GotoolsError for a key that is unknown, missing or given twice, and for a value that is not a number.
    """
    known = ("elo0", "elo1", "alpha", "beta")
    values: dict[str, float] = {}
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise GotoolsError(f"SPRT: {quoted(part.strip())} is not KEY=VALUE; write it as elo0=0,elo1=20")
        if key not in known:
            near = difflib.get_close_matches(key.lower(), known, n=1, cutoff=0.0)[0]
            raise GotoolsError(f"SPRT: unknown key {quoted(key)}; did you mean {near}? (known: {', '.join(known)})")
        if key in values:
            raise GotoolsError(f"SPRT: {key} is given twice")
        try:
            values[key] = float(value)
        except ValueError:
            raise GotoolsError(f"SPRT: {key}={shown(value)} is not a number") from None
    missing = [key for key in known[:2] if key not in values]
    if missing:
        raise GotoolsError(f"SPRT: {' and '.join(missing)} missing; write it as elo0=0,elo1=20")
    return Sprt(**values)


@dataclass(frozen=True, slots=True)
class Estimate:
    """How much stronger the first engine is, in Elo.

    low, high -- ends of the interval at the given level
    superiority -- confidence that it is the stronger one, between 0 and 1
    """

    elo: float
    low: float
    high: float
    superiority: float


def elo_of_pairs(counts: PairCounts, level: float = 0.95) -> Estimate:
    """Estimate Elo from a fixed number of pairs.

    The estimate is that of the mean score; where all games are won, that of the score by which independent games are
    all won half the time. The interval is Wilson's (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927), the scores whose
    own spread reaches to the mean, with the variance of pairs that the sample shows: it stays finite at 0 % and 100 %.
    Without pairs the interval is everything (±4000 Elo).

    level -- confidence of the interval, between 0 and 1
    """
    pairs = sum(counts)
    if not pairs:
        return Estimate(0.0, -WIDEST, WIDEST, 0.5)
    sample = np.array(counts, dtype=np.float64)
    mean, games = float(sample @ PAIR_SCORES) / pairs, 2 * pairs / float(dispersion(sample))
    reach = _NORMAL.inv_cdf((1 + level) / 2) ** 2 / games
    middle = (mean + reach / 2) / (1 + reach)
    half = math.sqrt(reach * mean * (1 - mean) + reach * reach / 4) / (1 + reach)
    return Estimate(
        elo_of_score(_inside(mean, pairs)),
        elo_of_score(middle - half),
        elo_of_score(middle + half),
        _NORMAL.cdf((2 * mean - 1) * math.sqrt(games)),
    )


def normalized_elo(counts: PairCounts, level: float = 0.95) -> tuple[float, float, float] | None:
    """Return normalized Elo (nElo) and the ends of its interval; None if all pairs score alike.

    The mean score above 1/2 in deviations of a game, times 800 / ln 10: near logistic Elo for equal players without
    draws. A game's variance is assumed to be twice that of a pair's mean score (M. Van den Bergh, Normalized Elo;
    as fastchess and fishtest print it).
    """
    pairs = sum(counts)
    sample = np.array(counts, dtype=np.float64)
    mean = float(sample @ PAIR_SCORES) / pairs if pairs else 0.5
    variance = float(sample @ (PAIR_SCORES - mean) ** 2) / pairs if pairs else 0.0
    if variance <= 0.0:
        return None
    nelo = (mean - 0.5) / math.sqrt(2 * variance) * _NORMALIZED
    reach = _NORMAL.inv_cdf((1 + level) / 2) / math.sqrt(2 * pairs) * _NORMALIZED
    return nelo, nelo - reach, nelo + reach


def _inside(mean: float, pairs: int) -> float:
    """Return the mean score, but no further from 1/2 than the score by which all games are won half the time."""
    most = math.pow(0.5, 0.5 / pairs)
    return min(max(mean, 1 - most), most)


def elo_after_stop(sprt: Sprt, counts: PairCounts, level: float = 0.95) -> Estimate:
    """Estimate Elo from a test that stopped at a bound; elo_of_pairs for one that has not stopped.

    A test tends to stop when luck favours one side, so the mean score exaggerates. This estimate is median unbiased:
    outcomes are ordered from the quickest H1 to the slowest, then from the slowest H0 to the quickest, and the estimate
    is the Elo at which an outcome at least as high has probability 1/2; at the ends of the interval it is half of 1 ±
    level. The sum of scores is modelled as a Brownian motion between two absorbing bounds (D. Siegmund, Sequential
    Analysis, 1985, chapter III, for the ordering), which went straight from 0 to its present place, so that it passed
    the bound somewhat earlier: this allows for the overshoot of the last pair, and of pairs that ended after the
    verdict.
    In tests of some 25 pairs the approximation shows: the median errs by up to 9 Elo, and 95 % intervals, which are
    then 200 to 300 Elo wide, cover 94 to 97 % (simulated, 0 against 100 Elo).
    """
    ratio, pairs = sprt.llr(counts), sum(counts)
    sample = np.array(counts, dtype=np.float64)
    middle = sum(sprt.scores) / 2
    walked = float(sample @ PAIR_SCORES) - pairs * middle
    if sprt.verdict(counts) is None or walked * ratio <= 0:
        return elo_of_pairs(counts, level)
    lower, upper = (bound * walked / ratio for bound in sprt.bounds)
    stopped = pairs * (upper if ratio > 0 else lower) / walked
    spread = float(dispersion(sample)) / 2

    def as_high(elo: float) -> float:
        score = score_of_elo(elo)
        variance = spread * score * (1 - score)
        motion = (stopped, score - middle, variance, lower, upper)
        return upper_exit_by(*motion) if ratio > 0 else 1 - lower_exit_by(*motion)

    low, elo, high = (_root(as_high, chance) for chance in ((1 - level) / 2, 0.5, (1 + level) / 2))
    elo = elo_of_score(_inside(score_of_elo(elo), pairs))
    return Estimate(min(max(elo, low), high), low, high, 1 - as_high(0.0))


def _root(rising: Callable[[float], float], value: float) -> float:
    """Return the Elo at which a rising function has the value; or an end of the range. By bisection."""
    low, high = -WIDEST, WIDEST
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < value else (low, middle)
    return (low + high) / 2


def upper_exit_by(time: float, drift: float, variance: float, lower: float, upper: float) -> float:
    """Return the probability that the motion reaches `upper` by `time`, before it reaches `lower`.

    It corrects the estimate after a sequential test. The motion starts at 0; drift and variance are those of a unit of
    time. By images: the paths to the interval's mirrored ends are added and subtracted (W. Feller, An Introduction to
    Probability Theory and its Applications, vol. 2, X.5; D. Siegmund, Sequential Analysis, 1985, chapter III). Every
    term is at most 1, so nothing overflows.

    lower, upper -- lower < 0 < upper
    """
    width, spread = upper - lower, math.sqrt(variance * time)
    pull = drift / variance
    total = 0.0
    reach = math.ceil(10 * spread / (2 * width)) + 2
    for image in range(-reach, reach + 1):
        place = upper + 2 * image * width
        far = abs(place)
        straight = _weight_of(pull * upper - abs(pull) * far, (abs(drift) * time - far) / spread)
        mirrored = _weight_of(pull * upper + abs(pull) * far, -(abs(drift) * time + far) / spread)
        total += math.copysign(straight + mirrored, place)
    return min(1.0, max(0.0, total))


def lower_exit_by(time: float, drift: float, variance: float, lower: float, upper: float) -> float:
    """Return the probability that the motion reaches `lower` by `time`, before it reaches `upper`."""
    return upper_exit_by(time, -drift, variance, -upper, -lower)


def _weight_of(exponent: float, quantile: float) -> float:
    """Return exp(exponent) times the standard normal distribution function, where either alone may overflow."""
    if quantile > -30:
        log_share = math.log(0.5 * math.erfc(-quantile / math.sqrt(2)))
    else:  # the first terms of the asymptotic series; the next is 3 / quantile^4
        log_share = -quantile * quantile / 2 - math.log(-quantile * math.sqrt(2 * math.pi)) - 1 / quantile**2
    return math.exp(min(exponent + log_share, 0.0))
