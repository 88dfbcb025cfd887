"""The board of Go for local patterns."""

from __future__ import annotations

from typing import Final

from gotools.game import Grid
from gotools.go.inputs.kernels.grid import cells, changes, value_of_shapes

GRID: Final = Grid(
    shape=lambda size: (size, size), symmetries=8, cells=cells, changes=changes, evaluate=value_of_shapes
)
