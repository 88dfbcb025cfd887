"""Show how well the games of an evolution judge its networks.

    python judgement.py connect4.npz sources.npz > judgement.tsv

Parents and children of a next generation play each other many times, 8 games a pair; what that says is compared with
what selection would go by. A row for each file:

    spread           standard deviation of points per game between networks, that of chance taken off
    chance           standard deviation of the mean of one network's own games in a generation, by chance alone
    correlation      of what selection goes by with points per game in all these games
    parents, children  points per game of both
    age              of the parents, in generations, mean
    least, most      games that parents lose to a player of six plies, in percent, of 50 games each
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.values.games.match import Searcher, game_seeds, play_pairs, play_series
from gotools.values.methods import EvolutionSettings
from gotools.values.population.evolution import breed, draw_opponents, fitness_of, tally_of
from gotools.values.weights.evaluator import Evaluator
from gotools.values.weights.weights_file import load_weights

COLUMNS = ("file", "spread", "chance", "correlation", "parents", "children", "age", "least", "most")
ROUNDS = 4  # games of each network against each other one, as whose game it is
SIX_GAMES = 25  # as first, and as second player
SEED = 1_000_003


class Pool:
    """Parents and children of the generation after the one in a file of `train-eval --method evolve`.

    Raises FileFormatError for other weights.
    """

    def __init__(self, path: str, jobs: int) -> None:
        file = load_weights(path)
        if file.settings.get("method") != "evolve" or "remembered" not in file.memory:
            raise FileFormatError(path, None, "these weights are not those of train-eval --method evolve")
        given: dict[str, Any] = {name: file.settings[name] for name in EvolutionSettings.__annotations__}
        self.settings, self.file, self.jobs = EvolutionSettings(**given), file, jobs
        learned, self.random = Evaluator(file), np.random.default_rng(SEED)
        self.game, self.evaluate = learned.game, learned.evaluate
        parents = file.memory["weights"]
        children, _ = breed(parents, file.memory["steps"], self.settings, self.random)
        pool = np.concatenate((parents, children))
        header = learned.numbers[: len(learned.numbers) - pool.shape[1]]
        self.players = np.concatenate((np.broadcast_to(header, (len(pool), len(header))), pool), axis=1)

    def play(self, games: Any) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Play games, see play_pairs; returns them and their results."""
        s, pairs = self.settings, np.array(games, np.int64)
        seeds = game_seeds(len(pairs), SEED, len(pairs))
        results = play_pairs(
            self.game, self.evaluate, self.players, pairs, seeds, self.jobs, s.depth, opening=s.opening,
            size=self.file.size, komi=self.file.komi,
        )  # fmt: skip
        return pairs, results

    def fitness(self) -> NDArray[np.float64]:
        """Return what selection would go by after a generation without a hall of fame."""
        s, count = self.settings, len(self.players)
        pairs = draw_opponents(count, s.matches, self.random)
        tally = tally_of(*self.play(np.column_stack((pairs, np.arange(len(pairs)) % s.matches % 2))), count, s)
        remembered = self.file.memory["remembered"] * s.memory
        record = np.concatenate((remembered, np.zeros_like(remembered))) + tally
        return fitness_of(record, tally[s.parents :], s.matches)

    def lost(self) -> list[float]:
        """Return the games that each parent loses to a player of six plies, in percent."""
        found = []
        for numbers in self.players[: self.settings.parents]:
            player = Searcher(self.settings.depth, self.evaluate, numbers)
            scores = play_series(self.game, player, Searcher(6), SIX_GAMES, SEED, self.file.size, self.jobs)
            found.append(100 * sum(score.lost for score in scores) / (2 * SIX_GAMES))
        return found


def judged(pool: Pool) -> list[float]:
    """Play the games of a pool; returns the cells of its row."""
    s, memory, each = pool.settings, pool.file.memory, range(len(pool.players))
    pairs, results = pool.play([(i, j, k % 2) for i in each for j in each if i != j for k in range(ROUNDS)])
    whole = tally_of(pairs, results, len(each), replace(s, credit="both"))
    points = whole[:, 0] / whole[:, 1]
    worth = np.where(results > 0, s.win, np.where(results < 0, s.loss, s.draw))
    cells = [max(0.0, float(points.var() - worth.var() / whole[0, 1])) ** 0.5]
    cells += [float(worth.std()) / s.matches**0.5, float(np.corrcoef(pool.fitness(), points)[0, 1])]
    cells += [float(points[: s.parents].mean()), float(points[s.parents :].mean())]
    lost = pool.lost()
    return [*cells, float(memory["generation"][0] - memory["born"].mean()), min(lost), max(lost)]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="EVAL", help="eval.npz of train-eval --method evolve")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="threads")
    options = parser.parse_args(arguments)
    print("#" + "\t".join(COLUMNS))
    try:
        for path in options.files:
            print("\t".join([path, *(f"{cell:.2f}" for cell in judged(Pool(path, options.jobs)))]), flush=True)
    except GotoolsError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
