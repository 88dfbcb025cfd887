"""Boards turned and mirrored: planes, points, and the mean of the network's output over all images."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gotools.game.learning import Planes
from gotools.games.go.kernels.constants import SYMMETRIES
from gotools.jit.kernels import exact
from gotools.jit.kernels.residual import STRENGTH, residual_network
from gotools.jit.kernels.seams import SIZE

_NOT_OWNED = np.empty(0, np.float32)


def turned_planes(planes: NDArray[np.float32], points: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return planes [n, rows, columns, planes] with each point moved to the place that `points` names."""
    found = np.empty_like(planes)
    flat = (len(planes), planes.shape[1] * planes.shape[2], planes.shape[-1])
    found.reshape(flat)[:, points] = planes.reshape(flat)
    return found


@cache
def turned_points(rows: int, columns: int, symmetries: int) -> tuple[NDArray[np.int64], ...]:
    """Return the point to which each point moves under each of 8 symmetries of a board, or of 2 (left and right).

    A point at (x, y) from the middle moves to (a x + b y, c x + d y).
    """
    y, x = np.divmod(np.arange(rows * columns), columns)
    x, y = 2 * x - (columns - 1), 2 * y - (rows - 1)
    found = []
    for a, b, c, d in SYMMETRIES:
        if symmetries == 8 or (b, c, d) == (0, 0, 1):
            new_x, new_y = (a * x + b * y + columns - 1) // 2, (c * x + d * y + rows - 1) // 2
            found.append(new_y * columns + new_x)
    return tuple(found)


def judged_by_symmetries(
    planes: Planes, numbers: NDArray[np.float64], state: NDArray[np.int32], moves: NDArray[np.int32]
) -> tuple[NDArray[np.float64], float]:
    """Score moves by the mean of the network's policies for all images of a position; also return its mean value.

    Scores are logarithms of probabilities among these moves.
    """
    rows, columns = planes.shape(int(state[SIZE]))
    points = rows * columns
    x = np.empty((rows + 2, columns + 2, len(planes.names)), np.float32)
    planes.fill(state, np.float32(numbers[STRENGTH]), x.reshape(-1))
    board = x[1:-1, 1:-1].copy()
    places = np.array([planes.place(state, move) for move in moves])
    policy, out = np.empty(points + 1, np.float32), np.empty(2)
    shares, value = np.zeros(len(moves)), 0.0
    images = turned_points(rows, columns, planes.symmetries)
    for image in images:
        x[1:-1, 1:-1] = turned_planes(board[None], image)[0]
        residual_network(x.reshape(-1), numbers, rows, columns, policy, _NOT_OWNED, out)
        logits = policy[np.append(image, points)[places]].astype(np.float64)
        odds = exact.exp(logits - logits.max())
        shares += odds / odds.sum()
        value += out[0]
    return exact.log(shares / len(images)), value / len(images)
