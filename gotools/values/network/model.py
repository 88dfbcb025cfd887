"""The network in PyTorch, for training; its weights as kernels/residual.py reads them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from gotools.values.network.shape import NetworkShape

_Layer = nn.Conv2d | nn.Linear
_Norm = nn.BatchNorm1d | nn.BatchNorm2d


def _pool(x: Tensor) -> Tensor:
    """Return the mean and the largest value of each channel."""
    return torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)


class _Block(nn.Module):
    """Two convolutions, and the context that is pooled between them."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self.context = nn.Linear(2 * channels, channels, bias=False)
        nn.init.zeros_(self.context.weight)

    def forward(self, x: Tensor) -> Tensor:
        h = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(x + self.second_norm(self.second(h)) + self.context(_pool(h))[:, :, None, None])


class ResidualNetwork(nn.Module):
    """The network of kernels/residual.py, with the same names, and batch normalisation behind each filter.

    The hidden layer of the value is normalised, too: where results say little, most of its units would fall silent.
    settled -- the normalisation stays as it is, and no longer follows the batches
    """

    settled = False

    def __init__(self, planes: int, shape: NetworkShape) -> None:
        super().__init__()
        c = shape.channels
        self.stem = nn.Conv2d(planes, c, 3, padding=1, bias=False)
        self.stem_norm = nn.BatchNorm2d(c)
        self.blocks = nn.ModuleList(_Block(c) for _ in range(shape.blocks))
        self.policy = nn.Conv2d(c, c, 1, bias=False)
        self.policy_norm = nn.BatchNorm2d(c)
        self.policy_context = nn.Linear(2 * c, c, bias=False)
        self.policy_out = nn.Linear(c, 1, bias=False)
        self.passing = nn.Linear(2 * c, 1)
        self.value = nn.Linear(2 * c, 2 * c, bias=False)
        self.value_norm = nn.BatchNorm1d(2 * c)
        self.value_out = nn.Linear(2 * c, 2)
        self.ownership = nn.Conv2d(c, 1, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits of the points and of a pass, outputs of value and score, and of the ownership of each point.

        planes -- float32[n, planes, rows, columns]
        """
        x = torch.relu(self.stem_norm(self.stem(planes)))
        for block in self.blocks:
            x = block(x)
        pooled = _pool(x)
        h = torch.relu(self.policy_norm(self.policy(x)) + self.policy_context(pooled)[:, :, None, None])
        points = self.policy_out(h.flatten(2).transpose(1, 2)).squeeze(2)
        policy = torch.cat([points, self.passing(pooled)], dim=1)
        value = self.value_out(torch.relu(self.value_norm(self.value(pooled))))
        return policy, value, self.ownership(x).flatten(1)

    def train(self, mode: bool = True) -> ResidualNetwork:
        """Prepare for a step of training, or for predictions."""
        super().train(mode)
        for module in self.modules() if self.settled else ():
            if isinstance(module, _Norm):
                module.eval()
        return self

    def weights(self) -> NDArray[np.float32]:
        """Return the weights in the order of the kernel; normalisation is folded into the layer before it."""
        parts = []
        for layer, norm in self._layers():
            weights, bias = layer.weight.double(), layer.bias
            if norm is not None:
                assert norm.running_var is not None and norm.running_mean is not None
                factor = norm.weight.double() / torch.sqrt(norm.running_var.double() + norm.eps)
                weights = (weights.flatten(1) * factor[:, None]).reshape(weights.shape)
                bias = norm.bias.double() - norm.running_mean.double() * factor
            parts.append(weights.permute(2, 3, 1, 0) if weights.dim() == 4 else weights.T)
            if bias is not None:
                parts.append(bias)
        found: Any = torch.cat([part.detach().double().cpu().flatten() for part in parts]).numpy()
        return np.asarray(found, np.float32)

    def fill(self, weights: NDArray[np.float32]) -> None:
        """Take weights in the order of the kernel, as a network whose normalisation changes nothing."""
        at = 0

        def take(*shape: int) -> Tensor:
            nonlocal at
            begin, at = at, at + math.prod(shape)
            return torch.from_numpy(weights[begin:at].copy()).reshape(shape)

        with torch.no_grad():
            for layer, norm in self._layers():
                outputs, inputs, *size = layer.weight.shape
                taken = take(*size, inputs, outputs)
                layer.weight.copy_(taken.permute(3, 2, 0, 1) if size else taken.T)
                bias = layer.bias
                if norm is not None:
                    norm.reset_running_stats()
                    norm.weight.fill_(math.sqrt(1.0 + norm.eps))
                    bias = norm.bias
                if bias is not None:
                    bias.copy_(take(outputs))

    def _layers(self) -> list[tuple[_Layer, _Norm | None]]:
        """Return the layers in the order of the kernel, each with the normalisation behind it.

        The kernel reads the weights of a layer as [down][across][input][output] or [input][output], then its biases.
        """
        found: list[tuple[_Layer, _Norm | None]] = [(self.stem, self.stem_norm)]
        for block in self.blocks:
            assert isinstance(block, _Block)
            found += [(block.first, block.first_norm), (block.second, block.second_norm), (block.context, None)]
        found += [(self.policy, self.policy_norm), (self.policy_context, None), (self.policy_out, None)]
        found += [(self.passing, None), (self.value, self.value_norm), (self.value_out, None)]
        return [*found, (self.ownership, None)]
