"""Learn a policy and a value from what a search finds that uses them: games against itself, and records beside them.

The search improves the policy, the results of games the value (Anthony, Tian and Barber 2017, Thinking Fast and Slow
with Deep Learning and Tree Search; Silver et al. 2017, AlphaGo Zero). A batch of games is played with the same
weights; then steps are made on samples drawn from the latest games, a sample about `reuse` times in all.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError
from gotools.game import Planes
from gotools.learn.residual.selfplay import (
    OF_GAMES,
    OF_SAMPLES,
    USUAL,
    PlayedGames,
    SearchGames,
    SearchGameSettings,
    none_played,
)
from gotools.learn.residual.shape import numbers_of, parse_shape
from gotools.learn.residual.teaching import Teacher, taught
from gotools.learn.training.network_trainer import HELD_OUT, STRONG, digest_of, network_of
from gotools.learn.training.trainers import Arrays, Exam, Figures, Task
from gotools.learn.training.training_log import Share
from gotools.learn.tuples.tuples import Cells
from gotools.learn.weights.weights_file import NO_CELLS, NO_ENTRIES, Weights
from gotools.workers import Workers

if TYPE_CHECKING:
    from gotools.learn.residual.samples import Batch, Samples

GAMES_AT_ONCE: Final = 16
"""Games that are played with the same weights."""
MOST_HELD_OUT: Final = 4096
"""The latest of the held-out samples that are measured on."""
SETTLING: Final = 6
"""Batches by which the normalisation counts anew."""
VALUE_SHARE: Final = 1.0
"""Weight of the loss of values beside that of the policy."""
_PLAYED: Final = "played_"
"""Beginning of the names in the file: the games that are learned from."""


class SelfPlayTrainer:
    """Learn from games against oneself, a share of the samples from records.

    share -- of the samples that are of games against oneself; the others are of `samples`
    reuse -- times that a sample is learned from, on average
    teacher -- analyses the positions in place of long searches; games then begin on the empty board
    workers -- play the games; None: threads do
    alpha, batch, anneal -- see NetworkLearner
    """

    columns: tuple[str, ...] = ("policy_loss", "value_loss", "top1", "length", "held_out_loss", "held_out_value")
    exams: tuple[str, ...] = (HELD_OUT,)

    def __init__(
        self, task: Task, settings: SearchGameSettings, alpha: float, batch: int, anneal: int, reuse: float,
        share: float = 1.0, samples: Samples | None = None, teacher: Teacher | None = None,
    ) -> None:  # fmt: skip
        from gotools.learn.residual.descent import Descent

        if batch < 2:
            raise GotoolsError(f"a batch has at least 2 positions, not {batch}")
        planes = task.game.find_planes()
        assert planes is not None  # or there were no such features
        self._planes: Planes = planes
        self._shape = parse_shape(task.network)
        self._settings, self._reuse, self._share, self._samples = settings, reuse, share, samples
        self._batch, self._anneal, self._seed = batch, anneal, task.seed
        self.origin = "" if samples is None else digest_of(samples)
        self.strength = 0.0 if samples is None else float(np.quantile(samples.strength, STRONG))
        self._size = task.size
        self._rows: NDArray[np.int64] = np.zeros(0, np.int64)
        if samples is not None:
            self._rows = np.flatnonzero(samples.rows.size == task.size)
            if not len(self._rows):
                raise GotoolsError(
                    f"the records have no games on a board of size {task.size}, as they are to be played"
                )
        self._teacher, self._game = teacher, task.game
        starts = len(self._rows) if teacher is None else 0
        playing = settings if teacher is None else replace(settings, playouts=settings.short)
        self._games = SearchGames(
            task.game, task.size, task.komi, playing, self.strength, task.seed, starts, self._start
        )
        self._descent = Descent(len(planes.names), self._shape, alpha, VALUE_SHARE, task.seed, averaged=True)
        self._played = none_played(self._games.points)
        self._count, self._owed = 0, 0.0
        self.workers: Workers | None = None

    @property
    def games(self) -> int:
        return self._count

    @property
    def memory(self) -> Arrays:
        played = {_PLAYED + name: array for name, array in self._played.arrays.items()}
        progress = np.array([self._count, self._owed, self._descent.steps])
        return {**self._descent.memory, "progress": progress, **played}

    def advance(self, jobs: int) -> Figures:
        from gotools.learn.residual.descent import sum_of

        found = self._games.play(self.evaluation()[1], self._count, GAMES_AT_ONCE, jobs, self.workers)
        if self._teacher is not None:
            found = self._taught(found, self._teacher)
        new = int((~found.held_out).sum())
        self._played = self._played.joined(found).last(self._settings.window)
        known = np.flatnonzero(~self._played.held_out)
        self._owed += new * self._reuse / (self._batch * self._share)
        steps = int(self._owed) if len(known) else 0
        self._owed -= int(self._owed)
        rest = max(0.0, 1.0 - self._count / self._anneal) if self._anneal else 1.0
        losses = sum_of([self._descent.learn(self._next(known), rest, jobs) for _ in range(steps)])
        if steps:
            self._descent.settle((self._next(known, step) for step in range(1, SETTLING + 1)), jobs)
            self._descent.check(losses)
        self._count += GAMES_AT_ONCE
        return {
            "policy_loss": (losses.policy, losses.positions),
            "value_loss": (losses.value, losses.valued),
            "top1": (float(losses.hits), losses.positions),
            "length": (float(found.length.sum()), len(found.length)),
        }

    def examine(self, jobs: int) -> Exam:
        rows = np.flatnonzero(self._played.held_out)[-MOST_HELD_OUT:]
        if not len(rows):
            return Exam({"held_out_loss": (0.0, 0), "held_out_value": (0.0, 0)}, (Share(0.0, 0.0, 1.0),))
        found = self._descent.losses(self._games.batches(self._played, rows, self._batch), jobs)
        share = Share.of(found.hits, 0, found.positions - found.hits)
        figures = {"held_out_loss": (found.policy, found.positions), "held_out_value": (found.value, found.valued)}
        return Exam(figures, (share,))

    def evaluation(self) -> tuple[Any, NDArray[np.float64]]:
        numbers = numbers_of(self._shape, len(self._planes.names), self._descent.weights(), self.strength)
        return self._planes.evaluate, numbers

    def weights(self) -> NDArray[np.float32]:
        return self._descent.weights()

    def scales(self) -> NDArray[np.float64]:
        return np.zeros(0)

    def places(self) -> tuple[Cells, NDArray[np.int32]]:
        return NO_CELLS, NO_ENTRIES

    def begin_with(self, found: Weights) -> None:
        """Begin with a network that has learned something, and with the games against itself that it has kept.

        Games that began at positions of records are left out. Raises GotoolsError where its file does not have it all.
        """
        self._descent.begin_with(network_of(found, self._descent.memory))
        self.strength = self._games.strength = found.strength
        if any(name.startswith(_PLAYED) for name in found.memory):
            played = _restored(found.memory, self.memory)
            played = played.only(played.start == USUAL)
            self._games.check(played)
            self._played = played.last(self._settings.window)

    def restore(self, found: Weights) -> None:
        from gotools.learn.residual.descent import check_memory

        memory, now = found.memory, self.memory
        check_memory(memory, {name: array for name, array in now.items() if not name.startswith(_PLAYED)})
        count, owed, steps = memory["progress"].tolist()
        if not (0 <= owed < 1 and all(0 <= number < 1 << 53 and number == int(number) for number in (count, steps))):
            raise GotoolsError("the memory of the training, progress, is of another one")
        played = _restored(memory, now)
        self._games.check(played)
        self._played = played
        self._count, self._owed = int(count), owed
        self._descent.restore(memory, int(steps))

    def _taught(self, played: PlayedGames, teacher: Teacher) -> PlayedGames:
        """Return games with what a teacher says of their positions."""

        def begin(place: int) -> NDArray[np.int32]:
            return self._games.begin(-1, int(played.komi2[place]))

        return taught(played, self._game, self._size, teacher, self._settings.playouts, begin)

    def _next(self, known: NDArray[np.int64], settling: int = 0) -> Batch:
        """Draw the samples of a step, or of one of those after it that only count."""
        from gotools.learn.residual.samples import batch_of

        chance = np.random.default_rng([self._seed, 5, self._descent.steps, settling])
        if self._samples is not None and chance.random() >= self._share:
            return batch_of(self._samples, chance.choice(self._rows, self._batch))
        return self._games.batch(self._played, chance.choice(known, self._batch))

    def _start(self, number: int) -> NDArray[np.int32]:
        """Return the position of a record as a start position."""
        assert self._samples is not None
        return self._samples.state(int(self._rows[number]))


def _restored(memory: Arrays, now: Arrays) -> PlayedGames:
    """Return the games of a memory. Raises GotoolsError where they do not fit together."""
    arrays = {}
    for name, array in now.items():
        if name.startswith(_PLAYED):
            found = memory.get(name)
            if (
                found is None
                or found.ndim != array.ndim
                or found.shape[1:] != array.shape[1:]
                or found.dtype != array.dtype
            ):
                raise GotoolsError(f"the memory of the training, {name}, is missing or of another one")
            arrays[name.removeprefix(_PLAYED)] = found
    played = PlayedGames(**arrays)
    of_games = {len(played.arrays[name]) for name in OF_GAMES}
    of_samples = {len(played.arrays[name]) for name in OF_SAMPLES}
    fits = [len(of_games) == len(of_samples) == 1, bool((played.length >= 0).all())]
    fits.append(int(played.length.sum()) == len(played.moves))
    if len(played) and all(fits):
        fits.append(bool(((played.of >= 0) & (played.of < len(played.game))).all()))
        fits.append(fits[-1] and bool(((played.ply >= 0) & (played.ply < played.length[played.of])).all()))
    if not all(fits):
        raise GotoolsError("the memory of the training, its games, is damaged")
    return played
