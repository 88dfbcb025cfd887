"""Files and members of archives alike: what commands that read game records go through."""

from __future__ import annotations

import io
import os.path
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from gotools.errors import FileFormatError, RefusedArchive
from gotools.files.kinds import BZIP2, XZ, Kind, kind_of
from gotools.files.opening import ARCHIVES, FIRST_BYTES, STDIN, head_of, read_bytes

Problem = Callable[[FileFormatError], None]


def read_each(path: str | Path, suffixes: Sequence[str], problem: Problem) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of a file; of an archive those of its members, as `games.zip/a/1.sgf`.

    suffixes -- of the members to read; `.gz` may follow
    problem  -- called with the error for each file or member that cannot be read

    Members come in the order in which they stand in the archive. Archives are recognised as such, whatever their names,
    bzip2 and xz by the names that tar archives have. Hidden members are passed over, archives inside of archives are
    a problem. Raises RefusedArchive.
    """
    name = "stdin" if path == STDIN else str(path)
    try:
        if path != STDIN and _names_archive(name) and os.path.isfile(path) and _is_archive(head_of(path), name):
            with open(path, "rb") as file:
                yield from _members_of(file, name, suffixes, problem)
            return
        data = read_bytes(path)
        if _is_archive(data, name):
            yield from _members_of(io.BytesIO(data), name, suffixes, problem)
        else:
            yield name, data
    except RefusedArchive:
        raise
    except OSError as error:
        problem(FileFormatError(path, None, error.strerror or str(error)))
    except FileFormatError as error:
        problem(error)


def _names_archive(name: str) -> bool:
    return name.lower().removesuffix(".gz").endswith(ARCHIVES)


def _is_archive(head: bytes, name: str) -> bool:
    """Return whether a file that begins so, gzip undone, is an archive."""
    if head.startswith(b"PK") or head[257:262] == b"ustar":
        return kind_of(head[:FIRST_BYTES]) in (Kind.zip, Kind.tar)
    return head.startswith((BZIP2, XZ)) and (_names_archive(name) or name == "stdin")


def _members_of(file: BinaryIO, name: str, suffixes: Sequence[str], problem: Problem) -> Iterator[tuple[str, bytes]]:
    from gotools.files.archived import members  # archives are rare, and what reads them takes time to load

    return members(file, name, suffixes, problem)
