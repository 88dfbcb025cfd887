"""Ratings for people: tables for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gotools.base.screen_text import screen_text
from gotools.ratings.table import Advantage, RatingReport, RatingRow, comparison_text, setting_text

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

CLASSES = 8
"""Number of classes shown: the ones with the most games."""


def screen(report: RatingReport, colours: bool) -> bytes:
    """Return the text to show, as wide as the terminal.

    colours -- as far as stdout and NO_COLOR allow
    """
    return screen_text(_parts(report), sys.stdout, colours=colours).encode("utf-8", "replace")


def _parts(report: RatingReport) -> Iterator[RenderableType]:
    """Yield the parts to print, in order: players, advantages, comparison, method, games left out."""
    from rich.text import Text

    for number, rows in enumerate(report.groups, 1):
        yield _players(rows, f"group {number}" if len(report.groups) > 1 else "", _estimator(report.settings))
    if report.advantages:
        yield _advantages(report.advantages)
    if report.comparison:
        yield Text(comparison_text(report.comparison))
    yield Text(", ".join(f"{key} {setting_text(value)}" for key, value in report.settings.items()), "dim")
    if any(report.excluded.values()):
        left_out = sorted((reason, count) for reason, count in report.excluded.items() if count)
        yield Text("games left out: " + ", ".join(f"{count:,} {reason}" for reason, count in left_out), "dim")


def _estimator(settings: dict[str, str | float]) -> str:
    """Name the estimator of the ratings: others, as in a tournament's report, give other numbers."""
    if settings.get("method") != "bradley-terry":
        return f"Elo: game by game, method {settings.get('method')}."
    prior = f"prior {setting_text(settings['prior'])}" if settings.get("prior") else "no prior"
    zero = "anchored" if any(key.startswith("anchor ") for key in settings) else "the mean is 0"
    return f"Elo: by Bradley-Terry from all games, {prior}; {zero}."


def _players(rows: list[RatingRow], title: str, estimator: str) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), title=title or None, title_justify="left")
    exact = any(row.low is not None or row.high is not None for row in rows)
    table.add_column("rank", justify="right")
    table.add_column("name", overflow="fold")
    columns = ["Elo", *(["+", "-"] if exact else []), "games", "score %", "draws %", *(["stronger %"] if exact else [])]
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        ends = [_width(row.high, row.elo), _width(row.elo, row.low)] if exact else []
        if row.bound:
            ends = ["", ""]
        shares = [f"{row.games:,}", f"{100 * row.score:.1f}", f"{100 * row.draws / row.games:.1f}"]
        sure = [] if not exact else ["" if row.superiority is None else _sure(row.superiority)]
        table.add_row(str(row.rank), Text(row.name), _elo(row), *ends, *shares, *sure)
    more = ["stronger: how likely it is that a player is stronger than the next one."] if exact else []
    table.caption = Text("\n".join([estimator, *more]))
    table.caption_justify = "left"
    return table


def _elo(row: RatingRow) -> str:
    mark = f"{row.bound} " if row.bound else ""
    return mark.strip() if row.elo is None else f"{mark}{round(row.elo, 1) + 0.0:.1f}"


def _sure(likelihood: float) -> str:
    """Return a share in per cent; only certainty is written as 100."""
    return "> 99.9" if 0.9995 <= likelihood < 1 else f"{100 * likelihood:.1f}"


def _width(high: float | None, low: float | None) -> str:
    return "" if high is None or low is None or high == low else f"{high - low:.1f}"


def _advantages(found: list[Advantage]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), caption_justify="left")
    for column in ("black's advantage in", "games", "Elo", "from", "to", "wins of equals %"):
        table.add_column(column, justify="left" if column.startswith("black") else "right", no_wrap=True)
    for a in found[:CLASSES]:
        elo = (
            ["", "no end", ""]
            if a.elo is None
            else [f"{round(x or 0.0, 1) + 0.0:+.1f}" for x in (a.elo, a.low, a.high)]
        )
        table.add_row(a.text, f"{a.games:,}", *elo, "" if a.share is None else f"{100 * a.share:.1f}")
    if len(found) > CLASSES:
        table.caption = f"{len(found) - CLASSES:,} more classes of games are not shown."
    return table
