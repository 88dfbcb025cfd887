"""The text of a table becomes Parquet on its way to the disk, in groups of rows of a bounded size."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, BinaryIO, cast

from gotools.files.converting import TableText
from gotools.files.parquet import KEY, Cells, Columns, columns_of, load_pyarrow, quotes_cells
from gotools.files.tables import MISSING, cells


@contextmanager
def parquet_of_text(out: BinaryIO) -> Iterator[BinaryIO]:
    """Yield a stream that takes the text of one table, header first, and writes it to `out` as Parquet.

    The same text gives the same bytes (with one version of pyarrow), in whatever pieces it comes. After an exception
    nothing more is written.

    Raises GotoolsError for text that is not a table.
    """
    sink = _Sink(out)
    stream = TableText(partial(_Table, load_pyarrow(), sink), "Parquet")
    try:
        yield cast(BinaryIO, stream)
        stream.finish()
    finally:
        sink.closing = True
        stream.drop()


class _Table:
    """A file of Parquet with the columns of a table.

    header -- the lines of the table up to the names of its columns
    """

    def __init__(self, arrow: Any, out: _Sink, header: bytes) -> None:
        *lines, names = header.decode("utf-8", "replace").splitlines()
        columns = columns_of(lines[0])
        self._arrow = arrow
        self._names = cells(names)
        self._cells = columns.cells(self._names)
        self._quoted = quotes_cells(lines)
        types = {Cells.whole: arrow.int64(), Cells.real: arrow.float64()}
        self._types = [types.get(one, arrow.string()) for one in self._cells]
        self._schema = arrow.schema(list(zip(self._names, self._types, strict=True)))
        self._writer = arrow.parquet.ParquetWriter(
            out,
            self._schema,
            compression="zstd",
            use_dictionary=_repeating(self._names, self._cells, columns),
            write_page_checksum=True,
            store_schema=False,
        )
        self._writer.add_key_value_metadata(_metadata(lines))

    def write(self, text: bytes) -> None:
        """Write lines as one group of rows."""
        arrow, places = self._arrow, [str(at) for at in range(len(self._names))]  # names may stand twice
        found = arrow.csv.read_csv(
            arrow.BufferReader(text),
            read_options=arrow.csv.ReadOptions(column_names=places, use_threads=False, block_size=len(text) + 1),
            parse_options=arrow.csv.ParseOptions(delimiter="\t", quote_char='"' if self._quoted else False),
            convert_options=arrow.csv.ConvertOptions(
                column_types=dict(zip(places, self._types, strict=True)), null_values=["", MISSING]
            ),
        )
        columns = [self._with_nulls(found.column(at), kind) for at, kind in enumerate(self._cells)]
        self._writer.write_table(arrow.Table.from_arrays(columns, schema=self._schema), row_group_size=len(found) or 1)

    def close(self) -> None:
        """Write the end of the file."""
        self._writer.close()

    def _with_nulls(self, column: Any, kind: Cells) -> Any:
        if kind is not Cells.word:
            return column
        compute = self._arrow.compute
        return compute.if_else(compute.equal(column, MISSING), self._arrow.scalar(None, self._arrow.string()), column)


def _repeating(names: Sequence[str], kinds: Sequence[Cells], columns: Columns) -> list[str]:
    """Return the columns of texts that stand in many rows, which Parquet then stores once."""
    texts = [name for name, kind in zip(names, kinds, strict=True) if kind in (Cells.text, Cells.word)]
    return [name for name in texts if name not in columns.varied]


def _metadata(lines: Sequence[str]) -> dict[str, str]:
    """Return the `##` lines of a header by key."""
    found = {KEY: lines[0].removeprefix("##gotools ")}
    for line in lines[1:]:
        key, _, value = line[2:].partition("=")
        found[f"{KEY}.{key}"] = value
    return found


class _Sink(io.RawIOBase):
    """Writes to a stream that stays open, unless the file is given up."""

    def __init__(self, out: BinaryIO) -> None:
        super().__init__()
        self._out = out
        self.closing = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Write bytes, or pretend to."""
        if not self.closing:
            self._out.write(data)
        return len(data)
