"""Networks over the pieces of a position: their shape, and their weights as files and as kernels have them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, quoted
from gotools.game.game import Game
from gotools.game.learning import Pieces
from gotools.jit.kernels import pieces as k
from gotools.values.td.perceptrons import parse_architecture

PIECES: Final = "pieces"
"""The name of these features."""
USUAL_NETWORK: Final = "mlp:8"
MOST_SUMS: Final = 64
_SPREAD: Final = 0.05
_MIDDLE: Final = 0.5
"""The first bias of a unit: with sums of 0 it is half on."""


def parse_width(text: str) -> int:
    """Return the number of sums of a side: 1 for "linear", 8 for "mlp:8". Raises GotoolsError for other networks."""
    shape = parse_architecture(text)
    width = shape.hidden[0] if shape.hidden else 1
    fits = len(shape.hidden) < 2 and not (shape.biased or shape.logistic) and (width == 1 or width % k.LANES == 0)
    if not fits or width > MOST_SUMS:
        raise GotoolsError(f"{quoted(text)} is no network over {PIECES}: linear, or mlp:8 to mlp:{MOST_SUMS} by eights")
    return width


class PieceWeights:
    """The weights of a network over pieces, and the numbers that its evaluation takes.

    parts -- int32[inputs, n], of the game: the weights that each input is the sum of, -1 for none
    head  -- float64[]; table -- float32[m, width], one row for each part
    """

    def __init__(self, game: Game, size: int, network: str, seed: int = 0) -> None:
        self.pieces = game.need(Pieces)
        width = parse_width(network)
        self.parts = self.pieces.parts(size)
        rng = np.random.default_rng(seed)
        self.table = rng.uniform(-_SPREAD, _SPREAD, (count_of(self.parts), width)).astype(np.float32)
        self.table[:, 0] = 0.0
        units = width - 1
        own = rng.uniform(-_SPREAD, _SPREAD, units)
        self.head = np.concatenate([[0.0], np.full(units, _MIDDLE), own, -own])
        self._numbers, self._head, self._rows = k.new_numbers(width, len(self.parts))

    @property
    def packed(self) -> NDArray[np.float32]:
        """Return the weights as a file holds them: the head, then the table row by row."""
        return np.concatenate([self.head.astype(np.float32), self.table.ravel()])

    def unpack(self, weights: NDArray[np.float32]) -> None:
        """Take the weights of a file."""
        self.head[:] = weights[: len(self.head)]
        self.table[:] = weights[len(self.head) :].reshape(self.table.shape)

    def numbers(self) -> NDArray[np.float64]:
        """Return the numbers that the game's evaluation takes; always the same array, filled anew."""
        self._head[:] = self.head
        rows = np.concatenate([self.table, np.zeros((1, self.table.shape[1]), np.float32)])  # the last is for -1
        self._rows[:] = rows[self.parts[:, 0]]
        for column in range(1, self.parts.shape[1]):
            self._rows += rows[self.parts[:, column]]
        numbers: NDArray[np.float64] = self._numbers
        return numbers


def count_of(parts: NDArray[np.int32]) -> int:
    """Return the number of weights that inputs are sums of."""
    return int(parts.max()) + 1


def weights_wanted(game: Game, size: int, network: str) -> int:
    """Return the number of weights in a file. Raises GotoolsError for a network that is none over pieces."""
    width = parse_width(network)
    head: int = k.head_size(width)
    return head + count_of(game.need(Pieces).parts(size)) * width
