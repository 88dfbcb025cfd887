"""Members of tar and zip archives, one after the other, without unpacking them to disk.

An archive that would unpack to very much, or has a member with a path outside of it, is refused (RefusedArchive).
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os.path
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, BinaryIO, Final, Self, cast

from gotools.base.errors import FileFormatError, RefusedArchive, quoted, shown
from gotools.files.kinds import BZIP2, XZ
from gotools.files.lines import PartsStream

Member = tuple[str, Callable[[], IO[bytes]]]
"""A name, and a function that opens the content under it, to be called before the next member is taken."""

MOST_BYTES: Final = 1 << 30
"""Largest member, unpacked: a small archive can claim to hold any amount."""
MOST_MEMBERS: Final = 1_000_000
MOST_TIMES: Final = 200
"""How many times its own size an archive may unpack to; game records do to 5 or 20 times, a bomb to 1,000 or more."""
FREE: Final = 1 << 26
"""Bytes that any archive may unpack to."""
_DIRECTORY: Final = 1 << 27
"""Bytes of the table of contents of a zip archive."""
_LONGEST_PATH: Final = 1 << 16
"""Bytes of what a tar archive says about a member: it is held in memory."""
_XZ_MEMORY: Final = 1 << 28
_PART: Final = 1 << 20
_OUTSIDE: Final = re.compile(r"[/\\]|[A-Za-z]:[/\\]|(?:.*[/\\])?\.\.(?:[/\\]|$)", re.DOTALL)
_END_OF_ZIP, _END_OF_ZIP64 = b"PK\5\6", b"PK\6\6"


class Guard:
    """Looks at the members of an archive before they are read.

    packed -- the bytes of the archive; None: unknown
    """

    def __init__(self, name: str, packed: int | None) -> None:
        self._name = name
        self._most = None if packed is None else max(FREE, MOST_TIMES * packed)
        self._members = self._bytes = 0

    def check(self, member: str, size: int) -> None:
        """Raise RefusedArchive for a path outside, too many members, or too much in all."""
        self._members += 1
        self._bytes += size
        if _OUTSIDE.match(member):
            raise RefusedArchive(self._name, None, f"the path of member {quoted(member)} leads out of the archive")
        if self._members > MOST_MEMBERS:
            raise RefusedArchive(self._name, None, f"more than {MOST_MEMBERS:,} files in an archive")
        if self._most is not None and self._bytes > self._most:
            what = f"it unpacks to more than {MOST_TIMES} times its size; unpack it yourself first"
            raise RefusedArchive(self._name, None, what)


def is_hidden(member: str) -> bool:
    """Return whether a member is not the user's: macOS puts a `._x.sgf` beside each x.sgf."""
    return os.path.basename(member).startswith(".") or "__MACOSX" in member.split("/")


def members(file: BinaryIO, name: str, packed: int | None) -> Iterator[Member]:
    """Yield the files in a zip or tar archive, in their order, and close it.

    file   -- the archive from its start; of a tar archive, gzip, bzip2 or xz is undone; a zip archive is searched
    packed -- the bytes of a tar archive as it was found; None: unknown

    Raises FileFormatError for a broken archive, RefusedArchive.
    """
    stream: io.BufferedReader = io.BufferedReader(cast(io.RawIOBase, file), _PART)
    with naming(name), stream:
        yield from _zip_members(stream, name) if stream.peek(2)[:2] == b"PK" else _tar_members(stream, name, packed)


