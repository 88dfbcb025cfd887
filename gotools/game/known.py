"""The games by name: ours, and those that other packages declare in the group `gotools.games` of their entry points.

Packages are searched only for a name that the table of the games does not have, and by `gotools show games`; one is
loaded only when its game is used.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple
from zlib import crc32

from gotools.base.errors import GotoolsError, nearest, quoted, shown
from gotools.game.table import GAMES, Place, plain_name

GROUP: Final = "gotools.games"
NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,30}")
PLACE: Final = re.compile(r"[\w.]+:\w+")
FIRST_NUMBER: Final = 100_000
"""GM of the records of such games are this and more."""


class Plugin(NamedTuple):
    """A game as a package declares it: its name, the package with its version, where it is, why it is not used."""

    name: str
    package: str
    version: str
    place: Place
    fault: str


@cache
def installed() -> tuple[Plugin, ...]:
    """Return what the installed packages declare, by name; faults are what can be seen without loading them."""
    from importlib.metadata import entry_points  # 30 ms

    declared = {
        (one.name, one.dist.name if one.dist else "?", one.dist.version if one.dist else "?", one.value)
        for one in entry_points(group=GROUP)
    }
    found = []
    for name, package, version, value in sorted(declared):
        fault = _fault(name, value, sorted({other for one, other, *_ in declared if one == name}))
        place = Place(value, number_of(name), package=f"{package} {version}")
        found.append(Plugin(name, package, version, place, fault))
    return tuple(found)


def _fault(name: str, value: str, packages: list[str]) -> str:
    if not NAME.fullmatch(name):
        return "its name is not letters a to z, digits, - and _, at most 31"
    if name in GAMES:
        return "gotools has a game of this name, which is used"
    if not PLACE.fullmatch(value):
        return f"{shown(value)} is not MODULE:ATTRIBUTE"
    return f"more than one package has it: {', '.join(packages)}" if len(packages) > 1 else ""


def number_of(name: str) -> int:
    """Return the GM of the records of such a game, made of its name: six digits."""
    return FIRST_NUMBER + crc32(name.encode()) % (1_000_000 - FIRST_NUMBER)


def plugin_named(name: str) -> Plugin | None:
    """Return what declares a game, None if nothing does. Raises GotoolsError for a declaration that cannot be used."""
    found = [one for one in installed() if one.name == name]
    if found and found[0].fault:
        raise unusable(name, found[0].place.package, found[0].fault)
    return found[0] if found else None


def unusable(name: str, package: str, why: str) -> GotoolsError:
    """Return the error of a game that cannot be used."""
    return GotoolsError(f"the game {quoted(name)} of the package {shown(package)} cannot be used: {shown(why, 200)}")


def place_of(name: str) -> Place:
    """Return the place of a game by its name, of ours or of another package.

    Raises GotoolsError for an unknown name, and for a declaration of another package that cannot be used.
    """
    plain = plain_name(name)
    if plain in GAMES:
        return GAMES[plain]
    if (plugin := plugin_named(plain)) is None:
        near = nearest(plain, [*GAMES, *(one.name for one in installed())])
        raise GotoolsError(f"there is no game {quoted(plain)}{near}")
    return plugin.place


def is_game(name: str) -> bool:
    """Return whether a plain name is that of a game, of ours or one that another package declares."""
    if name in GAMES:
        return True
    return any(one.name == name for one in installed())


def check_game_name(name: str) -> str:
    """Return the plain name of a game. Raises GotoolsError as `place_of` does."""
    place_of(name)
    return plain_name(name)
