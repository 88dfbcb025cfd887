"""Open files: `-`, folders, globs, `.gz`, Parquet, bounded sizes, writes that are complete or not at all."""

from __future__ import annotations

import errno
import glob
import gzip
import hashlib
import io
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Literal, cast

from gotools.base.errors import FileFormatError, GotoolsError, OutputError
from gotools.files.converting import PARQUET, PARQUET_MAGIC, check_pyarrow, csv_of_text, names_csv, names_parquet
from gotools.files.lines import LONGEST_LINE, TOO_LONG, PartsStream, unix_ends
from gotools.files.temporary import temporary_beside

STDIN: Literal["-"] = "-"
LARGEST_FILE: Final = 1 << 28
"""Bytes, unpacked, of a file that is read whole: game records, weights, libraries."""
LARGEST_TEXT: Final = 1 << 25
"""Bytes, unpacked, of a text that is read whole; 9,000 rules of 15 conditions have 8 MB."""
FIRST_BYTES: Final = 4096
"""Bytes by which a file is recognised."""
ARCHIVES: Final = (".zip", ".tar", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
"""Suffixes of archives; `.gz` may follow."""
GZIP: Final = b"\x1f\x8b"
_READ_AT_ONCE: Final = 1 << 16  # bytes
_PART: Final = 1 << 20  # bytes


def expand_paths(
    paths: Iterable[str | Path], suffixes: Sequence[str], report: Callable[[str], None] = lambda _: None
) -> list[Path | Literal["-"]]:
    """List the files that `paths` name, in the order given and sorted within a folder or glob.

    report -- called with a message for each pipe, socket or device found in a folder or by a glob, and passed over

    A folder stands for the files below it whose name ends in one of `suffixes` (any case, `.gz` after it allowed); a
    file named directly is taken whatever its name and kind; a file found twice is listed once.

    Raises FileFormatError for a path or glob without files, GotoolsError for an empty name.
    """
    found: dict[str, Path | Literal["-"]] = {}  # by text: hashing a Path costs as much as searching for the file
    for given in paths:
        name = given if isinstance(given, str) else str(given)
        if not name:
            raise GotoolsError("an empty name of a file or folder")  # Path("") would be the current folder
        if name == STDIN:
            found[name] = STDIN
        elif os.path.isfile(name):
            found[name] = Path(name)
        else:
            for path in _matches(Path(name).expanduser(), report):
                below = _files_below(path, suffixes, report) if path.is_dir() else [path]
                found |= {str(file): file for file in below}
    return list(found.values())


def _matches(path: Path, report: Callable[[str], None]) -> list[Path]:
    if os.path.lexists(path):  # a name may itself hold [ or *
        return [path]
    matches = sorted(glob.glob(str(path), recursive=True)) if glob.has_magic(str(path)) else []
    if not matches:
        raise FileFormatError(path, None, "no such file or folder")
    return [Path(match) for match in matches if os.path.isdir(match) or _is_file(match, report)]


def _is_file(path: str, report: Callable[[str], None]) -> bool:
    """Return whether a file that was found holds bytes to read; reading from a pipe or a device might never end."""
    if os.path.isfile(path) or not os.path.exists(path):  # the reader reports a link that leads nowhere
        return True
    report(str(FileFormatError(path, None, "not a regular file; passed over")))
    return False


def _files_below(folder: Path, suffixes: Sequence[str], report: Callable[[str], None]) -> list[Path]:
    wanted = tuple(ending for suffix in suffixes for ending in (suffix, suffix + ".gz"))
    files = [
        Path(parent, name)
        for parent, _, names in os.walk(folder)
        for name in names
        if name.lower().endswith(wanted) and not name.startswith(".") and _is_file(os.path.join(parent, name), report)
    ]
    if not files:
        named = [suffix for suffix in suffixes if suffix not in (*ARCHIVES, PARQUET)]
        raise FileFormatError(folder, None, f"no {' or '.join(named)} file in this folder")
    return sorted(files)


def read_bytes(path: str | Path, most: int = LARGEST_FILE) -> bytes:
    """Return the content of a file; `-` is stdin, gzip is recognised by its first two bytes (on stdin too).

    Parquet gives the table as text.

    Raises FileFormatError if the file cannot be read, or holds more than `most` bytes, packed or unpacked.
    """
    with _reading(path):
        data = _joined(_stdin().read1, path, most) if path == STDIN else _read_file(path, most)
        if data.startswith(PARQUET_MAGIC):
            text = _text_of_parquet(io.BytesIO(data), path)
            return _joined(lambda _: next(text, b""), path, most)
        return _unpacked(data, path, most) if data.startswith(GZIP) else data


def read_lines(path: str | Path) -> list[bytes]:
    """Return all lines of a text, without their ends: rules, clusters, logs.

    Raises FileFormatError if the file cannot be read, holds more than LARGEST_TEXT bytes, or a line longer than
    LONGEST_LINE.
    """
    lines = b"".join(unix_ends([read_bytes(path, LARGEST_TEXT)])).split(b"\n")
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise FileFormatError(path, number, TOO_LONG)
    return lines if lines[-1] else lines[:-1]


def _unpacked(data: bytes, path: str | Path, most: int) -> bytes:
    whole = zlib.decompressobj(wbits=31)
    found = whole.decompress(data, most + 1)
    if whole.eof and not whole.unused_data and len(found) <= most:
        return found
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:  # several in one, incomplete, or too large
        return _joined(packed.read1, path, most)


def read_parts(path: str | Path) -> Iterator[bytes]:
    """Yield the content of a file, part by part as it arrives: parts may end inside a line.

    `-`, gzip and Parquet as in `read_bytes`. Raises FileFormatError if the file cannot be read.
    """
    with _reading(path), nullcontext(_stdin()) if path == STDIN else open(path, "rb") as raw:
        head = raw.peek(len(PARQUET_MAGIC))
        if head.startswith(PARQUET_MAGIC):
            whole = str(path) if raw.seekable() else io.BytesIO(_joined(raw.read1, path, LARGEST_FILE))
            yield from _text_of_parquet(whole, path)
            return
        stream = gzip.GzipFile(fileobj=raw) if head.startswith(GZIP) else raw
        while part := stream.read1(_PART):
            yield part


def head_of(path: str | Path) -> bytes:
    """Return the first FIRST_BYTES bytes of a file, gzip undone once; stdin can still be read from its start.

    For Parquet: the first bytes of the table as text.

    Empty for anything but a file (a pipe would lose the bytes). Raises FileFormatError if it cannot be read.
    """
    with _reading(path):
        if path == STDIN:
            try:
                head = _stdin().peek(FIRST_BYTES)[:FIRST_BYTES]
            except (AttributeError, ValueError) as error:
                raise FileFormatError(STDIN, None, "nothing can be read there") from error
        elif not os.path.isfile(path):
            return b""
        else:
            with open(path, "rb") as file:
                head = file.read(FIRST_BYTES)
        if head.startswith(PARQUET_MAGIC):
            from gotools.files.parquet import head_of_parquet

            return head_of_parquet(str(path), FIRST_BYTES)
    if head.startswith(GZIP):
        with suppress(zlib.error):
            return zlib.decompressobj(wbits=31).decompress(head, FIRST_BYTES) or head
    return head


def _text_of_parquet(source: str | BinaryIO, path: str | Path) -> Iterator[bytes]:
    from gotools.files.parquet import text_of_parquet

    return text_of_parquet(source, path)


def _joined(read: Callable[[int], bytes], path: str | Path, most: int) -> bytes:
    """Read to the end. Raises FileFormatError beyond `most` bytes."""
    parts, size = [], 0
    while part := read(_PART):
        size += len(part)
        if size > most:
            raise FileFormatError(path, None, f"more than {most >> 20} MiB, the most that such a file may hold")
        parts.append(part)
    return b"".join(parts)


@contextmanager
def _reading(path: str | Path) -> Iterator[None]:
    """Turn errors of reading into FileFormatError with the file's name."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileFormatError(path, None, f"broken gzip data ({error})") from error
    except OSError as error:
        raise FileFormatError(path, None, error.strerror or str(error)) from error


def _stdin() -> io.BufferedReader:
    """Return stdin. Parquet there is read whole, as its contents stand at its end, and replaced by the table's text."""
    if sys.stdin is None:  # the shell's <&-
        raise FileFormatError(STDIN, None, "is closed")
    stream = cast(io.BufferedReader, sys.stdin.buffer)
    head = b""
    with suppress(AttributeError, ValueError):
        head = stream.peek(len(PARQUET_MAGIC))
    if head.startswith(PARQUET_MAGIC):
        whole = io.BytesIO(_joined(stream.read1, STDIN, LARGEST_FILE))
        stream = io.BufferedReader(PartsStream(_text_of_parquet(whole, STDIN)), FIRST_BYTES)
        sys.stdin = io.TextIOWrapper(stream)
    return stream


def _read_file(path: str | Path, most: int) -> bytes:
    """Read a file by system calls alone: half the time of `open` on files of a few KB."""
    handle = os.open(path, os.O_RDONLY)
    try:
        return _joined(lambda _: os.read(handle, _READ_AT_ONCE), path, most)
    finally:
        os.close(handle)


@contextmanager
def open_output(path: str | Path | None, *, sync: bool = False) -> Iterator[BinaryIO]:
    """Yield a stream of bytes to write to; the file appears under its name only when it is complete.

    `-` or None is stdout, which is written directly. `.gz` compresses (without a date, so that the same rows
    give the same bytes); `.parquet` and `.csv` take the text of a table, and are Parquet and CSV. A link is followed.
    On any exception, Ctrl-C included, the file stays unchanged.

    sync -- wait until it is on the disk

    Raises FileFormatError if the file cannot be made.
    """
    if path is None or str(path) == STDIN:
        with _standard_output() as out:
            yield out
        return
    if (descriptor := _descriptor(str(path))) is not None:
        with naming(Path(path)), open(os.dup(descriptor), "wb") as out:
            yield out
        return
    _check_parquet(path)
    target = behind_links(path)
    if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced by renaming
        with naming(target), open(target, "wb") as out:
            yield out
        return
    with ExitStack() as stack:
        with naming(Path(path)):
            name = stack.enter_context(temporary_beside(target))
        with open(name, "wb") as raw:
            with _packed(raw, path) as out:
                yield out
            if sync:
                raw.flush()
                os.fsync(raw.fileno())
        with naming(target):
            os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~umask())
            os.replace(name, target)
            if sync:
                sync_folder(target)


