"""The text of a table becomes plain CSV on its way to the disk: the names of the columns, then the rows (RFC 4180)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import BinaryIO, cast

from gotools.files.converting import TableText
from gotools.files.parquet import Cells, columns_of, quotes_cells
from gotools.files.tables import MISSING, cells


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
        kinds = columns_of(lines[0]).cells(cells(names))
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
