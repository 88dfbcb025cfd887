"""Train a residual network on samples by PyTorch: AdamW, a rate that falls to zero, all symmetries of the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from gotools.errors import GotoolsError
from gotools.go.inputs.kernels import planes as k
from gotools.learn.residual.model import ResidualNetwork
from gotools.learn.residual.samples import Batch, Samples, batch_of, epoch
from gotools.learn.residual.shape import ResidualShape

VALUE_SHARE: Final = 0.3
"""Weight of the loss of values beside that of the policy."""
DECAY: Final = 1e-4
LARGEST_GRADIENT: Final = 1.0
LARGEST_WEIGHT: Final = 1e6
WARM_UP: Final = 200
"""Batches over which the rate rises to its first value."""
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Losses:
    """Sums over positions, and how many these were; `valued`: those whose result is known.

    policy -- of minus the log-likelihood of the moves; value -- of that of the results; hits -- moves that are first
    """

    policy: float
    value: float
    hits: int
    positions: int
    valued: int


class NetworkLearner:
    """A network, and how far its training has come.

    alpha  -- the learning rate; anneal -- games over which it falls to zero, 0: it stays
    batch  -- positions of a step; steps -- of an `advance`
    """

    def __init__(
        self, samples: Samples, shape: ResidualShape, alpha: float, batch: int, steps: int, anneal: int, seed: int
    ) -> None:
        if batch < 2:
            raise GotoolsError(f"a batch has at least 2 positions, not {batch}")
        self._samples, self._alpha, self._batch, self._steps = samples, alpha, batch, steps
        self._anneal, self._seed, self._in_all = anneal, seed, samples.games
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self._network = ResidualNetwork(k.PLANES, shape)
        self._network.to(self._device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._optimizer = torch.optim.AdamW(self._network.parameters(), lr=alpha, weight_decay=DECAY)
        self._epoch, self._at, self._seen, self._taken = 0, 0, 0, 0
        self._batches: list[NDArray[np.int64]] = []

    @property
    def games(self) -> int:
        """Return how many games were learned from, a game as often as it came."""
        return self._seen * self._in_all // len(self._samples)

    def advance(self, threads: int) -> Losses:
        """Learn from some batches."""
        torch.set_num_threads(threads)
        self._network.train()
        found = []
        for _ in range(self._steps):
            if not self._batches:
                self._batches = epoch(self._samples, self._epoch, self._batch, self._seed)
            rows = self._batches[self._at]
            found.append(self._step(batch_of(self._samples, rows)))
            self._seen += len(rows)
            self._at += 1
            if self._at == len(self._batches):
                self._batches, self._at, self._epoch = [], 0, self._epoch + 1
        losses = _sum(found)
        if not (np.isfinite(losses.policy + losses.value) and np.abs(self.weights()).max() < LARGEST_WEIGHT):
            raise GotoolsError("the weights diverged: they are no numbers, or too large; a smaller --alpha may help")
        return losses

    def losses(self, samples: Samples, threads: int) -> Losses:
        """Return what the network's predictions of other samples are worth."""
        torch.set_num_threads(threads)
        self._network.eval()
        found = []
        with torch.no_grad():
            for rows in epoch(samples, 0, self._batch, 0):
                found.append(self._loss(batch_of(samples, rows, turned=False))[1])
        return _sum(found)

    def weights(self) -> NDArray[np.float32]:
        """Return the weights for kernels/residual.py."""
        return self._network.weights()

    @property
    def memory(self) -> Arrays:
        """Return all that `restore` needs."""
        moments: dict[str, list[Tensor]] = {"exp_avg": [], "exp_avg_sq": []}
        for parameter in self._network.parameters():
            state = self._optimizer.state[parameter]
            for name, tensors in moments.items():
                tensors.append(state[name] if name in state else torch.zeros_like(parameter))
        return {
            "network": _joined(self._tensors()),
            "first_moment": _joined(moments["exp_avg"]),
            "second_moment": _joined(moments["exp_avg_sq"]),
            "progress": np.array([self._epoch, self._at, self._seen, self._taken], np.int64),
        }

    def restore(self, memory: Arrays) -> None:
        """Go on from what `memory` returned. Raises GotoolsError where it does not fit."""
        now = self.memory
        for name, array in now.items():
            found = memory.get(name)
            if (
                found is None
                or found.shape != array.shape
                or found.dtype != array.dtype
                or not np.isfinite(found).all()
            ):
                raise GotoolsError(f"the memory of the training, {name}, is missing or of another one")
        epoch_, at, seen, taken = (int(number) for number in memory["progress"])
        batches = epoch(self._samples, epoch_, self._batch, self._seed) if 0 <= epoch_ < 1 << 32 else []
        if not 0 <= at < len(batches) or seen < 0 or taken < 0:
            raise GotoolsError("the memory of the training, progress, is of another one")
        self._epoch, self._at, self._seen, self._taken, self._batches = epoch_, at, seen, taken, batches
        _split(memory["network"], self._tensors())
        parameters = list(self._network.parameters())
        first, second = ([torch.empty_like(p) for p in parameters] for _ in range(2))
        _split(memory["first_moment"], first)
        _split(memory["second_moment"], second)
        for parameter, one, two in zip(parameters, first, second, strict=True):
            state = {"step": torch.tensor(float(taken)), "exp_avg": one, "exp_avg_sq": two}
            self._optimizer.state[parameter] = state

    def _tensors(self) -> list[Tensor]:
        """List the parameters, and what the normalisation has counted."""
        return [tensor for tensor in self._network.state_dict().values() if tensor.is_floating_point()]

    def _step(self, batch: Batch) -> Losses:
        rate = self._alpha * min(1.0, (self._taken + 1) / WARM_UP)
        if self._anneal:
            rate *= max(0.0, 1.0 - self._seen * self._in_all / len(self._samples) / self._anneal)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        loss, losses = self._loss(batch)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), LARGEST_GRADIENT)
        self._optimizer.step()
        self._taken += 1
        return losses

    def _loss(self, batch: Batch) -> tuple[Tensor, Losses]:
        planes = torch.from_numpy(batch.planes).to(self._device).permute(0, 3, 1, 2)
        played, result = (torch.from_numpy(array).to(self._device) for array in (batch.policy, batch.result))
        policy, value, _ = self._network(planes)
        known = (result != 0).float()
        of_policy = functional.cross_entropy(policy, played, reduction="sum")
        of_value = functional.binary_cross_entropy_with_logits(
            2 * value[:, 0], (result + 1) / 2, weight=known, reduction="sum"
        )
        count = len(played)
        losses = Losses(
            of_policy.item(), of_value.item(), int((policy.argmax(1) == played).sum()), count, int(known.sum())
        )
        return (of_policy + VALUE_SHARE * of_value) / count, losses


def _sum(parts: list[Losses]) -> Losses:
    return Losses(
        sum(part.policy for part in parts),
        sum(part.value for part in parts),
        sum(part.hits for part in parts),
        sum(part.positions for part in parts),
        sum(part.valued for part in parts),
    )


def _joined(tensors: list[Tensor]) -> NDArray[np.float32]:
    found: Any = torch.cat([tensor.detach().cpu().contiguous().flatten() for tensor in tensors]).numpy()
    return np.asarray(found, np.float32)


def _split(array: NDArray[np.float32], tensors: list[Tensor]) -> None:
    """Fill tensors with what `_joined` made of them."""
    at = 0
    for tensor in tensors:
        part = torch.from_numpy(array[at : at + tensor.numel()].copy()).reshape(tensor.shape)
        with torch.no_grad():
            tensor.copy_(part)
        at += tensor.numel()
