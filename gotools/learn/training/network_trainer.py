"""Learn a policy and a value from records of games, by a residual network."""

from __future__ import annotations

import hashlib
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError
from gotools.learn.residual.shape import PLANES, numbers_of, parse_shape
from gotools.learn.training.trainers import Arrays, Exam, Figures, Task
from gotools.learn.training.training_log import Share
from gotools.learn.tuples.tuples import Cells
from gotools.learn.weights.weights_file import NO_CELLS, NO_ENTRIES, Weights

if TYPE_CHECKING:
    from gotools.learn.residual.samples import Samples

HELD_OUT: Final = "held_out"
SHARE_HELD_OUT, MOST_HELD_OUT = 0.05, 200
"""Share of the games that are not learned from but measured on, and the most of them."""
AT_ONCE: Final = 2048
"""Positions, about, between two looks at the clock."""
STRONG: Final = 0.9
"""The network plays as a player above this share of those that it learned from."""


class NetworkTrainer:
    """Learn from samples of games.

    alpha, batch, anneal -- see NetworkLearner
    """

    columns: tuple[str, ...] = ("policy_loss", "value_loss", "top1", "held_out_loss", "held_out_value")
    exams: tuple[str, ...] = (HELD_OUT,)

    def __init__(self, task: Task, samples: Samples, alpha: float, batch: int, anneal: int) -> None:
        from gotools.learn.residual.learner import NetworkLearner
        from gotools.learn.residual.samples import apart

        planes = task.game.find_planes()
        assert planes is not None  # or there were no such features
        task.game.check_komi(task.komi)
        self._planes = planes
        self._shape = parse_shape(task.network)
        self.origin = digest_of(samples)
        self.strength = float(np.quantile(samples.strength, STRONG))
        train, self._held_out = apart(samples, SHARE_HELD_OUT, MOST_HELD_OUT, task.seed)
        if not len(self._held_out):
            raise GotoolsError(f"{samples.games} games are too few to learn from: one in 20 is held out to measure on")
        self._learner = NetworkLearner(train, self._shape, alpha, batch, max(1, AT_ONCE // batch), anneal, task.seed)

    @property
    def games(self) -> int:
        return self._learner.games

    @property
    def memory(self) -> Arrays:
        return self._learner.memory

    def advance(self, jobs: int) -> Figures:
        found = self._learner.advance(jobs)
        return {
            "policy_loss": (found.policy, found.positions),
            "value_loss": (found.value, found.valued),
            "top1": (float(found.hits), found.positions),
        }

    def examine(self, jobs: int) -> Exam:
        found = self._learner.losses(self._held_out, jobs)
        share = Share.of(found.hits, 0, found.positions - found.hits)
        figures = {"held_out_loss": (found.policy, found.positions), "held_out_value": (found.value, found.valued)}
        return Exam(figures, (share,))

    def evaluation(self) -> tuple[Any, NDArray[np.float64]]:
        numbers = numbers_of(self._shape, len(self._planes.names), self._learner.weights(), self.strength)
        return self._planes.evaluate, numbers

    def weights(self) -> NDArray[np.float32]:
        return self._learner.weights()

    def scales(self) -> NDArray[np.float64]:
        return np.zeros(0)

    def places(self) -> tuple[Cells, NDArray[np.int32]]:
        return NO_CELLS, NO_ENTRIES

    def begin_with(self, found: Weights) -> None:
        """Begin with a network that has learned something. Raises GotoolsError where its file does not have it all."""
        self._learner.begin_with(network_of(found, self.memory))

    def restore(self, found: Weights) -> None:
        self._learner.restore(found.memory)


def network_of(found: Weights, memory: Arrays) -> NDArray[np.float32]:
    """Return the parameters of a trained network, where a file has them beside the weights that kernels read."""
    network = found.memory.get("average", found.memory.get("network"))
    if network is None or network.shape != memory["network"].shape or not np.isfinite(network).all():
        raise GotoolsError("it lacks the memory of its training: name a file that train-eval -o has written")
    return np.asarray(network, np.float32)


def check_torch() -> None:
    """Raise GotoolsError where there is no PyTorch."""
    try:
        import_module("torch")
    except ImportError as error:
        raise GotoolsError(f"{PLANES} learn by PyTorch, which is missing: pip install torch") from error


def digest_of(samples: Samples) -> str:
    """Return what identifies samples, for the settings of a training."""
    digest = hashlib.sha256()
    rows = samples.rows.rows
    for array in (samples.rows.bits, rows.size, rows.to_play, rows.ko, rows.move, samples.komi2, samples.strength,
                  samples.result, samples.game):  # fmt: skip
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:12]
