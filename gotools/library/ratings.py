"""From results of games to ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from gotools.errors import GotoolsError, nearest, quoted
from gotools.library.arguments import Report, check_goes_with, listed, log
from gotools.phases import UNWATCHED, Watch

if TYPE_CHECKING:
    from gotools.ratings.bradley_terry import Options, Ratings
    from gotools.ratings.games import GameTally
    from gotools.ratings.table import RatingReport, RatingRow

Game = tuple[str, str, float]
"""Black, white, and black's score: 1, 0.5 or 0."""
BRADLEY_TERRY: Final = "bradley-terry"
Method = Literal["bradley-terry", "elo", "abalone"]
"""Ways to rate."""
Draws = Literal["half", "davidson"]
"""What a draw is."""
GOES_WITH: Final = (
    ((BRADLEY_TERRY,), ("prior", "draws", "advantage", "level", "anchors", "groups", "compare", "anchor", "matrix")),
    (("elo",), ("k",)),
    (("elo", "abalone"), ("start",)),
)
"""Parameters that only some methods use; the last two of the first are options."""


def rate(
    results: str | Path | Iterable[str | Path] | Iterable[Game],
    *,
    method: Method = "bradley-terry",
    prior: float = 1.0,
    draws: Draws = "half",
    advantage: bool = True,
    anchors: Mapping[str, float] | None = None,
    level: float = 0.95,
    min_games: int = 0,
    groups: bool = False,
    compare: tuple[str, str] | None = None,
    k: float = 20.0,
    start: float = 1500.0,
    game: str | None = None,
    strict: bool = False,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> RatingReport:
    """Rate players from the results of their games.

    results   -- files, folders, archives, globs (docs/elo.md lists the formats), or games: (black, white, score), where
        black's score is 1, 0.5 or 0
    method    -- bradley-terry: all games at once; elo and abalone: game by game, in the order of the games
    prior     -- drawn games of each player against a virtual average one; 0: none
    draws     -- half a win each, or an outcome of its own
    advantage -- a first-move advantage for each komi, handicap and board size
    anchors   -- given ratings; without any the mean is 0
    level     -- of the intervals
    min_games -- players of fewer games have no row; all games count
    groups    -- rate groups without games between them apart
    compare   -- two players whose difference is wanted
    k, start  -- of elo: K, and the rating of new players (of abalone too)
    game      -- rate the results of this game; None: all must be of one game, Go where they name none

    `groups` of what is returned holds rows of name, elo, low, high, games, ...; `ratings` all that was found.

    Raises GotoolsError where there is nothing to rate, and for players between whom no chain of games leads.
    """
    check_goes_with(rate, locals(), "method", GOES_WITH)
    _check_game(game)
    files, games = _sources(results)
    if method != BRADLEY_TERRY:
        ordered = _sequence(files, games, report, strict, watch, game)
        return _in_order(ordered, method, k, start, min_games)
    from gotools.ratings.bradley_terry import Options

    options = Options(prior=prior, advantage=advantage, draws=draws, anchors=dict(anchors or {}))
    watch.phase("reading games")
    tally = _tally(files, games, report, strict, watch, game)
    return _rated(tally, options, level, min_games, groups, compare, watch)


def _check_game(game: str | None) -> None:
    """Raise GotoolsError for a game that is not known."""
    from gotools.game import GAMES, plain_name

    if game is not None and plain_name(game) not in GAMES:
        raise GotoolsError(f"there is no game {quoted(plain_name(game))}{nearest(game, list(GAMES))}")


def _sources(results: str | Path | Iterable[str | Path] | Iterable[Game]) -> tuple[list[str], list[Game]]:
    """Return files, and games that were given as such."""
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


def _tally(
    files: list[str], games: list[Game], report: Report, strict: bool, watch: Watch, game: str | None
) -> GameTally:
    from gotools.ratings.games import GameClass, GameTally
    from gotools.ratings.reading.results import read_results

    if not games:
        return read_results(files, report, strict, watch.advance, game)
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


def _sequence(
    files: list[str], games: list[Game], report: Report, strict: bool, watch: Watch, game: str | None
) -> _Sequence:
    from gotools.ratings.reading.results import read_sequence

    excluded, played = Counter[str](), set[str]()
    read = read_sequence(files, report, strict, watch.advance, excluded, game, played) if files else iter(())
    return _Sequence(chain(read, games), excluded, played)


def _rated(
    tally: GameTally,
    options: Options,
    level: float,
    min_games: int,
    groups: bool,
    compare: tuple[str, str] | None,
    watch: Watch,
) -> RatingReport:
    from gotools.ratings.bradley_terry import apart, rate
    from gotools.ratings.table import RatingReport, advantages, rated_rows
    from gotools.ratings.table import compare as difference

    parts = apart(tally) if groups else [tally]
    watch.phase("fitting ratings")
    found = [rate(part, options, watch.advance) for part in parts]
    watch.phase("finding intervals", sum(len(ratings.players) for ratings in found))
    rows = [rated_rows(ratings, level, min_games, watch.advance) for ratings in found]
    _check_any(rows, min_games)
    return RatingReport(
        settings={**_game_played({kind.game for kind in tally.classes}), **_settings(options, level, found)},
        groups=rows,
        advantages=[advantage for ratings in found for advantage in advantages(ratings, level)],
        excluded=found[0].excluded if len(found) == 1 else tally.excluded,
        comparison=difference(found[0], *compare, level) if compare else None,
        ratings=found,
    )


def _game_played(played: set[str]) -> dict[str, str | float]:
    """Return the game as a setting; nothing for Go."""
    names = played - {"", "go"}
    return {"game": names.pop()} if names else {}


def _settings(options: Options, level: float, found: list[Ratings]) -> dict[str, str | float]:
    settings: dict[str, str | float] = {
        "method": BRADLEY_TERRY,
        "games": sum(int(ratings.games.sum()) for ratings in found) // 2,
        "players": sum(len(ratings.players) for ratings in found),
        "prior": options.prior,
        "draws": options.draws,
        "level": level,
        **{f"anchor {name}": elo for name, elo in options.anchors.items()},
    }
    if found[0].draw_parameter is not None:
        settings["draw parameter"] = " ".join(f"{ratings.draw_parameter or 0.0:.4f}" for ratings in found)
    return settings


def _in_order(ordered: _Sequence, method: str, k: float, start: float, min_games: int) -> RatingReport:
    from gotools.ratings.bradley_terry import nothing_to_rate
    from gotools.ratings.incremental import abalone_exchange, elo_exchange, rate_in_order
    from gotools.ratings.table import RatingReport, ordered_rows

    players = rate_in_order(ordered.games, abalone_exchange if method == "abalone" else elo_exchange(k), start)
    if not players:
        raise GotoolsError(nothing_to_rate(ordered.excluded))
    settings = _game_played(ordered.played)
    settings |= {"method": method, "games": sum(p.games for p in players.values()) // 2}
    settings |= {"players": len(players), "start": start, **({"k": k} if method == "elo" else {})}
    rows = ordered_rows(players, min_games)
    _check_any([rows], min_games)
    return RatingReport(settings=settings, groups=[rows], excluded=dict(ordered.excluded))


def _check_any(groups: list[list[RatingRow]], min_games: int) -> None:
    if not any(groups):
        raise GotoolsError(f"no player has {min_games:,} games (--min-games)")
