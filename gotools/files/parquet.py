"""The text of a table becomes Parquet, in groups of rows of a bounded size, and Parquet becomes the text of its table.

Bounds against strangers' files: rows come in small batches, columns whose values are stored once and repeated are kept
so until the texts are known to be short, and text leaves in parts of a few MB.
"""

from __future__ import annotations

import io
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import pairwise
from typing import Any, BinaryIO, Final, cast

import numpy as np

from gotools.base.errors import FileFormatError, printable, shown
from gotools.files.cells import MISSING, Cells, Columns, cell, cells, quotes_cells
from gotools.files.converting import TableText, columns_of, no_pyarrow
from gotools.files.lines import LONGEST_LINE

KEY: Final = "gotools"
"""The key of the metadata that holds kind and version: `examples 2`. A line `##key=value` has the key gotools.key."""
_ROWS: Final = 8192
"""Rows that are read together; 64 for the head of a file."""
_PART: Final = 1 << 22
"""Bytes of text that leave together."""
_MOST_COLUMNS: Final = 10_000
_MOST_GROUP: Final = 1 << 30
"""Bytes of a group of rows, unpacked, as the file claims."""
_PAGE: Final = 1 << 16
"""Bytes that are read from the file at once."""
_PLAIN: Final = frozenset({"PLAIN", "RLE", "BIT_PACKED"})
"""Encodings that hold every value as it is."""


