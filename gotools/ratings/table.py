"""Lay out ratings: TSV, CSV and JSON for programs, a table for people. Same ratings, same bytes."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gotools.base.errors import GotoolsError, shown
from gotools.files.converting import csv_of_text
from gotools.files.json_text import json_text
from gotools.files.kinds import Kind
from gotools.files.tables import header, row

if TYPE_CHECKING:
    from gotools.ratings.bradley_terry import Ratings
    from gotools.ratings.games import GameClass
    from gotools.ratings.incremental import Standing

KIND, VERSION, JSON_VERSION = Kind.ratings.word, Kind.ratings.version, 1
COLUMNS = ("rank", "name", "elo", "low", "high", "games", "wins", "draws", "losses", "score", "superiority")
MOST_IN_MATRIX = 5000
"""Most players in a matrix of superiorities: a file of 175 MB."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A player. elo, low, high -- None for an end that the games do not bound; superiority -- over the next player."""

    rank: int
    name: str
    elo: float | None
    low: float | None
    high: float | None
    bound: str
    games: int
    wins: int
    draws: int
    losses: int
    superiority: float | None

    @property
    def score(self) -> float:
        """Points a game."""
        return (self.wins + 0.5 * self.draws) / self.games


@dataclass(frozen=True, slots=True)
class Advantage:
    """The first-move advantage of a class of games.

    elo   -- None if one colour won every game and there is no prior
    share -- of the wins between equals that are black's
    """

    text: str
    games: int
    elo: float | None
    low: float | None
    high: float | None
    share: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One player's rating less another's. elo -- None if there is only a bound, low or high, or nothing at all."""

    first: str
    second: str
    elo: float | None
    low: float | None
    high: float | None
    superiority: float | None


@dataclass(frozen=True)
class RatingReport:
    """All results of a rating, for output.

    settings -- how the ratings were made, by name, in order
    groups -- rows of each group of players rated separately; else one
    excluded -- games left out, by reason
    ratings -- what the rows of each group were made of; none where players were rated game by game
    """

    settings: dict[str, str | float]
    groups: list[list[RatingRow]]
    advantages: list[Advantage] = field(default_factory=list)
    excluded: dict[str, int] = field(default_factory=dict)
    comparison: Comparison | None = None
    ratings: list[Ratings] = field(default_factory=list)

    def __repr__(self) -> str:
        about = ", ".join(f"{name}={self.settings[name]!r}" for name in ("method", "games", "players"))
        return f"RatingReport({about})"

    @property
    def rows(self) -> list[RatingRow]:
        """Return the rows of all groups, one after the other."""
        return [row for group in self.groups for row in group]


def rated_rows(
    ratings: Ratings, level: float, least: int = 0, advance: Callable[[], object] = lambda: None
) -> list[RatingRow]:
    """Return a row for each player of at least `least` games, best first; equals, to a hundredth, in order of name.

    Bounds are not compared with ratings: players without losses come before all who are rated, players without wins
    after them, and last those whom no games tie to them.

    advance -- called for each player
    """
    ends = []
    for i in range(len(ratings.players)):
        ends.append(ratings.interval(i, level))
        advance()
    elo = [_stated(ratings, i, ends[i]) for i in range(len(ends))]
    shown = [i for i in range(len(ends)) if ratings.games[i] >= least]
    order = sorted(shown, key=lambda i: (*_place(elo[i], ratings.bound[i]), ratings.players[i]))
    rows = []
    above: list[float | None] = [*ratings.superiorities_in(order), None]
    for rank, i in enumerate(order, 1):
        low, high = ends[i]
        rows.append(
            RatingRow(
                rank=rank,
                name=ratings.players[i],
                elo=elo[i],
                low=low,
                high=high,
                bound=ratings.bound[i],
                games=int(ratings.games[i]),
                wins=int(ratings.wins[i]),
                draws=int(ratings.draws[i]),
                losses=int(ratings.losses[i]),
                superiority=_known(above[rank - 1]),
            )
        )
    return rows


def _stated(ratings: Ratings, i: int, ends: tuple[float | None, float | None]) -> float | None:
    if not ratings.bound[i]:
        return float(ratings.elo[i])
    return next((end for end in ends if end is not None), None)


def _place(elo: float | None, bound: str) -> tuple[int, float]:
    tier = (">", "", "<", "?").index(bound)
    return tier, math.inf if elo is None else -round(elo, 2)


def ordered_rows(players: Mapping[str, Standing], least: int = 0) -> list[RatingRow]:
    """Return a row for each player rated game by game, best first."""
    shown = [(name, player) for name, player in players.items() if player.games >= least]
    shown.sort(key=lambda item: (-round(item[1].elo, 2), item[0]))
    return [
        RatingRow(
            rank=rank,
            name=name,
            elo=p.elo,
            low=None,
            high=None,
            bound="",
            games=p.games,
            wins=p.wins,
            draws=p.draws,
            losses=p.losses,
            superiority=None,
        )
        for rank, (name, p) in enumerate(shown, 1)
    ]


def advantages(ratings: Ratings, level: float) -> list[Advantage]:
    """Return the first-move advantages, most games first."""
    from gotools.ratings.intervals import interval_reach

    width = interval_reach(level)
    found = []
    for kind, games, elo, deviation in zip(
        ratings.classes, ratings.class_games, ratings.advantage, ratings.advantage_sd, strict=False
    ):
        text = class_text(kind)
        if math.isnan(elo):
            found.append(Advantage(text, int(games), None, None, None, None))
        else:
            a, reach = float(elo), width * float(deviation)
            found.append(Advantage(text, int(games), a, a - reach, a + reach, 1.0 / (1.0 + 10.0 ** (-a / 400.0))))
    return sorted(found, key=lambda advantage: (-advantage.games, advantage.text))


def class_text(kind: GameClass) -> str:
    """Return a class of games in words."""
    from gotools.game.table import USUAL

    if kind.game != USUAL:
        return shown(kind.game) + ("" if kind.size is None else f", size {kind.size}")
    size = "size unknown" if kind.size is None else f"{kind.size}x{kind.size}"
    komi = "komi unknown" if kind.komi is None else f"komi {kind.komi:g}"
    return f"{size}, {komi}" + (f", handicap {kind.handicap}" if kind.handicap else "")


def compare(ratings: Ratings, first: str, second: str, level: float) -> Comparison:
    """Return the difference of two players. Raises GotoolsError for an unknown name."""
    i, j = ratings.index(first), ratings.index(second)
    elo, low, high = ratings.difference(i, j, level)
    point = None if ratings.bound[i] or ratings.bound[j] else elo
    return Comparison(first, second, point, low, high, _known(ratings.superiority(i, j)))


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _cells(row: RatingRow) -> list[str]:
    elo = [_number(x, 2) for x in (row.elo, row.low, row.high)]
    counts = [str(x) for x in (row.games, row.wins, row.draws, row.losses)]
    return [str(row.rank), row.name, *elo, *counts, _number(row.score, 4), _number(row.superiority, 4)]


def _number(value: float | None, digits: int) -> str:
    """Return a number's text; minus zero is zero."""
    return "" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"


