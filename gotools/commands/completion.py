"""What a shell completes for the value of an option: names of games, and the files of the kinds that it reads.

Where nothing is completed here, shells complete all files.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable
from typing import Final

from gotools.files.kinds import FileKind, Kind
from gotools.game.table import GAMES

READS: Final[dict[str, tuple[FileKind, ...]]] = {
    "rules": (Kind.rules, Kind.library),
    "evaluation": (Kind.weights,),
    "start": (Kind.weights,),
    "order": (Kind.clusters, Kind.rules, Kind.library, Kind.weights),
    "ratings": (Kind.ratings,),
    "background": (Kind.rules,),
    "modes": (Kind.rules,),
    "config": (Kind.settings,),
}
"""The kinds of files that are read, by the name of the setting or of the parameter of a command."""


def completion_of(name: str) -> Callable[[str], list[str]] | None:
    """Return what completes the value of a setting: the paths of files that it reads, and of folders."""
    if name not in READS:
        return None
    endings = tuple(ending for kind in READS[name] for ending in kind.endings)

    def paths(incomplete: str) -> list[str]:
        found = sorted(glob.glob(f"{glob.escape(incomplete)}*"))
        return [f"{path}/" if os.path.isdir(path) else path for path in found if _fits(path, endings)]

    return paths


def _fits(path: str, endings: tuple[str, ...]) -> bool:
    return os.path.isdir(path) or path.removesuffix(".gz").endswith(endings)


def games(incomplete: str) -> list[str]:
    """Return the names of games, ours and those of other packages."""
    from gotools.game.known import installed

    names = [*GAMES, *(one.name for one in installed() if not one.fault)]
    return [name for name in names if name.startswith(incomplete)]
