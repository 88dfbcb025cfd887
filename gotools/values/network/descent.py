"""Train the network on samples by PyTorch: AdamW.

While the learning rate is high, each step invalidates the statistics of the batch normalisation, which halves the
values. So the network that plays meanwhile is an average over the latest steps, whose statistics are computed anew
(Izmailov et al. 2018, Averaging Weights Leads to Wider Optima). A training that begins with another one keeps the
normalisation of that one: a batch of games by equally strong players would subtract their strength.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn, update_bn

from gotools.base.errors import GotoolsError
from gotools.game.learning import Planes
from gotools.jit.kernels.residual import SCORE
from gotools.values.checkpoint import Arrays, check_memory, foreign
from gotools.values.network.model import ResidualNetwork
from gotools.values.network.samples import SampleBatch, Samples, batch_of, epoch
from gotools.values.network.shape import NetworkShape

DECAY: Final = 1e-4
LARGEST_GRADIENT: Final = 1.0
LARGEST_WEIGHT: Final = 1e6
WARM_UP: Final = 200
"""Batches over which the learning rate rises to its first value."""
OWNERS_SHARE: Final = 1.0
LEAD_SHARE: Final = 0.1
"""Weights of the losses of ownership and score; the policy's is 1."""
KEPT: Final = 0.98
"""Weight of the average so far when a step is added to it."""
VALUE_SHARE: Final = 0.3
"""Weight of the value's loss beside the policy's: results of people's games are noisy."""
_MOMENTS: Final = {"first_moment": "exp_avg", "second_moment": "exp_avg_sq"}


@dataclass(frozen=True, slots=True)
class Losses:
    """Sums over positions.

    policy, value -- of minus the log-likelihood of the moves, and of the results
    hits      -- positions whose move is the most probable one
    positions, valued -- number of positions, and of those whose result is known
    """

    policy: float
    value: float
    hits: int
    positions: int
    valued: int


