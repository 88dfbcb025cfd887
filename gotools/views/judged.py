"""What rules and learned values say of the moves of games: one pass over the records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError
from gotools.base.phases import Watch
from gotools.engines.move_values import MoveValues
from gotools.engines.ranked import Ranker, Wanted
from gotools.game.examples.examples import Examples
from gotools.game.examples.gather import Gathering
from gotools.game.game import Game
from gotools.game.records.record import Record
from gotools.game.records.selection import Selection
from gotools.rules.matching import Matcher
from gotools.rules.ranking import POSITIONS, Ranking, RankingTally
from gotools.rules.rule_ranking import RuleRanking
from gotools.views.rule_study import RuleStudy

SHOWN: Final = 5
"""Likely moves of a position."""
MOST_READ: Final = 2_000
"""Games that are read; the page says so where there are more."""
MOST_MOVES: Final = 100_000
"""Moves after which no further game is read: some 400 games of 19x19."""
_LEAST: Final = 0.01
"""Shares below are not shown."""
BINS: Final = 10


@dataclass(slots=True)
class JudgedMoves:
    """What is known of each move of a game, by its place from 0.

    likely -- points and their shares, the best first; share -- of the move played, nan where it is not known
    value  -- of the position after the move played, for its side, -1 to 1; loss -- how much less that is than after the
        best of the likely moves; both nan where nothing is known
    """

    likely: list[list[tuple[int, float]]]
    share: NDArray[np.float64]
    value: NDArray[np.float64]
    loss: NDArray[np.float64]


@dataclass(slots=True)
class Calibration:
    """How often moves are played to which a share was given, by bins of shares."""

    moves: NDArray[np.int64] = field(default_factory=lambda: np.zeros(BINS, np.int64))
    shares: NDArray[np.float64] = field(default_factory=lambda: np.zeros(BINS))
    played: NDArray[np.int64] = field(default_factory=lambda: np.zeros(BINS, np.int64))

    def add(self, ranking: Ranking) -> None:
        """Add the moves of some positions."""
        into = np.minimum((ranking.probability * BINS).astype(np.intp), BINS - 1)
        self.moves += np.bincount(into, minlength=BINS)
        self.shares += np.bincount(into, ranking.probability, BINS)
        self.played += np.bincount(into[ranking.played[ranking.played >= 0]], minlength=BINS)


@dataclass(slots=True)
class JudgedGames:
    """Games, and what was found about them. study -- of rules only, and calibration; left_out -- games not read."""

    game: Game
    games: list[Record] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    judged: list[JudgedMoves] = field(default_factory=list)
    tally: RankingTally = field(default_factory=RankingTally)
    study: RuleStudy | None = None
    calibration: Calibration = field(default_factory=Calibration)
    left_out: bool = False
    sizes: set[int] = field(default_factory=set)

    def text(self, record: Record, place: int) -> str:
        """Return a move of a record as the game writes it."""
        return self.game.move_text(self.game.move_at(place, record.size), record.size)


def judge_games(
    paths: Sequence[str],
    game: Game,
    matcher: Matcher | None,
    values: MoveValues | None,
    say: Callable[[str], None],
    watch: Watch,
) -> JudgedGames:
    """Read games and rank the moves of their positions, by rules, else by values.

    say -- called for each game that is broken

    Raises FileFormatError where a path names nothing, or no game can be read.
    """
    found = JudgedGames(game, study=RuleStudy(matcher.rules) if matcher is not None and matcher.rules.rules else None)
    for records, examples in Gathering(paths, game, Selection(), say).played():
        base = len(found.games)
        found.games += records
        found.judged += [_blank(len(record.moves)) for record in records]
        found.sizes |= {record.size for record in records}
        if matcher is not None:
            for some, judge in _parts(examples, values):
                ranker = Ranker(matcher, judge, Wanted(SHOWN))
                ranking, _ = ranker.ranking(some)
                _take_in(found, ranking, ranker.tally(ranking), base)
                watch.advance(len(some))
        if len(found.games) >= MOST_READ or sum(len(record.moves) for record in found.games) >= MOST_MOVES:
            found.left_out = True
            break
    if not found.games:
        raise FileFormatError(paths[0], None, f"no game of {game.name.capitalize()} could be read")
    return found


def _blank(moves: int) -> JudgedMoves:
    return JudgedMoves([[] for _ in range(moves)], *(np.full(moves, np.nan) for _ in range(3)))


def _parts(examples: Examples, values: MoveValues | None) -> list[tuple[Examples, MoveValues | None]]:
    """Cut positions into parts that are ranked together; values judge only positions of their board size."""
    rows = np.arange(len(examples))
    groups: list[tuple[NDArray[np.int64], MoveValues | None]] = [(rows, values)]
    if values is not None and values.only_size is not None:
        fits = examples.size == values.only_size
        others = [] if values.orders else [(rows[~fits], None)]  # nothing ranks the moves of other sizes there
        groups = [(rows[fits], values), *others]
    return [
        (examples.take(group[begin : begin + POSITIONS]), judge)
        for group, judge in groups
        for begin in range(0, len(group), POSITIONS)
    ]


def _take_in(found: JudgedGames, ranking: Ranking, tally: RankingTally, base: int) -> None:
    if not len(ranking):
        return
    found.tally.join(tally)
    found.calibration.add(ranking)
    games, places = base + ranking.legal.examples.game, ranking.legal.examples.ply - 1
    if found.study is not None and isinstance(ranking, RuleRanking):
        found.study.add(ranking, games, places)
    for k, (game, place) in enumerate(zip(games.tolist(), places.tolist(), strict=True)):
        judgement = found.judged[game]
        rows, played = ranking.rows(k, SHOWN), int(ranking.played[k])
        moves, shares = ranking.legal.place[rows].tolist(), ranking.probability[rows].tolist()
        judgement.likely[place] = [(move, share) for move, share in zip(moves, shares, strict=True) if share >= _LEAST]
        if played < 0:
            continue
        judgement.share[place] = ranking.probability[played]
        if ranking.value is not None:
            judgement.value[place] = ranking.value[played]
            judgement.loss[place] = max(0.0, float(np.nanmax(ranking.value[rows]) - ranking.value[played]))
