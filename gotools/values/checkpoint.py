"""What a training keeps to go on as if it had never stopped: arrays by name, in the weights file beside the weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

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


PLAYED: Final = "played_"
"""Prefix of the names of the games that a training keeps."""


def progress_of(memory: Mapping[str, NDArray[Any]]) -> tuple[int, float, int]:
    """Return how far a training by games of a search is: games, steps still owed (below 1), steps made."""
    count, owed, steps = memory["progress"].tolist()
    if not (0 <= owed < 1 and all(0 <= number < 1 << 53 and number == int(number) for number in (count, steps))):
        raise foreign("progress")
    return int(count), owed, int(steps)


def foreign(name: str) -> GotoolsError:
    """Return the error of an array that cannot have been written by this training."""
    return GotoolsError(f"cannot resume: `{name}` is missing from the checkpoint or belongs to another run")
