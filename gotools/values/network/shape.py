"""Shapes of the network, and the array of its weights that kernels/residual.py reads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, quoted
from gotools.jit.kernels import residual as k
from gotools.jit.kernels.convolution import BLOCK
from gotools.jit.kernels.winograd import factors_of

PLANES: Final = "planes"
"""The name of these features."""
MOST_BLOCKS, MOST_CHANNELS = 40, 256
_PATTERN: Final = re.compile(r"conv:([0-9]{1,4})x([0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class NetworkShape:
    """The number of residual blocks, each of two convolutions, and the number of channels."""

    blocks: int
    channels: int

    def __str__(self) -> str:
        return f"conv:{self.blocks}x{self.channels}"

    def weights(self, planes: int) -> int:
        """Return the number of weights, summed part by part in the order in which the kernel reads them."""
        c = self.channels
        stem, block = 9 * planes * c + c, 2 * (9 * c * c + c) + 2 * c * c
        policy, passing = c * c + c + 2 * c * c + c, 2 * c + 1
        value, ownership = 2 * c * 2 * c + 2 * c + 2 * 2 * c + 2, c + 1
        return stem + self.blocks * block + policy + passing + value + ownership


def parse_shape(text: str) -> NetworkShape:
    """Read "conv:4x32": 4 blocks of 32 channels.

    Raises GotoolsError for anything else.
    """
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise GotoolsError(f"{quoted(text)} is no network for {PLANES}: conv:BLOCKSxCHANNELS, such as conv:4x32")
    shape = NetworkShape(int(match[1]), int(match[2]))
    if not 1 <= shape.blocks <= MOST_BLOCKS:
        raise GotoolsError(f"network {quoted(text)}: 1 to {MOST_BLOCKS} blocks")
    if not BLOCK <= shape.channels <= MOST_CHANNELS or shape.channels % BLOCK:
        raise GotoolsError(f"network {quoted(text)}: {BLOCK} to {MOST_CHANNELS} channels, in multiples of {BLOCK}")
    return shape


def numbers_of(
    shape: NetworkShape, planes: int, weights: NDArray[np.float32], strength: float = 0.0
) -> NDArray[np.float64]:
    """Return the array that the kernel reads.

    Raises GotoolsError for a wrong number of weights.
    """
    wanted = shape.weights(planes)
    if len(weights) != wanted:
        raise GotoolsError(f"a network {shape} over {planes} planes has {wanted:,} weights, not {len(weights):,}")
    c = shape.channels
    at = 9 * planes * c + c
    parts = [weights[:at]]
    for _ in range(shape.blocks):
        for _ in range(2):
            filter_, at = weights[at : at + 9 * c * c], at + 9 * c * c
            biases, at = weights[at : at + c], at + c
            parts.append(factors_of(filter_.reshape(3, 3, c, c), biases))
        context, at = weights[at : at + 2 * c * c], at + 2 * c * c
        parts.append(context)
    whole = np.concatenate([*parts, weights[at:]], dtype=np.float32)
    numbers = np.zeros(k.HEADER + (len(whole) + 1) // 2)
    numbers[: k.HEADER] = planes, c, shape.blocks, strength
    numbers[k.HEADER :].view(np.float32)[: len(whole)] = whole
    return numbers
