"""The value of a network as a chance to win: log loss on games that it has not seen, and its calibration.

Only games between players at most a rank apart have a result here, as in training.

    python bench/value.py --eval net.npz                    on ../shared/data: professionals, and dan players
    python bench/value.py --eval net.npz --records games

Beside it stands what komi, stones and the move number say: a logistic regression on half of the games, measured on the
others. Positions of a game are no independent draws: the intervals are by games (bootstrap).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from _table import SHARED, heading, row, skipped
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gotools.base.errors import GotoolsError
from gotools.base.phases import UNWATCHED
from gotools.game.game import find_game
from gotools.values.network.samples import Samples, read_samples
from gotools.values.weights.evaluator import load_evaluator

RECORDS = ("go9-pro/valid", "go9-dan/valid")
DRAWS = 1000
BANDS = 10


def main() -> None:
    """Measure each set of records."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--eval", required=True)
    parser.add_argument("--records", action="append")
    options = parser.parse_args()
    heading("the value as a chance to win")
    evaluator = load_evaluator(options.eval, "go")
    for path in options.records or [str(SHARED / "data" / name) for name in RECORDS]:
        try:
            samples = read_samples([path], find_game("go"), frozenset({9}), print, UNWATCHED)
        except GotoolsError as error:
            skipped(path, str(error))
            continue
        samples = samples.only(np.flatnonzero(samples.result != 0))
        won = samples.result > 0
        chances = np.array([(evaluator.value(samples.state(i)) + 1) / 2 for i in range(len(samples))])
        usual = baseline(samples, won)
        for name, found in (("network", chances), ("komi, stones, move number", usual)):
            low, high = interval(loss(found, won), samples.game)
            row(
                f"{'/'.join(Path(path).parts[-2:])}, {name}: log loss",
                f"{loss(found, won).mean():.3f} ({low:.3f} to {high:.3f})",
            )
        for low in np.arange(BANDS) / BANDS:
            some = (chances >= low) & (chances < low + 1 / BANDS)
            if some.sum() >= 50:
                row(
                    f"    chance {low:.0%} to {low + 1 / BANDS:.0%}: mean, and share of games won",
                    f"{chances[some].mean():.1%}, {won[some].mean():.1%}",
                    how=f"{some.sum():,} positions",
                )


def baseline(samples: Samples, won: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return chances by komi, stones and move number; of each half of the games by the other half."""
    rows = samples.rows.take(np.arange(len(samples)))
    own = (rows.board == rows.to_play[:, None]).sum(axis=1)
    other = ((rows.board != 0).sum(axis=1)) - own
    komi = np.where(rows.to_play == 2, 1, -1) * samples.komi2 / 2.0
    x = np.column_stack([own - other, komi, (own - other) * (own + other), komi * (own + other)])
    found, half = np.empty(len(samples)), samples.game % 2 == 0
    for part in (half, ~half):
        model = make_pipeline(StandardScaler(), LogisticRegression()).fit(x[~part], won[~part])
        found[part] = model.predict_proba(x[part])[:, 1]
    return found


def loss(chances: NDArray[np.float64], won: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return minus the logarithm of the chance that each result had."""
    chances = np.clip(chances, 1e-6, 1 - 1e-6)
    return -np.log(np.where(won, chances, 1 - chances))


def interval(losses: NDArray[np.float64], game: NDArray[np.int32]) -> tuple[float, float]:
    """Return the 95 % interval of a mean, games drawn with replacement."""
    games, where = np.unique(game, return_inverse=True)
    sums, counts = np.bincount(where, losses), np.bincount(where)
    drawn = np.random.default_rng(1).integers(len(games), size=(DRAWS, len(games)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


if __name__ == "__main__":
    main()
