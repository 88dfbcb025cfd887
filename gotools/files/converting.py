"""The text of a table on its way to a file of another form: first the header, then groups of rows of a bounded size."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, Final, Protocol

from gotools.errors import GotoolsError

GROUP: Final = 1 << 24
"""Bytes of text of a group of rows: it ends with the line that reaches them. Memory is a few times as much."""


class RowWriter(Protocol):
    """Takes the rows of a table as lines of text, and is closed after the last ones."""

    def write(self, text: bytes) -> None: ...

    def close(self) -> None: ...


class TableText(io.RawIOBase):
    """Takes the text of one table, in whatever pieces it comes.

    begin -- called with the lines up to the names of the columns; form -- what is written, for errors
    """

    def __init__(self, begin: Callable[[bytes], RowWriter], form: str) -> None:
        super().__init__()
        self._begin, self._form = begin, form
        self._parts: list[bytes] = []
        self._size = 0
        self._rows: RowWriter | None = None

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Keep text until there is a group of it."""
        part = bytes(data)
        self._parts.append(part)
        self._size += len(part)
        if self._size >= GROUP:
            self._convert(last=False)
        return len(part)

    def finish(self) -> None:
        """Write what is left. Raises GotoolsError for text that is not a table."""
        self._convert(last=True)
        if self._rows is None:
            raise GotoolsError(f"{self._form} holds tables, and this is none; name a file with another ending")
        self._rows.close()

    def drop(self) -> None:
        """Forget what is left."""
        if self._rows is not None:
            self._rows.close()
        self._parts = []

    def _convert(self, last: bool) -> None:
        text = b"".join(self._parts)
        place = 0
        if self._rows is None:
            place = _end_of_header(text)
            if place:
                self._rows = self._begin(text[:place])
        while self._rows is not None:
            end = text.find(b"\n", place + GROUP - 1) + 1 or (len(text) if last else 0)
            if end <= place:
                break
            self._rows.write(text[place:end])
            place = end
        self._parts = [text[place:]]
        self._size = len(text) - place


def _end_of_header(text: bytes) -> int:
    """Return where the rows begin, after the names of the columns; 0 if these have not come."""
    place = 0
    while text.startswith(b"##", place):
        place = text.find(b"\n", place) + 1
        if not place:
            return 0
    return text.find(b"\n", place) + 1 if text.startswith(b"##") else 0
