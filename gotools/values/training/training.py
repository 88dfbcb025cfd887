"""The training of a value function: batches of games, checkpoints, a log; it can be resumed after any interruption."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import EngineError, GotoolsError, printable, shown
from gotools.base.phases import UNWATCHED, Watch
from gotools.files.opening import STDIN, check_writable
from gotools.files.writing import whole_writes
from gotools.jit.compiling import working_time
from gotools.values.checkpoint import Arrays, check_memory
from gotools.values.settings import TrainingSettings
from gotools.values.training.recipe import Recipe
from gotools.values.training.referees import parse_referees
from gotools.values.training.trainers import Figures
from gotools.values.training.training_log import Log, LogRow, Share
from gotools.values.weights.weights_file import Weights, load_weights, save_weights, weights_bytes

LEARNING: Final = "learning"
"""Name of the phase whose steps are games."""
_SINCE: Final = "since"
"""Name in the weights file of the games of the last row, then sum and count of each figure since."""
_GROWTH: Final = 1.5
_FIRST_CHECKPOINT: Final = 250
_LONGEST_WAIT: Final = 100_000
"""Largest number of games between checkpoints; each comes at 1.5 times the games of the last, so that a curve shows
the beginning in detail."""


@dataclass(frozen=True, slots=True)
class News:
    """Progress of a training: games so far, figures since the last checkpoint, the row of a new one.

    rate -- games learned from per second; the time of the referees' games counts
    """

    games: int
    rate: float
    figures: dict[str, float]
    row: LogRow | None


class Copies:
    """Copies of the weights that a training keeps beside its file, named by their games: eval-000250000.npz.

    output -- the file of the training; every -- games from one copy to the next

    They leave out the memory of the training, which is two thirds of a file of shapes, half of one of n-tuples.
    """

    def __init__(self, output: str, every: int) -> None:
        self._folder, name = os.path.split(output)
        packed = ".gz" if name.endswith(".gz") else ""
        self._stem, ending = os.path.splitext(name.removesuffix(packed))
        self._ending = ending + packed
        self._every = every

    def name(self, games: int) -> str:
        """Return the name of the copy after a number of games."""
        return os.path.join(self._folder, f"{self._stem}-{games:09d}{self._ending}")

    def due(self, before: int, after: int) -> bool:
        """Return whether a copy became due in a batch; before, after -- games before and after it."""
        return before // self._every < after // self._every

    def check_none(self) -> None:
        """Raise GotoolsError if there are copies already."""
        pattern = re.compile(re.escape(self._stem) + r"-\d{9,}" + re.escape(self._ending))
        found = sorted(name for name in os.listdir(self._folder or ".") if pattern.fullmatch(name))
        if found:
            path = printable(os.path.join(self._folder, found[0]))
            raise GotoolsError(f"{path} exists, of another training; move it away, or name another file for -o")

    def add(self, weights: Weights) -> None:
        """Write a copy, unless an interrupted training has left the same one.

        Raises GotoolsError if there is a file of that name with other contents.
        """
        path = self.name(weights.games)
        if not os.path.exists(path):
            save_weights(path, weights)
        elif weights_bytes(load_weights(path)) != weights_bytes(weights):
            what = "holds other weights than this training after that number of games"
            raise GotoolsError(f"{printable(path)}: {what}; move it away, and --resume goes on after this copy")


class Training:
    """A trainer, its log and its file.

    settings -- when to end, after the batch that reaches a limit, and what to measure and to keep
    output   -- the file; log -- that of the log, None: none
    jobs     -- threads
    """

    def __init__(
        self, recipe: Recipe, settings: TrainingSettings, output: str, log: str | None = None, jobs: int = 1
    ) -> None:
        self._task, self._trainer, self._header = recipe.task, recipe.trainer, recipe.settings
        self._settings, self._output, self._log_file, self._jobs = settings, output, log, jobs
        self._referees = parse_referees(settings.referee, self._task.game) if settings.referee_games else ()
        names = tuple(referee.name for referee in self._referees)
        self._log = Log(("games", *self._trainer.columns), (*self._trainer.exams, *names), names)
        self._sums: Figures = {}
        self._copies = Copies(output, settings.keep) if settings.keep else None
        self._saved = 0
        self._row = 0

    @property
    def games(self) -> int:
        """Return the number of games that were learned from."""
        return self._trainer.games

    @property
    def wanted(self) -> int | None:
        """Return the number of games at which it ends; None if a time ends it."""
        return self._settings.wanted

    @property
    def error_name(self) -> str:
        """Return the name of the main figure of progress."""
        return self._trainer.columns[0]

    def curve(self) -> list[float]:
        """Return the share won against the last referee at each checkpoint."""
        return [row.shares[-1].share for row in self._log.rows if row.shares]

    def line(self, news: News) -> str:
        """Return the results of a checkpoint as a line of at most 80 columns."""
        assert news.row is not None
        shares = (f"{name} {share}" for name, share in zip(self._log.referees, news.row.shares, strict=True))
        figure = f"{self.error_name.removeprefix('squared_')} {news.row.figures[self.error_name]:.3g}"
        return "  ".join([f"{news.games:>9,} games  {figure}", *shares])

    def begin(self, resume: bool) -> None:
        """Check that the files can be written and nothing is overwritten; with `resume`, go on from their contents.

        Raises GotoolsError for files of an earlier run without `resume`, and for files of another run.
        """
        output, log = self._output, self._log_file
        if log is not None and (log == STDIN or os.path.realpath(log) == os.path.realpath(output)):
            raise GotoolsError("--log needs a file of its own")
        for path in (output, log, self._copies.name(0) if self._copies else None):
            check_writable(path)
        for path in (output, log):
            if path is not None and os.path.exists(path) and not resume:
                raise GotoolsError(f"{path} exists; --resume goes on with it, or name another file")
        if self._copies and not resume:
            self._copies.check_none()
        if os.path.exists(output):
            self._resume()
        elif log is not None and os.path.exists(log):
            self._log.read(log, 0, self._header)  # of a run that was killed before its first checkpoint

    def _resume(self) -> None:
        path = self._output
        weights = load_weights(path)
        task = self._task
        found = (weights.game, weights.size, weights.komi, weights.features, weights.network)
        if found != (task.game.name, task.size, task.komi, task.features, task.network):
            raise GotoolsError(f"{path}: its contents and its settings differ; it was changed by hand")
        for name in {**self._header, **weights.settings}:
            was, value = (settings.get(name, "none") for settings in (weights.settings, self._header))
            if was != value:
                what = f"this run has {name} {shown(was)}, not {shown(value)}; give what it was begun with"
                raise GotoolsError(f"{path}: {what}")
        try:
            self._trainer.restore(weights)
            self._recall(weights.memory)
            if self._trainer.games != weights.games:
                raise GotoolsError("the games of the file and of its memory differ")
        except GotoolsError as error:
            raise GotoolsError(f"{path}: {error}") from error
        if self._log_file is not None and os.path.exists(self._log_file):
            self._log.read(self._log_file, weights.games, self._header)
        self._saved = weights.games

    def _recall(self, memory: Arrays) -> None:
        """Restore the sums since the last row."""
        columns = self._trainer.columns
        check_memory(memory, {_SINCE: np.zeros(1 + 2 * len(columns))})
        since = memory[_SINCE]
        self._row = int(since[0])
        pairs = since[1:].reshape(-1, 2)
        self._sums = {name: (float(pair[0]), int(pair[1])) for name, pair in zip(columns, pairs, strict=True)}

    def _since(self) -> NDArray[np.float64]:
        sums = [part for name in self._trainer.columns for part in self._sums.get(name, (0.0, 0))]
        return np.array([self._row, *sums], np.float64)

    def train(self, report: Callable[[News], None], watch: Watch = UNWATCHED) -> None:
        """Train until the run's end; Ctrl-C leaves a checkpoint of the finished batches.

        report -- called after each batch and each checkpoint; watch -- shows the phases

        Raises GotoolsError if weights diverge; the last checkpoint is kept.
        """
        began, first = working_time(), self._trainer.games
        try:
            while True:
                games, over, row = self._trainer.games, self._over(began), None
                if games > self._row and (over or games >= _after(self._row, self._settings.checkpoint)):
                    row = self._add_row(watch)
                    watch.phase(LEARNING, self.wanted)
                if games > first or row is not None:
                    means = _means(self._sums) if row is None else row.figures
                    report(News(games, (games - first) / max(working_time() - began, 1e-9), means, row))
                if over:
                    return
                with whole_writes():  # Ctrl-C waits for the batch: a half-learned one would be learned twice
                    try:
                        figures = self._trainer.advance(self._jobs)
                    except GotoolsError as error:
                        raise self._after_failure(error) from error
                    self._add(figures)
                    self._keep(games)
        except KeyboardInterrupt:
            if self._trainer.games:
                self._save()
            raise KeyboardInterrupt(f"{self._trainer.games:,} games are kept; --resume goes on") from None

    def _after_failure(self, error: GotoolsError) -> GotoolsError:
        """Save the weights where only an opponent failed; return the error, with what the file holds."""
        if isinstance(error, EngineError) and self._trainer.games:
            self._save()
        kept = f"; {self._output} holds the checkpoint of {self._saved:,} games" if self._saved else ""
        return GotoolsError(f"after {self._trainer.games:,} games: {error}{kept}")

    def _over(self, began: float) -> bool:
        games, seconds = self.wanted, self._settings.time
        if games is not None and self._trainer.games >= games:
            return True
        return seconds is not None and working_time() - began >= seconds

    def _add(self, figures: Figures) -> None:
        for name, (total, count) in figures.items():
            before, many = self._sums.get(name, (0.0, 0))
            self._sums[name] = (before + total, many + count)

    def _add_row(self, watch: Watch) -> LogRow:
        """Measure, write the log, then the weights: after a kill between the two, the row is computed again."""
        if self._trainer.exams:
            watch.phase("measuring on held-out games")
        exam = self._trainer.examine(self._jobs)
        self._add(exam.figures)
        scores = list(self._measure(watch))
        shares = (*exam.shares, *(Share.of(*score) for score in scores))
        row = LogRow(self._trainer.games, _means(self._sums), shares, tuple(chain.from_iterable(scores)))
        with whole_writes():
            self._log.rows.append(row)
            if self._log_file is not None:
                self._log.write(self._log_file, self._header)
            self._sums, self._row = {}, row.games
            self._save()
        return row

    def _keep(self, before: int) -> None:
        """Save a copy if one became due during the last batch; before -- games before it."""
        if self._copies is None or not self._copies.due(before, self._trainer.games):
            return
        try:
            self._copies.add(self._weights({}))
        except GotoolsError:
            self._save()
            raise

    def _save(self) -> None:
        """Write the weights."""
        with whole_writes():
            save_weights(self._output, self._weights({**self._trainer.memory, _SINCE: self._since()}))
            self._saved = self._trainer.games

    def _weights(self, memory: Arrays) -> Weights:
        trainer, task = self._trainer, self._task
        return Weights(
            game=task.game.name,
            size=task.size,
            komi=task.komi,
            features=task.features,
            network=task.network,
            games=trainer.games,
            settings=self._header,
            memory=memory,
            **trainer.arrays(),
        )

    def _measure(self, watch: Watch) -> Iterator[tuple[int, int, int]]:
        """Yield games won, drawn and lost; they depend only on the seed and the number of games learned from."""
        task, count, seed = self._task, self._settings.referee_games, self._task.seed + self._trainer.games
        for referee in self._referees:
            watch.phase(f"testing against {referee.name}")
            yield referee.play(task.game, self._trainer.evaluation(), count, seed, task.size, task.komi, self._jobs)


def _after(games: int, checkpoint: int) -> int:
    """Return the games at which the next checkpoint is due."""
    if checkpoint:
        return games - games % checkpoint + checkpoint
    return max(_FIRST_CHECKPOINT, min(int(games * _GROWTH), games + _LONGEST_WAIT))


def _means(sums: Figures) -> dict[str, float]:
    return {name: total / count if count else 0.0 for name, (total, count) in sums.items()}