def _packed(raw: BinaryIO, path: str | Path) -> AbstractContextManager[BinaryIO]:
    """Return the stream to write to, by the ending of the file's name."""
    if names_parquet(path):
        from gotools.files.parquet import parquet_of_text

        return parquet_of_text(raw)
    if Path(path).suffix == ".gz":
        return _gzipped(raw, path)
    return csv_of_text(raw) if names_csv(path) else nullcontext(raw)


@contextmanager
def _gzipped(raw: BinaryIO, path: str | Path) -> Iterator[BinaryIO]:
    with gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as packed:
        stream = cast(BinaryIO, packed)
        with csv_of_text(stream) if names_csv(path) else nullcontext(stream) as out:
            yield out


def _check_parquet(path: str | Path) -> None:
    """Raise OutputError for Parquet inside of gzip; MissingTool for Parquet without pyarrow."""
    if str(path).lower().endswith(".gz") and names_parquet(str(path)[:-3]):
        raise OutputError(path, None, "cannot write: Parquet is compressed already, so leave out .gz")
    if names_parquet(path):
        check_pyarrow()


def _descriptor(path: str) -> int | None:
    """Return the open file that a name stands for, as /dev/stdout does: it must not be replaced."""
    found = re.fullmatch(r"/dev/fd/([0-9]{1,4})|/proc/self/fd/([0-9]{1,4})|/dev/std(out|err)", path)
    return None if found is None else int(found[1] or found[2] or {"out": 1, "err": 2}[found[3]])


