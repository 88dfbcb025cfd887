"""What separates players: the habits of bands of ranks, and of one player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.base.phases import UNWATCHED, Watch
from gotools.base.settings import (
    SettingError,
    Settings,
    check_value,
    setting,
    size_setting,
    strict_setting,
    with_settings,
)
from gotools.game.examples.settings import sizes_of
from gotools.game.table import USUAL
from gotools.library.arguments import Paths, Report, listed, log, no_news
from gotools.views.lessons.bands import DEFAULT_BANDS, RANKS, halves, parse_bands
from gotools.work.cluster import workers_for

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gotools.game.examples.gather import Gathering
    from gotools.game.game import Game
    from gotools.game.records.record import Record
    from gotools.rules.matching import Matcher
    from gotools.views.lessons.bands import Band
    from gotools.views.lessons.comparison import Lessons

LEARNED_GAMES: Final = 100
"""Number of games from which rules are learned if none are given: half a minute of one core for any collection."""
LEARNED_RULES: Final = 60
MANY_MOVES: Final = 20_000
"""Number of moves from which compiling the rules, which takes some seconds, saves time."""


@dataclass(frozen=True, kw_only=True)
class LessonSettings(Settings):
    """Who is compared. The name of `player` is as it stands in the records."""

    bands: str = setting(
        DEFAULT_BANDS,
        "Bands of ranks or ratings (1000-1499), the weakest first. With --ratings, else the weaker and stronger half.",
        "BAND,...",
        check=parse_bands,
    )
    ratings: str | None = setting(None, "ratings.tsv of elo: the ratings of players by their names.", "FILE")
    player: str | None = setting(None, "Compare this player with the bands, and estimate the rank.", "NAME")
    size: int | Iterable[int] = size_setting()
    strict: bool = strict_setting()


@with_settings(LessonSettings)
def compare_players(
    paths: Paths,
    rules: str | Path | Matcher | None = None,
    *,
    settings: LessonSettings,
    game: str = USUAL,
    jobs: int = 1,
    cluster: str | None = None,
    report: Report = log,
    on_news: Callable[[str], None] = no_news,
    watch: Watch = UNWATCHED,
) -> Lessons:
    """Count how often bands of ranks, and one player, play the moves that rules cover; estimate the player's rank.

    paths   -- game records with ranks or ratings (BR, WR), or with names that `ratings` rates; game -- theirs
    rules   -- rules.pl, rules.so, or what `load_rules` returned; None: learned from some games of each band, and
        readable: without shapes
    jobs    -- processes; they never change a result
    on_news -- called with a line on the games from which rules are learned

    `save` writes what is returned as a table.

    Raises GotoolsError where no player has a rank, a band is empty, no game is of the player, or the game has no
    vocabulary of rules.
    """
    from gotools.game.game import find_game
    from gotools.game.vocabulary import Vocabulary
    from gotools.library.rules import load_rules
    from gotools.rules.clauses.rules import check_game
    from gotools.rules.matching import compiled
    from gotools.views.lessons.comparison import lessons_of
    from gotools.views.lessons.habits import count_habits

    find_game(game).need(Vocabulary)
    matcher = load_rules(rules) if isinstance(rules, str | Path) else rules
    if matcher is not None:
        check_game(matcher.rules, game, rules if isinstance(rules, str | Path) else None)
    games = _read(listed(paths), find_game(game), settings, report, watch)
    if matcher is None:
        some = f"{min(LEARNED_GAMES, len(games.records)):,} of {len(games.records):,} games"
        on_news(f"no --rules: learning up to {LEARNED_RULES} rules from about {some}")
        matcher = _learned(games, report, watch)
    moves = sum(len(record.moves) for record in games.records)
    watch.phase("compiling rules")
    pays = moves >= MANY_MOVES and cluster is None  # the library would have to be on its machines
    with compiled(matcher) if pays else nullcontext(matcher) as fast, workers_for(jobs, cluster, report) as workers:
        watch.phase("counting habits")
        sides = count_habits(games.gathering, fast, games.strengths, workers, watch)
    return lessons_of(sides, game, matcher.rules, games.bands, games.player, games.where, watch)


@dataclass(frozen=True, slots=True)
class _Games:
    """Games whose players can be compared.

    strengths -- of black and white of each game, nan where it is not known
    numbers -- of the band of each side, or -1
    where   -- the files in words
    """

    gathering: Gathering
    records: Sequence[Record]
    strengths: Callable[[Sequence[Record]], NDArray[np.float64]]
    bands: Sequence[Band]
    numbers: Sequence[int]
    player: str | None
    where: str


def _read(files: list[str], game: Game, settings: LessonSettings, report: Report, watch: Watch) -> _Games:
    """Read games, and check that their players can be compared, before anything takes long."""
    from gotools.game.examples.gather import Gathering
    from gotools.game.examples.good_and_bad import read_ratings
    from gotools.game.records.selection import Selection
    from gotools.views.lessons.comparison import bands_of
    from gotools.views.lessons.habits import names_of, ranks_of

    rated = None if settings.ratings is None else read_ratings(settings.ratings)
    bands = parse_bands(settings.bands)
    by_halves = rated is not None and settings.bands == DEFAULT_BANDS
    if rated is not None and not by_halves and bands[0].scale is RANKS:
        raise SettingError("bands", "with {ratings} they are of ratings: 1000-1499,1500-1999")
    player = None if settings.player is None else " ".join(settings.player.split())
    where = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1:,} more"
    watch.phase("reading games")
    gathering = Gathering(files, game, Selection(sizes=sizes_of(settings.size)), report, strict=settings.strict)
    records = gathering.keep()
    if not records:
        raise FileFormatError(files[0], None, gathering.why_nothing().removeprefix(f"{files[0]}: "))
    strengths = partial(ranks_of, scale=bands[0].scale, game=game, ratings=rated)
    names, known = names_of(records), strengths(records)
    if by_halves:
        bands = check_value("ratings", halves, known[[name != player for name in names]])
    numbers = bands_of(names, known, bands, player, where)
    return _Games(gathering, records, strengths, bands, numbers.tolist(), player, where)


def _learned(games: _Games, report: Report, watch: Watch) -> Matcher:
    """Return rules that can be read in words, learned from the same number of games of each band."""
    from gotools.game.examples.gather import examples_of
    from gotools.game.game import vocabulary_of
    from gotools.game.records.selection import Selection
    from gotools.library.induction import induce_rules
    from gotools.rules.matching import Interpreted
    from gotools.rules.task.settings import InductionSettings

    game = games.gathering.game
    examples, _ = examples_of([games.records[at] for at in _some_of_each_band(games)], Selection(), game)
    unread = "shape" if vocabulary_of(game.name).points else ""  # the one predicate that says little in words
    how = InductionSettings(objective="rank", without=unread, max_rules=LEARNED_RULES)
    study = induce_rules(examples, settings=how, game=game.name, report=report, watch=watch)
    if not study.whole:
        raise KeyboardInterrupt
    if not study.rules.rules:
        raise GotoolsError(f"{games.where}: too few games to learn rules from; give rules that exist (--rules)")
    return Interpreted(study.rules)


def _some_of_each_band(games: _Games) -> list[int]:
    """Return numbers of games, spread evenly over those that a player of a band has played."""
    chosen: set[int] = set()
    for band in range(len(games.bands)):
        of_band = sorted({side // 2 for side, number in enumerate(games.numbers) if number == band})
        count = min(len(of_band), LEARNED_GAMES // len(games.bands) or 1)
        chosen |= {of_band[at * len(of_band) // count] for at in range(count)}
    return sorted(chosen)
