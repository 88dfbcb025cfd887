"""Linear and multilayer perceptrons: their layers, and their weights as the array that kernels/network.py reads."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, quoted, shown
from gotools.jit.kernels import network as k

MOST_UNITS: Final = 512
"""Largest number of hidden units, all layers together."""
_MOST_LAYERS: Final = 2


@dataclass(frozen=True, slots=True)
class Architecture:
    """The hidden layers of a perceptron; its inputs come from the features, its output is one unit.

    hidden -- units of each hidden layer, at most two layers; () is a linear function under one tanh
    biased -- hidden units have a bias: the value is then not an odd function of the inputs
    logistic -- units are logistic in place of tanh; see kernels/network.py
    """

    hidden: tuple[int, ...] = ()
    biased: bool = False
    logistic: bool = False

    def __post_init__(self) -> None:
        if len(self.hidden) > _MOST_LAYERS:
            raise GotoolsError(f"a network has at most {_MOST_LAYERS} hidden layers, not {len(self.hidden)}")
        if any(units < 1 for units in self.hidden) or sum(self.hidden) > MOST_UNITS:
            raise GotoolsError(f"hidden layers have 1 to {MOST_UNITS} units, together at most that many")
        if self.biased and not self.hidden:
            raise GotoolsError("a linear network has no biases: only hidden units have")

    def __str__(self) -> str:
        shape = f"mlp:{','.join(map(str, self.hidden))}" if self.hidden else "linear"
        return shape + "+bias" * self.biased + "+sigmoid" * self.logistic

    @property
    def kind(self) -> int:
        """Return the number of the kind as kernels/network.py has it."""
        return k.BIASES * self.biased + k.LOGISTIC * self.logistic

    def layers(self, inputs: int) -> list[int]:
        """List the number of weights of each layer."""
        sizes = [inputs, *self.hidden, 1]
        bias = [int(self.biased)] * len(self.hidden) + [0]
        return [(below + b) * above for below, above, b in zip(sizes, sizes[1:], bias, strict=False)]


def parse_architecture(text: str) -> Architecture:
    """Read "linear", "mlp:4", "mlp:42,10", with biases "mlp:42+bias", of logistic units "mlp:42+bias+sigmoid".

    Raises GotoolsError for anything else.
    """
    match = re.fullmatch(r"(?:linear|mlp:([0-9]{1,6}(?:,[0-9]{1,6})*)(\+bias)?)(\+sigmoid)?", text)
    if match is None:
        raise GotoolsError(
            f"{quoted(text)} is no network: linear, mlp:4, mlp:42,10, with biases mlp:42+bias, also with +sigmoid"
        )
    hidden = tuple(int(units) for units in match[1].split(",")) if match[1] else ()
    try:
        return Architecture(hidden, match[2] is not None, match[3] is not None)
    except GotoolsError as error:
        raise GotoolsError(f"network {quoted(text)}: {shown(error, 200)}") from None


def new_numbers(
    architecture: Architecture, scales: NDArray[np.float64], seed: int, spread: float = 0.01
) -> NDArray[np.float64]:
    """Return the array of an untrained perceptron: weights drawn uniformly from [-spread, spread].

    scales -- float64[inputs], the factors of the inputs

    Raises GotoolsError for a negative seed.
    """
    if seed < 0:
        raise GotoolsError(f"a seed is 0 or more, not {seed}")
    sizes = [len(scales), *architecture.hidden, 1]
    header = [len(sizes) - 1, architecture.kind, *sizes]
    count = sum(architecture.layers(len(scales)))
    weights = np.random.default_rng(seed).uniform(-spread, spread, count)
    return np.concatenate((np.array(header, np.float64), np.asarray(scales, np.float64), weights))


def check_numbers(numbers: NDArray[np.float64]) -> Architecture:
    """Return the architecture that an array describes.

    Raises GotoolsError for an array outside of which a kernel would read.
    """
    header = [float(number) for number in numbers[: k.SIZES + _MOST_LAYERS + 2]]
    if len(header) < k.SIZES + 2 or not all(math.isfinite(number) and number.is_integer() for number in header[:2]):
        raise GotoolsError("these numbers are no network")
    layers = int(header[k.LAYERS])
    sizes = header[k.SIZES : k.SIZES + layers + 1]
    right = 1 <= layers <= _MOST_LAYERS + 1 and len(sizes) == layers + 1 and header[k.KIND] in (0.0, 1.0, 2.0, 3.0)
    if not right or not all(size.is_integer() and 1 <= size < 1e7 for size in sizes) or sizes[-1] != 1:
        raise GotoolsError("these numbers are no network")
    kind = int(header[k.KIND])
    hidden = tuple(int(size) for size in sizes[1:-1])
    architecture = Architecture(hidden, bool(kind & k.BIASES), bool(kind & k.LOGISTIC))
    inputs = int(sizes[0])
    wanted = k.SIZES + len(sizes) + inputs + sum(architecture.layers(inputs))
    if len(numbers) != wanted:
        raise GotoolsError(f"a network {architecture} of {inputs} inputs is {wanted} numbers, not {len(numbers)}")
    return architecture


def weights_of(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights, as a writable view."""
    return numbers[int(k.first_weight(numbers)) :]


def scales_of(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scales of the inputs, as a view."""
    end = int(k.first_weight(numbers))
    return numbers[end - int(numbers[k.SIZES]) : end]


def layer_of(numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the layer of each weight, from 0: int64[weights]."""
    architecture = check_numbers(numbers)
    counts = architecture.layers(int(numbers[k.SIZES]))
    return np.repeat(np.arange(len(counts), dtype=np.int64), counts)
