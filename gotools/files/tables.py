"""Tables: text in columns separated by tabs, below lines of `##` that describe them.

    ##gotools clusters 2
    ##metric=manhattan
    stage   kind    good    ...
    all     good    199     ...

A cell is as CSV writes it: one with `#` or a quotation mark is quoted. Version 1 had a `#` before the
names of columns, quoted nothing, and wrote `-` for missing numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from gotools.base.errors import FileFormatError, printable
from gotools.files.cells import cell, cells
from gotools.files.kinds import Kind, kind_of, rows_of, wrong_kind, wrong_table
from gotools.files.opening import FIRST_BYTES, STDIN, head_of, read_lines

MOST_HEADER: Final = 1000
"""Lines of `##` of a table of examples; a header of ours has two."""
_ANY_VERSION: Final = 10**9
_UNFIT: Final = re.compile(r"[\s\x00-\x1f\x7f#\"]|^$")
"""In an id: what would end its cell, or begin a comment or a quotation to a reader of tables."""
_CLEAN: Final = str.maketrans({"#": "@", '"': "'", **dict.fromkeys((*range(32), 127), " ")})


def header(kind: str, version: int, values: Mapping[str, str], columns: Sequence[str] = ()) -> bytes:
    """Return the first lines of a table: `##gotools KIND VERSION`, `##key=value`, and the names of the columns."""
    lines = [f"##gotools {kind} {version}"]
    lines += [f"##{printable(key)}={printable(value)}" for key, value in values.items()]
    if columns:
        lines.append("\t".join(map(cell, columns)))
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def row(cells: Iterable[object]) -> str:
    """Return a line of a table."""
    return "\t".join(cell(str(text)) for text in cells) + "\n"


def read_header(
    lines: Sequence[str], kind: str, version: int, path: object = STDIN, first: int = 1
) -> tuple[dict[str, str], list[str], int]:
    """Return the values, the names of the columns, and the number of lines that a header takes.

    first -- number of the first of the lines in its file

    The `##` lines may be absent; the names are in the first other line, with or without a `#` before them. Values of
    a header are not checked.

    Raises FileFormatError for another kind, or for a version newer than `version`.
    """
    values: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if line.startswith("##gotools "):
            _check_kind(line, kind, version, path, first + number - 1)
        elif line.startswith("##"):
            key, _, value = line[2:].partition("=")
            values[key.strip()] = value.strip()
        else:
            return values, cells(line.removeprefix("#")), number
    return values, [], len(lines)


def game_named(path: str | Path, kind: str) -> str:
    """Return the game that the header of a table names; "" if it names no game, or is of another kind."""
    try:
        lines = head_of(path).decode("utf-8", "replace").splitlines()
    except FileFormatError:
        return ""  # its reader says why it cannot be read
    if not lines or not lines[0].startswith(f"##gotools {kind} "):
        return ""
    return read_header(lines, kind, _ANY_VERSION, path)[0].get("game", "")


def _check_kind(line: str, kind: str, version: int, path: object, number: int) -> None:
    words = line.split()
    if len(words) != 3 or not (words[2].isascii() and words[2].isdigit() and len(words[2]) < 10):
        raise FileFormatError(path, number, f"this header should read `##gotools {kind} {version}`")
    if words[1] != kind:
        raise wrong_table(path, number, words[1], kind)
    if int(words[2]) > version:
        raise FileFormatError(
            path, number, f"{kind} of version {words[2]}; this gotools reads up to {version}: get a newer gotools"
        )


class Table(NamedTuple):
    """A table in memory.

    header -- its lines up to the names of the columns, without their ends
    rows   -- number of the line, and the cells; each is checked as it is given
    """

    values: dict[str, str]
    columns: list[str]
    header: list[str]
    rows: Iterator[tuple[int, list[str]]]


def read_table(path: str | Path, kind: str, version: int) -> Table:
    """Read a whole table; tables joined by `cat` must all have the header of the first.

    Raises FileFormatError for another kind, a newer version, a file that is not a table, another header further down,
    and a row with more or fewer cells than there are columns.
    """
    raw = read_lines(path)
    head = b"\n".join(raw[:FIRST_BYTES])[:FIRST_BYTES]
    if not head.startswith(b"#") and (kind_of(head) is not Kind.text or b"\t" not in raw[0]):
        raise wrong_kind(path, head, rows_of(kind))
    lines = [line.decode("utf-8", "replace") for line in raw]
    values, columns, taken = read_header(lines, kind, version, path)
    return Table(values, columns, lines[:taken], _rows(lines, columns, taken, path))


def _rows(lines: list[str], columns: list[str], taken: int, path: str | Path) -> Iterator[tuple[int, list[str]]]:
    head, names = lines[:taken], lines[taken - 1]
    place = taken
    while place < len(lines):
        line = lines[place]
        place += 1
        if line.startswith("##"):
            if lines[place - 1 : place - 1 + taken] != head:
                raise FileFormatError(path, place, "a second header that differs from the first")
            place += taken - 1
        elif line and line != names:
            found = cells(line)
            if len(found) != len(columns):
                raise FileFormatError(path, place, f"{len(found)} cells, where the header names {len(columns)} columns")
            yield place, found


class Ids:
    """Ids of games in tables: each is given once, and fit for a cell."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def of(self, name: str) -> str:
        """Return an id for one more game of a name: `name`, `name@2`, `name@3`."""
        if name not in self._given and not _UNFIT.search(name):
            self._given.add(name)
            return name
        plain = "_".join(name.lstrip("#").translate(_CLEAN).split()) or "game"
        name, number = plain, 1
        while name in self._given:
            number += 1
            name = f"{plain}@{number}"
        self._given.add(name)
        return name
