"""Learn a policy and a value by a network: from records of games, or from what a search finds that uses the network.

In self-play the search improves the policy, the results of games the value (Anthony, Tian and Barber 2017, Thinking
Fast and Slow with Deep Learning and Tree Search; Silver et al. 2017, AlphaGo Zero). A batch of games is played with the
same weights; then steps are made on samples drawn from the latest games, each about `reuse` times in all.
"""

from __future__ import annotations

import hashlib
from functools import partial
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.learning import Planes
from gotools.values.checkpoint import PLAYED, Arrays, check_memory, progress_of
from gotools.values.games.selfplay import ValueFunction
from gotools.values.methods import PlanesSettings
from gotools.values.network.search_games import (
    SHORT,
    SHORTER,
    USUAL,
    SearchGames,
    SearchGameSettings,
    none_played,
)
from gotools.values.network.shape import PLANES, numbers_of, parse_shape
from gotools.values.network.teaching import Teacher, taught
from gotools.values.training.trainers import Exam, Figures, TrainingTask
from gotools.values.training.training_log import Share
from gotools.values.weights.weights_file import Weights
from gotools.work.workers import Workers

if TYPE_CHECKING:
    from gotools.values.network.descent import Descent, Losses
    from gotools.values.network.samples import SampleBatch, Samples

HELD_OUT: Final = "held_out"
SHARE_HELD_OUT, MOST_HELD_OUT = 0.05, 200
"""Share of the games of records that are held out to measure on, and the largest number of them."""
MOST_SAMPLES_HELD_OUT: Final = 4096
"""Of self-play: the latest of the held-out samples that are measured on."""
AT_ONCE: Final = 2048
"""Positions, about, that are learned from between two looks at the clock."""
STRONG: Final = 0.9
"""The network plays as a player above this share of those that it learned from."""
GAMES_AT_ONCE: Final = 16
"""Games that are played with the same weights."""
SETTLING: Final = 6
"""Batches by which the normalisation is computed anew."""
VALUE_SHARE: Final = 1.0
"""Weight of the value's loss beside the policy's, in self-play."""


class NetworkTrainer:
    """What both ways to train a network share.

    origin -- identifies the records; strength -- that the network plays with
    """

    exams: tuple[str, ...] = (HELD_OUT,)
    descent: Descent

    def __init__(self, task: TrainingTask, samples: Samples | None) -> None:
        task.game.check_komi(task.komi)
        self._task, self._planes, self._shape = task, task.game.need(Planes), parse_shape(task.network)
        self.origin = "" if samples is None else digest_of(samples)
        self.strength = 0.0 if samples is None else float(np.quantile(samples.strength, STRONG))

    def evaluation(self) -> ValueFunction:
        numbers = numbers_of(self._shape, len(self._planes.names), self.descent.weights(), self.strength)
        return self._planes.evaluate, numbers

    def arrays(self) -> Arrays:
        return {"weights": self.descent.weights()}

    def begin_with(self, found: Weights) -> None:
        """Begin with the weights of a trained network."""
        self.descent.begin_with(found.weights)


