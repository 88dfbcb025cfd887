"""From results of games to ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from gotools.base.errors import GotoolsError
from gotools.base.phases import UNWATCHED, Watch
from gotools.base.settings import with_settings
from gotools.game.table import USUAL
from gotools.library.arguments import Report, listed, log
from gotools.ratings.settings import BRADLEY_TERRY, RatingSettings

if TYPE_CHECKING:
    from gotools.ratings.bradley_terry import Ratings
    from gotools.ratings.games import GameTally
    from gotools.ratings.table import RatingReport, RatingRow

Game = tuple[str, str, float]
"""Black, white, and black's score: 1, 0.5 or 0."""


@with_settings(RatingSettings)
def rate(
    results: str | Path | Iterable[str | Path] | Iterable[Game],
    *,
    settings: RatingSettings,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> RatingReport:
    """Rate players from the results of their games.

    results -- files, folders, archives, globs (docs/elo.md lists the formats), or games: (black, white, score), where
        black's score is 1, 0.5 or 0

    `groups` of what is returned holds rows of name, elo, low, high, games, ...; `ratings` all that was found.

    Raises GotoolsError where there is nothing to rate, and for players between whom no chain of games leads.
    """
    from gotools.ratings import bradley_terry
    from gotools.ratings.table import RatingReport, advantages, rated_rows
    from gotools.ratings.table import compare as difference

    files, games = _sources(results)
    if settings.method != BRADLEY_TERRY:
        return _in_order(_sequence(files, games, settings, report, watch), settings)
    watch.phase("reading games")
    tally = _tally(files, games, settings, report, watch)
    parts = bradley_terry.apart(tally) if settings.groups else [tally]
    watch.phase("fitting ratings")
    found = [bradley_terry.rate(part, settings, watch.advance) for part in parts]
    watch.phase("finding intervals", sum(len(ratings.players) for ratings in found))
    rows = [rated_rows(ratings, settings.level, settings.min_games, watch.advance) for ratings in found]
    _check_any(rows, settings.min_games)
    return RatingReport(
        settings={**_game_played({kind.game for kind in tally.classes}), **_header(settings, found)},
        groups=rows,
        advantages=[advantage for ratings in found for advantage in advantages(ratings, settings.level)],
        excluded=found[0].excluded if len(found) == 1 else tally.excluded,
        comparison=difference(found[0], *settings.compare, settings.level) if settings.compare else None,
        ratings=found,
    )


def _sources(results: str | Path | Iterable[str | Path] | Iterable[Game]) -> tuple[list[str], list[Game]]:
    """Separate files from games that are given as tuples."""
    if isinstance(results, str | Path):
        return listed(results), []
    files: list[str] = []
    games: list[Game] = []
    for one in results:
        if isinstance(one, tuple):
            games.append(_game(one))
        else:
            files.append(str(one))
    return files, games


def _game(game: Game) -> Game:
    try:
        black, white, score = game
        if float(score) in (0.0, 0.5, 1.0) and isinstance(black, str) and isinstance(white, str):
            return black, white, float(score)
    except (TypeError, ValueError):
        pass
    raise GotoolsError(f"{game!r:.100} is not a game: (black, white, score), where black's score is 1, 0.5 or 0")


def _tally(files: list[str], games: list[Game], settings: RatingSettings, report: Report, watch: Watch) -> GameTally:
    from gotools.ratings.games import GameClass, GameTally
    from gotools.ratings.reading.results import read_results

    if not games:
        return read_results(files, report, settings.strict, watch.advance, settings.game)
    if files:
        raise GotoolsError("give files or games, not both")
    rows = (
        (black, white, GameClass(), int(score == 1.0), int(score == 0.5), int(score == 0.0))
        for black, white, score in games
    )
    return GameTally.from_rows(rows)


@dataclass(frozen=True, slots=True)
class _Sequence:
    """Games in order; excluded, by reason, and played, the name of the game, are complete after the last one."""

    games: Iterator[Game]
    excluded: Counter[str]
    played: set[str]


def _sequence(files: list[str], games: list[Game], settings: RatingSettings, report: Report, watch: Watch) -> _Sequence:
    from gotools.ratings.reading.results import read_sequence

    excluded, played = Counter[str](), set[str]()
    read: Iterator[Game] = iter(())
    if files:
        read = read_sequence(files, report, settings.strict, watch.advance, excluded, settings.game, played)
    return _Sequence(chain(read, games), excluded, played)


def _game_played(played: set[str]) -> dict[str, str | float]:
    """Return the game as a setting; nothing for Go."""
    names = played - {"", USUAL}
    return {"game": names.pop()} if names else {}


def _header(settings: RatingSettings, found: list[Ratings]) -> dict[str, str | float]:
    header: dict[str, str | float] = {
        "method": settings.method,
        "games": sum(int(ratings.games.sum()) for ratings in found) // 2,
        "players": sum(len(ratings.players) for ratings in found),
        "prior": settings.prior,
        "draws": settings.draws,
        "level": settings.level,
        **{f"anchor {name}": elo for name, elo in settings.anchors.items()},
    }
    if found[0].draw_parameter is not None:
        header["draw parameter"] = " ".join(f"{ratings.draw_parameter or 0.0:.4f}" for ratings in found)
    return header


def _in_order(ordered: _Sequence, settings: RatingSettings) -> RatingReport:
    from gotools.ratings.bradley_terry import nothing_to_rate
    from gotools.ratings.incremental import abalone_exchange, elo_exchange, rate_in_order
    from gotools.ratings.table import RatingReport, ordered_rows

    exchange = abalone_exchange if settings.method == "abalone" else elo_exchange(settings.k)
    players = rate_in_order(ordered.games, exchange, settings.start)
    if not players:
        raise GotoolsError(nothing_to_rate(ordered.excluded))
    header = _game_played(ordered.played)
    header |= {"method": settings.method, "games": sum(p.games for p in players.values()) // 2}
    header |= {"players": len(players), "start": settings.start}
    if settings.method == "elo":
        header["k"] = settings.k
    rows = ordered_rows(players, settings.min_games)
    _check_any([rows], settings.min_games)
    return RatingReport(settings=header, groups=[rows], excluded=dict(ordered.excluded))


def _check_any(groups: list[list[RatingRow]], min_games: int) -> None:
    if not any(groups):
        raise GotoolsError(f"no player has {min_games:,} games (--min-games)")
