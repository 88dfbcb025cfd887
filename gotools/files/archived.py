"""Records in an archive, one after the other, each as a whole."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, BinaryIO, Final, cast

from gotools.errors import FileFormatError, RefusedArchive
from gotools.files import archives
from gotools.files.archives import Guard, bounded, decompressed, is_hidden, naming
from gotools.files.opening import ARCHIVES, LARGEST_FILE

Problem = Callable[[FileFormatError], None]
_GZIP: Final = b"\x1f\x8b"


def members(file: BinaryIO, name: str, suffixes: Sequence[str], problem: Problem) -> Iterator[tuple[str, bytes]]:
    """Yield the members of an archive that are wanted; as `members.read_each` does.

    file -- the archive, as it was found
    """
    wanted = tuple(suffixes)
    found = False
    with naming(name):
        begins = file.read(2)
        file.seek(0)
        files = (_of_zip if begins == b"PK" else _of_tar)(file, name)
        for member, opened in files:
            plain = member.lower().removesuffix(".gz")
            whole = f"{name}/{member}"
            if is_hidden(member):
                continue
            if plain.endswith(ARCHIVES):
                problem(FileFormatError(whole, None, "an archive inside of an archive; unpack it yourself first"))
            elif plain.endswith(wanted):
                found = True
                if (data := _content(opened, whole, problem)) is not None:
                    yield whole, data
    if not found:
        problem(FileFormatError(name, None, f"no {' or '.join(suffixes)} file in this archive"))


def _of_zip(file: BinaryIO, name: str) -> Iterator[tuple[str, Callable[[], IO[bytes]]]]:
    with archives.opened_zip(file, name) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield info.filename, lambda info=info: archive.open(info)  # type: ignore[misc]


def _of_tar(file: BinaryIO, name: str) -> Iterator[tuple[str, Callable[[], IO[bytes]]]]:
    guard = Guard(name, _size(file))
    with io.BufferedReader(cast(io.RawIOBase, file)) as whole, decompressed(whole) as stream:  # type: ignore[arg-type]
        for info, opened in archives.tar_members(stream, guard):
            yield info.name, opened


def _size(file: BinaryIO) -> int:
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    return size


def _content(opened: Callable[[], IO[bytes]], name: str, problem: Problem) -> bytes | None:
    """Return what a member holds, gzip undone; None where it is broken. Raises RefusedArchive for too much."""
    try:
        with naming(name), opened() as stream:
            data = _joined(bounded(stream, name), name)
        if data.startswith(_GZIP):
            data = _joined(archives.unpacked([data], name), name)
    except RefusedArchive:
        raise
    except FileFormatError as error:
        problem(error)
        return None
    return data


def _joined(parts: Iterable[bytes], name: str) -> bytes:
    found, size = [], 0
    for part in parts:
        size += len(part)
        if size > LARGEST_FILE:
            what = f"more than {LARGEST_FILE >> 20} MiB unpacked, the most that a file of game records may hold"
            raise RefusedArchive(name, None, what)
        found.append(part)
    return b"".join(found)