def to_tsv(report: RatingReport) -> bytes:
    """Return `##gotools ratings 2`, the settings in `##` lines, and a row per player.

    A rating that is a bound is in elo and in low or high; a missing end is empty.
    """
    values = {key: setting_text(value) for key, value in report.settings.items()}
    for number, a in enumerate(report.advantages, 1):
        elo, low, high = (_number(value, 2) or "-" for value in (a.elo, a.low, a.high))
        ends = f"{elo} ({low} to {high})"
        values[f"advantage {number}"] = f"{ends}, {a.games} games, {a.text}"
    values |= {f"excluded {reason}": str(count) for reason, count in sorted(report.excluded.items()) if count}
    if report.comparison:
        values["difference"] = comparison_text(report.comparison)
    many = len(report.groups) > 1
    lines = [
        row([*_cells(player), *([number] if many else [])])
        for number, players in enumerate(report.groups, 1)
        for player in players
    ]
    columns = (*COLUMNS, "group") if many else COLUMNS
    return header(KIND, VERSION, values, columns) + "".join(lines).encode("utf-8", "replace")


def setting_text(value: str | float) -> str:
    """Return a setting as text: 100000, 0.95."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def to_csv(report: RatingReport) -> bytes:
    """Return a line of column names and a row per player; unknown values are empty."""
    out = io.BytesIO()
    with csv_of_text(out) as table:
        table.write(to_tsv(report))
    return out.getvalue()


def to_json(report: RatingReport) -> bytes:
    """Return one object: settings, ratings, advantages, excluded, difference; unknown values are null."""
    players = []
    for number, rows in enumerate(report.groups, 1):
        for player in rows:
            cells = {name: _rounded(getattr(player, name)) for name in COLUMNS}
            players.append({**cells, "bound": player.bound, "group": number})
    values: dict[str, Any] = {
        "format": f"gotools {KIND} {JSON_VERSION}",
        **report.settings,
        "ratings": players,
        "advantages": [_fields(a) for a in report.advantages],
        "excluded": dict(sorted(report.excluded.items())),
    }
    if report.comparison:
        values["difference"] = _fields(report.comparison)
    return (json_text(values, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _fields(record: Any) -> dict[str, Any]:
    return {name: _rounded(getattr(record, name)) for name in record.__slots__}


def _rounded(value: Any) -> Any:
    return round(value, 4) + 0.0 if isinstance(value, float) else value


def comparison_text(comparison: Comparison) -> str:
    """Return the difference of two players in words."""
    c = comparison
    sure = (
        "" if c.superiority is None else f"; {c.first} is the stronger with a likelihood of {100 * c.superiority:.2f} %"
    )
    return f"{c.first} minus {c.second}: {_difference_text(c)}{sure}"


def _difference_text(c: Comparison) -> str:
    if c.elo is not None:
        return f"{_signed(c.elo, '')} Elo ({_signed(c.low, 'no lower end')} to {_signed(c.high, 'no upper end')})"
    if c.low is not None:
        return f"more than {_signed(c.low, '')} Elo"
    return "unknown" if c.high is None else f"less than {_signed(c.high, '')} Elo"


def _signed(value: float | None, missing: str) -> str:
    return missing if value is None else f"{round(value, 1) + 0.0:+.1f}"


FORMATS: dict[str, Callable[[RatingReport], bytes]] = {"tsv": to_tsv, "csv": to_csv, "json": to_json}


def superiorities_tsv(ratings: Ratings, order: Sequence[str]) -> bytes:
    """Return how likely each player (row) is stronger than each other (column), in the given order."""
    at = {name: i for i, name in enumerate(ratings.players)}
    places = [at[name] for name in order]
    if not places:
        raise GotoolsError("no player left to compare")
    if len(places) > MOST_IN_MATRIX:
        raise GotoolsError(
            f"a matrix of {len(places):,} players has {len(places) ** 2:,} numbers; it is written for at most "
            f"{MOST_IN_MATRIX:,}, so leave out those of few games (--min-games)"
        )
    found = ratings.superiorities(places)
    lines = [row([name, *(_number(_known(x), 4) for x in of)]) for name, of in zip(order, found, strict=True)]
    return header(Kind.superiorities.word, Kind.superiorities.version, {}, ["name", *order]) + "".join(lines).encode(
        "utf-8", "replace"
    )
