"""Functions with the same results on every processor, in place of numpy's whose last bits depend on it.

These are exp and log, dot products (see blas.py for those inside libraries) and normal deviates. Sums
(np.sum, np.add.reduceat, np.bincount), square roots and the four operations are the same everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.jit.kernels import elementary as _math

Floats = NDArray[np.float64]


def exp(values: Any) -> Floats:
    """Return e to the power of each value."""
    return _of_each(_math.exp_all, values)


def log(values: Any) -> Floats:
    """Return the natural logarithm of each value; -inf of 0, nan of negative ones."""
    return _of_each(_math.log_all, values)


def _of_each(kernel: Any, values: Any) -> Floats:
    given = np.asarray(values, np.float64)
    out = np.empty(given.shape)
    kernel(np.ascontiguousarray(given.reshape(-1)), out.reshape(-1))
    return out


def dot(a: Floats, b: Floats) -> float:
    """Return the sum of products of two vectors."""
    return float(np.sum(a * b))


def normal(random: np.random.Generator, shape: int | tuple[int, ...]) -> Floats:
    """Draw normal deviates by the polar method (Marsaglia 1964): numpy's tails are the C library's."""
    count = int(np.prod(shape))
    found: list[Floats] = []
    while sum(map(len, found)) < count:
        u, v = random.random((2, count)) * 2.0 - 1.0
        s = u * u + v * v
        inside = (s > 0.0) & (s < 1.0)
        u, s = u[inside], s[inside]
        found.append(u * np.sqrt(-2.0 * log(s) / s))
    return np.concatenate(found)[:count].reshape(shape)
