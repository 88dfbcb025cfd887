"""Lines of text, of a bounded length: reading in parts takes linear time, and the memory of a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from gotools.errors import FileFormatError, GotoolsError
from gotools.files.opening import read_bytes

LONGEST_LINE: Final = 1 << 20
"""Bytes; our longest lines, the first ones of journals with many engines, have some 100,000."""
LARGEST_TEXT: Final = 1 << 25
"""Bytes, unpacked, of a text that is read whole; 9,000 rules of 15 conditions have 8 MB."""
TOO_LONG: Final = f"a line longer than {LONGEST_LINE:,} bytes, the most that a line may have"


class LongLine(GotoolsError):
    """A line is longer than LONGEST_LINE; `line` is its number, if known."""

    def __init__(self, line: int | None = None) -> None:
        self.line = line
        super().__init__(TOO_LONG)


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


def whole_lines(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield text of any parts in pieces that end with a line; the last line gets a missing end.

    Raises LongLine after all lines before the long one.
    """
    rest: list[bytes] = []
    size = 0
    for part in _small(parts):
        end = part.rfind(b"\n") + 1
        if size + (part.find(b"\n") if end else len(part)) > LONGEST_LINE:
            raise LongLine
        if end:
            yield b"".join([*rest, part[:end]])
            rest, size = [], 0
        if end < len(part):
            rest.append(part[end:])
            size += len(part) - end
    if rest:
        yield b"".join(rest) + b"\n"


def _small(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Cut parts so that none contains a whole long line."""
    for part in parts:
        if len(part) <= LONGEST_LINE:
            yield part
        else:
            yield from (part[at : at + LONGEST_LINE] for at in range(0, len(part), LONGEST_LINE))


def unix_ends(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield text with the line ends of Windows and old Macintoshs (CR LF, CR) made LF."""
    cut = False
    for part in parts:
        data = b"\r" + part if cut else part
        cut = data.endswith(b"\r")  # perhaps half a line end
        data = data[:-1] if cut else data
        yield data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data
    if cut:
        yield b"\n"
