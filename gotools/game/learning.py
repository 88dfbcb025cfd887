"""What learning and the order of moves see of a game: traits, as in `traits.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Learning:
    """What learners and searches may use of a game, each as "module:ATTRIBUTE", imported on demand.

    features   -- of each FeatureSet, by its name
    mixed      -- of a function that makes a FeatureSet of a text that is no such name; raises GotoolsError
    heuristic  -- of a Heuristic
    heuristics -- of further ones, by their names
    tally      -- of a function of the signature EVALUATE (it leaves its numbers alone): the lead of the side to play in
                  events that may be rewarded, in Go prisoners
    orders     -- of functions of the signature ORDER that say which moves to try first, by their names
    """

    features: Mapping[str, str] = field(default_factory=dict)
    mixed: str = ""
    heuristic: str = ""
    heuristics: Mapping[str, str] = field(default_factory=dict)
    tally: str = ""
    orders: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class FeatureSet:
    """The inputs of a network for a position: numbers for the side to play, positive where they favour it.

    labels   -- a name for each input, on a board of a size
    scales   -- float64[inputs]: an input times its scale is about 1 at most
    inputs   -- compiled with the signature INPUTS of kernels/seams.py: fills the inputs, not scaled
    evaluate -- compiled with the signature EVALUATE: the value of a network (kernels/network.py) over these inputs
    coarser  -- another feature set of the game, whose inputs are sums of these, or ""; a training can begin with its
                weights
    counted  -- int64[inputs]: the input of that one in which each of these is counted, -1 for none
    """

    name: str
    labels: Callable[[int], tuple[str, ...]]
    scales: Callable[[int], NDArray[np.float64]]
    inputs: Any
    evaluate: Any
    coarser: str = ""
    counted: Callable[[int], NDArray[np.int64]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The board of a game as cells in rows, for local patterns.

    shape      -- rows and columns of a board of a size
    symmetries -- of the rules on it: 8 on a square, 2 where only left and right are alike
    cells, changes -- compiled with the signatures CELLS and CHANGES of kernels/seams.py
    evaluate   -- compiled with the signature EVALUATE: the value by a table of patterns (kernels/windows.py)
    """

    shape: Callable[[int], tuple[int, int]]
    symmetries: int
    cells: Any
    changes: Any
    evaluate: Any


@dataclass(frozen=True, slots=True, eq=False)
class TupleBoard:
    """The board of a game as cells for n-tuples.

    shape      -- rows and columns of a board of a size; cell row * columns + column
    symmetries -- of the rules on it: 8 on a square, 2 where only left and right are alike, 1; they keep groups
    groups     -- int32[groups, cells]: cells whose states depend on each other, such as the columns of Connect-4; each
                  cell of the board is in one group. So that a table holds only patterns that can occur
    patterns   -- uint8[n, cells]: the states of the cells of a group in each state that a group can have. A cell is
                  empty (0), has a stone of side 1 or 2, or what else distinguishes cells (3 and more)
    states     -- compiled with the signature CELLS of kernels/seams.py: writes the state of each group; its
                  result is not used
    evaluate   -- compiled with the signature EVALUATE: the value by a table of n-tuples (kernels/tuples.py)
    """

    shape: Callable[[int], tuple[int, int]]
    symmetries: int
    groups: NDArray[np.int32]
    patterns: NDArray[np.uint8]
    states: Any
    evaluate: Any


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The pieces of a position as sparse binary inputs of a network (kernels/pieces.py).

    Each side has its own view of the board, and so its own list of inputs.

    most     -- the largest number of inputs of a view
    parts    -- of a board of a size: int32[inputs, n], the shared weights whose sum is the weight of each input, -1 for
                none
    labels   -- of a board of a size: a name for each of the shared weights
    inputs   -- compiled with the signature PIECES of kernels/seams.py
    evaluate -- compiled with the signature EVALUATE: the value of a network over these inputs
    """

    most: int
    parts: Callable[[int], NDArray[np.int32]]
    labels: Callable[[int], tuple[str, ...]]
    inputs: Any
    evaluate: Any


@dataclass(frozen=True, slots=True, eq=False)
class Planes:
    """The board of a game as planes for residual networks (kernels/residual.py).

    names -- of the planes
    shape -- rows and columns of a board of a size; a policy has an output for each point and one for a pass
    symmetries -- of the rules on it: 8 on a square, 2 where only left and right are alike
    fill, place, owners -- compiled with the signatures FILL, PLACE and OWNERS of kernels/seams.py
    judge, order, evaluate -- compiled with the signatures JUDGE, ORDER and EVALUATE of kernels/seams.py: the policy and
                the value of a network over these planes; the numbers of `order` are those of `judge`, as int64
    fill_rows -- fills the planes of examples of one board size by twice the komi and the strength of each, float32[n,
                numbers], where that is quicker than by `fill`; `place` is then the place of the move
    """

    names: tuple[str, ...]
    shape: Callable[[int], tuple[int, int]]
    symmetries: int
    fill: Any
    place: Any
    owners: Any
    judge: Any
    order: Any
    evaluate: Any
    fill_rows: Callable[..., NDArray[np.float32]] | None = None

    @property
    def board(self) -> Any:
        """Return the functions that make samples, as the record BOARD of kernels/seams.py."""
        from gotools.jit import as_value
        from gotools.jit.kernels.seams import Board

        return Board(as_value(self.fill), as_value(self.place), as_value(self.owners))

    def points(self, size: int) -> int:
        """Return how many points a board of a size has."""
        rows, columns = self.shape(size)
        return rows * columns


@dataclass(frozen=True, slots=True, eq=False)
class MoveFeatures:
    """The features of a move for an ordering by clusters: small integers, the same for both sides.

    names   -- of the features: names of columns, and words for people
    most    -- the largest value of each; all begin at 0
    stages  -- names of the stages of the game, by the number that `measure` returns
    measure -- compiled with the signature MEASURE of kernels/seams.py
    order   -- compiled with the signature ORDER: scores moves by clusters over these features (kernels/clusters.py)
    describe -- the features of the moves of examples, int16[n, features], and the stages of their positions, uint8[n],
               where that is quicker than by `measure`
    """

    names: tuple[str, ...]
    most: tuple[int, ...]
    stages: tuple[str, ...]
    measure: Any
    order: Any
    describe: Callable[[Any], tuple[NDArray[np.int16], NDArray[np.uint8]]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Heuristic:
    """A fixed evaluation to learn against: a function of the signature EVALUATE, and its numbers."""

    name: str
    evaluate: Any
    numbers: NDArray[np.float64]