def load_pyarrow() -> Any:
    """Return pyarrow with its parts for Parquet. Raises MissingTool where it is not installed, or broken."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError as error:
        raise no_pyarrow() from error
    pyarrow.enable_signal_handlers(False)  # Ctrl-C is ours
    return pyarrow


# writing --------------------------------------------------------------------------------------------------------------


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
        columns = columns_of(lines)
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


# reading --------------------------------------------------------------------------------------------------------------


def text_of_parquet(source: str | BinaryIO, path: object, rows: int = _ROWS) -> Generator[bytes, None, None]:
    """Yield the text of the table in a Parquet file: the header, then rows.

    source -- a path, or a seekable file; path -- its name, for errors; rows -- the number read together

    A missing value is `-` in a column of text, and an empty cell in one of numbers.

    Raises FileFormatError for a file that is damaged or not a table, MissingTool without pyarrow.
    """
    arrow = load_pyarrow()
    with _naming(arrow, path):
        with arrow.parquet.ParquetFile(source, memory_map=False) as whole:
            plan = _Plan(arrow, whole, path)
        settings = {"read_dictionary": plan.repeating, "pre_buffer": False, "buffer_size": _PAGE}
        if not isinstance(source, str):
            source.seek(0)
        with arrow.parquet.ParquetFile(source, page_checksum_verification=True, **settings) as whole:
            yield plan.header
            for batch in whole.iter_batches(rows, use_threads=False):
                yield from plan.text(batch)


@contextmanager
def _naming(arrow: Any, path: object) -> Iterator[None]:
    """Turn the errors of pyarrow into FileFormatError with the file's name."""
    try:
        yield
    except (arrow.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        raise FileFormatError(path, None, f"damaged Parquet ({shown(error)})") from error


class _Plan:
    """How the columns of a file become cells.

    header    -- the lines before the rows
    repeating -- the columns of texts that may be stored once and repeated
    """

    def __init__(self, arrow: Any, whole: Any, path: object) -> None:
        self._arrow, self._path = arrow, path
        schema, about = whole.schema_arrow, whole.metadata
        self._names: list[str] = list(schema.names)
        if len(self._names) > _MOST_COLUMNS:
            raise FileFormatError(path, None, f"Parquet of more than {_MOST_COLUMNS:,} columns")
        self._texts = [self._is_text(schema.field(at)) for at in range(len(self._names))]
        lines = _lines(schema.metadata or {})
        self._quoted = quotes_cells(lines)
        self._missing = [MISSING if text else "" for text in self._texts]
        for at, holds in enumerate(columns_of(lines).cells(self._names)):
            if holds is Cells.word:
                self._missing[at] = MISSING  # a column of nothing but missing values has no type
        lines.append("\t".join(map(cell, self._names)))
        self.header = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        self.repeating = self._repeating(about)

    def _is_text(self, field: Any) -> bool:
        """Return whether a column holds text. Raises FileFormatError for what no cell can hold."""
        types = self._arrow.types
        kind = field.type.value_type if types.is_dictionary(field.type) else field.type
        if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
            return True
        if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind):
            return False
        what = f"column {shown(field.name)} is of type {shown(kind)}; a table holds numbers and texts"
        raise FileFormatError(self._path, None, what)

    def _repeating(self, about: Any) -> list[str]:
        found = set()
        for number in range(about.num_row_groups):
            group = about.row_group(number)
            if group.total_byte_size > _MOST_GROUP:
                what = f"a group of rows of more than {_MOST_GROUP >> 30} GiB; write smaller ones"
                raise FileFormatError(self._path, None, what)
            for at, text in enumerate(self._texts):
                if text and not _PLAIN.issuperset(group.column(at).encodings):
                    found.add(self._names[at])
        return sorted(found)

    def text(self, batch: Any) -> Iterator[bytes]:
        """Yield the lines of some rows."""
        compute = self._arrow.compute
        columns = [self._checked(batch.column(at), at) for at in range(batch.num_columns)]
        length = np.full(len(batch), batch.num_columns * 32, np.int64)
        for column, values in columns:
            if values is not None:
                size = compute.binary_length(values)
                size = size if column is values else compute.take(size, column.indices)
                length += compute.fill_null(size, 0).to_numpy(zero_copy_only=False)
        part = np.cumsum(length) // _PART
        starts = [*np.flatnonzero(np.diff(part, prepend=-1)).tolist(), len(batch)]
        for begin, end in pairwise(starts):
            yield self._lines([column.slice(begin, end - begin) for column, _ in columns])

    def _checked(self, column: Any, at: int) -> tuple[Any, Any]:
        """Return a column with its texts as cells, and these texts, each once where they repeat; None for numbers.

        Raises FileFormatError for a text that no cell can hold.
        """
        arrow, compute = self._arrow, self._arrow.compute
        repeats = arrow.types.is_dictionary(column.type)
        if not self._texts[at]:
            return compute.cast(column.dictionary_decode() if repeats else column, arrow.string()), None
        values = column.dictionary if repeats else column
        if (compute.max(compute.binary_length(values)).as_py() or 0) > LONGEST_LINE:
            what = f"column {shown(self._names[at])}: a text longer than a line may be"
            raise FileFormatError(self._path, None, what)
        values = compute.cast(values, arrow.string())
        if compute.any(compute.match_substring_regex(values, r"[\t\n\r]")).as_py():
            what = f"column {shown(self._names[at])}: a text with a tab or the end of a line in it"
            raise FileFormatError(self._path, None, what)
        if self._quoted:
            doubled = compute.replace_substring(values, '"', '""')
            quoted = compute.binary_join_element_wise('"', doubled, '"', "")
            values = compute.if_else(compute.match_substring_regex(values, '["#]'), quoted, values)
        return (arrow.DictionaryArray.from_arrays(column.indices, values) if repeats else values), values

    def _lines(self, columns: Sequence[Any]) -> bytes:
        """Return rows as lines; the bytes of an array of lines stand one after the other."""
        arrow, compute = self._arrow, self._arrow.compute
        found = [
            compute.fill_null(column.dictionary_decode() if arrow.types.is_dictionary(column.type) else column, missing)
            for column, missing in zip(columns, self._missing, strict=True)
        ]
        lines = compute.binary_join_element_wise(compute.binary_join_element_wise(*found, "\t"), "", "\n")
        _, ends, text = lines.buffers()
        size = int(np.frombuffer(ends, np.int32, len(lines) + 1)[-1])
        return bytes(memoryview(text)[:size])


def _lines(about: dict[bytes, bytes]) -> list[str]:
    """Return the `##` lines that the metadata of a file stands for; none in a file that gotools did not write."""
    found = {key.decode("utf-8", "replace"): value.decode("utf-8", "replace") for key, value in about.items()}
    if KEY not in found:
        return []
    values = {key.removeprefix(f"{KEY}."): text for key, text in found.items() if key.startswith(f"{KEY}.")}
    lines = [f"##{printable(key)}={printable(text)}" for key, text in values.items()]
    return [f"##gotools {printable(found[KEY])}", *lines]


def head_of_parquet(path: str, size: int) -> bytes:
    """Return the first bytes of the text of a table; raises as `text_of_parquet` does."""
    head = b""
    with closing(text_of_parquet(path, path, rows=64)) as parts:
        while len(head) < size and (part := next(parts, b"")):
            head += part
    return head[:size]
