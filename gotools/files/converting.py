"""A table in another form: its text becomes CSV or Parquet on its way to the disk, by the ending of the file's name.

A table is written and read as text in any case: so every command writes all forms, takes text and Parquet, and checks
both alike. `parquet.py`, which needs pyarrow, is loaded when a Parquet file is met.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, cast

from gotools.base.errors import GotoolsError, MissingTool
from gotools.files.cells import MISSING, Cells, Columns, cells, columns, quotes_cells

PARQUET: Final = ".parquet"
PARQUET_MAGIC: Final = b"PAR1"
"""The first bytes of a Parquet file, and its last ones."""
GROUP: Final = 1 << 24
"""Bytes of text of a group of rows: it ends with the line that reaches them. Memory is a few times as much."""


def names_parquet(path: str | Path | None) -> bool:
    """Return whether the name of an output asks for Parquet."""
    return path is not None and str(path).lower().endswith(PARQUET)


def names_csv(path: str | Path | None) -> bool:
    """Return whether the name of an output asks for CSV, packed or not."""
    return path is not None and str(path).lower().removesuffix(".gz").endswith(".csv")


def check_pyarrow() -> None:
    """Raise MissingTool where there is no pyarrow; loads nothing."""
    if find_spec("pyarrow") is None:
        raise no_pyarrow()


def no_pyarrow() -> MissingTool:
    """Return the error where pyarrow is missing."""
    return MissingTool("pyarrow", "it reads and writes Parquet: `pip install pyarrow`")


def columns_of(header: Sequence[str]) -> Columns:
    """Return the columns of a table by the lines of its header, of which the first is `##gotools KIND VERSION`."""
    from gotools.files.kinds import TABLES  # whose patterns take time: `gotools --help` comes by here

    word = header[0].removeprefix("##gotools ").split(" ")[0] if header else "examples"
    return TABLES[word].columns if word in TABLES else columns()


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
            raise GotoolsError(f"{self._form} holds tables only; name a file with another ending")
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


@contextmanager
def csv_of_text(out: BinaryIO) -> Iterator[BinaryIO]:
    """Yield a stream that takes the text of one table, header first, and writes it to `out` as CSV.

    The lines of `##` are left out. A missing value is an empty cell.

    Raises GotoolsError for text that is not a table.
    """
    stream = TableText(partial(_Rows, out), "CSV")
    yield cast(BinaryIO, stream)
    stream.finish()


class _Rows:
    """Writes rows between commas.

    header -- the lines of the table up to the names of its columns
    """

    def __init__(self, out: BinaryIO, header: bytes) -> None:
        *lines, names = header.decode("utf-8", "replace").removesuffix("\n").split("\n")
        self._out = out
        self._cells = cells if quotes_cells(lines) else lambda line: line.split("\t")
        kinds = columns_of(lines).cells(cells(names))
        self._may_miss = [kind is not Cells.text for kind in kinds]
        self._put([cells(names)])

    def write(self, text: bytes) -> None:
        """Write whole lines."""
        rows = [self._cells(line) for line in text.decode("utf-8", "replace").removesuffix("\n").split("\n")]
        self._put(
            ["" if text == MISSING and may_miss else text for text, may_miss in zip(row, self._may_miss, strict=True)]
            for row in rows
        )

    def close(self) -> None:
        """Do nothing: the stream is closed where it was opened."""

    def _put(self, rows: Iterable[list[str]]) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        self._out.write(text.getvalue().encode())
