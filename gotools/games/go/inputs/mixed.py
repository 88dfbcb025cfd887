"""Inputs of networks chosen one by one: "thesis8,zobrist", "thesis8,-territory"; kernels/mixed.py defines them."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, nearest, quoted
from gotools.game.learning import FeatureSet
from gotools.games.go.inputs.kernels import mixed as k
from gotools.games.go.inputs.positions import RAW, THESIS8

EIGHT: Final = ("liberties", "liberties-2", "liberties-3", "euler", "prisoners", "territory", "stones", "atari")
_CONTROL: Final = {
    "zobrist": "control by Zobrist's influence",
    "distance": "control by distance",
    "area": "area",
    "explicit": "explicit control",
}
"""Names and labels of points that a side controls, less the other's."""
_CHAINS: Final = {"atari-chains": "chains in atari", "linked": "sets of linked chains", "groups": "groups"}
"""Names and labels of what a side has, less what the other has."""
_SINGLE: Final = _CONTROL | _CHAINS
_MOST: Final = np.array((30.0, 30.0, 30.0, 30.0, 3.0, 6.0, 4.0))
"""Of these on 9x9, as in positions.py."""
_INPUTS, _EVALUATE = k.functions(k.LIBERTIES)
_LIBERTIES: Final = FeatureSet(
    name="point-liberties",
    labels=lambda size: tuple(f"liberties at {label}" for label in RAW.labels(size)),
    scales=lambda size: np.full(size * size, 0.125),
    inputs=_INPUTS,
    evaluate=_EVALUATE,
)
_BY_POINT: Final = {k.RAW: RAW, k.LIBERTIES: _LIBERTIES}
NAMES: Final = (*EIGHT, *_SINGLE, *(each.name for each in _BY_POINT.values()))
"""The inputs in the order of their bits; the last ones are one for each point."""


def mixed(text: str) -> FeatureSet:
    """Return the feature set of names between commas; `-NAME` takes one away from those before it.

    "thesis8" names the eight. The order is that of NAMES, and the name of the set lists its inputs.

    Raises GotoolsError for an unknown name, one taken away that is not there, and a set without inputs.
    """
    chosen = 0
    known = {name: 1 << i for i, name in enumerate(NAMES)} | {THESIS8.name: k.THESIS8}
    for part in text.split(","):
        name = part.removeprefix("-")
        if name not in known:
            raise GotoolsError(f"go has no features {quoted(name)}{nearest(name, [THESIS8.name, *NAMES])}")
        if part == name:
            chosen |= known[name]
        elif chosen & known[name] != known[name]:
            raise GotoolsError(f"features {quoted(text)}: {name} is taken away, but is not there")
        else:
            chosen &= ~known[name]
    if not chosen:
        raise GotoolsError(f"features {quoted(text)}: no input is left")
    return _set_of(chosen)


@cache
def _set_of(chosen: int) -> FeatureSet:
    """Return the feature set of some bits."""
    for bits, one in ((k.THESIS8, THESIS8), *_BY_POINT.items()):
        if chosen == bits:
            return one
    names = [name for i, name in enumerate(NAMES) if chosen >> i & 1]
    if chosen & k.THESIS8 == k.THESIS8:
        names = [THESIS8.name, *names[len(EIGHT) :]]
    inputs, evaluate = k.functions(chosen)
    single = chosen & (k.RAW - 1)

    wide = [one for bit, one in _BY_POINT.items() if chosen & bit]

    def labels(size: int) -> tuple[str, ...]:
        of_bits = (*THESIS8.labels(size), *_SINGLE.values())
        some = tuple(label for i, label in enumerate(of_bits) if single >> i & 1)
        return some + tuple(label for one in wide for label in one.labels(size))

    def scales(size: int) -> NDArray[np.float64]:
        of_bits = np.concatenate((THESIS8.scales(size), 9.0 / (size * _MOST)))
        some = of_bits[[i for i in range(len(of_bits)) if single >> i & 1]]
        return np.concatenate((some, *(one.scales(size) for one in wide)))

    return FeatureSet(name=",".join(names), labels=labels, scales=scales, inputs=inputs, evaluate=evaluate)
