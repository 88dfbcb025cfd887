"""Learn the two-state process of figure 6.1 by gotools' own temporal differences with kappa, beside the closed form.

    python risk.py --runs 8 --seed 1 -o risk.tsv

The learner is that of train-eval (gotools/values/td), on the process as a game (process.py); only the transitions are
drawn here. A row `value` for each theta, cost and kappa: what place 0 is worth under `move`, by the closed form and
learned, with the ends of intervals of 95 % over runs. A row `limit` for each theta and kappa: the highest cost at which
`move` is worth more than `stay`, learned by the line through the learned values of two costs, of which one is below the
limit and one above it.

Values lie between -1 and 1 in gotools: rewards are multiplied by SCALE for the learner, and its values divided by it.
That changes nothing else, as the rule of kappa is the same at every scale.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from process import FEATURES, GAINED, GO, LOST, PROCESS, STOP

from gotools.values.games.selfplay import GameBatch
from gotools.values.settings import NetworkRates
from gotools.values.td.perceptrons import Architecture, new_numbers
from gotools.values.td.td import Learner

GAMMA = 0.9
SCALE = 0.02
"""Values are at most 10 / (1 - kappa), gains of 1 a step for ever, and no less than minus the cost by the same."""
KAPPAS = (-0.8, -0.5, -0.25, 0.0, 0.25, 0.5, 0.8)
THETAS = (0.1, 0.3)
COST = 1.0
GAMES, STEPS = 2000, 500
COLUMNS = ("what", "theta", "cost", "kappa", "closed_form", "learned", "low", "high")


def closed_form(theta: float, cost: float, kappa: float) -> float:
    """Return the value of `move` in place 0, as the thesis prints it (6.2)."""
    good, bad = (1 - theta) * (1 - kappa), theta * (1 + kappa)
    return GAMMA / (1 - GAMMA) * (good - cost * bad) / (good + (1 + GAMMA) * bad)


def limit(theta: float, kappa: float) -> float:
    """Return the highest cost at which `move` is best."""
    return (1 - theta) / theta * (1 - kappa) / (1 + kappa)


def drawn(theta: float, rng: np.random.Generator) -> GameBatch:
    """Draw games of the policy `move`: after each GO nature's answer, and at last STOP, marked as explored.

    A learner that learns nothing across explored moves (`cut`) learns nothing from that end.
    """
    moves = np.full((GAMES, 2 * STEPS + 1), GO, np.int16)
    moves[:, 1::2] = np.where(rng.random((GAMES, STEPS)) < theta, LOST, GAINED)
    moves[:, -1] = STOP
    explored = np.zeros(moves.shape, np.uint8)
    explored[:, -1] = 1
    lengths, side = np.full(GAMES, moves.shape[1]), np.ones(GAMES, np.int8)
    return GameBatch(moves, lengths, np.zeros(GAMES), explored, side, np.zeros((*moves.shape, 0), np.int16))


def learned(theta: float, cost: float, kappa: float, seed: tuple[int, ...]) -> float:
    """Return the value of `move` in place 0 that gotools' learner finds in a million steps."""
    rates = NetworkRates(
        (0.5,), gamma=GAMMA, lam=0.0, kappa=kappa, schedule="decay", reward=SCALE / 100, cut=True, t0=2.0
    )
    scale = np.ones(2)
    learner = Learner(PROCESS, FEATURES, new_numbers(Architecture(), scale, 1), rates, round(100 * cost))
    learner.learn(drawn(theta, np.random.default_rng(seed)))
    return float(np.tanh(learner.arrays["weights"][0])) / SCALE


def spread(values: NDArray[np.float64]) -> list[float]:
    """Return a mean with the ends of its interval of 95 %."""
    mean, error = float(np.mean(values)), 1.96 * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return [mean, mean - error, mean + error]


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn a process of two states with a sense of risk.")
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    rows = [COLUMNS]
    for theta in THETAS:
        for kappa in KAPPAS:

            def found(cost: float, theta: float = theta, kappa: float = kappa) -> NDArray[np.float64]:
                return np.array([learned(theta, cost, kappa, (words.seed, run)) for run in range(words.runs)])

            cells = [closed_form(theta, COST, kappa), *spread(found(COST))]
            rows.append(("value", f"{theta}", f"{COST:g}", f"{kappa}", *(f"{round(x, 3) + 0:.3f}" for x in cells)))
            most = limit(theta, kappa)
            few, many = (max(round(most * part, 2), 0.01) for part in (0.5, 1.5))
            low, high = found(few), found(many)
            cells = [most, *spread(few + (many - few) * low / (low - high))]
            rows.append(("limit", f"{theta}", "-", f"{kappa}", *(f"{round(x, 3) + 0:.3f}" for x in cells)))
    words.output.write_text("\n".join("\t".join(row) for row in rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
