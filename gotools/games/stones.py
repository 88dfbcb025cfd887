"""Pieces of one kind as inputs of a network: those of either side on each cell, with a weight of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from gotools.game.learning import Pieces


def stones(what: str, cells: tuple[str, ...], most: int, inputs: Any, evaluate: Any) -> Pieces:
    """Return the inputs of a game whose pieces are all alike: own ones on each cell, then those of the other side.

    what -- the word for a piece; cells -- their names; the other arguments are fields of `Pieces`
    """
    return Pieces(
        most=most,
        parts=lambda size: np.arange(2 * len(cells), dtype=np.int32)[:, None],
        labels=lambda size: tuple(f"{whose} {what} on {cell}" for whose in ("own", "other's") for cell in cells),
        inputs=inputs,
        evaluate=evaluate,
    )
