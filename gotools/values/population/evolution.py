"""Evolution of perceptrons by self-play: Fogel's strategy with self-adaptive steps, made steady.

There are as many children as parents; all play others of the pool; the best go on. Nothing but the results of games is
used: no gradient, no teacher. Four options go beyond Fogel's strategy, because fifteen games are mostly noise:
children of the mean of all parents, points for both players of a game, results that are remembered, and champions of
earlier generations as opponents.

Sources: Fogel and Chellapilla, "Evolving an expert checkers playing program without using human expertise" (2001);
the sizes are those of a Connect-4 program after it: 15 parents, 15 games each, +1 for a victory, -2 for a loss.
Children of the mean: Beyer, "Toward a theory of evolution strategies: on the benefits of sex" (1995). Earlier
champions: Rosin and Belew, "New methods for competitive coevolution" (1997).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.jit.kernels import exact
from gotools.values.checkpoint import Arrays
from gotools.values.games.match import game_seeds, play_pairs
from gotools.values.methods import EvolutionSettings
from gotools.values.population.coevolution import Coevolution, Floats, check_finite, checked_memory
from gotools.values.td.perceptrons import weights_of

_BEGIN, _MUTATION, _OPPONENTS, _GAMES, _TRIAL = range(5)
"""Purposes of random numbers: each generator is seeded by the seed, the generation and its purpose."""
TRIAL_DILUTION: Final = 0.2
"""Random moves lead to positions that the parents among themselves do not reach: a champion has to know those, too."""
AVERAGED: Final = 10
"""Generations over which the champion is averaged, where children are those of the mean of all parents."""
HALL_SHARE: Final = 3
"""One game in HALL_SHARE is against the hall of fame."""


class Generation(NamedTuple):
    """Result of one generation.

    best, mean -- points per game in it, of the best of the pool and of all of it
    games      -- played in it
    children   -- number of children that live on
    step       -- geometric mean of the survivors' step sizes
    age        -- generations that the best survivor has lived; 0 for a child
    points_per_game -- of the best survivor, in all games of its life
    """

    best: float
    mean: float
    games: int
    children: int
    step: float
    age: int
    points_per_game: float


class Evolution(Coevolution[EvolutionSettings]):
    """A population of perceptrons for one game; `generation` breeds and evaluates it once."""

    def _begin(self) -> None:
        count, weights = self.settings.parents, len(weights_of(self._first))
        self._header = self._first[: len(self._first) - weights]
        shape = (count, weights)
        self._weights: Floats = self._generator(_BEGIN).uniform(-1.0, 1.0, shape) * self.settings.spread
        self._steps: Floats = np.full(shape, self.settings.first_step)
        self._born = np.zeros(count, np.int64)
        self._remembered: Floats = np.zeros((count, 2))
        self._life: Floats = np.zeros((count, 2))
        self._average: Floats = self._weights.mean(0)
        self._hall = HallOfFame(self.settings.hall_of_fame, shape[1])
        self._jobs = 1
        self._champion: Floats | None = None

    @property
    def games(self) -> int:
        """Count the games played so far, those that choose a champion left out."""
        return self._generation * 2 * self.settings.parents * self.settings.matches

    @property
    def memory(self) -> Arrays:
        """Return what is needed to go on from here, as arrays."""
        return {
            "weights": self._weights,
            "steps": self._steps,
            "born": self._born,
            "remembered": self._remembered,
            "life": self._life,
            "average": self._average,
            "hall": self._hall.rows,
            "generation": np.array([self._generation]),
        }

    @memory.setter
    def memory(self, memory: Mapping[str, NDArray[np.generic]]) -> None:
        """Go on from the memory of a run with the same settings. Raises GotoolsError if it does not fit."""
        found = checked_memory(memory, self.memory)
        self._weights, self._steps, self._born = found["weights"], found["steps"], found["born"]
        self._remembered, self._life, self._average = found["remembered"], found["life"], found["average"]
        self._hall.rows = found["hall"]
        self._generation = int(found["generation"][0])
        self._champion = None

    @property
    def numbers(self) -> Floats:
        """Return the champion's numbers.

        Of children of the mean it is that mean, averaged over the last generations. Otherwise it is the parent that
        scores best in trials against all others. These are new games, so that a parent that was kept for a lucky draw
        of opponents has no advantage. Ties go to the older.
        """
        if self._champion is None:
            weights = self._average if self.settings.children_of == "mean" else self._weights[self._best_in_trials()]
            self._champion = np.concatenate((self._header, weights))
        return self._champion

    def generation(self, jobs: int = 1) -> Generation:
        """Make as many children as there are parents, let all of them play, and keep the best.

        jobs -- threads

        Raises GotoolsError if weights or step sizes diverge; the population is then as it was before.
        """
        self._jobs = jobs
        s = self.settings
        children, steps = breed(self._weights, self._steps, s, self._generator(_MUTATION))
        check_finite(children, steps)
        pool = np.concatenate((self._weights, children))
        born = np.concatenate((self._born, np.full(s.parents, self._generation + 1)))
        tally = self._judge(pool)
        none = np.zeros((s.parents, 2))
        remembered = np.concatenate((self._remembered * s.memory, none)) + tally
        life = np.concatenate((self._life, none)) + tally
        fitness = fitness_of(remembered, tally[s.parents :], s.matches)
        kept = best_of(fitness, born, s.parents)
        self._weights, self._born = pool[kept], born[kept]
        self._steps = np.concatenate((self._steps, steps))[kept]
        self._remembered, self._life = remembered[kept], life[kept]
        self._generation += 1
        self._crown()
        return Generation(
            float((tally[:, 0] / tally[:, 1]).max()),
            float(tally[:, 0].sum() / tally[:, 1].sum()),
            2 * s.parents * s.matches,
            int((kept >= s.parents).sum()),
            float(exact.exp(exact.log(self._steps).mean())),
            int(self._generation - self._born[0]),
            float(self._life[0, 0] / self._life[0, 1]),
        )

    def _crown(self) -> None:
        """Add the survivors of a generation to the average, and its champion to the hall of fame.

        With children of one parent that is the best of the generation: trials would cost more games than a generation.
        """
        self._champion = None
        share = max(1.0 / self._generation, 1.0 / AVERAGED)
        self._average = self._average + (self._weights.mean(0) - self._average) * share
        champion = self._average if self.settings.children_of == "mean" else self._weights[0]
        self._hall.add(self._generation, champion)

    def _judge(self, pool: Floats) -> Floats:
        """Let each individual play others of the pool and of the hall of fame, first in every other game.

        Returns float64[individuals, 2]: points and games.
        """
        s = self.settings
        hall = self._hall.held(self._generation)
        famous = s.matches // HALL_SHARE if len(hall) else 0
        pairs = draw_opponents(len(pool), s.matches, self._generator(_OPPONENTS), len(hall), famous)
        second = (np.arange(len(pairs)) % s.matches + self._generation) % 2  # all play first equally often
        pairs = np.column_stack((pairs, second))
        results = self._play(np.concatenate((pool, hall)), pairs, s.dilution, _GAMES)
        return tally_of(pairs, results, len(pool), s)

    def _best_in_trials(self) -> int:
        """Return the parent with most points in new games of each against each."""
        s = self.settings
        each = range(s.parents)
        games = [(i, j, second) for i in each for j in each if i != j for second in (0, 1) for _ in range(s.trials)]
        pairs = np.array(games, np.int64)
        results = self._play(self._weights, pairs, max(s.dilution, TRIAL_DILUTION), _TRIAL)
        return int(best_of(points_of(pairs[:, 0], results, s.parents, s), self._born, 1)[0])

    def _play(self, pool: Floats, pairs: NDArray[np.int64], dilution: float, purpose: int) -> Floats:
        """Play the games of pairs (see play_pairs); returns their results."""
        s = self.settings
        headers = np.broadcast_to(self._header, (len(pool), len(self._header)))
        numbers = np.concatenate((headers, pool), axis=1)
        seeds = game_seeds(len(pairs), self._seed, self._generation, purpose)
        return play_pairs(
            self._game, self._evaluate, numbers, pairs, seeds, self._jobs, s.depth, dilution=dilution,
            opening=s.opening, size=self._size, komi=self._komi,
        )  # fmt: skip


class HallOfFame:
    """Champions of every n-th generation, where n is the smallest power of two for which they fit.

    Rosin and Belew keep every champion; here every second one makes way when the hall is full, so that it reaches back
    to the beginning and does not grow.

    size -- largest number of champions; 0: no hall; count -- weights of each
    """

    def __init__(self, size: int, count: int) -> None:
        self.rows: Floats = np.zeros((size, count))
        """The champions, oldest first, then rows of 0."""

    def held(self, generation: int) -> Floats:
        """Return the champions that are held after the given number of generations, oldest first."""
        return self.rows[: generation // self._every(generation)]

    def add(self, generation: int, champion: Floats) -> None:
        """Add the champion of a generation, counted from 1, if n divides its number.

        Call this after each generation: it is also when others make way.
        """
        every, before = self._every(generation), self._every(generation - 1)
        if every > before:
            kept = self.rows[1::2].copy()
            self.rows[:] = 0.0
            self.rows[: len(kept)] = kept
        if len(self.rows) and generation % every == 0:
            self.rows[generation // every - 1] = champion

    def _every(self, generation: int) -> int:
        """Return n of the generations that are held."""
        every = 1
        while generation // every > len(self.rows) and every <= generation:
            every *= 2
        return every


def breed(
    weights: Floats, steps: Floats, settings: EvolutionSettings, random: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return weights and step sizes of as many children as there are parents."""
    if settings.children_of == "mean":
        weights = np.broadcast_to(weights.mean(0), weights.shape)
        steps = np.broadcast_to(exact.exp(exact.log(steps).mean(0)), steps.shape)
    return mutate(weights, steps, settings.mutation, settings.largest_step, random)


