"""Members of tar and zip archives, one after the other, without unpacking them to disk."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Final, cast

from gotools.errors import FileFormatError, shown

Member = tuple[str, Iterator[bytes]]
"""A name, and the bytes under it, which have to be read before the next member is taken."""

MOST_BYTES: Final = 1 << 30
"""Largest member, unpacked: a small archive can claim to hold any amount."""
_PART: Final = 1 << 20


def read_tar(
    parts: Callable[[], Iterable[bytes]], name: str, wanted: Callable[[list[str]], list[str]]
) -> Iterator[Member]:
    """Yield the members that are wanted.

    parts  -- gives the bytes of the archive from the start; it is read twice, and never held as a whole
    wanted -- chooses among the names of all files in it

    Raises FileFormatError if the archive is broken or a member too large.
    """
    with _naming(name):
        with _opened_tar(parts()) as archive:
            chosen = set(wanted([member.name for member in archive if member.isreg()]))
        with _opened_tar(parts()) as archive:
            for member in archive:
                if member.isreg() and member.name in chosen:
                    stream = archive.extractfile(member)
                    if stream is not None:
                        yield member.name, _bounded(stream, f"{name}/{member.name}")


def read_zip(data: bytes, name: str, wanted: Callable[[list[str]], list[str]]) -> Iterator[Member]:
    """Yield the members that are wanted, as `read_tar` does.

    data -- the whole archive: its table of contents stands at its end
    """
    with _naming(name), zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = [info for info in archive.infolist() if not info.is_dir()]
        chosen = set(wanted([info.filename for info in files]))
        for member in files:  # not by name: two may have the same
            if member.filename in chosen:
                with archive.open(member) as stream:
                    yield member.filename, _bounded(stream, f"{name}/{member.filename}")


def unpacked(parts: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Undo gzip inside of an archive. Raises FileFormatError if it is broken or unpacks to too much."""
    with _naming(name), gzip.GzipFile(fileobj=io.BufferedReader(_Stream(parts), _PART)) as packed:
        yield from _bounded(cast(IO[bytes], packed), name)


def _bounded(stream: IO[bytes], name: str) -> Iterator[bytes]:
    size = 0
    with _naming(name):
        while part := stream.read(_PART):
            size += len(part)
            if size > MOST_BYTES:
                raise FileFormatError(
                    name, None, f"more than {MOST_BYTES >> 30} GiB unpacked; unpack it yourself first"
                )
            yield part


class _Stream(io.RawIOBase):
    """Parts of bytes as a stream to read from."""

    def __init__(self, parts: Iterable[bytes]) -> None:
        super().__init__()
        self._parts = iter(parts)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        """Fill the buffer as far as the next part goes."""
        room = memoryview(cast(bytearray, buffer))
        while not self._rest:
            part = next(self._parts, None)
            if part is None:
                return 0
            self._rest = memoryview(part)
        count = min(len(room), len(self._rest))
        room[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


@contextmanager
def _opened_tar(parts: Iterable[bytes]) -> Iterator[tarfile.TarFile]:
    with io.BufferedReader(_Stream(parts), _PART) as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
        yield archive


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Turn the errors of broken archives into FileFormatError with the name."""
    try:
        yield
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError) as error:
        raise FileFormatError(name, None, f"a broken archive ({shown(error)})") from error
    except (RuntimeError, NotImplementedError) as error:  # zipfile's errors for passwords and rare compression methods
        raise FileFormatError(name, None, f"an archive that cannot be read ({shown(error)})") from error
