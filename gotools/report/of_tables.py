"""Say of any other file of ours what `gotools show` says, with a chart where one helps."""

from __future__ import annotations

from typing import Final

from gotools.contents.contents import Contents
from gotools.report.page import known_facts
from gotools.report.parts import Facts, Part, Section, Table

LIMIT: Final = 100
"""Rows of a table."""


def contents_section(found: Contents) -> Section:
    """Return the section of a file by what is said of it."""
    parts: list[Part] = []
    if facts := known_facts(found.facts):
        parts.append(Facts(facts))
    for listing in found.listings:
        more = f" ({len(listing.rows):,} of {listing.total:,})" if len(listing.rows) < listing.total else ""
        rows = [[_cell(value) for value in row] for row in listing.rows]
        parts.append(Table(f"{listing.title}{more}", listing.columns, rows, listing.notes, tall=len(rows) > 40))
    return Section(found.path, found.kind, parts)


def _cell(value: object) -> object:
    return "-" if value is None else value
