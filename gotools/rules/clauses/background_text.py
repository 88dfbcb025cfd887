"""Read the text of a background file, or of a file of modes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from gotools.base.errors import FileFormatError
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.opening import FIRST_BYTES, read_parts

Parsed = TypeVar("Parsed")

LARGEST_FILE: Final = 1 << 20
"""Bytes of a file; a longer one is not a list of predicates."""

_TAKEN: Final = (Kind.prolog, Kind.text)
"""Kinds that the first bytes of a file may suggest."""

_DOUBTFUL: Final = (Kind.games, Kind.results)
"""Kinds that are refused only if the text cannot be parsed: a comment may look like them."""


def parse_file(path: str | Path, expected: str, parse: Callable[[str], Parsed]) -> Parsed:
    """Return what `parse` makes of the text of a file.

    Raises FileFormatError, with the line if known, for a file of another kind than expected, and what `parse` raises.
    """
    text = _read(path, expected)
    try:
        return parse(text)
    except FileFormatError:
        head = text[:FIRST_BYTES].encode()
        if kind_of(head) not in _TAKEN:
            raise wrong_kind(path, head, expected) from None
        raise


def _read(path: str | Path, expected: str) -> str:
    data = b""
    for part in read_parts(path):
        data += part
        if len(data) > LARGEST_FILE:
            raise FileFormatError(path, None, f"larger than {LARGEST_FILE} bytes; expected {expected}")
    head = data[:FIRST_BYTES]
    if kind_of(head) not in (*_TAKEN, *_DOUBTFUL):
        raise wrong_kind(path, head, expected)
    if b"\0" in data:
        raise FileFormatError(path, None, f"a binary file; expected {expected}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(path, data[: error.start].count(b"\n") + 1, "this is not text in UTF-8") from error
