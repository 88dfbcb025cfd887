"""Evolution of networks by self-play: Fogel's strategy with self-adaptive steps.

Every parent has one child; parents and children play others of the pool; the best go on. Nothing but the results of
games is used: no gradient, no teacher.

Sources: Fogel and Chellapilla, "Evolving an expert checkers playing program without using human expertise" (2001);
the settings are those of a Connect-4 program after it: 15 parents, 15 games each, +1 for a victory, -2 for a loss.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools import exact
from gotools.errors import GotoolsError
from gotools.game import FeatureSet, Game
from gotools.learn.games.match import Rules, game_seeds, play_pairs
from gotools.learn.networks import Architecture, new_numbers, weights_of

_BEGIN, _MUTATION, _OPPONENTS, _GAMES, _TRIAL = range(5)
"""What a generator of random numbers is for: it is made anew from the seed, the generation and this."""
LARGEST: Final = 1e9
"""Weights and step sizes beyond this mean that evolution has run away: units have long been nothing but signs."""
TRIAL_DILUTION: Final = 0.2
"""Random moves lead to positions that the parents among themselves do not reach: a champion has to know those, too."""

Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EvolutionSettings:
    """How a population is bred and judged.

    parents   -- individuals that live on; each has one child a generation
    opponents -- games of each individual, against others of the pool: none a second time before all the others once
    a         -- standard deviation of the logarithm of a step size's change
    win, draw, loss -- points for the individual whose game it is; the other one's are its own games
    depth     -- plies of search
    spread    -- first weights are drawn alike from [-spread, spread]
    step      -- first step size
    largest_step -- no step size grows beyond it. 0: no limit, as in the sources. Step sizes wander by e to the a
                 sqrt(generations), and among a thousand of them some by four times the exponent
    opening   -- so many first plies of a game are random: two networks then do not play one game again and again
    dilution  -- chance of a random move of the other one, not of the individual whose game it is
    trials    -- games, as first and as many as second player, of each parent against each other one, by which the
                 champion is chosen; the other one's dilution is TRIAL_DILUTION at least
    """

    parents: int = 15
    opponents: int = 15
    a: float = 0.2
    win: float = 1.0
    draw: float = 0.0
    loss: float = -2.0
    depth: int = 2
    spread: float = 0.2
    step: float = 0.05
    largest_step: float = 0.0
    opening: int = 0
    dilution: float = 0.0
    trials: int = 3

    def __post_init__(self) -> None:
        if self.parents < 2:
            raise GotoolsError(f"evolution needs 2 parents at least, not {self.parents}")
        if min(self.opponents, self.depth, self.trials) < 1 or self.opening < 0:
            raise GotoolsError("opponents, depth and trials are 1 at least, the opening 0")
        if not 0 <= self.dilution <= 1:
            raise GotoolsError(f"the dilution is a chance, from 0 to 1, not {self.dilution}")
        if not (self.a >= 0 and self.spread >= 0 and self.largest_step >= 0 and self.step > 0):
            raise GotoolsError("a, spread and largest step cannot be negative, and the step has to be above 0")


class Generation(NamedTuple):
    """What a generation came to.

    best, mean -- points of the best of the pool, and of all of it
    games      -- played in it
    children   -- how many of them live on
    step       -- geometric mean of the survivors' step sizes
    """

    best: float
    mean: float
    games: int
    children: int
    step: float


class Evolution:
    """A population of networks for one game; `generation` breeds and judges it once.

    The result depends on the seed and the settings alone: not on the number of threads, nor on how often a run was
    broken off and begun again from its memory.

    Raises GotoolsError for a negative seed, and for komi in a game that has none.
    """

    def __init__(
        self,
        game: Game,
        features: FeatureSet,
        architecture: Architecture,
        settings: EvolutionSettings | None = None,
        seed: int = 0,
        size: int | None = None,
        komi: float = 0.0,
    ) -> None:
        game.position(size, komi)
        self.settings = settings or EvolutionSettings()
        self._game, self._evaluate, self._seed = game, features.evaluate, seed
        self._size, self._komi = size or game.sizes[0], komi
        one = new_numbers(architecture, features.scales(self._size), seed, self.settings.spread)
        self._header = one[: len(one) - len(weights_of(one))]
        count = self.settings.parents
        shape = (count, len(weights_of(one)))
        self._generation = 0
        self._weights: Weights = self._generator(_BEGIN).uniform(-1.0, 1.0, shape) * self.settings.spread
        self._steps: Weights = np.full(shape, self.settings.step)
        self._born = np.zeros(count, np.int64)
        self._jobs = 1
        self._champion: Weights | None = None

    @property
    def games(self) -> int:
        """Count the games played so far, those that choose a champion left out."""
        return self._generation * 2 * self.settings.parents * self.settings.opponents

    @property
    def memory(self) -> dict[str, NDArray[np.generic]]:
        """Return all there is to go on from here, as arrays."""
        return {
            "weights": self._weights,
            "steps": self._steps,
            "born": self._born,
            "generation": np.array([self._generation]),
        }

    @memory.setter
    def memory(self, memory: Mapping[str, NDArray[np.generic]]) -> None:
        """Go on from a memory of a run with the same settings; raises GotoolsError where it does not fit."""
        check_memory(memory, self.memory, "evolution")
        weights, steps = np.array(memory["weights"], np.float64), np.array(memory["steps"], np.float64)
        check_finite(weights, steps)
        self._weights, self._steps = weights, steps
        self._born = np.array(memory["born"], np.int64)
        self._generation = int(np.asarray(memory["generation"], np.int64)[0])
        self._champion = None

    @property
    def numbers(self) -> Weights:
        """Return the champion's numbers: of the parents, whoever scores best in trials against all others.

        These games are new ones: whoever was kept for a lucky draw of opponents has no advantage. Ties go to the older.
        """
        if self._champion is None:
            s = self.settings
            each = range(s.parents)
            pairs = [(i, j, second) for i in each for j in each if i != j for second in (0, 1) for _ in range(s.trials)]
            dilution = max(s.dilution, TRIAL_DILUTION)
            points = self._points(self._weights, np.array(pairs, np.int64), dilution, _TRIAL)
            champion = best_of(points, self._born, 1)[0]
            self._champion = np.concatenate((self._header, self._weights[champion]))
        return self._champion

    def generation(self, jobs: int = 1) -> Generation:
        """Let every parent have a child, let all of them play, and keep the best.

        jobs -- threads

        Raises GotoolsError where weights or step sizes run away; the population is then as it was before.
        """
        self._jobs = jobs
        s = self.settings
        random = self._generator(_MUTATION)
        children, steps = mutate(self._weights, self._steps, s.a, s.largest_step, random)
        check_finite(children, steps)
        pool = np.concatenate((self._weights, children))
        born = np.concatenate((self._born, np.full(s.parents, self._generation + 1)))
        points = self._judge(pool)
        kept = best_of(points, born, s.parents)
        self._weights, self._born = pool[kept], born[kept]
        self._steps = np.concatenate((self._steps, steps))[kept]
        self._generation += 1
        self._champion = None
        return Generation(
            float(points.max()),
            float(points.mean()),
            2 * s.parents * s.opponents,
            int((kept >= s.parents).sum()),
            float(exact.exp(exact.log(self._steps).mean())),
        )

    def _judge(self, pool: Weights) -> Weights:
        """Return the points of each individual in its games against others of the pool, first in every other game."""
        s = self.settings
        pairs = draw_opponents(len(pool), s.opponents, self._generator(_OPPONENTS))
        second = (np.arange(len(pairs)) % s.opponents + self._generation) % 2  # all play first equally often
        return self._points(pool, np.column_stack((pairs, second)), s.dilution, _GAMES)

    def _points(self, pool: Weights, pairs: NDArray[np.int64], dilution: float, purpose: int) -> Weights:
        """Play the games of pairs (see play_pairs); returns the points of each individual, all with as many games."""
        s = self.settings
        headers = np.broadcast_to(self._header, (len(pool), len(self._header)))
        numbers = np.concatenate((headers, pool), axis=1)
        seeds = game_seeds(len(pairs), self._seed, self._generation, purpose)
        rules = Rules(s.depth, 0.0, dilution, s.opening, self._size, self._komi)
        results = play_pairs(self._game, self._evaluate, numbers, pairs, rules, seeds, self._jobs)
        return points_of(pairs[:, 0], results, len(pool), s)

    def _generator(self, purpose: int) -> np.random.Generator:
        return np.random.default_rng((self._seed, self._generation, purpose))


def mutate(
    weights: Weights, steps: Weights, a: float, largest_step: float, random: np.random.Generator
) -> tuple[Weights, Weights]:
    """Return children's weights and step sizes: first the steps change, then the weights by as much.

    s' = s exp(a N(0, 1)), at most `largest_step` where that is not 0; w' = w + s' N(0, 1); all draws on their own.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # check_finite reports it
        changed = steps * exact.exp(a * exact.normal(random, steps.shape))
        if largest_step > 0:
            changed = np.minimum(changed, largest_step)
        return weights + changed * exact.normal(random, weights.shape), changed


