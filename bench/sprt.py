"""The sequential test on pairs, by simulation: error rates, games needed, and the estimates' bias and coverage.

.venv/bin/python bench/sprt.py          about five minutes
.venv/bin/python bench/sprt.py large    ten times the runs
"""

from __future__ import annotations

import sys
import time

import numpy as np
from _table import ROOT, heading, row

sys.path.insert(0, str(ROOT / "tests"))

from support.simulated_pairs import (
    CONDITIONS,
    Conditions,
    fixed_matches,
    pair_distribution,
    pairs_at_strength,
    run_tests,
    tolerance,
)

from gotools.ratings.sprt import Estimate, PairCounts, Sprt, elo_after_stop, elo_of_pairs

RUNS = {10: 100, 20: 300, 100: 2000}
"""Tests a condition, by the width of the hypotheses in Elo: a narrow one takes thousands of games each."""


WITHIN = "  (met: within three standard errors of the simulation)"


def error_rates(more: int) -> None:
    heading("errors of tests under 12 conditions: draws 0 and 10 %, black +0 and +60 Elo, openings sd 0, 150, 300 Elo")
    print(WITHIN)
    for elo0, elo1 in ((0, 10), (0, 20), (-10, 0), (0, 100)):
        for alpha, beta in ((0.05, 0.05), (0.01, 0.1)):
            _error_rates(Sprt(elo0, elo1, alpha, beta), RUNS[elo1 - elo0] * more)


def _error_rates(sprt: Sprt, runs: int) -> None:
    began = time.monotonic()
    for elo, nominal, name in ((sprt.elo0, sprt.alpha, "H1 accepted"), (sprt.elo1, sprt.beta, "H0 accepted")):
        rates, games = [], []
        for number, played in enumerate(CONDITIONS):
            accepted, counts = run_tests(sprt, pair_distribution(elo, played), runs, seed=100 + number)
            rates.append(float(np.mean(accepted != (elo == sprt.elo1))))
            games.append(2 * float(counts.sum(axis=1).mean()))
        row(
            f"{sprt.elo0:g} against {sprt.elo1:g}, at {elo:g} Elo: {name}",
            f"{np.mean(rates):.2%}, worst {max(rates):.2%}",
            f"<= {nominal:.0%}",
            bool(np.mean(rates) <= nominal + tolerance(nominal, 12 * runs))
            and max(rates) <= nominal + tolerance(nominal, runs),
            how=f"12 x {runs} tests, {min(games):.0f} to {max(games):.0f} games a test on average",
        )
    print(f"      {time.monotonic() - began:.0f} s")


def shared_openings(more: int) -> None:
    heading(
        "games a test needs, 0 against 20 Elo, no draws, black +30, an engine of true strength +20 from even openings"
    )
    sprt, runs = Sprt(0, 20), 800 * more
    for sd in (0, 150, 300):
        played = Conditions(0.0, 30.0, sd)
        games, rates = [], []
        for shared in (True, False):
            accepted, counts = run_tests(sprt, pairs_at_strength(20, played, shared), runs, seed=7)
            games.append(2 * float(counts.sum(axis=1).mean()))
            rates.append(float(accepted.mean()))
        row(
            f"openings sd {sd} Elo: shared in a pair, not shared",
            f"{games[0]:.0f}, {games[1]:.0f} games ({games[1] / games[0]:.2f} x)",
            how=f"{runs} tests each; H1 accepted {rates[0]:.3f}, {rates[1]:.3f}",
        )


def lopsided() -> None:
    heading("pairs until the verdict where one engine wins or loses all games, 0 against 20 Elo")
    sprt = Sprt(0, 20)
    for name, verdict in (("all won", "h1"), ("all lost", "h0")):
        needed = next(n for n in range(1, 1000) if sprt.verdict(_all(n, verdict == "h1")) is not None)
        met = needed <= 50 and sprt.verdict(_all(50, verdict == "h1")) == verdict
        row(f"{name}: {verdict.upper()}", f"after {needed} pairs", "<= 50 pairs", met)


def _all(pairs: int, won: bool) -> PairCounts:
    return (0, 0, 0, 0, pairs) if won else (pairs, 0, 0, 0, 0)


def coverage_of_matches(more: int) -> None:
    heading("coverage of the 95 % interval of a match of a fixed length")
    print(WITHIN)
    runs = 5000 * more
    for pairs in (50, 100, 300, 1000):
        rates = []
        for played in CONDITIONS:
            for elo in (0, 100, 200):
                matches = fixed_matches(pair_distribution(elo, played), pairs, runs, seed=9)
                distinct, times = np.unique(matches, axis=0, return_counts=True)
                inside = [_covers(elo_of_pairs(_counts(counts)), elo) for counts in distinct]
                rates.append(float(np.average(inside, weights=times)))
        slack = tolerance(0.95, runs)
        row(
            f"{pairs} pairs, true Elo 0, 100, 200, 12 conditions",
            f"{np.mean(rates):.2%}, {min(rates):.2%} to {max(rates):.2%}",
            "94 to 96 %",
            bool(0.94 <= np.mean(rates) <= 0.96) and 0.94 - slack <= min(rates) and max(rates) <= 0.96 + slack,
            how=f"36 x {runs} matches",
        )


def after_stop(more: int) -> None:
    heading("after a sequential stop, corrected / plain: share of estimates above the truth, coverage of 95 %")
    print(WITHIN)
    for sprt, runs in ((Sprt(0, 20), 500 * more), (Sprt(0, 100), 1000 * more)):
        for played in (CONDITIONS[0], CONDITIONS[-1]):
            for share in (-1.0, 0.0, 0.5, 1.0, 2.0):
                _after_stop(sprt, share * sprt.elo1, played, runs)


def _after_stop(sprt: Sprt, elo: float, played: Conditions, runs: int) -> None:
    _, stopped = run_tests(sprt, pair_distribution(elo, played), runs, seed=11)
    figures = []
    for estimates in (
        [elo_after_stop(sprt, _counts(counts)) for counts in stopped],
        [elo_of_pairs(_counts(counts)) for counts in stopped],
    ):
        above = float(np.mean([estimate.elo > elo for estimate in estimates]))
        bias = float(np.median([estimate.elo for estimate in estimates])) - elo
        figures.append((above, float(np.mean([_covers(estimate, elo) for estimate in estimates])), bias))
    (above, covers, bias), (plain_above, plain_covers, plain_bias) = figures
    row(
        f"{sprt.elo0:g} against {sprt.elo1:g}, at {elo:g} Elo, {played}",
        f"{above:.3f} / {plain_above:.3f}, {covers:.3f} / {plain_covers:.3f}",
        ".47-.53, .94-.96",
        abs(above - 0.5) <= 0.03 + tolerance(0.5, runs) and abs(covers - 0.95) <= 0.01 + tolerance(0.95, runs),
        how=f"{runs} tests; median error {bias:+.1f} / {plain_bias:+.1f} Elo",
    )


def _covers(estimate: Estimate, elo: float) -> bool:
    return estimate.low <= elo <= estimate.high


def _counts(counts: np.ndarray) -> PairCounts:
    a, b, c, d, e = (int(pairs) for pairs in counts)
    return a, b, c, d, e


if __name__ == "__main__":
    many = 10 if "large" in sys.argv[1:] else 1
    lopsided()
    shared_openings(many)
    coverage_of_matches(many)
    after_stop(many)
    error_rates(many)