class Descent:
    """A network and its optimiser.

    planes -- number of input planes; alpha -- the learning rate; value_share -- weight of the value's loss
    averaged -- the network that is used is an average, which `settle` prepares
    """

    def __init__(
        self, planes: int, shape: NetworkShape, alpha: float, value_share: float, seed: int, averaged: bool = False
    ) -> None:
        self._alpha, self._value_share = alpha, value_share
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self._network = ResidualNetwork(planes, shape)
        self._network.to(self._device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._optimizer = torch.optim.AdamW(self._network.parameters(), lr=alpha, weight_decay=DECAY)
        self._average: AveragedModel | None = None
        if averaged:
            mean = get_ema_multi_avg_fn(KEPT)  # type: ignore[no-untyped-call]
            self._average = AveragedModel(self._network, multi_avg_fn=mean)
        self.steps = 0

    def learn(self, batch: SampleBatch, rest: float, threads: int) -> Losses:
        """Make a step of gradient descent; rest -- factor of the learning rate."""
        torch.set_num_threads(threads)
        self._network.train()
        rate = self._alpha * rest * min(1.0, (self.steps + 1) / WARM_UP)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        loss, losses = self._loss(self._network, batch)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), LARGEST_GRADIENT)
        self._optimizer.step()
        self.steps += 1
        if self._average is not None:
            self._average.update_parameters(self._network)
        return losses

    def settle(self, batches: Iterable[SampleBatch], threads: int) -> None:
        """Compute the normalisation of the average anew, unless it is settled."""
        assert self._average is not None
        if self._network.settled:
            return
        torch.set_num_threads(threads)
        update_bn((self._on_device(batch.planes).permute(0, 3, 1, 2) for batch in batches), self._average)

    def check(self, losses: Losses) -> None:
        """Raise GotoolsError if the network has diverged."""
        if not (np.isfinite(losses.policy + losses.value) and np.abs(self.weights()).max() < LARGEST_WEIGHT):
            raise GotoolsError("the weights diverged: they are no numbers, or too large; a smaller --alpha may help")

    def losses(self, batches: Iterable[SampleBatch], threads: int) -> Losses:
        """Return the losses of the network's predictions."""
        torch.set_num_threads(threads)
        self._used.eval()
        with torch.no_grad():
            return sum_of([self._loss(self._used, batch)[1] for batch in batches])

    def weights(self) -> NDArray[np.float32]:
        """Return the weights for kernels/residual.py."""
        return self._used.weights()

    @property
    def _used(self) -> ResidualNetwork:
        network = self._network if self._average is None else self._average.module
        assert isinstance(network, ResidualNetwork)
        return network

    @property
    def memory(self) -> Arrays:
        """Return what `restore` needs besides `steps`."""
        found: dict[str, list[Tensor]] = {name: [] for name in _MOMENTS}
        for parameter in self._network.parameters():
            state = self._optimizer.state[parameter]
            for name, key in _MOMENTS.items():
                found[name].append(state[key] if key in state else torch.zeros_like(parameter))
        memory = {"network": _joined(_tensors(self._network))}
        if self._average is not None:
            memory["average"] = _joined(_tensors(self._used))
        return {**memory, **{name: _joined(tensors) for name, tensors in found.items()}}

    def restore(self, memory: Arrays, steps: int) -> None:
        """Go on from an earlier `memory` that `check_memory` has accepted."""
        _split(memory["network"], _tensors(self._network))
        if self._average is not None:
            _split(memory["average"], _tensors(self._used))
            self._average.n_averaged.fill_(steps)
        parameters = list(self._network.parameters())
        moments = []
        for name in _MOMENTS:
            tensors = [torch.empty_like(parameter) for parameter in parameters]
            _split(memory[name], tensors)
            moments.append(tensors)
        for parameter, first, second in zip(parameters, *moments, strict=True):
            state = {"step": torch.tensor(float(steps)), "exp_avg": first, "exp_avg_sq": second}
            self._optimizer.state[parameter] = state
        self.steps = steps

    def begin_with(self, weights: NDArray[np.float32]) -> None:
        """Take weights as `weights` returns them, and keep the normalisation that is folded into them from now on."""
        self._network.fill(weights)
        self._network.settled = True
        if self._average is not None:
            self._used.load_state_dict(self._network.state_dict())

    def _on_device(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(array).to(self._device)

    def _loss(self, network: ResidualNetwork, batch: SampleBatch) -> tuple[Tensor, Losses]:
        on_device = self._on_device
        played, result = on_device(batch.policy), on_device(batch.result)
        policy, value, owned = network(on_device(batch.planes).permute(0, 3, 1, 2))
        known = (result != 0).float()
        of_policy = functional.cross_entropy(policy, played, reduction="sum")
        of_value = functional.binary_cross_entropy_with_logits(
            2 * value[:, 0], (result + 1) / 2, weight=known, reduction="sum"
        )
        loss = of_policy + self._value_share * of_value
        if batch.owned is None or batch.lead is None:
            loss = loss + 0.0 * (owned.sum() + value[:, 1].sum())  # so that AdamW makes a step of these layers, too
        else:
            owners = functional.mse_loss(torch.tanh(owned), on_device(batch.owned), reduction="none").mean(dim=1).sum()
            lead = functional.smooth_l1_loss(value[:, 1], on_device(batch.lead) / SCORE, reduction="sum")
            loss = loss + OWNERS_SHARE * owners + LEAD_SHARE * lead
        first = played if played.dim() == 1 else played.argmax(1)
        hits, count = int((policy.argmax(1) == first).sum()), len(played)
        return loss / count, Losses(of_policy.item(), of_value.item(), hits, count, int(known.sum()))


class NetworkLearner:
    """Learn from samples of records, epoch after epoch.

    alpha  -- the learning rate; anneal -- games over which it falls to zero; 0: it does not
    batch  -- positions of a step; steps -- number of steps of an `advance`
    """

    def __init__(
        self, samples: Samples, shape: NetworkShape, alpha: float, batch: int, steps: int, anneal: int, seed: int
    ) -> None:
        if batch < 2:
            raise GotoolsError(f"a batch has at least 2 positions, not {batch}")
        self._samples, self._batch, self._steps = samples, batch, steps
        self._anneal, self._seed, self._in_all = anneal, seed, samples.games
        self.descent = Descent(len(samples.rows.rows.of.need(Planes).names), shape, alpha, VALUE_SHARE, seed)
        self._epoch, self._at, self._seen = 0, 0, 0
        self._batches: list[NDArray[np.int64]] = []

    @property
    def games(self) -> int:
        """Return the number of games that were learned from; a game counts once for each epoch."""
        return self._seen * self._in_all // len(self._samples)

    def advance(self, threads: int) -> Losses:
        """Learn from some batches."""
        found = []
        for _ in range(self._steps):
            if not self._batches:
                self._batches = epoch(self._samples, self._epoch, self._batch, self._seed)
            rows = self._batches[self._at]
            found.append(self.descent.learn(batch_of(self._samples, rows), self._rest(), threads))
            self._seen += len(rows)
            self._at += 1
            if self._at == len(self._batches):
                self._batches, self._at, self._epoch = [], 0, self._epoch + 1
        losses = sum_of(found)
        self.descent.check(losses)
        return losses

    def losses(self, samples: Samples, threads: int) -> Losses:
        """Return the losses of the network's predictions for other samples."""
        rows = epoch(samples, 0, self._batch, 0)
        return self.descent.losses((batch_of(samples, some, turned=False) for some in rows), threads)

    @property
    def memory(self) -> Arrays:
        """Return what `restore` needs."""
        progress = np.array([self._epoch, self._at, self._seen, self.descent.steps], np.int64)
        return {**self.descent.memory, "progress": progress}

    def restore(self, memory: Arrays) -> None:
        """Go on from an earlier `memory`. Raises GotoolsError if it does not fit."""
        check_memory(memory, self.memory)
        epoch_, at, seen, steps = (int(number) for number in memory["progress"])
        batches = epoch(self._samples, epoch_, self._batch, self._seed) if 0 <= epoch_ < 1 << 32 else []
        if not 0 <= at < len(batches) or seen < 0 or steps < 0:
            raise foreign("progress")
        self._epoch, self._at, self._seen, self._batches = epoch_, at, seen, batches
        self.descent.restore(memory, steps)

    def _rest(self) -> float:
        """Return the factor of the learning rate."""
        if not self._anneal:
            return 1.0
        return max(0.0, 1.0 - self._seen * self._in_all / len(self._samples) / self._anneal)


def sum_of(parts: list[Losses]) -> Losses:
    """Sum up."""
    return Losses(*(sum(getattr(part, name) for part in parts) for name in Losses.__slots__))


def _tensors(network: ResidualNetwork) -> list[Tensor]:
    """List the parameters, and the statistics of the normalisation."""
    return [tensor for tensor in network.state_dict().values() if tensor.is_floating_point()]


def _joined(tensors: list[Tensor]) -> NDArray[np.float32]:
    found: Any = torch.cat([tensor.detach().cpu().contiguous().flatten() for tensor in tensors]).numpy()
    return np.asarray(found, np.float32)


def _split(array: NDArray[np.float32], tensors: list[Tensor]) -> None:
    """Fill tensors from the array that `_joined` makes of them."""
    at = 0
    for tensor in tensors:
        part = torch.from_numpy(array[at : at + tensor.numel()].copy()).reshape(tensor.shape)
        with torch.no_grad():
            tensor.copy_(part)
        at += tensor.numel()
