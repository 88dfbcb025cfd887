"""Show what separates players: the habits of bands of ranks, and a player's among them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gotools.base.errors import FileFormatError
from gotools.files.kinds import Kind
from gotools.files.tables import read_table
from gotools.game.table import USUAL
from gotools.rules.clauses.rules import Rule, parse_body
from gotools.views.charts import Span, span_chart
from gotools.views.lessons.comparison import USUAL_SIZE
from gotools.views.lessons.table import KIND, PLAYER, VERSION
from gotools.views.of_rules import arities_of
from gotools.views.page import known_facts
from gotools.views.parts import Card, Facts, Figure, Note, Part, Section, Table
from gotools.views.patterns import key_in_words, pattern_svg

CARDS: Final = 8
"""Rules on boards of their own, with their shares band by band."""
LISTED: Final = 100
_SHARES: Final = (
    "The columns of the bands: of the decisions in which the rule covers a legal move, the share in which it covers "
    "the move played, in per cent."
)

Row = Mapping[str, str]


def lessons_section(path: str) -> Section:
    """Return the section of a table of lessons. Raises FileFormatError for a damaged one."""
    values, columns, taken, lines = read_table(path, KIND, VERSION)
    bands = [name for name in values.get("bands", "").split(",") if name in columns]
    if len(bands) < 2 or not {"rule", "difference", "low", "high", "words"} <= set(columns):
        raise FileFormatError(path, len(taken), "lessons without two bands, or without the columns of differences")
    rows, rules, boards = [], [], dict[str, Figure]()
    for number, cells in lines:
        rows.append(row := dict(zip(columns, cells, strict=True)))
        if row.get("clause"):
            rules.append(rule := _rule(row, values.get("game", USUAL), path, number))
            drawing, _ = pattern_svg(rule, _size(values))
            boards[rule.id] = Figure(f"rule-{rule.id}", drawing, small=True)
    parts: list[Part] = [Facts(known_facts(_facts(values)))]
    parts.append(
        Note(f"What {bands[-1]} do more or less often than {bands[0]}, the clearest first. {key_in_words(rules)}")
    )
    parts += _cards(rows, bands, boards, values.get("player", PLAYER))
    parts.append(_habits_table("Habits that separate the bands", rows, bands, boards))
    if PLAYER in columns:
        parts.append(_player_table(values, rows, bands, boards))
    parts.append(_bands_table(values, bands))
    if measured := _measured(values):
        parts.append(measured)
    headline = f"What separates players of {bands[-1]} from {bands[0]}"
    if "player" in values:
        ends = bands[0].partition("-")[0], bands[-1].rpartition("-")[2]
        headline = f"The habits of {values['player']}, compared with players from {ends[0]} to {ends[1]}"
    settings: dict[str, object] = {name: values[name] for name in ("rules", "digest", "size") if name in values}
    return Section(path, Kind.lessons, parts, headline, settings)


def _size(values: Mapping[str, str]) -> int:
    """Return the board that the rules are drawn for."""
    size = values.get("size", "")
    return int(size) if re.fullmatch("[0-9]{1,2}", size) and 2 <= int(size) <= 19 else USUAL_SIZE


def _rule(row: Row, game: str, path: str, line: int) -> Rule:
    """Return the rule of a row."""
    body = parse_body(row["clause"], path, line, game, arities_of([row["clause"]]))
    return Rule(row["rule"], body, 0, 0, 0.0, game)


def _facts(values: Mapping[str, str]) -> dict[str, object]:
    found: dict[str, object] = {"games": _count(values["games"])} if "games" in values else {}
    if "player" in values:
        found["player"] = f"{values['player']}, {values.get('player_games', '?')} games"
    if "estimate" in values:
        low, high = values.get("estimate_low", "?"), values.get("estimate_high", "?")
        found["plays like"] = f"{values['estimate']} (95 % interval: {low} to {high})"
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
    columns = [
        "games of each",
        "estimates",
        f"mean error, {values.get('scale', 'ranks')}",
        "guessing the mean rank",
        "correlation",
        "inside 95 %",
    ]
    note = "How good the estimates are, measured on players that were not learned from."
    return Table("Estimates of ranks", columns, rows, [note])


def _cards(rows: Sequence[Row], bands: Sequence[str], boards: Mapping[str, Figure], player: str) -> Iterator[Part]:
    """Yield the first rules: what each says, and how often the bands, and the player, play its moves."""
    groups = {**{band: band for band in bands}, PLAYER: player}
    for number, row in enumerate(rows[:CARDS], 1):
        spans = []
        for column, name in groups.items():
            value, low, high = (_scaled(row.get(f"{column}{end}", "")) for end in ("", "_low", "_high"))
            if value is not None:
                spans.append(Span(name, value, low, high))
        chart = None
        if spans:
            drawing = span_chart(spans, "played when possible, %", f"how often each band plays: {row['words']}")
            chart = Figure(f"habit-{number}", drawing)
        difference = f"{_signed(row['difference'])} percentage points (95 % interval: {_ends(row)})"
        facts = {f"{bands[-1]} minus {bands[0]}": difference}
        yield Card(row["words"], boards.get(row["rule"]), facts, chart)


def _bands_table(values: Mapping[str, str], bands: Sequence[str]) -> Table:
    names = ("players", "sides", "decisions")
    counts = [values.get(name, "").split(",") for name in names]
    rows = [[band, *(_count(one[at]) if at < len(one) else "-" for one in counts)] for at, band in enumerate(bands)]
    return Table("Bands of ranks", ["band", *names], rows, ["sides: each player of each game counts once."])


def _habits_table(title: str, rows: Sequence[Row], bands: Sequence[str], boards: Mapping[str, Figure]) -> Table:
    cells: list[list[object]] = [
        [
            boards.get(row["rule"]),
            row["words"],
            *(_percent(row[band]) for band in bands),
            _signed(row["difference"]),
            _ends(row),
        ]
        for row in rows[:LISTED]
    ]
    note = f"{_SHARES} difference: {bands[-1]} minus {bands[0]}, with its 95 % interval."
    columns = ["rule", "in words", *bands, "difference", "95 %"]
    return Table(title, columns, cells, [note], len(rows), tall=len(cells) > 20)


def _player_table(
    values: Mapping[str, str], rows: Sequence[Row], bands: Sequence[str], boards: Mapping[str, Figure]
) -> Table:
    known = [row for row in rows if (_float(row.get("evidence", "")) or 0.0) > 0]
    known.sort(key=lambda row: -(_float(row["evidence"]) or 0.0))
    cells: list[list[object]] = [
        [
            boards.get(row["rule"]),
            row["words"],
            *(_percent(row[band]) for band in bands),
            _percent(row[PLAYER]),
            f"{_percent(row.get(f'{PLAYER}_low', ''))} to {_percent(row.get(f'{PLAYER}_high', ''))}",
            row.get("like", "-"),
        ]
        for row in known[:LISTED]
    ]
    note = (
        "The habits that tell best which band the player belongs to come first. like: the band that plays most alike."
    )
    title = f"Habits of {values.get('player', 'the player')}"
    return Table(title, ["rule", "in words", *bands, "player", "95 %", "like"], cells, [note], tall=len(cells) > 20)


def _count(text: str) -> str:
    """Return a whole number with its thousands apart, other text as it is."""
    return f"{int(text):,}" if re.fullmatch("[0-9]{1,12}", text) else text


def _float(text: str) -> float | None:
    """Return the finite number in a cell, else None."""
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
