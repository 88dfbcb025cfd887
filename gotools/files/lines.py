"""Lines of text, of a bounded length: reading in parts takes linear time, and the memory of a line."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Final, cast

from gotools.base.errors import GotoolsError

LONGEST_LINE: Final = 1 << 20
"""Bytes; our longest lines, the first ones of journals with many engines, have some 100,000."""
TOO_LONG: Final = f"a line longer than {LONGEST_LINE:,} bytes, the most that a line may have"


class LongLine(GotoolsError):
    """A line is longer than LONGEST_LINE; `line` is its number, if known."""

    def __init__(self, line: int | None = None) -> None:
        self.line = line
        super().__init__(TOO_LONG)


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


class PartsStream(io.RawIOBase):
    """Gives the bytes of some parts, one after the other, as they are wanted."""

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