class RecordsTrainer(NetworkTrainer):
    """Learn from samples of games."""

    columns: tuple[str, ...] = ("policy_loss", "value_loss", "top1", "held_out_loss", "held_out_value")

    def __init__(self, task: TrainingTask, settings: PlanesSettings, samples: Samples) -> None:
        from gotools.values.network.descent import NetworkLearner
        from gotools.values.network.samples import apart

        super().__init__(task, samples)
        train, self._held_out = apart(samples, SHARE_HELD_OUT, MOST_HELD_OUT, task.seed)
        if not len(self._held_out):
            raise GotoolsError(f"{samples.games} games are too few to learn from: one in 20 is held out to measure on")
        (alpha,), batch, anneal = settings.alpha, settings.batch, settings.anneal or 0
        self._learner = NetworkLearner(train, self._shape, alpha, batch, max(1, AT_ONCE // batch), anneal, task.seed)
        self.descent = self._learner.descent

    @property
    def games(self) -> int:
        return self._learner.games

    @property
    def memory(self) -> Arrays:
        return self._learner.memory

    def advance(self, jobs: int) -> Figures:
        return _figures(self._learner.advance(jobs))

    def examine(self, jobs: int) -> Exam:
        return _exam(self._learner.losses(self._held_out, jobs))

    def restore(self, found: Weights) -> None:
        self._learner.restore(found.memory)


class SelfPlayTrainer(NetworkTrainer):
    """Learn from games against oneself, and from `samples` of all sizes for the share that is not `settings.self_play`.

    Batches of games are played on the board sizes of the settings in turn.

    teacher -- analyses the positions in place of long searches; games then begin on the empty board
    workers -- play the games; None: threads do
    """

    columns: tuple[str, ...] = ("policy_loss", "value_loss", "top1", "length", "held_out_loss", "held_out_value")

    def __init__(
        self,
        task: TrainingTask,
        settings: PlanesSettings,
        samples: Samples | None = None,
        teacher: Teacher | None = None,
    ) -> None:
        from gotools.values.network.descent import Descent

        if settings.batch < 2:
            raise GotoolsError(f"a batch has at least 2 positions, not {settings.batch}")
        super().__init__(task, samples)
        self._settings, self._samples = settings, samples
        self._share = 1.0 if settings.self_play is None else settings.self_play
        self._sizes = settings.sizes or (task.size,)
        if samples is not None and not np.isin(samples.rows.size, self._sizes).any():
            sizes = " or ".join(map(str, dict.fromkeys(self._sizes)))
            raise GotoolsError(f"the records have no games on a board of size {sizes}, as they are to be played")
        self._teacher = teacher
        self._games = {size: self._games_on(size) for size in self._sizes}
        self._window = max(1, settings.window // len(self._games))
        (alpha,) = settings.alpha
        self.descent = Descent(len(self._planes.names), self._shape, alpha, VALUE_SHARE, task.seed, averaged=True)
        self._played = {size: none_played(games.points) for size, games in self._games.items()}
        self._count, self._owed = 0, 0.0
        self.workers: Workers | None = None

    def _games_on(self, size: int) -> SearchGames:
        """Return the games on boards of a size; where there are records of it, half begin at positions of these."""
        task, starts, start = self._task, 0, None
        if self._samples is not None and self._teacher is None:
            rows = np.flatnonzero(self._samples.rows.size == size)
            starts, start = len(rows), partial(_state_of, self._samples, rows)
        playouts = self._settings.playouts
        of_search = SearchGameSettings(playouts, max(1, playouts // SHORTER))
        playing = SearchGameSettings(SHORT, SHORT) if self._teacher is not None else of_search
        return SearchGames(task.game, size, task.komi, playing, self.strength, task.seed, starts, start)

    @property
    def games(self) -> int:
        return self._count

    @property
    def memory(self) -> Arrays:
        played = {
            _prefix(size, self._task.size) + name: array
            for size, games in self._played.items()
            for name, array in games.arrays.items()
        }
        progress = np.array([self._count, self._owed, self.descent.steps])
        return {**self.descent.memory, "progress": progress, **played}

    def advance(self, jobs: int) -> Figures:
        from gotools.values.network.descent import sum_of

        size = self._sizes[self._count // GAMES_AT_ONCE % len(self._sizes)]
        games = self._games[size]
        found = games.play(self.evaluation()[1], self._count, GAMES_AT_ONCE, jobs, self.workers)
        if self._teacher is not None:
            starts = [games.begin(USUAL, komi2) for komi2 in found.komi2.tolist()]
            found = taught(found, self._task.game, size, self._teacher, self._settings.playouts, starts)
        new = int((~found.held_out).sum())
        self._played[size] = self._played[size].joined(found).last(self._window)
        known = {size: np.flatnonzero(~played.held_out) for size, played in self._played.items()}
        self._owed += new * self._settings.reuse / (self._settings.batch * self._share)
        steps = int(self._owed) if any(map(len, known.values())) else 0
        self._owed -= int(self._owed)
        anneal = self._settings.anneal
        rest = max(0.0, 1.0 - self._count / anneal) if anneal else 1.0
        losses = sum_of([self.descent.learn(self._next(known), rest, jobs) for _ in range(steps)])
        if steps:
            self.descent.settle((self._next(known, step) for step in range(1, SETTLING + 1)), jobs)
            self.descent.check(losses)
        self._count += GAMES_AT_ONCE
        return {**_figures(losses), "length": (float(found.length.sum()), len(found.length))}

    def examine(self, jobs: int) -> Exam:
        batches = []
        for size, played in self._played.items():
            rows = np.flatnonzero(played.held_out)[-MOST_SAMPLES_HELD_OUT:]
            batches.append(self._games[size].batches(played, rows, self._settings.batch))
        found = self.descent.losses(chain.from_iterable(batches), jobs)
        if not found.positions:
            return Exam({"held_out_loss": (0.0, 0), "held_out_value": (0.0, 0)}, (Share(0.0, 0.0, 1.0),))
        return _exam(found)

    def begin_with(self, found: Weights) -> None:
        """Begin with a trained network, and with the games against itself that it has kept.

        Games that began at positions of records are left out. Raises GotoolsError if what was kept is damaged.
        """
        super().begin_with(found)
        self.strength = found.strength
        for size, games in self._games.items():
            games.strength, prefix = found.strength, _prefix(size, found.size)
            if prefix + "game" in found.memory:
                self._played[size] = games.restored(found.memory, prefix, usual=True).last(self._window)

    def restore(self, found: Weights) -> None:
        memory = found.memory
        check_memory(memory, {name: array for name, array in self.memory.items() if not name.startswith(PLAYED)})
        self._count, self._owed, steps = progress_of(memory)
        for size, games in self._games.items():
            self._played[size] = games.restored(memory, _prefix(size, self._task.size))
        self.descent.restore(memory, steps)

    def _next(self, known: dict[int, NDArray[np.int64]], settling: int = 0) -> SampleBatch:
        """Draw the samples of a step, or of one after it that only computes the normalisation."""
        from gotools.values.network.samples import batch_of

        batch, chance = self._settings.batch, np.random.default_rng([self._task.seed, 5, self.descent.steps, settling])
        if self._samples is not None and chance.random() >= self._share:
            sizes = self._samples.rows.size
            rows = np.flatnonzero(sizes == chance.choice(sizes))
            return batch_of(self._samples, chance.choice(rows, batch))
        counts = np.array([len(rows) for rows in known.values()])
        at = chance.choice(len(counts), p=counts / counts.sum()) if len(counts) > 1 else 0
        size = list(known)[at]
        return self._games[size].batch(self._played[size], chance.choice(known[size], batch))


def _prefix(size: int, usual: int) -> str:
    """Return the prefix of the names of the games on boards of a size; usual -- the size of the file."""
    return PLAYED if size == usual else f"{PLAYED}{size}_"


def _state_of(samples: Samples, rows: NDArray[np.int64], number: int) -> NDArray[np.int32]:
    """Return the position of a record as a start position, by its number among some rows."""
    return samples.state(int(rows[number]))


def _figures(losses: Losses) -> Figures:
    return {
        "policy_loss": (losses.policy, losses.positions),
        "value_loss": (losses.value, losses.valued),
        "top1": (float(losses.hits), losses.positions),
    }


def _exam(found: Losses) -> Exam:
    share = Share.of(found.hits, 0, found.positions - found.hits)
    figures = {"held_out_loss": (found.policy, found.positions), "held_out_value": (found.value, found.valued)}
    return Exam(figures, (share,))


def check_torch() -> None:
    """Raise GotoolsError if PyTorch is not installed."""
    try:
        import_module("torch")
    except ImportError as error:
        raise GotoolsError(f"{PLANES} learn by PyTorch, which is missing: pip install torch") from error


def digest_of(samples: Samples) -> str:
    """Return a digest that identifies samples in the settings of a training."""
    digest = hashlib.sha256()
    rows = samples.rows.rows
    facts = samples.komi2, samples.strength, samples.result, samples.game
    for array in (samples.rows.positions, rows.size, rows.to_play, rows.move, *facts):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:12]
