"""Simulate table B.1 of the Abalearn thesis: five kinds of players, rated by two rules from 1500 on.

    python ratings.py --courses 1000 --games 100 300 -o ratings.tsv

A course is some hundred games against a community of 2,000 whose ratings are their strengths. The stronger of two wins
with the chance that formula B.1 has, 1 / (1 + 10^(-difference / 200)). The same course is rated twice:

    model 2  formula B.1, by the function of `gotools elo --method abalone`
    model 1  a stand-in: the text has no formula. It says that a win is worth about the same for every winner, and that
             games with more than 400 points between the players do not count. The winner gets 8.5 points, as between
             equals in model 2

A row for each kind, rule and number of games: the thesis' figure, the mean of the courses, and the interval in which
95 % of them end.
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.ratings.incremental import Standing, abalone_exchange

START, COMMUNITY = 1500.0, 2000
MEAN, DEVIATION, MOST_GAMES = 1900.0, 200.0, 200
"""Of the community, of ours: the thesis' mean player, who meets all alike, ends between 1932 and 2031."""
EQUAL = 100.0
"""Points within which players are of one level; ours."""
FLAT, LIMIT = 8.5, 400.0
"""Of the stand-in for model 1."""


class Kind(NamedTuple):
    """A kind of player: strength, the share of games against better players, and the two figures of the thesis.

    weaker -- all games are against players below the own level
    """

    name: str
    strength: float
    better: float
    weaker: bool
    printed: tuple[int, int]


KINDS = (
    Kind("no courage", MEAN + DEVIATION, 0.0, True, (2250, 2010)),
    Kind("brave", MEAN + DEVIATION, 2 / 3, False, (2124, 2023)),
    Kind("very brave", MEAN + DEVIATION, 0.95, False, (2375, 2239)),
    Kind("mean", MEAN, 0.0, False, (2031, 1932)),
    Kind("very weak", MEAN - 3 * DEVIATION, 0.0, False, (789, 1250)),
)


def chance(strength: float, other: float) -> float:
    """Return the chance to win that formula B.1 has."""
    return float(1.0 / (1.0 + 10.0 ** ((other - strength) / 200.0)))


def stand_in(player: Standing, other: Standing, score: float) -> float:
    """Return what a player gets by the stand-in for model 1."""
    return (2 * score - 1) * FLAT if abs(player.elo - other.elo) <= LIMIT else 0.0


def opponent(kind: Kind, elo: float, ratings: NDArray[np.float64], rng: np.random.Generator) -> int:
    """Draw one of the community, sorted by rating, whom a player of this kind meets at a rating of his own."""
    above = int(np.searchsorted(ratings, elo, "right"))
    if kind.weaker:
        return int(rng.integers(max(1, int(np.searchsorted(ratings, elo - EQUAL)))))
    better = rng.random() < kind.better and above < len(ratings)
    return int(rng.integers(above if better else 0, len(ratings)))


def course(kind: Kind, games: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """Return where a course ends by model 1 and by model 2, and the share of games won; model 2 is what players see."""
    ratings = np.sort(rng.normal(MEAN, DEVIATION, COMMUNITY))
    first, second, won = Standing(START), Standing(START), 0
    for _ in range(games):
        other = Standing(float(ratings[opponent(kind, second.elo, ratings, rng)]), int(rng.integers(MOST_GAMES)))
        score = float(rng.random() < chance(kind.strength, other.elo))
        first.elo += stand_in(first, other, score)
        second.elo += abalone_exchange(second, other, score)
        first.games, second.games, won = first.games + 1, second.games + 1, won + int(score)
    return first.elo, second.elo, won / games


def main() -> None:
    parser = argparse.ArgumentParser(description="Simulate table B.1.")
    parser.add_argument("--courses", type=int, default=1000)
    parser.add_argument("--games", type=int, nargs="+", default=[100, 300])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    rows = [["kind", "rule", "thesis", "mean", "low", "high", "won"]]
    for (number, kind), games in itertools.product(enumerate(KINDS), words.games):
        rng = np.random.default_rng((words.seed, number, games))
        ends = np.array([course(kind, games, rng) for _ in range(words.courses)])
        for model in range(2):
            low, high = np.quantile(ends[:, model], (0.025, 0.975))
            cells = [f"{x:.0f}" for x in (ends[:, model].mean(), low, high)]
            rule = f"model {model + 1}, {games} games"
            rows.append([kind.name, rule, str(kind.printed[model]), *cells, f"{ends[:, 2].mean():.2f}"])
    words.output.write_text("\n".join("\t".join(row) for row in rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