def chosen_members(
    again: Callable[[], BinaryIO], name: str, packed: int | None, wanted: Callable[[list[str]], list[str]]
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield the names and contents of the members that are wanted, each to be read before the next is taken.

    again  -- opens the archive, which is read twice, and never held as a whole
    wanted -- chooses among the names of all files in it

    Raises as `members` does, and FileFormatError if a member is too large.
    """
    chosen = set(wanted([member for member, _ in members(again(), name, packed)]))
    for member, opened in members(again(), name, packed):
        if member in chosen:
            with naming(name), opened() as stream:
                yield member, bounded(stream, f"{name}/{member}")


def _tar_members(stream: io.BufferedReader, name: str, packed: int | None) -> Iterator[Member]:
    guard = Guard(name, packed)
    with decompressed(stream) as plain, tarfile.open(fileobj=plain, mode="r|", tarinfo=_Header) as archive:
        while (member := archive.next()) is not None:
            archive.members.clear()  # type: ignore[attr-defined]  # else all of them stay in memory
            guard.check(member.name, member.size)
            if member.isreg():
                yield member.name, lambda found=member: cast(IO[bytes], archive.extractfile(found))  # type: ignore[misc]


def _zip_members(file: BinaryIO, name: str) -> Iterator[Member]:
    size = file.seek(0, os.SEEK_END)
    if _directory_size(file, size) > _DIRECTORY:
        raise RefusedArchive(name, None, f"more than {MOST_MEMBERS:,} files in an archive")
    guard = Guard(name, size)
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            guard.check(member.filename, member.file_size)
        for member in archive.infolist():  # not by name: two may have the same
            if not member.is_dir():
                yield member.filename, lambda found=member: archive.open(found)  # type: ignore[misc]


class _Header(tarfile.TarInfo):
    """A header of a tar archive. One that is damaged or missing is an error wherever it stands."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Read a header."""
        if len(buf) != tarfile.BLOCKSIZE:
            raise tarfile.ReadError("it ends too early")
        try:
            found = super().frombuf(buf, encoding, errors)
        except tarfile.InvalidHeaderError as error:  # type: ignore[attr-defined]
            raise tarfile.ReadError(str(error)) from error
        if found.type not in tarfile.REGULAR_TYPES and found.size > _LONGEST_PATH:
            raise tarfile.ReadError("a header of too many bytes")
        return found


def _directory_size(file: BinaryIO, size: int) -> int:
    """Return the bytes of the table of contents, which zipfile holds in memory, as the end of the archive has them."""
    file.seek(max(0, size - (1 << 16) - 200))
    tail = file.read()
    sizes = [0]
    if (at := tail.rfind(_END_OF_ZIP)) >= 0 and len(tail) >= at + 16:
        sizes += struct.unpack_from("<L", tail, at + 12)
    if (at := tail.rfind(_END_OF_ZIP64)) >= 0 and len(tail) >= at + 48:
        sizes += struct.unpack_from("<Q", tail, at + 40)
    return max(found for found in sizes if found != 0xFFFFFFFF)


# compression ----------------------------------------------------------------------------------------------------------


def unpacked(parts: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Undo gzip, bzip2 or xz. Raises FileFormatError if it is broken or unpacks to too much."""
    with naming(name), decompressed(io.BufferedReader(PartsStream(parts), _PART)) as packed:
        yield from bounded(packed, name)


def decompressed(stream: io.BufferedReader) -> IO[bytes]:
    """Return a stream with gzip, bzip2 or xz undone, whichever it begins with; any other as it is."""
    head = stream.peek(len(XZ))
    if head.startswith(b"\x1f\x8b"):
        return cast(IO[bytes], gzip.GzipFile(fileobj=stream))
    if head.startswith(BZIP2):
        return bz2.BZ2File(stream)
    return io.BufferedReader(PartsStream(_unxz(stream)), _PART) if head.startswith(XZ) else stream


def _unxz(stream: IO[bytes]) -> Iterator[bytes]:
    """Undo xz, one stream or several, in bounded memory: the lzma module's own file lets the data choose how much."""
    codec: lzma.LZMADecompressor | None = None
    while True:
        data = b""
        if codec is None or codec.eof:
            data = (b"" if codec is None else codec.unused_data.lstrip(b"\0")) or stream.read(_PART).lstrip(b"\0")
            if not data:
                return
            codec = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)
        elif codec.needs_input and not (data := stream.read(_PART)):
            raise EOFError("it ends too early")
        if part := codec.decompress(data, _PART):
            yield part


def bounded(stream: IO[bytes], name: str) -> Iterator[bytes]:
    """Yield the bytes of a member. Raises FileFormatError beyond MOST_BYTES."""
    size = 0
    with naming(name):
        while part := stream.read(_PART):
            size += len(part)
            if size > MOST_BYTES:
                what = f"more than {MOST_BYTES >> 30} GiB unpacked; unpack it yourself first"
                raise FileFormatError(name, None, what)
            yield part


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Turn the errors of broken archives into FileFormatError with the name."""
    try:
        yield
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError) as error:
        raise FileFormatError(name, None, f"a broken archive ({shown(error)})") from error
    except (RuntimeError, NotImplementedError) as error:  # zipfile's errors for passwords and rare compression methods
        why = "it has a password" if "password" in str(error) else shown(error)
        raise FileFormatError(name, None, f"an archive that cannot be read ({why})") from error
