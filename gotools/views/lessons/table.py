"""Lessons as a table of kind `lessons`, a row for each rule, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from gotools.files.cells import MISSING
from gotools.files.json_text import json_text
from gotools.files.kinds import Kind
from gotools.files.tables import header, row
from gotools.views.lessons.bands import RATINGS
from gotools.views.lessons.comparison import Lessons
from gotools.views.lessons.shares import HabitShares

KIND, VERSION = Kind.lessons.word, Kind.lessons.version
PLAYER: Final = "player"
PARTS: Final = ("", "_low", "_high", "_opportunities")
"""Columns of a band or player: the share, the ends of its interval, the decisions behind it."""


def columns_of(bands: list[str], player: bool) -> list[str]:
    """Return the names of the columns."""
    groups = [*bands, *([PLAYER] if player else [])]
    found = ["rule", "difference", "low", "high", *(f"{group}{part}" for group in groups for part in PARTS)]
    return [*found, *(["like", "evidence"] if player else []), "words", "clause"]


def settings_of(lessons: Lessons) -> dict[str, Any]:
    """Return what the table says before its rows, by name; numbers are numbers."""
    found: dict[str, Any] = {
        "game": lessons.game,
        "rules": len(lessons.rules.rules),
        "size": lessons.size,
        "digest": lessons.rules.digest,
        "games": lessons.games,
        "bands": [band.name for band in lessons.bands],
        "sides": [band.sides for band in lessons.bands],
        "players": [band.players for band in lessons.bands],
        "decisions": [band.decisions for band in lessons.bands],
    }
    if lessons.scale is RATINGS:
        found["scale"] = RATINGS.what
    for one in lessons.measured:
        figures = {name: _rounded(value) for name, value in asdict(one).items() if name != "games"}
        found |= {f"{name}_{one.games}": value for name, value in figures.items()}
    if (player := lessons.player) is not None:
        found |= {"player": player.name, "player_games": player.games}
        if player.written is not None:
            found["player_rank"] = lessons.scale.text(player.written)
        if player.estimate is not None:
            names = ("estimate", "estimate_low", "estimate_high")
            found |= dict(zip(names, map(lessons.scale.text, player.estimate), strict=True))
    return found


def as_tsv(lessons: Lessons) -> bytes:
    """Return the table: rules in the order of `Lessons.order`."""
    names = [band.name for band in lessons.bands]
    values = {
        key: ",".join(map(str, value)) if isinstance(value, list) else str(value)
        for key, value in settings_of(lessons).items()
    }
    columns = columns_of(names, lessons.player is not None)
    rows = (row("" if cell is None else cell for cell in habit.values()) for habit in habits(lessons))
    return header(KIND, VERSION, values, columns) + "".join(rows).encode("utf-8", "replace")


def as_json(lessons: Lessons) -> bytes:
    """Return settings, and a list of habits with the columns of the table."""
    whole = {"gotools": KIND, "version": VERSION, "settings": settings_of(lessons), "habits": list(habits(lessons))}
    return (json_text(whole, indent=1) + "\n").encode()


def habits(lessons: Lessons) -> Iterator[dict[str, Any]]:
    """Yield the rows by the names of the columns; None for a number that is not known."""
    differences, player = lessons.differences, lessons.player
    groups = [(band.name, band.shares) for band in lessons.bands]
    groups += [] if player is None else [(PLAYER, player.shares)]
    for number in lessons.order:
        ends = (differences.difference[number], differences.low[number], differences.high[number])
        found: dict[str, Any] = {"rule": lessons.rule(number).id}
        found |= dict(zip(("difference", "low", "high"), map(_rounded, ends), strict=True))
        for name, shares in groups:
            found |= {f"{name}{part}": value for part, value in zip(PARTS, _figures(shares, number), strict=True)}
        if player is not None:
            like = int(player.like[number])
            found["like"] = MISSING if like < 0 else lessons.bands[like].name
            found["evidence"] = _rounded(player.evidence[number])
        yield {**found, "words": lessons.words(number), "clause": lessons.rule(number).clause}


def _figures(shares: HabitShares, number: int) -> list[float | int | None]:
    ends = (shares.share[number], shares.low[number], shares.high[number])
    return [*map(_rounded, ends), int(shares.opportunities[number])]


def _rounded(value: float | int) -> float | int | None:
    if isinstance(value, int):
        return value
    return round(float(value), 4) + 0.0 if np.isfinite(value) else None