def draw_opponents(count: int, games: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Return int64[count * games, 2]: each individual and its opponents, in random order.

    Nobody comes a second time for one individual before all others have come once.
    """
    rounds = -(-games // (count - 1))
    others = np.concatenate(
        [np.argsort(random.random((count, count - 1)), axis=1) for _ in range(rounds)], axis=1
    )[:, :games]  # fmt: skip
    own = np.broadcast_to(np.arange(count)[:, None], others.shape)
    others = others + (others >= own)
    return np.stack((own, others), axis=2).reshape(-1, 2).astype(np.int64)


def best_of(points: Weights, born: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the `count` individuals with most points, best first; ties go to the older, then to the first listed."""
    return np.lexsort((born, -points))[:count]


def points_of(owners: NDArray[np.int64], results: Weights, count: int, settings: EvolutionSettings) -> Weights:
    """Return the points of `count` individuals.

    owners, results -- whose game each was, and its result for that one
    """
    won, lost = results > 0, results < 0
    points = settings.win * won + settings.loss * lost + settings.draw * ~(won | lost)
    return np.bincount(owners, points, count).astype(np.float64)


def check_memory(memory: Mapping[str, NDArray[np.generic]], own: Mapping[str, NDArray[np.generic]], whose: str) -> None:
    """Raise GotoolsError where an array of one's own is missing in a memory or of another shape or type there."""
    for name, array in own.items():
        if name not in memory or memory[name].shape != array.shape or memory[name].dtype != array.dtype:
            raise GotoolsError(f"this memory is of another {whose}: {name} does not fit")
    if memory["generation"].min() < 0:
        raise GotoolsError(f"this memory is of no {whose}: its generation is below 0")


def check_finite(weights: Weights, steps: Weights) -> None:
    """Raise GotoolsError where a weight or step size is no number or beyond LARGEST, or a step size is not above 0."""
    for name, values in (("weights", weights), ("step sizes", steps)):
        largest = float(np.abs(values).max())
        if not largest <= LARGEST:
            raise GotoolsError(
                f"{name} run away: the largest is {largest:.3g}; smaller steps (largest step, a, sigma) may help"
            )
    if not steps.min() > 0:
        raise GotoolsError("a step size has shrunk to nothing; let step sizes change less (a)")
