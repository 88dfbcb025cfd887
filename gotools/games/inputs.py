"""Inputs and planes of networks for tic-tac-toe and Connect-4, and fixed evaluations to learn against."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.learning import FeatureSet, Heuristic, Planes, TupleBoard
from gotools.games.connect4.kernels import rules as c
from gotools.games.kernels import inputs as i
from gotools.games.kernels import piece_inputs as q
from gotools.games.kernels import planes as k
from gotools.games.stones import stones
from gotools.games.tictactoe.kernels import rules as t

_STONES: Final = ("1 stone", "2 stones", "3 stones")


def _connect4_cells(size: int) -> tuple[str, ...]:
    """Name the cells by column, then row from the bottom: 1a is the lowest of the leftmost column."""
    return tuple(f"{column + 1}{'abcdef'[row]}" for column in range(c.COLUMNS) for row in range(c.ROWS))


def _open_lines(inputs: int) -> tuple[str, ...]:
    return tuple(f"open lines of {stones}" for stones in _STONES[:inputs])


CONNECT4_RAW: Final = FeatureSet(
    name="raw",
    labels=_connect4_cells,
    scales=lambda size: np.ones(c.POINTS),
    inputs=i.connect4_raw,
    evaluate=i.connect4_raw_value,
)
CONNECT4_LINES: Final = FeatureSet(
    name="lines",
    labels=lambda size: _open_lines(i.C4_LINES),
    scales=lambda size: 1.0 / np.array([10.0, 6.0, 3.0]),  # differences that games seldom exceed
    inputs=i.connect4_lines,
    evaluate=i.connect4_lines_value,
)
TICTACTOE_RAW: Final = FeatureSet(
    name="raw",
    labels=lambda size: tuple(f"{'abc'[cell % 3]}{cell // 3 + 1}" for cell in range(t.POINTS)),
    scales=lambda size: np.ones(t.POINTS),
    inputs=i.tictactoe_raw,
    evaluate=i.tictactoe_raw_value,
)
TICTACTOE_LINES: Final = FeatureSet(
    name="lines",
    labels=lambda size: _open_lines(i.T3_LINES),
    scales=lambda size: 1.0 / np.array([3.0, 2.0]),
    inputs=i.tictactoe_lines,
    evaluate=i.tictactoe_lines_value,
)


def _patterns_of_columns() -> NDArray[np.uint8]:
    """Return the cells of a column in each of its states, from the lowest: stones, and 3 where the next would lie."""
    patterns = np.zeros((2 ** (c.ROWS + 1) - 1, c.ROWS), np.uint8)
    for state, cells in enumerate(patterns):
        stones = (state + 1).bit_length() - 1
        second = state + 1 - 2**stones
        cells[:stones] = [1 + (second >> row & 1) for row in range(stones)]
        cells[stones : stones + 1] = 3
    return patterns


CONNECT4_TUPLES: Final = TupleBoard(
    shape=lambda size: (c.ROWS, c.COLUMNS),
    symmetries=2,
    groups=np.arange(c.POINTS, dtype=np.int32).reshape(c.ROWS, c.COLUMNS).T,
    patterns=_patterns_of_columns(),
    states=i.connect4_columns,
    evaluate=i.connect4_tuples_value,
)
TICTACTOE_TUPLES: Final = TupleBoard(
    shape=lambda size: (3, 3),
    symmetries=8,
    groups=np.arange(t.POINTS, dtype=np.int32).reshape(-1, 1),
    patterns=np.arange(3, dtype=np.uint8).reshape(-1, 1),
    states=i.tictactoe_cells,
    evaluate=i.tictactoe_tuples_value,
)

CONNECT4_HEURISTIC: Final = Heuristic("open lines", i.weigh_connect4, np.array([0.02, 0.1, 2.0, 0.02, 0.06, 0.2]))
TICTACTOE_HEURISTIC: Final = Heuristic("open lines", i.weigh_tictactoe, np.array([0.1, 1.0, 0.1, 0.3]))
"""Weights chosen by hand. Those of the side to play come first and are larger: it can complete a line at once."""


TICTACTOE_PIECES: Final = stones(
    "stone", TICTACTOE_RAW.labels(3), t.POINTS, q.tictactoe_stones, q.tictactoe_pieces_value
)
CONNECT4_PIECES: Final = stones(
    "stone", CONNECT4_RAW.labels(c.COLUMNS), c.POINTS, q.connect4_stones, q.connect4_pieces_value
)

_NAMES: Final = ("board", "own stones", "opponent's stones", "points of moves", "strength")

TICTACTOE_PLANES: Final = Planes(
    names=_NAMES,
    shape=lambda size: (3, 3),
    symmetries=8,
    fill=k.fill_tictactoe,
    place=k.place_tictactoe,
    owners=k.nobody,
    judge=k.judge_tictactoe,
    order=k.order_tictactoe,
    evaluate=k.value_tictactoe,
)
CONNECT4_PLANES: Final = Planes(
    names=_NAMES,
    shape=lambda size: (c.ROWS, c.COLUMNS),
    symmetries=2,
    fill=k.fill_connect4,
    place=k.place_connect4,
    owners=k.nobody,
    judge=k.judge_connect4,
    order=k.order_connect4,
    evaluate=k.value_connect4,
)
