"""The trait of a game whose players can be asked to play like people of a rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gotools.base.errors import GotoolsError, shown


class Level(NamedTuple):
    """How to play like people of a rank.

    strength    -- of the players whose moves a network with a policy expects (the plane `strength`)
    temperature -- of the draw among its moves; playouts -- of the search before it
    """

    strength: float
    temperature: float
    playouts: int


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """The levels that a player of a game can be asked for.

    by_name -- weakest first
    """

    by_name: Mapping[str, Level]

    def find(self, name: str) -> Level:
        """Return the level of a name. Raises GotoolsError."""
        if name not in self.by_name:
            raise GotoolsError(f"level {shown(name)} is not known; there are {', '.join(self.by_name)}")
        return self.by_name[name]
