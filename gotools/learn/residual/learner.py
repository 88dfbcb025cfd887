"""Learn from records: a network, and how far it has come through the samples; the rate falls to zero."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError
from gotools.go.inputs.kernels import planes as k
from gotools.learn.residual.descent import Arrays, Descent, Losses, check_memory, sum_of
from gotools.learn.residual.samples import Samples, batch_of, epoch
from gotools.learn.residual.shape import ResidualShape

VALUE_SHARE: Final = 0.3
"""Weight of the loss of values beside that of the policy: results of people's games say little."""


class NetworkLearner:
    """A network that goes through samples, epoch after epoch.

    alpha  -- the learning rate; anneal -- games over which it falls to zero, 0: it stays
    batch  -- positions of a step; steps -- of an `advance`
    """

    def __init__(
        self, samples: Samples, shape: ResidualShape, alpha: float, batch: int, steps: int, anneal: int, seed: int
    ) -> None:
        if batch < 2:
            raise GotoolsError(f"a batch has at least 2 positions, not {batch}")
        self._samples, self._batch, self._steps = samples, batch, steps
        self._anneal, self._seed, self._in_all = anneal, seed, samples.games
        self._descent = Descent(k.PLANES, shape, alpha, VALUE_SHARE, seed)
        self._epoch, self._at, self._seen = 0, 0, 0
        self._batches: list[NDArray[np.int64]] = []

    @property
    def games(self) -> int:
        """Return how many games were learned from, a game as often as it came."""
        return self._seen * self._in_all // len(self._samples)

    def advance(self, threads: int) -> Losses:
        """Learn from some batches."""
        found = []
        for _ in range(self._steps):
            if not self._batches:
                self._batches = epoch(self._samples, self._epoch, self._batch, self._seed)
            rows = self._batches[self._at]
            found.append(self._descent.learn(batch_of(self._samples, rows), self._rest(), threads))
            self._seen += len(rows)
            self._at += 1
            if self._at == len(self._batches):
                self._batches, self._at, self._epoch = [], 0, self._epoch + 1
        losses = sum_of(found)
        self._descent.check(losses)
        return losses

    def losses(self, samples: Samples, threads: int) -> Losses:
        """Return what the network's predictions of other samples are worth."""
        rows = epoch(samples, 0, self._batch, 0)
        return self._descent.losses((batch_of(samples, some, turned=False) for some in rows), threads)

    def weights(self) -> NDArray[np.float32]:
        """Return the weights for kernels/residual.py."""
        return self._descent.weights()

    def begin_with(self, network: NDArray[np.float32]) -> None:
        """Take the parameters of another training."""
        self._descent.begin_with(network)

    @property
    def memory(self) -> Arrays:
        """Return all that `restore` needs."""
        progress = np.array([self._epoch, self._at, self._seen, self._descent.steps], np.int64)
        return {**self._descent.memory, "progress": progress}

    def restore(self, memory: Arrays) -> None:
        """Go on from what `memory` returned. Raises GotoolsError where it does not fit."""
        check_memory(memory, self.memory)
        epoch_, at, seen, steps = (int(number) for number in memory["progress"])
        batches = epoch(self._samples, epoch_, self._batch, self._seed) if 0 <= epoch_ < 1 << 32 else []
        if not 0 <= at < len(batches) or seen < 0 or steps < 0:
            raise GotoolsError("the memory of the training, progress, is of another one")
        self._epoch, self._at, self._seen, self._batches = epoch_, at, seen, batches
        self._descent.restore(memory, steps)

    def _rest(self) -> float:
        """Return what is left of the learning rate."""
        if not self._anneal:
            return 1.0
        return max(0.0, 1.0 - self._seen * self._in_all / len(self._samples) / self._anneal)
