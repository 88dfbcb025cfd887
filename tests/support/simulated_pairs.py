"""Pairs of games with colours exchanged between two engines of known strength, many tests of them at once."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.ratings.sprt import PAIR_SCORES, Sprt, log_likelihood_ratio, score_of_elo

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Conditions:
    """How games are played: the share of draws, black's advantage in Elo, and how much openings differ from it (sd)."""

    draws: float = 0.0
    black: float = 0.0
    openings: float = 0.0

    def __str__(self) -> str:
        return f"{self.draws:.0%} draws, black {self.black:+g}, openings sd {self.openings:g}"


CONDITIONS = [
    Conditions(draws, black, sd) for draws in (0.0, 0.1) for black in (0.0, 60.0) for sd in (0.0, 150.0, 300.0)
]


def pair_distribution(elo: float, played: Conditions) -> Floats:
    """Return the probabilities of the five pair scores: float64[5], of mean score_of_elo(elo).

    The engine's strength is chosen so that the mean over openings is that: by a spread of openings scores go to 1/2.
    """
    low, high = -4000.0, 4000.0
    for _ in range(80):
        strength = (low + high) / 2
        scores = pairs_at_strength(strength, played)
        low, high = (strength, high) if scores @ PAIR_SCORES < score_of_elo(elo) else (low, strength)
    return scores


def pairs_at_strength(strength: float, played: Conditions, shared: bool = True) -> Floats:
    """Return the probabilities of the five pair scores: float64[5], of an engine so much stronger from an even opening.

    shared -- both games from one opening; otherwise each from its own
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(61)
    weights = weights / weights.sum()
    opening = played.black + played.openings * nodes
    games = []
    for advantage in (opening, -opening):
        wins = 1 / (1 + 10 ** (-(strength + advantage) / 400))
        games.append([(1 - played.draws) * (1 - wins), np.full_like(wins, played.draws), (1 - played.draws) * wins])
    scores = np.zeros(5)
    for first in range(3):
        for second in range(3):
            a, b = games[0][first], games[1][second]
            scores[first + second] += weights @ (a * b) if shared else (weights @ a) * (weights @ b)
    return scores


def fixed_matches(chances: Floats, pairs: int, runs: int, seed: int) -> NDArray[np.int64]:
    """Return the counts of matches of a fixed length: int64[runs, 5]."""
    return np.random.default_rng(seed).multinomial(pairs, chances, size=runs)


def run_tests(sprt: Sprt, chances: Floats, runs: int, seed: int) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Run tests until each has decided, looking after each pair.

    Returns bool[runs], whether H1 was accepted, and int64[runs, 5], the counts at which it stopped. The ratio is
    computed only where a normal approximation of it is beyond half a bound, or pairs are few.
    """
    draw = np.random.default_rng(seed)
    lower, upper = sprt.bounds
    accepted, counts = np.zeros(runs, dtype=np.bool_), np.zeros((runs, 5))
    alive, block = np.arange(runs), 16
    while len(alive):
        scores = draw.choice(5, size=(len(alive), block), p=chances)
        paths = counts[alive][:, None, :] + (scores[..., None] == np.arange(5)).cumsum(axis=1)
        look = _may_decide(sprt, paths)
        ratios = np.zeros(look.shape)
        ratios[look] = log_likelihood_ratio(paths[look], *sprt.scores)
        decided = (ratios <= lower) | (ratios >= upper)
        done, first = decided.any(axis=1), decided.argmax(axis=1)
        at = np.where(done, first, block - 1)
        here = np.arange(len(alive))
        counts[alive] = paths[here, at]
        accepted[alive[done]] = ratios[here, at][done] > 0
        alive = alive[~done]
        block = min(2 * block, max(16, 200_000 // max(1, len(alive))), 128)
    return accepted, counts.astype(np.int64)


def _may_decide(sprt: Sprt, counts: Floats) -> NDArray[np.bool_]:
    pairs, points = counts.sum(-1), counts @ PAIR_SCORES
    variance = (counts @ PAIR_SCORES**2 - points**2 / pairs) / pairs
    score0, score1 = sprt.scores
    normal = (score1 - score0) * (points - pairs * (score0 + score1) / 2) / np.maximum(variance, 1e-3)
    decisive: NDArray[np.bool_] = (pairs < 40) | (np.abs(normal) > min(map(abs, sprt.bounds)) / 2)
    return decisive


def tolerance(rate: float, runs: int) -> float:
    """Return what a simulated rate may be off by chance: three standard errors."""
    return 3 * math.sqrt(rate * (1 - rate) / runs)