def mutate(
    weights: Floats, steps: Floats, a: float, largest_step: float, random: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return children's weights and step sizes: first the steps change, then the weights by as much.

    s' = s exp(a N(0, 1)), at most `largest_step` unless that is 0; w' = w + s' N(0, 1); all draws are independent.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # check_finite reports it
        changed = steps * exact.exp(a * exact.normal(random, steps.shape))
        if largest_step > 0:
            changed = np.minimum(changed, largest_step)
        return weights + changed * exact.normal(random, weights.shape), changed


def draw_opponents(
    count: int, games: int, random: np.random.Generator, hall: int = 0, famous: int = 0
) -> NDArray[np.int64]:
    """Return int64[count * games, 2]: each individual and its opponents, in random order.

    No opponent comes twice for one individual before all others have come once.

    hall   -- number of others, numbered from `count` on, that are opponents in the last games of each individual
    famous -- number of these games
    """
    own = np.arange(count)[:, None]
    others = _draw(count, count - 1, games - famous, random)
    others = others + (others >= own)
    if famous:
        others = np.concatenate((others, count + _draw(count, hall, famous, random)), axis=1)
    return np.stack((np.broadcast_to(own, others.shape), others), axis=2).reshape(-1, 2).astype(np.int64)


def _draw(count: int, among: int, games: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Return int64[count, games]: rows of numbers below `among`, none of them twice before all others have come."""
    rounds = -(-games // among)
    return np.concatenate(
        [np.argsort(random.random((count, among)), axis=1) for _ in range(rounds)], axis=1
    )[:, :games]  # fmt: skip


def best_of(points: Floats, born: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the `count` individuals with most points, best first; ties go to the older, then to the first listed."""
    return np.lexsort((born, -points))[:count]


def points_of(owners: NDArray[np.int64], results: Floats, count: int, settings: EvolutionSettings) -> Floats:
    """Return the points of `count` individuals.

    owners, results -- the individual whose game each was, and the result for it
    """
    won, lost = results > 0, results < 0
    points = settings.win * won + settings.loss * lost + settings.draw * ~(won | lost)
    return np.bincount(owners, points, count).astype(np.float64)


def tally_of(pairs: NDArray[np.int64], results: Floats, count: int, settings: EvolutionSettings) -> Floats:
    """Return float64[count, 2]: points and games of the first `count` individuals.

    pairs, results -- see play_pairs; with credit for both, a game counts for the opponent as well
    """
    most = max(count, int(pairs[:, :2].max()) + 1)
    points, games = points_of(pairs[:, 0], results, most, settings), np.bincount(pairs[:, 0], minlength=most)
    if settings.credit == "both":
        points = points + points_of(pairs[:, 1], -results, most, settings)
        games = games + np.bincount(pairs[:, 1], minlength=most)
    return np.column_stack((points, games.astype(np.float64)))[:count]


def fitness_of(record: Floats, newcomers: Floats, doubt: float) -> Floats:
    """Return the points per game that decide selection: the more games, the more an individual's own points count.

    record    -- float64[individuals, 2]: points and games
    newcomers -- the same of the children: their mean counts as `doubt` further games of each individual
    """
    expected = newcomers[:, 0].sum() / newcomers[:, 1].sum()
    fitness: Floats = (record[:, 0] + doubt * expected) / (record[:, 1] + doubt)
    return fitness
