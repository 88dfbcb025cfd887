"""What is said about a file: facts and lists, for people as text, for programs as JSON."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from gotools.base.errors import shown
from gotools.base.screen_text import TEXT_WIDTH, no_commands, wrapped
from gotools.files.json_text import json_text
from gotools.files.kinds import FileKind
from gotools.views.parts import Table

SOME_WORDS: Final = 16
"""Characters of a line in a column of texts: fewer are hard to read."""
LIMIT: Final = 20
"""Rows of a list."""
LONGEST_FACT: Final = 400
LONGEST_CELL: Final = 200
"""Characters of a text of the file."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file holds.

    path     -- as it was named; kind -- one of the known kinds, or in words
    facts    -- numbers, texts, lists of them, or such by name, in the order of importance
    listings -- with at most as many rows each as the caller wants
    """

    path: str
    kind: FileKind | str
    facts: Mapping[str, object]
    listings: Sequence[Table] = field(default=())

    def text(self, width: int = TEXT_WIDTH) -> str:
        """Return it for people, in lines of at most `width` characters (a longer word stays whole)."""
        lines = [wrapped(f"{cell_text(self.path, LONGEST_FACT)}: {self.kind}", width, 2)]
        indent = max((len(name) for name in self.facts), default=0) + 2
        lines += [
            wrapped(f"{name:<{indent}}{cell_text(value, LONGEST_FACT)}".rstrip(), width, indent)
            for name, value in self.facts.items()
        ]
        for listing in self.listings:
            lines += ["", *_lines(listing, width)]
        return no_commands("\n".join(lines) + "\n")

    def json(self) -> str:
        """Return it for programs, as an object in ASCII; each list holds `total` and `rows`."""
        names = {"file": self.path, "kind": str(self.kind)}
        value: dict[str, object] = {**names, **self.facts, **names}
        for listing in self.listings:
            rows = [dict(zip(listing.columns, row, strict=True)) for row in listing.rows]
            value[listing.title] = {"total": listing.total, "rows": rows}
        return json_text(value, indent=1) + "\n"

    def __str__(self) -> str:
        return self.text().removesuffix("\n")


def _lines(listing: Table, width: int) -> list[str]:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    table = Grid(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="")
    columns = [[row[at] for row in listing.rows] for at in range(len(listing.columns))]
    shown_columns = _fitting(listing.columns, columns, width)
    for name, column in zip(listing.columns[:shown_columns], columns, strict=False):
        numbers = _is_number(column)
        table.add_column(Text(cell_text(name, LONGEST_CELL)), justify="right" if numbers else "left", no_wrap=numbers)
    for row in listing.rows:
        table.add_row(*(Text(cell_text(value, LONGEST_CELL)) for value in row[:shown_columns]))
    others = listing.columns[shown_columns:]
    notes = [*listing.notes, *([f"not shown: {cell_text(list(others), LONGEST_CELL)}"] if others else [])]
    drawn = io.StringIO()
    if listing.rows:
        Console(file=drawn, width=width, color_system=None, highlight=False, emoji=False).print(table)
    rows = [line.rstrip() for line in drawn.getvalue().splitlines()]
    return [listing.heading, *rows, *(wrapped(note, width) for note in notes)]


def _is_number(column: Sequence[object]) -> bool:
    return all(isinstance(value, int | float | None) for value in column)


def _fitting(names: Sequence[str], columns: Sequence[Sequence[object]], width: int) -> int:
    """Return the number of columns that fit side by side: numbers are not broken, texts need SOME_WORDS."""
    total = 0
    for at, (name, column) in enumerate(zip(names, columns, strict=True)):
        longest = max([len(cell_text(value, LONGEST_CELL)) for value in column] + [len(cell_text(name, LONGEST_CELL))])
        total += (longest if _is_number(column) else min(longest, SOME_WORDS)) + len("   ")
        if total > width + len("   ") and at:
            return at
    return len(names)


def cell_text(value: object, most: int) -> str:
    """Return a value on one line."""
    if isinstance(value, Mapping):
        text = ", ".join(f"{name} {cell_text(part, most)}" for name, part in value.items())
    elif isinstance(value, list | tuple):
        text = ", ".join(cell_text(part, most) for part in value)
    elif value is None or value == "":
        text = "-"
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, int):
        text = f"{value:,}"
    else:
        text = _float_text(value) if isinstance(value, float) else str(value)
    return shown(text, most)


def _float_text(value: float) -> str:
    return f"{value:,.0f}" if abs(value) < 1e9 and value == int(value) else f"{value:.4g}"
