"""The methods of learning behind one interface: a trainer advances by a batch of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from gotools.base.errors import GotoolsError, shown
from gotools.game.game import Game
from gotools.game.learning import Heuristic
from gotools.values.checkpoint import Arrays, check_memory
from gotools.values.games.partner_games import Partner, PartnerGames
from gotools.values.games.selfplay import GameBatch, Guide, Policy, ValueFunction, empty_games
from gotools.values.methods import (
    ClimbingSettings,
    DifferenceSettings,
    EvolutionSettings,
    OnePlySettings,
    TupleSettings,
)
from gotools.values.population.coevolution import Climbing
from gotools.values.population.evolution import Evolution
from gotools.values.settings import NetworkRates, Rates
from gotools.values.td.perceptrons import new_numbers, parse_architecture, scales_of, weights_of
from gotools.values.td.shapes import SHAPES
from gotools.values.td.tables import ShapeLearner, TupleLearner
from gotools.values.td.td import Errors, Learner
from gotools.values.td.tuples import TUPLES, parse_tuples, random_tuples
from gotools.values.training.training_log import Share
from gotools.values.weights.weights_file import Weights

_GUIDED: Final = "--rules works only with --opponent self, without --dilution and --opening"
Figures = dict[str, tuple[float, int]]
"""Figures of a batch: sums by name, and the number of terms of each."""


class Exam(NamedTuple):
    """Measurements at a checkpoint: figures, and shares under the names of `Trainer.exams`."""

    figures: Figures
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """What is to be learned: the value function of a game, over features.

    features -- "shapes", or a feature set of the game; network -- "linear", "mlp:4", ...
    komi     -- of the games; seed -- of all random choices
    tuples   -- for features "tuples": their number and length, "150x8"
    """

    game: Game
    size: int
    komi: float
    features: str
    network: str
    seed: int
    tuples: str = ""


class Trainer(Protocol):
    """A method of learning from games; the number of jobs (threads) never changes what is learned."""

    columns: tuple[str, ...]
    """Names of the figures of a batch and of an exam."""
    exams: tuple[str, ...]
    """Names of the shares of an exam."""

    @property
    def games(self) -> int:
        """Return the number of games that were learned from."""

    @property
    def memory(self) -> Arrays:
        """Return what `restore` needs besides the weights."""

    def advance(self, jobs: int) -> Figures:
        """Play some games and learn from them."""

    def examine(self, jobs: int) -> Exam:
        """Measure what was learned."""

    def evaluation(self) -> ValueFunction:
        """Return the value function that has been learned."""

    def arrays(self) -> Arrays:
        """Return the arrays of a weights file: weights; scales of inputs; cells and entries of n-tuples."""

    def restore(self, found: Weights) -> None:
        """Go on from what a file holds. Raises GotoolsError if it does not fit."""


class _LearnerTrainer:
    """A trainer without exams, whose learner counts the games and has the memory."""

    exams: tuple[str, ...] = ()
    _learner: Learner | ShapeLearner | TupleLearner | Evolution | Climbing

    @property
    def games(self) -> int:
        return self._learner.games

    @property
    def memory(self) -> Arrays:
        return self._learner.memory

    def examine(self, jobs: int) -> Exam:
        return Exam({}, ())


class TemporalDifferences(_LearnerTrainer):
    """Learn a value from the differences between positions of games: TD(lambda), TD-Leaf where the policy searches.

    heuristic -- name of the heuristic opponent in `Learning.heuristics`; "" for the usual one
    """

    columns: tuple[str, ...] = ("squared_error", "absolute_error", "outcome", "length")
    _learner: Learner | ShapeLearner | TupleLearner

    def __init__(
        self,
        task: TrainingTask,
        settings: DifferenceSettings,
        policy: Policy,
        guide: Guide | None = None,
        heuristic: str = "",
    ) -> None:
        if guide is not None and not policy.alone:
            raise GotoolsError(_GUIDED)
        self._task, self._settings, self._policy = task, settings, policy
        self._opponent: Heuristic | None = task.game.find_heuristic(heuristic) if policy.shares[2] else None
        self._partner: PartnerGames | None = None
        self._guided = guide is not None
        if task.features in (SHAPES, TUPLES) and policy.plies > 1:
            raise GotoolsError(f"{task.features} learn by --method td")
        if task.features in (SHAPES, TUPLES) and task.network != "linear":
            raise GotoolsError(f"{task.features} go with --network linear, not {shown(task.network)}")
        if isinstance(settings, TupleSettings):
            cells = random_tuples(task.game, task.size, *parse_tuples(task.tuples), task.seed)
            rates, siblings, anneal = settings.part(Rates, step=1), settings.siblings, settings.anneal
            self._learner = TupleLearner(task.game, task.size, cells, rates, siblings, task.seed, anneal)
        elif not isinstance(settings, NetworkRates):
            self._learner = ShapeLearner(task.game, task.size, task.komi, settings, guide)
        else:
            features = task.game.find_features(task.features)
            numbers = new_numbers(parse_architecture(task.network), features.scales(task.size), task.seed)
            directed = isinstance(settings, OnePlySettings) and settings.explore == "counter"
            self._learner = Learner(task.game, features, numbers, settings, task.size, task.komi, directed)

    def play_against(self, partner: Partner, share: float, report: Callable[[str], None]) -> None:
        """Play a share of the games from now on against a program; report -- gets a line for each repeated game."""
        if self._guided:
            raise GotoolsError(_GUIDED)
        task = self._task
        self._partner = PartnerGames(task.game, partner, share, task.seed, task.size, task.komi, report)

    def advance(self, jobs: int) -> Figures:
        task, batch = self._task, self._settings.batch
        policy = self._policy._replace(epsilon=self._settings.epsilon_after(self.games))
        rows = [] if self._partner is None else self._partner.rows(self.games, batch)
        if len(rows) < batch:
            games = self._learner.play(self._opponent, policy, self.games, batch, task.seed, jobs)
        else:  # the partner plays in all of them
            games = empty_games(task.game, batch, task.size, policy.plies)
        if self._partner is not None:
            self._partner.fill(games, rows, self.games, policy, self.evaluation())
        errors = self._learner.learn(games)
        if not errors.finite:
            raise GotoolsError("the weights diverged: they are no numbers, or too large; a smaller --alpha may help")
        return _figures(games, errors)

    def evaluation(self) -> ValueFunction:
        return self._learner.evaluation

    def arrays(self) -> Arrays:
        return self._learner.arrays

    def restore(self, found: Weights) -> None:
        memory, learner = found.memory, self._learner
        own = learner.empty_memory(len(found.entries)) if isinstance(learner, TupleLearner) else self.memory
        check_memory(memory, own)
        learner.restore(found.arrays, {name: memory[name].copy() for name in own})

    def begin_with(self, found: Weights) -> None:
        """Begin with the weights of an earlier training instead of untrained ones."""
        self._learner.restore(found.arrays)


def _figures(games: GameBatch, errors: Errors) -> Figures:
    count = len(games.lengths)
    return {
        "squared_error": (errors.mean_squared * errors.count, errors.count),
        "absolute_error": (errors.mean_absolute * errors.count, errors.count),
        "outcome": (float(games.outcomes.sum()), count),
        "length": (float(games.lengths.sum()), count),
    }


class Generations(_LearnerTrainer):
    """Learn from the results of games alone, one generation at a time: by evolution or hill climbing."""

    _learner: Evolution | Climbing

    def __init__(self, task: TrainingTask, settings: EvolutionSettings | ClimbingSettings) -> None:
        if task.features in (SHAPES, TUPLES):
            raise GotoolsError(f"{task.features} learn by --method td: they are too many to mutate")
        features, architecture = task.game.find_features(task.features), parse_architecture(task.network)
        given = task.game, features, architecture
        if isinstance(settings, EvolutionSettings):
            self._learner = Evolution(*given, settings, task.seed, task.size, task.komi)
            self.columns: tuple[str, ...] = ("best", "mean", "children", "step", "age", "points_per_game")
        else:
            self._learner = Climbing(*given, settings, task.seed, task.size, task.komi)
            self.columns = ("won", "lost", "moved")
        self._evaluate = features.evaluate

    def advance(self, jobs: int) -> Figures:
        found = self._learner.generation(jobs)._asdict()
        return {name: (float(found[name]), 1) for name in self.columns}

    def evaluation(self) -> ValueFunction:
        return self._evaluate, self._learner.numbers

    def arrays(self) -> Arrays:
        numbers = self._learner.numbers
        return {"weights": weights_of(numbers), "scales": scales_of(numbers)}

    def restore(self, found: Weights) -> None:
        self._learner.memory = found.memory
