"""What tables say: their header, counts, some rows, and charts of them."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from gotools.base.errors import FileFormatError, shown
from gotools.files.cells import MISSING
from gotools.files.kinds import Kind, TableKind, kind_of
from gotools.files.opening import head_of, read_bytes, read_parts
from gotools.files.tables import game_named, read_table
from gotools.game.examples.table import stream_examples
from gotools.game.game import find_game
from gotools.game.known import is_game
from gotools.game.records.record import Record
from gotools.game.records.replay import played
from gotools.game.records.sources import SOURCES
from gotools.game.records.table import read_rows
from gotools.game.table import USUAL
from gotools.values.clusters.clusters import ALL, BAD, GOOD, KINDS, Centre, Clusters
from gotools.values.clusters.clusters_file import load_clusters
from gotools.values.training.training_log import RESULTS
from gotools.views.charts import Axes, Curve, Span, bar_chart, line_chart, span_chart
from gotools.views.contents import Contents
from gotools.views.parts import Figure, Figures, Note, Part, Table
from gotools.views.replay import drawn_position

MOST_COLUMNS: Final = 100
"""Of a list; a matrix may have thousands."""
SPANS: Final = 40
BARS: Final = 20
_SHARES: Final = ("random", "heuristic", "held_out", "top1")
"""Columns of a log that are shares of 1."""
_NO_CHART: Final = ("_low", "_high", *(f"_{result}" for result in RESULTS))
"""Ends of columns of a log that belong to a share."""
_FEATURES: Final = 3
"""Features named of a centre."""


def show_table(path: str, limit: int) -> Contents:
    """Read a table: its header and first rows, of a log the last ones. Raises FileFormatError."""
    kind = kind_of(head_of(path))
    assert isinstance(kind, TableKind)  # others are not shown by this function
    values, columns, _, rows = read_table(path, kind.word, kind.version)
    cells = [found for _, found in rows]
    few = cells[max(0, len(cells) - limit) :] if kind is Kind.log else cells[:limit]
    names = columns[:MOST_COLUMNS]
    title = "last rows" if kind is Kind.log else "first rows"
    listing = Table(title, names, [[_value(cell) for cell in row[: len(names)]] for row in few], total=len(cells))
    return Contents(path, kind, {"rows": len(cells), **({"settings": values} if values else {})}, [listing])


def show_csv(path: str, limit: int) -> Contents:
    """List the first rows of plain CSV. Raises FileFormatError."""
    lines = csv.reader(io.StringIO(read_bytes(path).decode("utf-8-sig", "replace"), newline=""))
    names = next(lines, [])[:MOST_COLUMNS]
    few: list[Sequence[object]] = []
    count = 0
    try:
        for count, row in enumerate(lines, 1):
            if count <= limit:
                few.append([_value(cell) for cell in row[: len(names)]])
    except csv.Error as error:
        raise FileFormatError(path, lines.line_num, f"no CSV: {error}") from error
    return Contents(path, Kind.csv, {"rows": count}, [Table("first rows", names, few, total=count)])


def _value(text: str) -> int | float | str | None:
    """Return a cell as the number that it holds, else as it is; None for an empty one."""
    if not text:
        return None
    if len(text) < 25 and text.isascii():
        for read in (int, float):
            try:
                return read(text)
            except ValueError:
                continue
    return text


def show_examples(path: str, limit: int) -> Contents:
    """Count decisions by game, class, source and board size. Raises FileFormatError."""
    if game_named(path, "examples") not in ("", USUAL):
        return _show_game_examples(path, limit)
    games: set[str] = set()
    rows, labels = 0, [0, 0]
    kinds: Counter[tuple[int, int, int]] = Counter()
    for part in stream_examples(path, find_game(USUAL)):
        rows += len(part)
        games.update(part.names[game] for game in np.unique(part.game))
        labels[1] += int((part.label == 1).sum())
        keys, counts = np.unique(np.stack([part.size, part.label, part.source]), axis=1, return_counts=True)
        for key, count in zip(keys.T.tolist(), counts.tolist(), strict=True):
            kinds[key[0], key[1], key[2]] += count
    labels[0] = rows - labels[1]
    facts = {"decisions": rows, "games": len(games), "examples": labels[1], "counter_examples": labels[0]}
    listed = [
        (f"{size}x{size}", "example" if label else "counter-example", SOURCES[source], count)
        for (size, label, source), count in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    ]
    columns = ("board", "class", "source", "decisions")
    return Contents(path, Kind.examples, facts, [Table("classes", columns, listed[:limit], total=len(listed))])


def _show_game_examples(path: str, limit: int) -> Contents:
    """Count decisions of a game other than Go by the results of their games. Raises FileFormatError."""
    results: dict[str, tuple[set[str], list[int]]] = {}
    players: set[str] = set()
    for _, row in read_rows(read_parts(path), path):
        games, count = results.setdefault(row.result, (set(), [0]))
        games.add(row.game)
        count[0] += 1
        players |= {row.black, row.white}
    decisions = sum(count for _, (count,) in results.values())
    games = set[str]().union(*(games for games, _ in results.values()))
    players.discard(MISSING)
    facts = {"game": game_named(path, "examples"), "decisions": decisions, "games": len(games), "players": len(players)}
    listed = [(result, len(games), count) for result, (games, (count,)) in sorted(results.items())]
    columns = ("result", "games", "decisions")
    return Contents(path, Kind.examples, facts, [Table("results", columns, listed[:limit], total=len(listed))])


def clusters_to_show(path: str) -> Clusters:
    """Read clusters of whatever game the file names. Raises FileFormatError."""
    named = game_named(path, "clusters")
    return load_clusters(path, find_game(named if is_game(named) else USUAL))  # which the reader refuses


def show_clusters(path: str, limit: int) -> Contents:
    """List the centres, each with the features that set it apart. Raises FileFormatError."""
    clusters = clusters_to_show(path)
    facts = {"game": clusters.game, "metric": clusters.metric, "features": len(clusters.names), **clusters.made}
    rows = [
        (centre.stage, centre.kind, centre.good, centre.bad, centre.typical, stands_out(centre, clusters))
        for centre in clusters.centres
    ]
    columns = ("stage", "kind", "good", "bad", "typical", "stands out by")
    notes = [
        "good, bad: moves that it is the nearest centre of. typical: the nearest move of its kind.",
        "stands out by: the features farthest from their mean, in standard deviations.",
    ]
    return Contents(path, Kind.clusters, facts, [Table("centres", columns, rows[:limit], notes, total=len(rows))])


def stands_out(centre: Centre, clusters: Clusters) -> str:
    """Name the features of a centre that are farthest from their mean, in standard deviations."""
    away = (centre.point - clusters.mean) / clusters.deviation
    most = np.argsort(-np.abs(away), kind="stable")[:_FEATURES]
    return ", ".join(f"{clusters.names[i]} {away[i]:+.1f}" for i in most)


def show_json(path: str, limit: int) -> Contents:
    """Show the values of a file of JSON: plain ones as facts, lists of objects row by row. Raises FileFormatError."""
    kind = kind_of(head_of(path))
    try:
        value = json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise FileFormatError(path, line, f"not whole JSON: {shown(error)}") from error
    if not isinstance(value, dict):
        raise FileFormatError(path, None, "not an object of JSON")
    facts: dict[str, Any] = {}
    listings = []
    for name, part in value.items():
        if isinstance(part, list) and part and all(isinstance(row, dict) for row in part):
            columns = [key for key, cell in part[0].items() if not isinstance(cell, dict | list)][:MOST_COLUMNS]
            rows = [[_scalar(row.get(key)) for key in columns] for row in part[:limit]]
            listings.append(Table(name, columns, rows, total=len(part)))
        elif isinstance(part, dict):
            facts[name] = {key: _scalar(cell) for key, cell in list(part.items())[:limit]}
        elif part not in ([], ""):
            facts[name] = _scalar(part)
    return Contents(path, kind, facts, listings)


def _scalar(value: Any) -> Any:
    """Return a plain value as it is, and of others what they are."""
    if isinstance(value, dict | list):
        return f"{len(value)} values"
    return value


# charts -----------------------------------------------------------------------------------------------------------


def ratings_chart(listing: Table) -> list[Figure]:
    """Return the ratings with their intervals."""
    spans = []
    for row in listing.rows[:SPANS]:
        name, elo, low, high = (listing.cell(row, name) for name in ("name", "elo", "low", "high"))
        if isinstance(elo, int | float):
            spans.append(Span(str(name), float(elo), number_in(low), number_in(high)))
    if not spans:
        return []
    more = f", the first {len(spans)} of {listing.total:,} players" if len(spans) < (listing.total or 0) else ""
    chart = span_chart(spans, "Elo", "ratings with their intervals")
    return [Figure("ratings", chart, f"Ratings with their intervals{more}.")]


def log_charts(listing: Table) -> list[Figure]:
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


def _line(listing: Table, name: str, factor: float) -> Curve | None:
    """Return a column over the games, with its interval if there are columns for it; None without numbers."""
    points: list[tuple[float, float]] = []
    band: list[tuple[float, float, float]] = []
    for row in listing.rows:
        games, value, low, high = (
            number_in(listing.cell(row, one)) for one in ("games", name, f"{name}_low", f"{name}_high")
        )
        if games is not None and value is not None:
            points.append((games, factor * value))
            if low is not None and high is not None:
                band.append((games, factor * low, factor * high))
    return Curve(name.replace("_", " "), sorted(points), sorted(band)) if points else None


def orders_chart(listing: Table) -> list[Figure]:
    """Return the number of positions that each order searches, in total."""
    bars = [
        (str(listing.cell(row, "order")), 100.0 * ratio)
        for row in listing.rows
        if listing.cell(row, "id") == "all" and (ratio := number_in(listing.cell(row, "ratio"))) is not None
    ]
    if not bars:
        return []
    chart = bar_chart(bars[:BARS], "positions searched, % of those of history", "positions searched in each order")
    return [Figure("orders", chart, "Positions that alpha-beta searches in each order; fewer are better.")]


def number_in(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and abs(value) < 1e300 else None


# centres of clusters --------------------------------------------------------------------------------------------------


DRAWN: Final = 12
"""Most centres of a kind that are drawn in each stage, largest first."""
_TYPICAL: Final = re.compile(r"(?P<game>.+):(?P<number>[0-9]{1,4}) (?P<move>\S+)")
_TITLES: Final = {GOOD: "Centres of good moves", BAD: "Centres of bad moves"}


def cluster_boards(clusters: Clusters, games: Sequence[Record]) -> Iterator[Part]:
    """Yield the largest centres as the boards of their typical moves, as far as these stand in the games.

    Without games, and where none of them is the right one, a line says what to name.
    """
    by_id = {record.id: record for record in games}
    found = False
    for stage in clusters.stages:
        for kind in KINDS:
            centres = [one for one in clusters.centres if (one.stage, one.kind) == (stage, kind)]
            centres.sort(key=lambda one: -_own(one))
            drawn = [figure for one in centres[:DRAWN] if (figure := _drawn(one, clusters, by_id)) is not None]
            if drawn:
                found = True
                where = "" if stage == ALL else f", {stage}"
                more = f", the largest {DRAWN} of {len(centres)}" if len(centres) > DRAWN else ""
                yield Figures(f"{_TITLES[kind]}{where}{more}", drawn)
    if not found:
        yield Note("Name the records that the clusters were learned from beside them to see the typical moves.")


def _own(centre: Centre) -> int:
    """Return the number of moves of its kind whose nearest centre it is."""
    return centre.good if centre.kind == GOOD else centre.bad


def _drawn(centre: Centre, clusters: Clusters, games: dict[str, Record]) -> Figure | None:
    """Return the position before the typical move of a centre; None where no game has such a move."""
    named = _TYPICAL.fullmatch(centre.typical)
    record = games.get(named["game"]) if named else None
    if named is None or record is None:
        return None
    game, made = find_game(clusters.game), int(named["number"]) - 1
    history, _ = played(record, game)
    if not 0 <= made < len(history.moves):
        return None
    try:
        move = history.parse(named["move"])
    except ValueError:
        return None
    if history.back(len(history.moves) - made).why_refused(history.moves[made][0], move):
        return None
    drawing = drawn_position(game, record, made, f"before {centre.typical}", move)
    apart = stands_out(centre, clusters).replace("_", " ")
    caption = f"{centre.typical}: {centre.good:,} good, {centre.bad:,} bad; {apart}"
    return Figure(f"centre-{centre.kind}-{centre.typical}", drawing, caption, small=True)
