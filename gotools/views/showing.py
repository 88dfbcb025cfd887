"""Find out what a file is, and let the reader of its kind say what it holds; make that a section of a page."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from gotools.base.errors import FileFormatError
from gotools.files.converting import names_csv
from gotools.files.kinds import TABLES, FileKind, Kind, TableKind, kind_of, wrong_kind
from gotools.files.opening import STDIN, head_of, read_bytes
from gotools.matches.journal import NAME
from gotools.views.contents import LIMIT, Contents
from gotools.views.of_lessons import lessons_section
from gotools.views.of_rules import accuracy_parts, show_compiled, show_rules
from gotools.views.of_runs import show_run
from gotools.views.of_tables import (
    log_charts,
    orders_chart,
    ratings_chart,
    show_clusters,
    show_csv,
    show_examples,
    show_json,
    show_table,
)
from gotools.views.of_weights import inputs_chart, show_weights
from gotools.views.page import known_facts
from gotools.views.parts import Facts, Figure, Figures, Part, Section, Shade, Table

Say = Callable[[str], None]

MOST_READ: Final = 10_000
"""Rows read of a table, for its charts; of weights only ROWS."""
ROWS: Final = 100
"""Rows that are shown."""
_STANDS_OUT: Final = 5
"""The column of clusters that names features."""
_OF_MAKING: Final = ("digest", "abi", "metric", "last", "k", "starts", "seed", "resumable")
"""Facts that a reader of a page does not look for first."""


class Shown(NamedTuple):
    """How a kind of file is shown. read -- gives what it holds; charts -- draws a list of that for pages."""

    read: Callable[[str, int], Contents]
    charts: Callable[[Table], list[Figure]] = lambda _: []


SHOWN: Final[dict[FileKind | str, Shown]] = {
    **dict.fromkeys(TABLES.values(), Shown(show_table)),
    Kind.ratings: Shown(show_table, ratings_chart),
    Kind.log: Shown(show_table, log_charts),
    Kind.orders: Shown(show_table, orders_chart),
    Kind.examples: Shown(show_examples),
    Kind.clusters: Shown(show_clusters),
    Kind.csv: Shown(show_csv),
    Kind.weights: Shown(show_weights, inputs_chart),
    Kind.rules: Shown(show_rules),
    Kind.library: Shown(show_compiled),
    Kind.c_source: Shown(show_compiled),
    Kind.summary: Shown(show_json),
    Kind.metrics: Shown(show_json),
}
"""A table is shown by its header and rows where nothing else is said of its kind."""


def show_file(path: str | Path, limit: int = LIMIT, say: Say = lambda _: None) -> Contents:
    """Return what a file of gotools, or the folder of a tournament, holds.

    limit -- most rows of a list; say -- is called for each broken line of a journal

    Raises FileFormatError for a file that gotools does not write, or a damaged one. Nothing in it is executed.
    """
    name = str(path)
    if os.path.isdir(name):
        journal = os.path.join(name, NAME)
        if not os.path.isfile(journal):
            raise FileFormatError(path, None, f"a folder without {NAME}; expected that of a tournament")
        return show_run(journal, limit, say)
    if name != STDIN and not os.path.isfile(name):
        what = "not a regular file" if os.path.exists(name) else "no such file or folder"
        raise FileFormatError(path, None, what)
    head = head_of(name)
    kind = kind_of(head)
    if kind is Kind.journal:
        return show_run(name, limit, say)
    if isinstance(kind, TableKind) and head.lstrip().startswith(b"{"):
        return show_json(name, limit)
    if kind is Kind.results and names_csv(name):  # the games of a tournament; `elo` reads them
        kind = Kind.csv
    if kind not in SHOWN:
        raise wrong_kind(path, head, "a file that gotools writes")
    return SHOWN[kind].read(name, limit)


def file_section(path: str, say: Callable[[str], None]) -> Section:
    """Return the section of a file. Raises FileFormatError for one that `gotools show` does not know, or damaged."""
    head = head_of(path) if path == STDIN or os.path.isfile(path) else b""
    kind = kind_of(head)
    if kind is Kind.lessons and not head.lstrip().startswith(b"{"):
        return lessons_section(path)
    found = show_file(path, ROWS if kind is Kind.weights else MOST_READ, say)
    parts: list[Part] = []
    settings, facts = _apart(known_facts(found.facts))
    if facts:
        parts.append(Facts(facts))
    charts = SHOWN[found.kind].charts if found.kind in SHOWN else lambda _: []
    if figures := [figure for listing in found.listings for figure in charts(listing)]:
        parts.append(Figures("", figures))
    if found.kind is Kind.metrics:
        parts += _metrics(found.path)
    parts += [_for_page(listing, found.kind) for listing in found.listings]
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


def _for_page(listing: Table, kind: FileKind | str) -> Table:
    rows = listing.rows[-ROWS:] if kind is Kind.log else listing.rows[:ROWS]
    cells = [[_cell(value, kind, at) for at, value in enumerate(row)] for row in rows]
    title = listing.title[:1].upper() + listing.title[1:]
    if len(rows) == listing.total and title in ("First rows", "Last rows"):
        title = "Rows"
    columns = listing.columns if kind is Kind.superiorities else [name.replace("_", " ") for name in listing.columns]
    return Table(title, columns, cells, listing.notes, listing.total, tall=len(rows) > 20)


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
