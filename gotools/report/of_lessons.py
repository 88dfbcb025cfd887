"""Show what separates players: the habits of bands of ranks, and a player's among them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gotools.errors import FileFormatError
from gotools.files.kinds import Kind
from gotools.files.tables import read_table
from gotools.lessons.table import KIND, PLAYER, VERSION
from gotools.report.charts import Span, span_chart
from gotools.report.page import known_facts
from gotools.report.parts import Facts, Figure, Figures, Part, Section, Table

DRAWN: Final = 20
LISTED: Final = 100
CHARTS: Final = 6
"""Rules whose shares are drawn band by band."""
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
    groups = [*bands, *([PLAYER] if PLAYER in columns else [])]
    charts = {
        "What separates the bands": _differences(rows, bands),
        "The first of these, band by band": list(_habits(rows, groups)),
    }
    parts += [Figures(title, figures) for title, figures in charts.items() if figures]
    parts.append(_bands_table(values, bands))
    parts.append(_habits_table("Habits that separate the bands", rows, bands))
    if PLAYER in columns:
        parts.append(_player_table(values, rows, bands))
    return Section(path, Kind.lessons, parts)


def _facts(values: Mapping[str, str]) -> dict[str, object]:
    found: dict[str, object] = {name: _count(values[name]) for name in ("games", "rules") if name in values}
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
        groups, *others = ("-" if one is None else f"{one:,.2f}" for one in figures[:4])
        share = "-" if figures[4] is None else f"{100 * figures[4]:.1f} %"
        rows.append([str(games), groups.removesuffix(".00"), *others, share])
    if not rows:
        return None
    columns = ["games", "estimates", "mean error, ranks", "error of the mean rank", "correlation", "inside 95 %"]
    note = "Ranks of players that the model has not seen, estimated from so many games of each."
    return Table("Estimates of ranks", columns, rows, [note])


def _differences(rows: Sequence[Row], bands: Sequence[str]) -> list[Figure]:
    """Return the differences of the first rules."""
    spans = []
    for row in rows[:DRAWN]:
        value, low, high = (_scaled(row[name]) for name in ("difference", "low", "high"))
        if value is not None:
            spans.append(Span(row["rule"], value, low, high))
    if not spans:
        return []
    chart = span_chart(spans, f"{bands[-1]} less {bands[0]}, %", "how much more often the strong play a move")
    caption = f"How much more often {bands[-1]} play the moves of a rule than {bands[0]}, with 95 % intervals."
    return [Figure("differences", chart, caption)]


def _habits(rows: Sequence[Row], groups: Sequence[str]) -> Iterator[Figure]:
    """Yield for each of the first rules how often the bands, and the player, play its moves."""
    for number, row in enumerate(rows[:CHARTS], 1):
        spans = []
        for name in groups:
            value, low, high = (_scaled(row.get(f"{name}{end}", "")) for end in ("", "_low", "_high"))
            if value is not None:
                spans.append(Span(name, value, low, high))
        if spans:
            chart = span_chart(spans, "played, %", f"how often the moves of rule {row['rule']} are played")
            yield Figure(f"habit-{number}", chart, f"{row['rule']}: {row['words']}")


def _bands_table(values: Mapping[str, str], bands: Sequence[str]) -> Table:
    names = ("players", "sides", "decisions")
    counts = [values.get(name, "").split(",") for name in names]
    rows = [[band, *(_count(one[at]) if at < len(one) else "-" for one in counts)] for at, band in enumerate(bands)]
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


def _count(text: str) -> str:
    """Return a whole number with its thousands apart, other text as it is."""
    return f"{int(text):,}" if re.fullmatch("[0-9]{1,12}", text) else text


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
