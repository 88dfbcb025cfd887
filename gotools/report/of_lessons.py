"""Show what separates players: the habits of bands of ranks, and a player's among them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from gotools.errors import FileFormatError
from gotools.files.kinds import Kind
from gotools.files.tables import read_table
from gotools.lessons.table import KIND, PLAYER, VERSION
from gotools.report.charts import Axes, Line, Span, line_chart, span_chart
from gotools.report.page import known_facts
from gotools.report.parts import Facts, Figure, Figures, Part, Section, Table

DRAWN: Final = 20
LISTED: Final = 100
LINES: Final = 6
"""Habits whose shares are drawn over the bands."""
_KEY: Final = (
    "The columns of the bands: of the decisions in which the rule covers a legal move, the share in which it covers "
    "the move played. more: the strongest band less the weakest, with its 95 % interval, in percent."
)

Row = Mapping[str, str]


def lessons_section(path: str) -> Section:
    """Return the section of a table of lessons. Raises FileFormatError for a damaged one."""
    values, columns, taken, lines = read_table(path, KIND, VERSION)
    bands = [name for name in values.get("bands", "").split(",") if name in columns]
    if len(bands) < 2 or not {"rule", "difference", "low", "high", "words"} <= set(columns):
        raise FileFormatError(path, len(taken), "lessons without two bands, or without the columns of differences")
    rows = [dict(zip(columns, cells, strict=True)) for _, cells in lines]
    parts: list[Part] = [Facts(known_facts(_facts(values)))]
    if measured := _measured(values):
        parts.append(measured)
    if figures := _figures(rows, bands):
        parts.append(Figures("What separates the bands", figures))
    parts.append(_bands_table(values, bands))
    parts.append(_habits_table("Habits that separate the bands", rows, bands))
    if PLAYER in columns:
        parts.append(_player_table(values, rows, bands))
    return Section(path, Kind.lessons, parts)


def _facts(values: Mapping[str, str]) -> dict[str, object]:
    found: dict[str, object] = {name: values[name] for name in ("games", "rules") if name in values}
    found |= {"digest": values["digest"][:12]} if "digest" in values else {}
    if "player" in values:
        found["player"] = f"{values['player']}, {values.get('player_games', '?')} games"
    if "estimate" in values:
        low, high = values.get("estimate_low", "?"), values.get("estimate_high", "?")
        found["plays like"] = f"{values['estimate']} (95 % interval {low} to {high})"
    if "player_rank" in values:
        found["rank in the records"] = values["player_rank"]
    return found


def _measured(values: Mapping[str, str]) -> Table | None:
    """Return how good the estimates of ranks are."""
    names = ("groups", "error", "baseline", "correlation", "inside")
    rows = []
    for games in sorted(
        {int(key[7:]) for key in values if key.startswith("groups_") and re.fullmatch("[0-9]{1,6}", key[7:])}
    ):
        figures = [_float(values.get(f"{name}_{games}", "")) for name in names]
        groups, error, baseline, correlation, inside = ("-" if one is None else f"{one:,.2f}" for one in figures)
        share = "-" if figures[4] is None else _percent(inside)
        rows.append([str(games), groups.removesuffix(".00"), error, baseline, correlation, share])
    if not rows:
        return None
    columns = ["games", "estimates", "mean error, ranks", "error of the mean rank", "correlation", "inside 95 %"]
    note = "Ranks of players that the model has not seen, estimated from so many games of each."
    return Table("Estimates of ranks", columns, rows, [note])


def _figures(rows: Sequence[Row], bands: Sequence[str]) -> list[Figure]:
    """Return the largest differences, and the shares of the first rules over the bands."""
    spans, lines = [], []
    for row in rows[:DRAWN]:
        value, low, high = (_scaled(row[name]) for name in ("difference", "low", "high"))
        if value is not None:
            spans.append(Span(row["rule"], value, low, high))
    if not spans:
        return []
    for row in rows[:LINES]:
        points, band = [], []
        for at, name in enumerate(bands, 1):
            value, low, high = (_scaled(row.get(f"{name}{end}", "")) for end in ("", "_low", "_high"))
            if value is not None:
                points.append((float(at), value))
            if low is not None and high is not None:
                band.append((float(at), low, high))
        if points:
            lines.append(Line(row["rule"], points, band))
    chart = span_chart(spans, f"{bands[-1]} less {bands[0]}, %", "how much more often the strong play a move")
    caption = f"How much more often {bands[-1]} play the moves of a rule than {bands[0]}, with 95 % intervals."
    figures = [Figure("differences", chart, caption)]
    if lines:
        names = ", ".join(f"{at} {name}" for at, name in enumerate(bands, 1))
        axes = Axes("band", "played, %", least=0, most=100)
        chart = line_chart(lines, axes, "how often bands play the moves of rules")
        caption = f"How often the bands play the moves of the first rules, with 95 % intervals: {names}."
        figures.append(Figure("habits", chart, caption))
    return figures


def _bands_table(values: Mapping[str, str], bands: Sequence[str]) -> Table:
    names = ("players", "sides", "decisions")
    counts = [values.get(name, "").split(",") for name in names]
    rows = [[band, *(one[at] if at < len(one) else "-" for one in counts)] for at, band in enumerate(bands)]
    return Table("Bands of ranks", ["band", *names], rows, ["sides: players in games, each of them counted."])


def _habits_table(title: str, rows: Sequence[Row], bands: Sequence[str]) -> Table:
    cells = [
        [row["rule"], *(_percent(row[band]) for band in bands), _signed(row["difference"]), _ends(row), row["words"]]
        for row in rows[:LISTED]
    ]
    more = f" ({len(cells):,} of {len(rows):,})" if len(cells) < len(rows) else ""
    return Table(f"{title}{more}", ["rule", *bands, "more", "95 %", "in words"], cells, [_KEY], tall=len(cells) > 20)


def _player_table(values: Mapping[str, str], rows: Sequence[Row], bands: Sequence[str]) -> Table:
    known = [row for row in rows if (_float(row.get("evidence", "")) or 0.0) > 0]
    known.sort(key=lambda row: -(_float(row["evidence"]) or 0.0))
    cells = [
        [
            row["rule"],
            *(_percent(row[band]) for band in bands),
            _percent(row[PLAYER]),
            f"{_percent(row.get(f'{PLAYER}_low', ''))} to {_percent(row.get(f'{PLAYER}_high', ''))}",
            row.get("like", "-"),
            row["words"],
        ]
        for row in known[:LISTED]
    ]
    note = "The habits that tell the player's band best come first. like: the band that plays most like that."
    title = f"Habits of {values.get('player', 'the player')}"
    return Table(title, ["rule", *bands, "player", "95 %", "like", "in words"], cells, [note], tall=len(cells) > 20)


def _float(text: str) -> float | None:
    """Return a number; None for what is none, or is not finite."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _scaled(text: str) -> float | None:
    value = _float(text)
    return None if value is None else 100.0 * value


def _percent(text: str) -> str:
    value = _scaled(text)
    return "-" if value is None else f"{value:.1f}"


def _signed(text: str) -> str:
    value = _scaled(text)
    return "-" if value is None else f"{value:+.1f}"


def _ends(row: Row) -> str:
    return f"{_signed(row['low'])} to {_signed(row['high'])}"