def behind_links(path: str | Path) -> Path:
    """Return the final target of a link, existing or not; any other name unchanged.

    Raises OutputError for links that lead in a circle.
    """
    if not os.path.islink(path):
        return Path(path)
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OutputError(path, None, "cannot write: the link leads to itself")
    return target


def check_writable(path: str | Path | None) -> None:
    """Raise OutputError if a file that a command will write cannot be written; `-` and None can.

    Raises MissingTool for Parquet without pyarrow.
    """
    if path is None or str(path) == STDIN or _descriptor(str(path)) is not None:
        return
    _check_parquet(path)
    target = behind_links(path)
    why = None
    with naming(Path(path)):  # a name may be too long to be looked for
        if target.is_dir():
            why = errno.EISDIR
        elif not target.parent.is_dir():
            why = errno.ENOTDIR if target.parent.exists() else errno.ENOENT
        elif not os.access(target if target.exists() else target.parent, os.W_OK):
            why = errno.EACCES
    if why is not None:
        raise OutputError(path, None, f"cannot write: {os.strerror(why)}")


def sync_folder(path: Path) -> None:
    """Wait until the name of a file is on the disk, if the system supports it."""
    with suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def open_if_named(path: str | Path | None) -> AbstractContextManager[BinaryIO | None]:
    """Open an optional output as `open_output` does; None without a name."""
    return nullcontext() if path is None else open_output(path)


@contextmanager
def _standard_output() -> Iterator[BinaryIO]:
    binary = sys.stdout.buffer
    if isinstance(binary, io.RawIOBase):  # python -u: a raw stream may write only a part
        with open(binary.fileno(), "wb", closefd=False) as out:
            yield out
    else:
        yield cast(BinaryIO, binary)
        binary.flush()


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn the system's error into one that names the user's file, not the temporary one."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(path, None, f"cannot write: {error.strerror or error}") from error


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@dataclass(frozen=True, slots=True)
class SameFile:
    """A file that another process, perhaps on another machine, reads too: its full path and the digest of its bytes."""

    path: str
    digest: str

    def checked(self) -> str:
        """Return the path. Raises FileFormatError where it holds other bytes than it did when this was made."""
        found = _digest(self.path)
        if found != self.digest:
            raise FileFormatError(
                self.path, None, f"differs from the file on the client: digest {found}, not {self.digest}"
            )
        return self.path


def same_file(path: str) -> SameFile:
    """Return a file for other processes. Raises FileFormatError if it cannot be read."""
    full = os.path.abspath(path)
    return SameFile(full, _digest(full))


def _digest(path: str) -> str:
    return hashlib.sha256(read_bytes(path)).hexdigest()[:12]
