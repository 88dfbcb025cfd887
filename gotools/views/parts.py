"""What a page consists of: sections, and in them facts, tables, figures, notes and games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from gotools.files.kinds import FileKind

LONGEST_TEXT: Final = 2_000
"""Characters of a text of a file in a cell."""


@dataclass(frozen=True, slots=True)
class Link:
    """A cell that leads to a file, or opens a game of the section's replay.

    game -- its place there, and perhaps a move: "3", "3:57"; None: a file
    """

    text: str
    to: str
    game: str | None = None


@dataclass(frozen=True, slots=True)
class Shade:
    """A cell whose background says how large it is. share -- 0 to 1."""

    text: str
    share: float

    @property
    def level(self) -> int:
        """The share in tenths."""
        return round(10 * min(max(self.share, 0.0), 1.0))


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing.

    name    -- for a file of its own: words and hyphens; svg -- the drawing, all its texts escaped
    caption -- below it
    """

    part: ClassVar[str] = "figure"
    name: str
    svg: str
    caption: str = ""
    small: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and values."""

    part: ClassVar[str] = "facts"
    facts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a title; a cell is a text, a number, None, a Link, a Shade or a Figure.

    rows  -- the most important first, perhaps not all; total -- the number of all rows, None: these
    notes -- lines below it
    """

    part: ClassVar[str] = "table"
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    notes: Sequence[str] = ()
    total: int | None = None
    tall: bool = False

    @property
    def heading(self) -> str:
        """The title, with the number of rows shown if it is not all."""
        shown, total = len(self.rows), self.total
        return self.title if total is None or shown >= total else f"{self.title} ({shown:,} of {total:,})"

    @property
    def right(self) -> list[bool]:
        """Whether each column holds numbers alone, and so is set to the right."""
        return [all(_is_figure(row[at]) for row in self.rows) for at in range(len(self.columns))]

    def cell(self, row: Sequence[object], name: str) -> object:
        """Return the cell of a row in a column; None without such a column."""
        return row[list(self.columns).index(name)] if name in self.columns else None


def _is_figure(cell: object) -> bool:
    if isinstance(cell, str):
        return cell == "-" or (cell[:1] in "+-<>0123456789" and cell[-1:] in "0123456789%" and len(cell) < 12)
    return isinstance(cell, int | float | Shade | None)


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph. kind -- "" or warning."""

    part: ClassVar[str] = "note"
    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """Drawings side by side under a title."""

    part: ClassVar[str] = "figures"
    title: str
    figures: Sequence[Figure]


@dataclass(frozen=True, slots=True)
class Card:
    """A drawing with facts and perhaps a chart beside it, and smaller drawings below."""

    part: ClassVar[str] = "card"
    title: str
    figure: Figure | None
    facts: Mapping[str, object]
    chart: Figure | None = None
    examples: Sequence[Figure] = ()
    legend: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Games:
    """Games to replay.

    data    -- JSON for the scripts; first -- the drawing that stands there without JavaScript
    scripts -- files of this package that show them, in the order in which they run
    """

    part: ClassVar[str] = "games"
    title: str
    data: str
    first: Figure
    note: str = ""
    scripts: Sequence[str] = ("replay.js",)


Part = Figure | Facts | Table | Note | Figures | Card | Games


@dataclass(slots=True)
class Section:
    """What is said of one file.

    title    -- the file; kind -- what it is, in words; headline -- what it shows, for the title of a page
    settings -- how the file was made, digests: they stand at the foot of the page
    anchor   -- unique on its page
    """

    title: str
    kind: FileKind | str
    parts: list[Part] = field(default_factory=list)
    headline: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    anchor: str = ""

    def figures(self) -> Iterator[Figure]:
        """Yield all drawings."""
        for part in self.parts:
            if isinstance(part, Figure):
                yield part
            elif isinstance(part, Figures):
                yield from part.figures
            elif isinstance(part, Table):
                yield from (cell for row in part.rows for cell in row if isinstance(cell, Figure))
            elif isinstance(part, Card):
                yield from filter(None, [part.figure, part.chart])
                yield from part.examples
            elif isinstance(part, Games):
                yield part.first
