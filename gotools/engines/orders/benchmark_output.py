"""A comparison of orders as a table for people, as TSV and as JSON."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from gotools.base.screen_text import screen_text
from gotools.engines.orders.benchmark import CLEARLY_WORSE, SearchResult, Total, totals
from gotools.files.json_text import json_text
from gotools.files.kinds import Kind
from gotools.files.tables import header, row

if TYPE_CHECKING:
    from rich.table import Table

KIND, VERSION = Kind.orders.word, Kind.orders.version
COLUMNS: Final = ("id", "order", "nodes", "ratio", "seconds", "value", "move")
ALL: Final = "all"
"""The id of the rows that sum up."""

Searches = Sequence[Sequence[SearchResult]]
Settings = Mapping[str, str | float]
"""How positions were searched."""


def as_tsv(searches: Searches, settings: Settings) -> bytes:
    """Return a row for each position and order, then one for each order over all positions (id `all`)."""
    lines = []
    shown = {key: f"{value:g}" if isinstance(value, float) else str(value) for key, value in settings.items()}
    for found in searches:
        for one in found:
            ratio = one.nodes / found[0].nodes
            cells = (one.id, one.order, one.nodes, f"{ratio:.4f}", f"{one.seconds:.6f}", f"{one.value:.6f}", one.move)
            lines.append(row(cells))
    for total in totals(searches):
        cells = (ALL, total.order, total.nodes, f"{total.nodes_ratio:.4f}", f"{total.seconds:.6f}", "", "-")
        lines.append(row(cells))
    return header(KIND, VERSION, shown, COLUMNS) + "".join(lines).encode("utf-8", "replace")


def as_json(searches: Searches, settings: Settings) -> bytes:
    """Return the settings, the totals, and every search, with the names of Total and SearchResult."""
    found = [asdict(one) | {"ratio": one.nodes / row[0].nodes} for row in searches for one in row]
    whole = {"settings": dict(settings), "totals": [asdict(total) for total in totals(searches)], "searches": found}
    return (json_text(whole, indent=1) + "\n").encode()


def as_table(searches: Searches, settings: Settings, colours: bool) -> bytes:
    """Return the totals, as wide as the terminal.

    colours -- as far as stdout and NO_COLOR allow
    """
    from rich.text import Text

    about = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in settings.items())
    words = "ratio: positions searched in this order (and seconds) for one in that of history. mean: geometric. "
    words += f"worse: positions that took more than {CLEARLY_WORSE:g} times as many. same: of equal value"
    parts = (_table(totals(searches)), Text(words, "dim"), Text(about, "dim"))
    return screen_text(parts, sys.stdout, colours=colours).encode("utf-8", "replace")


def _table(found: list[Total]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("order", overflow="fold")
    for name in ("nodes", "ratio", "mean", "worst", "worse", "seconds", "ratio", "same"):
        table.add_column(name, justify="right", no_wrap=True)
    for one, name in zip(found, _short([one.order for one in found]), strict=True):
        table.add_row(
            name,
            f"{one.nodes:,}",
            f"{one.nodes_ratio:.3f}",
            f"{one.mean_ratio:.3f}",
            f"{one.worst_ratio:.2f}",
            f"{one.worse}",
            f"{one.seconds:.2f}",
            f"{one.seconds_ratio:.3f}",
            f"{one.same_value}/{one.positions}",
        )
    return table


def _short(orders: list[str]) -> list[str]:
    """Return files without their folders, where these names still tell all orders apart."""
    names = [re.sub(r"[^+]*/", "", order) for order in orders]
    return names if len(set(names)) == len(set(orders)) else orders
