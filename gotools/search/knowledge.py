"""What a search may know: an ordering scores moves, an evaluation values positions, for either search and any game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.jit import as_value
from gotools.jit.kernels.seams import Judge, Scorer, Valuer
from gotools.search.kernels.knowledge import no_order, no_value


@dataclass(frozen=True, slots=True, eq=False)
class Ordering:
    """A compiled function of the signature ORDER (kernels/seams.py), and what it has learned.

    name    -- for people
    numbers -- int64[n], handed to the function
    keeps   -- owner of the memory that `numbers` points to, kept alive with it
    check   -- raises GotoolsError if the function failed when a search called it: the result is then invalid
    weight  -- what a unit of its scores counts beside history (0 to 1), where moves are ordered and not pruned
    key     -- a function of the signature KEY that distinguishes positions by all that the ordering looks at; None
               where the game's does
    prunes  -- its scores are logarithms of odds, by which moves may be left out of a search or cost something there
    """

    name: str
    order: Any
    numbers: NDArray[np.int64]
    keeps: Any = None
    key: Any = None
    weight: float = 0.0
    check: Callable[[], object] = lambda: None
    prunes: bool = False

    @property
    def scorer(self) -> Scorer:
        """Return the record that kernels take."""
        return Scorer(as_value(self.order), self.numbers)


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """A compiled function of the signature EVALUATE (kernels/seams.py), and its weights, float64[n].

    learned -- its values are the tanh of a sum, as `Evaluator` has them
    """

    name: str
    evaluate: Any
    numbers: NDArray[np.float64]
    learned: bool = False

    @property
    def valuer(self) -> Valuer:
        """Return the record that kernels take."""
        return Valuer(as_value(self.evaluate), self.numbers)


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """A compiled function of the signature JUDGE (kernels/seams.py), a policy and a value at once; its weights.

    trust -- how much its value counts beside that of a playout, 0 to 1
    root  -- scores the moves of the root in its place, and values it, with more care; None: it does
    """

    name: str
    judge: Any
    numbers: NDArray[np.float64]
    trust: float = 1.0
    root: Callable[[NDArray[np.int32], NDArray[np.int32]], tuple[NDArray[np.float64], float]] | None = None

    @property
    def record(self) -> Judge:
        """Return the record that kernels take."""
        return Judge(as_value(self.judge), self.numbers)


NO_ORDERING = Ordering("none", no_order, np.zeros(1, np.int64))
NO_EVALUATION = Evaluation("none", no_value, np.zeros(1))
