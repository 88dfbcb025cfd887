"""Ids of games in tables: each game has one of its own, fit for a cell."""

from __future__ import annotations

import re
from typing import Final

_UNFIT: Final = re.compile(r"[\s\x00-\x1f\x7f#\"]|^$")
"""In an id: what would end its cell, or begin a comment or a quotation to a reader of tables."""
_CLEAN: Final = str.maketrans({"#": "@", '"': "'", **dict.fromkeys((*range(32), 127), " ")})


class Ids:
    """The ids that were given so far."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def of(self, name: str) -> str:
        """Return an id for one more game of a name: `name`, `name@2`, `name@3`."""
        if name not in self._given and not _UNFIT.search(name):
            self._given.add(name)
            return name
        plain = "_".join(name.lstrip("#").translate(_CLEAN).split()) or "game"
        name, number = plain, 1
        while name in self._given:
            number += 1
            name = f"{plain}@{number}"
        self._given.add(name)
        return name
