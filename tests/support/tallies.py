"""Tallies for the tests of ratings, and the slow, obvious likelihood that they are checked against."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from gotools.ratings.games import GameClass, GameTally
from gotools.ratings.games import TallyRow as NamedRow

ELO = 400 / math.log(10)
KINDS = [GameClass(7.5, 0, 9), GameClass(6.5, 0, 19), GameClass(0.5, 2, 19)]
Row = tuple[int, int, int, int, int, int]
"""Black, white, class; black's wins, draws, losses."""


def rows_of(tally: GameTally) -> Iterator[NamedRow]:
    """Yield the rows with names and classes in place of indexes."""
    columns = (tally.black, tally.white, tally.kind, tally.wins, tally.draws, tally.losses)
    for black, white, kind, wins, draws, losses in zip(*(column.tolist() for column in columns), strict=True):
        yield tally.players[black], tally.players[white], tally.classes[kind], wins, draws, losses


def tally_of(names: list[str] | str, rows: list[Row], excluded: dict[str, int] | None = None) -> GameTally:
    named = [(names[b], names[w], KINDS[k], wins, draws, losses) for b, w, k, wins, draws, losses in rows]
    return GameTally.from_rows(named, excluded or {})


def matches(names: str, results: dict[tuple[int, int], tuple[int, int]]) -> GameTally:
    """Games of one class: (i, j) -> wins of i, wins of j, each with black and white in turn where it comes out even."""
    return tally_of(names, [(i, j, 0, won, 0, lost) for (i, j), (won, lost) in results.items()])


def simulated(
    players: int, games: int, seed: int, sd: float = 300.0, advantage: float = 30.0
) -> tuple[GameTally, np.ndarray]:
    """Games between players drawn at random, without draws, and their true ratings (mean 0)."""
    rng = np.random.default_rng(seed)
    elo = rng.normal(0.0, sd, players)
    black = rng.integers(0, players, games)
    white = (black + rng.integers(1, players, games)) % players
    won = rng.random(games) < 1 / (1 + np.exp(-(elo[black] - elo[white] + advantage) / ELO))
    pairs, row = np.unique(black * players + white, return_inverse=True)
    wins, total = np.bincount(row, won).astype(np.int64), np.bincount(row)
    columns = (pairs // players).astype(np.int32), (pairs % players).astype(np.int32), np.zeros(len(pairs), np.int32)
    names = [f"p{i:04}" for i in range(players)]
    return GameTally(names, *columns, KINDS[:1], wins, 0 * wins, total - wins, {}), elo - elo.mean()


def slow_likelihood(
    rows: list[Row], ratings: list[float], advantages: list[float], prior: float = 0.0, nu: float | None = None
) -> float:
    """The log-likelihood written down game by game; ratings relative to the virtual player, in log-odds."""
    total = 0.0
    for black, white, kind, wins, draws, losses in rows:
        edge = ratings[black] - ratings[white] + advantages[kind]
        if nu is None:
            chance = 1 / (1 + math.exp(-edge))
            total += (wins + draws / 2) * math.log(chance) + (losses + draws / 2) * math.log(1 - chance)
        else:
            one, other = math.exp(edge), 1.0
            drawn = nu * math.sqrt(one * other)
            whole = one + other + drawn
            total += wins * math.log(one / whole) + losses * math.log(other / whole)
            total += draws * math.log(drawn / whole) if draws else 0.0
    for edge in [*ratings, *advantages]:
        chance = 1 / (1 + math.exp(-edge))
        total += prior / 2 * (math.log(chance) + math.log(1 - chance))
    return total
