"""Parts of bytes as a stream to read from."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import cast


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
