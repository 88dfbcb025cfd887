"""The network in PyTorch, for training; its weights as kernels/residual.py reads them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from gotools.values.network.shape import NetworkShape


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
        self.value = nn.Linear(2 * c, 2 * c)
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
        value = self.value_out(torch.relu(self.value(pooled)))
        return policy, value, self.ownership(x).flatten(1)

    def train(self, mode: bool = True) -> ResidualNetwork:
        """Prepare for a step of training, or for predictions."""
        super().train(mode)
        for module in self.modules() if self.settled else ():
            if isinstance(module, nn.BatchNorm2d):
                module.eval()
        return self

    def weights(self) -> NDArray[np.float32]:
        """Return the weights in the order of the kernel; normalisation is folded into the filter before it."""
        parts: list[Tensor] = [*_folded(self.stem, self.stem_norm)]
        for block in self.blocks:
            assert isinstance(block, _Block)
            parts += _folded(block.first, block.first_norm)
            parts += _folded(block.second, block.second_norm)
            parts.append(block.context.weight.T)
        parts += _folded(self.policy, self.policy_norm)
        parts += [self.policy_context.weight.T, self.policy_out.weight]
        for layer in (self.passing, self.value, self.value_out):
            parts += [layer.weight.T, layer.bias]
        assert self.ownership.bias is not None
        parts += [self.ownership.weight, self.ownership.bias]
        found: Any = torch.cat([part.detach().double().cpu().flatten() for part in parts]).numpy()
        return np.asarray(found, np.float32)

    def fill(self, weights: NDArray[np.float32]) -> None:
        """Take weights in the order of the kernel, as a network whose normalisation changes nothing."""
        at = 0

        def take(*shape: int) -> Tensor:
            nonlocal at
            begin, at = at, at + math.prod(shape)
            return torch.from_numpy(weights[begin:at].copy()).reshape(shape)

        def take_filter(filter_: nn.Conv2d, norm: nn.BatchNorm2d) -> None:
            out, in_, *size = filter_.weight.shape
            filter_.weight.copy_(take(*size, in_, out).permute(3, 2, 0, 1))
            norm.reset_running_stats()
            norm.weight.fill_(math.sqrt(1.0 + norm.eps))
            norm.bias.copy_(take(out))

        def take_layer(layer: nn.Linear) -> None:
            out, in_ = layer.weight.shape
            layer.weight.copy_(take(in_, out).T)
            if layer.bias is not None:
                layer.bias.copy_(take(out))

        with torch.no_grad():
            take_filter(self.stem, self.stem_norm)
            for block in self.blocks:
                assert isinstance(block, _Block)
                take_filter(block.first, block.first_norm)
                take_filter(block.second, block.second_norm)
                take_layer(block.context)
            take_filter(self.policy, self.policy_norm)
            for layer in (self.policy_context, self.policy_out, self.passing, self.value, self.value_out):
                take_layer(layer)
            self.ownership.weight.copy_(take(*self.ownership.weight.shape))
            assert self.ownership.bias is not None
            self.ownership.bias.copy_(take(1))


def _folded(filter_: nn.Conv2d, norm: nn.BatchNorm2d) -> list[Tensor]:
    """Return one filter, [down][across][input][output], and its biases equal to a filter with normalisation."""
    assert norm.running_var is not None and norm.running_mean is not None
    factor = norm.weight.double() / torch.sqrt(norm.running_var.double() + norm.eps)
    weights = (filter_.weight.double() * factor[:, None, None, None]).permute(2, 3, 1, 0)
    return [weights.contiguous(), norm.bias.double() - norm.running_mean.double() * factor]
