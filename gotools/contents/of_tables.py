"""What tables say: their header, counts, and some rows."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from gotools.contents.contents import Contents, Listing
from gotools.errors import FileFormatError, shown
from gotools.files.cells import MISSING
from gotools.files.kinds import Kind, TableKind, kind_of
from gotools.files.opening import head_of, read_bytes, read_parts
from gotools.files.tables import game_named, read_table
from gotools.game import GAMES, find_game
from gotools.games.examples import read_rows
from gotools.go.examples.table import SOURCES, stream_examples
from gotools.learn.clusters.clusters import Centre, Clusters
from gotools.learn.clusters.clusters_file import load_clusters

MOST_COLUMNS: Final = 100
"""Of a list; a matrix may have thousands."""
_FEATURES: Final = 3
"""Features named of a centre."""


def show_table(path: str, limit: int) -> Contents:
    """Read any table of ours: its header, the first rows, of a log the last ones. Raises FileFormatError."""
    kind = kind_of(head_of(path))
    assert isinstance(kind, TableKind)  # others are not shown by this function
    values, columns, _, rows = read_table(path, kind.word, kind.version)
    cells = [found for _, found in rows]
    few = cells[max(0, len(cells) - limit) :] if kind is Kind.log else cells[:limit]
    names = columns[:MOST_COLUMNS]
    title = "last rows" if kind is Kind.log else "first rows"
    listing = Listing(title, names, [[_number(cell) for cell in row[: len(names)]] for row in few], len(cells))
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
                few.append([_number(cell) for cell in row[: len(names)]])
    except csv.Error as error:
        raise FileFormatError(path, lines.line_num, f"no CSV: {error}") from error
    return Contents(path, Kind.csv, {"rows": count}, [Listing("first rows", names, few, count)])


def _number(text: str) -> int | float | str | None:
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
    if game_named(path, "examples") not in ("", "go"):
        return _show_game_examples(path, limit)
    games: set[str] = set()
    rows, labels = 0, [0, 0]
    kinds: Counter[tuple[int, int, int]] = Counter()
    for part in stream_examples(path):
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
    return Contents(path, Kind.examples, facts, [Listing("classes", columns, listed[:limit], len(listed))])


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
    return Contents(path, Kind.examples, facts, [Listing("results", columns, listed[:limit], len(listed))])


def clusters_to_show(path: str) -> Clusters:
    """Read clusters of whatever game the file names. Raises FileFormatError."""
    named = game_named(path, "clusters")
    return load_clusters(path, find_game(named if named in GAMES else "go"))  # which the reader refuses


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
    return Contents(path, Kind.clusters, facts, [Listing("centres", columns, rows[:limit], len(rows), notes)])


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
            listings.append(Listing(name, columns, rows, len(part)))
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
