"""Cells of tables as text, and the type of a column: numbers, words that may be missing, texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from gotools.base.errors import printable

MISSING: Final = "-"
"""A cell of text without a text; a number that is missing is an empty cell."""
_BROKEN: Final = re.compile("[\0-\x1f\x7f\x85\u2028\u2029]")
"""What would end a line or a cell for some reader, and control characters."""


def cell(text: str) -> str:
    """Return text as a cell: on one line, and quoted as in CSV if needed."""
    if _BROKEN.search(text):
        text = printable(" ".join(text.split()))
    return '"' + text.replace('"', '""') + '"' if '"' in text or "#" in text else text


def cells(line: str) -> list[str]:
    """Return the cells of a line, unquoted."""
    found = line.split("\t")
    if '"' not in line:
        return found
    return [text[1:-1].replace('""', '"') if len(text) > 1 and text[0] == text[-1] == '"' else text for text in found]


def quotes_cells(header: Sequence[str]) -> bool:
    """Return whether cells are quoted as in CSV below some lines of `##`.

    So it is in all tables but examples of Go, where a quotation mark is one.
    """
    kind = header[0].removeprefix("##gotools ").split(" ")[0] if header else "examples"
    return kind != "examples" or any(line.startswith("##game=") and line != "##game=go" for line in header)


class Cells(StrEnum):
    """The type of a column. A missing word is `-` in text, a missing number an empty cell."""

    text = "text"  # never missing: `-` may be a name
    word = "word"
    whole = "whole"
    real = "real"


class Columns(NamedTuple):
    """The columns of a kind of table.

    named -- what they hold, by name; others -- what all others hold
    varied -- columns of text that hardly ever repeats, which Parquet then stores as it is
    """

    named: Mapping[str, Cells]
    others: Cells
    varied: frozenset[str] = frozenset()

    def cells(self, names: Sequence[str]) -> list[Cells]:
        """Return what each column of a table holds; of columns with the same name, the first has the named type."""
        found, seen = [], set[str]()
        for name in names:
            found.append(self.others if name in seen else self.named.get(name, self.others))
            seen.add(name)
        return found


def columns(others: Cells = Cells.text, varied: str = "", **named: str) -> Columns:
    """Return columns whose names stand in words: `whole="label"`; text, word, whole and real are keywords."""
    cells = {name: Cells[kind] for kind, names in named.items() for name in names.split()}
    return Columns(cells, others, frozenset(varied.split()))
