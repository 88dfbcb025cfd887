"""Say of any other file of ours what `gotools show` says, with a chart where one helps."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from gotools.contents.contents import Listing
from gotools.contents.showing import show_file
from gotools.errors import FileFormatError
from gotools.files.kinds import FileKind, Kind, kind_of
from gotools.files.opening import STDIN, head_of, read_bytes
from gotools.learn.training.training_log import RESULTS
from gotools.report.charts import Axes, Line, Span, bar_chart, line_chart, span_chart
from gotools.report.of_lessons import lessons_section
from gotools.report.of_rules import accuracy_parts
from gotools.report.page import known_facts
from gotools.report.parts import Facts, Figure, Figures, Part, Section, Shade, Table

LIMIT: Final = 10_000
"""Rows that are read of a table, for its charts; of weights as many as are shown."""
ROWS: Final = 100
"""Rows that are shown."""
SPANS: Final = 40
BARS: Final = 20
_STANDS_OUT: Final = 5
"""The column of clusters that names features."""
_OF_MAKING: Final = ("digest", "abi", "metric", "last", "k", "starts", "seed", "resumable")
"""Facts that a reader of a page does not look for first."""
_SHARES: Final = ("random", "heuristic", "held_out", "top1")
"""Columns of a log that are shares of 1."""
_NO_CHART: Final = ("_low", "_high", *(f"_{result}" for result in RESULTS))
"""Ends of columns of a log that belong to a share."""


def file_section(path: str, say: Callable[[str], None]) -> Section:
    """Return the section of a file. Raises FileFormatError for one that `gotools show` does not know, or damaged."""
    there = path == STDIN or os.path.isfile(path)
    if there and kind_of(head := head_of(path)) is Kind.lessons and not head.lstrip().startswith(b"{"):
        return lessons_section(path)
    limit = ROWS if there and kind_of(head_of(path)) is Kind.weights else LIMIT
    found = show_file(path, limit, say)
    parts: list[Part] = []
    settings, facts = _apart(known_facts(found.facts))
    if facts:
        parts.append(Facts(facts))
    if figures := [figure for listing in found.listings for figure in _FIGURES.get(found.kind, _none)(listing)]:
        parts.append(Figures("", figures))
    if found.kind is Kind.metrics:
        parts += _metrics(found.path)
    parts += [_table(listing, found.kind) for listing in found.listings]
    words = re.sub("^(a file of|a table of|an?|the) ", "", str(found.kind))
    return Section(found.path, found.kind, parts, words[:1].upper() + words[1:], settings)


def _apart(facts: Mapping[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    """Return how a file was made, with lists of settings taken apart, and what else is known of it."""
    settings: dict[str, object] = {}
    for name, value in facts.items():
        if isinstance(value, dict):
            settings |= value if name == "settings" else {name: value}
        elif name in _OF_MAKING:
            settings[name] = value
    return settings, {name: value for name, value in facts.items() if name not in settings and name != "settings"}


def _table(listing: Listing, kind: FileKind | str) -> Table:
    rows = listing.rows[-ROWS:] if kind is Kind.log else listing.rows[:ROWS]
    more = f" ({len(rows):,} of {listing.total:,})" if len(rows) < listing.total else ""
    cells = [[_cell(value, kind, at) for at, value in enumerate(row)] for row in rows]
    title = listing.title[:1].upper() + listing.title[1:]
    title = "Rows" if not more and title in ("First rows", "Last rows") else title
    columns = listing.columns if kind is Kind.superiorities else [name.replace("_", " ") for name in listing.columns]
    return Table(f"{title}{more}", columns, cells, listing.notes, tall=len(rows) > 20)


def _cell(value: object, kind: FileKind | str, column: int) -> object:
    if value is None:
        return "-"
    if kind is Kind.superiorities and column and isinstance(value, float):
        return Shade(f"{100 * value:.1f} %", value)
    if kind is Kind.clusters and isinstance(value, str) and column == _STANDS_OUT:
        return value.replace("_", " ")
    return value


def _metrics(path: str) -> Iterator[Part]:
    if path != STDIN:
        with suppress(ValueError, FileFormatError):
            value = json.loads(read_bytes(path))
            yield from accuracy_parts(value if isinstance(value, dict) else {})


def _none(_: Listing) -> list[Figure]:
    return []


def _of_ratings(listing: Listing) -> list[Figure]:
    """Return the ratings with their intervals."""
    spans = []
    for row in listing.rows[:SPANS]:
        name, elo, low, high = (_column(listing, row, name) for name in ("name", "elo", "low", "high"))
        if isinstance(elo, int | float):
            spans.append(Span(str(name), float(elo), _number(low), _number(high)))
    if not spans:
        return []
    more = f", the first {len(spans)} of {listing.total:,} players" if len(spans) < listing.total else ""
    chart = span_chart(spans, "Elo", "ratings with their intervals")
    return [Figure("ratings", chart, f"Ratings with their intervals{more}.")]


def _of_log(listing: Listing) -> list[Figure]:
    """Return the columns of a log over the games: shares of one kind together, with their intervals."""
    shares = [name for name in _SHARES if name in listing.columns]
    figures = []
    if lines := [line for name in shares if (line := _line(listing, name, 100.0)) is not None]:
        chart = line_chart(lines, Axes("games", "share, %", least=0, most=100), "shares over the games of the training")
        figures.append(Figure("shares", chart, f"{_words([line.name for line in lines])}, with 95 % intervals."))
    for name in listing.columns:
        known = name == "games" or name in shares or name.endswith(_NO_CHART)
        line = None if known else _line(listing, name, 1.0)
        if line is not None:
            chart = line_chart([line], Axes("games", line.name), f"{line.name} over the games of the training")
            figures.append(Figure(name.replace("_", "-"), chart))
    return figures


def _words(names: Sequence[str]) -> str:
    text = " and ".join(names)
    return f"{text[:1].upper()}{text[1:]}"


def _line(listing: Listing, name: str, factor: float) -> Line | None:
    """Return a column over the games, with its interval if there are columns for it; None without numbers."""
    points: list[tuple[float, float]] = []
    band: list[tuple[float, float, float]] = []
    for row in listing.rows:
        games, value, low, high = (
            _number(_column(listing, row, one)) for one in ("games", name, f"{name}_low", f"{name}_high")
        )
        if games is not None and value is not None:
            points.append((games, factor * value))
            if low is not None and high is not None:
                band.append((games, factor * low, factor * high))
    return Line(name.replace("_", " "), sorted(points), sorted(band)) if points else None


def _of_orders(listing: Listing) -> list[Figure]:
    """Return how many positions each order searches, over all."""
    bars = [
        (str(_column(listing, row, "order")), 100.0 * ratio)
        for row in listing.rows
        if _column(listing, row, "id") == "all" and (ratio := _number(_column(listing, row, "ratio"))) is not None
    ]
    if not bars:
        return []
    chart = bar_chart(bars[:BARS], "positions searched, % of those of history", "positions searched in each order")
    return [Figure("orders", chart, "Positions that alpha-beta searches in each order; fewer are better.")]


def _of_weights(listing: Listing) -> list[Figure]:
    """Return the strongest inputs of a network, or planes."""
    column = next((name for name in ("product", "strength") if name in listing.columns), None)
    label = next((name for name in ("input", "plane") if name in listing.columns), None)
    if column is None or label is None:
        return []
    bars = [
        (str(_column(listing, row, label)), value)
        for row in listing.rows[:BARS]
        if (value := _number(_column(listing, row, column))) is not None
    ]
    if not bars:
        return []
    return [
        Figure("inputs", bar_chart(bars, column, f"the strongest {listing.title}"), f"The strongest {listing.title}.")
    ]


def _column(listing: Listing, row: Sequence[object], name: str) -> object:
    return row[list(listing.columns).index(name)] if name in listing.columns else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and abs(value) < 1e300 else None


_FIGURES: Final[dict[FileKind | str, Callable[[Listing], list[Figure]]]] = {
    Kind.ratings: _of_ratings,
    Kind.log: _of_log,
    Kind.orders: _of_orders,
    Kind.weights: _of_weights,
}
