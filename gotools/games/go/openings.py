"""Openings of Go: two moves on sensible points, generated; what first moves of records must be; equal positions."""

from __future__ import annotations

from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.traits import Openings
from gotools.games.go.kernels import rules as k
from gotools.games.go.points import PASS, symmetry_tables


def generated_openings(size: int, seed: int) -> list[list[int]]:
    """Return all openings of two moves on sensible points, black's and white's, in an order drawn by the seed.

    seed -- not negative

    Of openings that differ by a symmetry of the board one is kept. Sensible are, on boards from 13x13 on, the points on
    the third to fifth lines of a corner; from 8x8 on those on the third line or higher; from 5x5 on those on the second
    line or higher; on smaller boards all. Balance is not considered otherwise. The same on all machines.
    """
    lowest, highest = (3, 5) if size >= 13 else (3 if size >= 8 else 2 if size >= 5 else 1, size)
    lines = [at for at in range(size) if lowest <= min(at, size - 1 - at) + 1 <= highest]
    tables, points = symmetry_tables(size), [y * size + x for y in lines for x in lines]
    openings = sorted({tuple(min(tables[:, list(pair)].tolist())) for pair in permutations(points, 2)})
    return [list(openings[i]) for i in np.random.default_rng(seed).permutation(len(openings))]


def _unfit(moves: NDArray[np.integer]) -> str:
    if (moves[:, 1] == PASS).any():
        return "with a pass"
    if (moves[:, 0] != 1 + np.arange(len(moves)) % 2).any():
        return "in which the players do not alternate from black on"
    return ""


def _position(state: NDArray[np.int32]) -> bytes:
    """Return the stones, turned so that they come first in order."""
    size = int(state[k.SIZE])
    cells = np.empty(size * size, np.uint8)
    k.cells_of(state, cells)
    position: bytes = min(turned.tobytes() for turned in cells[symmetry_tables(size)])
    return position


OPENINGS: Final = Openings(generated_openings, _unfit, _position)
