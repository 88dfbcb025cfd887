"""The planes of Go for residual networks; kernels/planes.py defines them."""

from __future__ import annotations

from typing import Final

from gotools.game import Planes
from gotools.go.inputs.kernels import planes as k

_LIBERTIES: Final = ("1 liberty", "2 liberties", "3 liberties", "4 or more liberties")

PLANES: Final = Planes(
    names=(
        "board",
        "own stones",
        "opponent's stones",
        *(f"own chains of {count}" for count in _LIBERTIES),
        *(f"opponent's chains of {count}" for count in _LIBERTIES),
        "legal points",
        "ko",
        "last move",
        "move before the last",
        "the opponent passed",
        "chains in a ladder",
        "komi",
        "strength",
    ),
    shape=lambda size: (size, size),
    symmetries=8,
    fill=k.fill_planes,
    place=k.place,
    owners=k.owners,
    judge=k.judge_planes,
    order=k.order_planes,
    evaluate=k.value_planes,
)
