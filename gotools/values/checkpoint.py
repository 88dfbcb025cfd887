"""What a training keeps to go on as if it had never stopped: arrays by name, in the weights file beside the weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError

Arrays = dict[str, NDArray[Any]]


def check_memory(memory: Mapping[str, NDArray[Any]], own: Mapping[str, NDArray[Any]], free: bool = False) -> None:
    """Raise GotoolsError unless a checkpoint has the arrays that a run with the same settings has.

    own  -- arrays of that run: names, shapes and types are compared, and all numbers have to be finite
    free -- the first dimension may be any
    """
    for name, array in own.items():
        found, begin = memory.get(name), int(free)
        kind = array.ndim, array.shape[begin:], array.dtype
        if found is None or (found.ndim, found.shape[begin:], found.dtype) != kind:
            raise foreign(name)
        if not free and not np.isfinite(found).all():
            raise GotoolsError(f"cannot resume: `{name}` in the checkpoint holds something that is not a number")


def foreign(name: str) -> GotoolsError:
    """Return the error of an array that cannot have been written by this training."""
    return GotoolsError(f"cannot resume: `{name}` is missing from the checkpoint or belongs to another run")
