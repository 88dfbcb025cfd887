"""Files and members of archives alike: what commands that read game records go through."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, BinaryIO

from gotools.base.errors import FileFormatError, RefusedArchive
from gotools.files.kinds import BZIP2, XZ, Kind, kind_of
from gotools.files.opening import ARCHIVES, FIRST_BYTES, GZIP, LARGEST_FILE, STDIN, head_of, read_bytes

Problem = Callable[[FileFormatError], None]


def read_each(path: str | Path, suffixes: Sequence[str], problem: Problem) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of a file, or of each member of an archive (`games.zip/a/1.sgf`).

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
                yield from _records(file, name, suffixes, problem)
            return
        data = read_bytes(path)
        if _is_archive(data, name):
            yield from _records(io.BytesIO(data), name, suffixes, problem)
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


def _records(file: BinaryIO, name: str, suffixes: Sequence[str], problem: Problem) -> Iterator[tuple[str, bytes]]:
    """Yield the members of an archive, as `read_each` does."""
    from gotools.files import archives  # which take time to load, and are rare

    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    found = False
    for member, opened in archives.members(file, name, size):
        plain, whole = member.lower().removesuffix(".gz"), f"{name}/{member}"
        if archives.is_hidden(member):
            continue
        if plain.endswith(ARCHIVES):
            problem(FileFormatError(whole, None, "an archive inside of an archive; unpack it yourself first"))
        elif plain.endswith(tuple(suffixes)):
            found = True
            try:
                data = _content(opened, whole)
            except RefusedArchive:
                raise
            except FileFormatError as error:
                problem(error)
            else:
                yield whole, data
    if not found:
        problem(FileFormatError(name, None, f"no {' or '.join(suffixes)} file in this archive"))


def _content(opened: Callable[[], IO[bytes]], name: str) -> bytes:
    """Return what a member holds, gzip undone. Raises FileFormatError if it is broken, RefusedArchive for too much."""
    from gotools.files import archives

    with archives.naming(name), opened() as stream:
        data = _joined(archives.bounded(stream, name), name)
    return _joined(archives.unpacked([data], name), name) if data.startswith(GZIP) else data


def _joined(parts: Iterable[bytes], name: str) -> bytes:
    found, size = [], 0
    for part in parts:
        size += len(part)
        if size > LARGEST_FILE:
            what = f"more than {LARGEST_FILE >> 20} MiB unpacked, the most that a file of game records may hold"
            raise RefusedArchive(name, None, what)
        found.append(part)
    return b"".join(found)
