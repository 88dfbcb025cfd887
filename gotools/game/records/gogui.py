"""Records by gogui-twogtp of matches with -alternate, whose headers are wrong in every second game.

Version 1.5.1 leaves the names of the players where they were in the first game; versions 1.3.1 to 1.5.0 exchange them,
but write the result for the other colour. Only the table of the match, NAME.dat beside NAME-1.sgf, says that colours
alternate.
"""

from __future__ import annotations

import os.path
import re
from functools import lru_cache
from typing import Final, NamedTuple

from gotools.base.errors import FileFormatError
from gotools.files.opening import read_bytes
from gotools.game.records.results import read_result

_WRITER: Final = re.compile(r"gogui-?twogtp(?::(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?)?", re.IGNORECASE)
_FIRST: Final = (1, 3, 1)
_LAST: Final = (1, 5, 1)
_GAME: Final = re.compile(r"(.*)-([0-9]{1,9})\.sgf(?:\.gz)?", re.DOTALL)


class Seats(NamedTuple):
    """Who played black and white, and the result; known -- whether that is certain."""

    black: str
    white: str
    result: str
    known: bool = True


def is_doubtful(application: str) -> bool:
    """Return whether a program, as AP names it, writes wrong headers where colours alternate."""
    found = _WRITER.match(application)
    return found is not None and (found[1] is None or _FIRST <= _version(found) <= _LAST)


def _version(found: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(part or 0) for part in found.groups())


def right_seats(seats: Seats, application: str, name: str) -> Seats:
    """Return a game as it was played, by its header; what may be wrong there is "" or "?" where that is not known.

    application -- as AP names it; name -- of the file
    """
    writer = _WRITER.match(application)
    if writer is None or not is_doubtful(application):
        return seats
    game = _GAME.fullmatch(name)
    number = int(game[2]) if game else 1
    alternated = False if number % 2 == 0 else _alternated(game[1]).get(number) if game else None
    if alternated is False:
        return seats
    if _version(writer) == _LAST:
        players = ("", "") if alternated is None else (seats.white, seats.black)
        return Seats(*players, seats.result, alternated is not None)
    if alternated is None:
        return seats._replace(result="?", known=False)
    return seats._replace(result=("", "W+", "B+")[read_result(seats.result).winner] or seats.result)


def _alternated(prefix: str) -> dict[int, bool]:
    """Return which games of a match were played with exchanged colours, by its table; empty without one."""
    path = next((path for path in (f"{prefix}.dat", f"{prefix}.dat.gz") if os.path.isfile(path)), None)
    if path is None:
        return {}
    status = os.stat(path)
    return _alternated_by(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _alternated_by(path: str, changed: int, size: int) -> dict[int, bool]:
    """Read the table of a match, once until it changes."""
    try:
        lines = read_bytes(path).decode("utf-8", "replace").splitlines()
    except FileFormatError:
        return {}
    columns, found = list[str](), dict[int, bool]()
    for line in lines:
        fields = line.split("\t")
        if line.startswith("#"):
            columns = [name.lstrip("#") for name in fields] if "ALT" in fields else columns
        elif (row := dict(zip(columns, fields, strict=False))).get("GAME", "").isdecimal():
            found[int(row["GAME"])] = row.get("ALT") == "1"
    return found
