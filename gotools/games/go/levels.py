"""The levels of a player of Go: those of people by their ranks, from 20k to 3d."""

from __future__ import annotations

from typing import Final

import numpy as np

from gotools.game.levels import Level, Levels

_RANKS: Final = (*range(-20, 0), 1, 2, 3)
_MARKS: Final = (
    (-20, 2.4, 0),
    (-12, 1.1, 0),
    (-7, 0.7, 0),
    (3, 0.35, 120),
)
"""Ranks, temperatures and playouts, chosen by matches (bench/strength.md); between two of them all change evenly."""


def _level(rank: int) -> Level:
    ranks, temperatures, playouts = zip(*_MARKS, strict=True)
    at, marks = _RANKS.index(rank), [_RANKS.index(mark) for mark in ranks]  # 1d follows 1k
    temperature = float(np.interp(at, marks, temperatures))
    return Level(rank / 10, temperature, int(np.expm1(np.interp(at, marks, np.log1p(playouts)))))


def _name(rank: int) -> str:
    return f"{-rank}k" if rank < 0 else f"{rank}d"


LEVELS: Final = Levels({_name(rank): _level(rank) for rank in _RANKS})
