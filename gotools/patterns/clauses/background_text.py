"""Read the text of a background file, or of a file of modes."""

from __future__ import annotations

from pathlib import Path

from gotools.errors import FileFormatError
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.opening import FIRST_BYTES, read_parts

LARGEST_FILE = 1 << 20
"""Bytes of a background file; a longer one is not a list of predicates."""

TAKEN = (Kind.prolog, Kind.text)
"""Kinds that the first bytes of a background file may suggest."""

DOUBTFUL = (Kind.games, Kind.results)
"""Kinds that are refused only when SWI-Prolog finds no predicates there: a comment may look like them."""


def read_background(path: str | Path, expected: str = "predicates in Prolog") -> str:
    """Return the text. Raises FileFormatError, with the line if known, for a file of another kind than expected."""
    data = b""
    for part in read_parts(path):
        data += part
        if len(data) > LARGEST_FILE:
            raise FileFormatError(path, None, f"larger than {LARGEST_FILE} bytes; expected {expected}")
    head = data[:FIRST_BYTES]
    if kind_of(head) not in (*TAKEN, *DOUBTFUL):
        raise wrong_kind(path, head, expected)
    if b"\0" in data:
        raise FileFormatError(path, None, f"a binary file; expected {expected}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(path, data[: error.start].count(b"\n") + 1, "this is not text in UTF-8") from error
