"""Count habits: how often each player, in each game, could make a move that a rule covers, and how often it was made.

A decision is an opportunity of a rule where the rule covers at least one legal move, and taken where it covers the move
played. `Sides` holds the counts, a row for the moves of one player in one game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.base.phases import UNWATCHED, Watch
from gotools.files.opening import SameFile, same_file
from gotools.game.examples.examples import Examples
from gotools.game.examples.gather import Gathering
from gotools.game.game import Game
from gotools.game.records.ranks import rating_of
from gotools.game.records.record import Record
from gotools.games.go.examples.examples import of_go
from gotools.rules.clauses.rules import RuleSet
from gotools.rules.compiled.native import NativeRules
from gotools.rules.matching import Interpreted, Matcher, find_matcher
from gotools.rules.ranking import POSITIONS
from gotools.rules.rule_ranking import rank_together
from gotools.rules.rule_table import FirstMoves, first_moves, ranked_by_library
from gotools.views.lessons.bands import RANKS, Scale
from gotools.work.workers import Processes, Task, Workers

LIKELY: Final = 5
"""A move is likely if it is among this number of first moves by the rules."""


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Counts of n sides: the moves of one player in one game.

    players        -- names, "" where the record has none
    ranks          -- float64[n], strengths on the scale of the bands; nan where the record has none
    game           -- int64[n]: a number of the game
    decisions      -- int64[n]: moves that were legal, passes apart
    opportunities  -- uint16[n, rules]: decisions in which a rule covers some legal move
    taken          -- uint16[n, rules]: those in which it covers the move played
    log_likelihood -- float64[n]: sum over the decisions, under the probabilities of the rules
    first, likely  -- int64[n]: decisions whose move is the first of the rules, one of the first five
    """

    players: list[str]
    ranks: NDArray[np.float64]
    game: NDArray[np.int64]
    decisions: NDArray[np.int64]
    opportunities: NDArray[np.uint16]
    taken: NDArray[np.uint16]
    log_likelihood: NDArray[np.float64]
    first: NDArray[np.int64]
    likely: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.players)

    def take(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> Sides:
        """Return some of the rows: a mask, or their numbers."""
        rows = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        _, *arrays = (getattr(self, one.name) for one in fields(self))
        return Sides([self.players[row] for row in rows.tolist()], *(array[rows] for array in arrays))

    def player_numbers(self) -> NDArray[np.int64]:
        """Return int64[n]: the same number for rows of one player; each row without a name has one of its own."""
        seen: dict[object, int] = {}
        keys = [name or (number,) for number, name in enumerate(self.players)]
        return np.array([seen.setdefault(key, len(seen)) for key in keys], np.int64)


def count_habits(
    gathering: Gathering,
    matcher: Matcher,
    strengths: Callable[[Sequence[Record]], NDArray[np.float64]],
    workers: Workers | None = None,
    watch: Watch = UNWATCHED,
) -> Sides:
    """Count the habits of the players of some games.

    strengths -- of black and white of each game, nan where it is not known
    workers -- they change nothing in the result; None: this process

    Raises GotoolsError where there is not one move.
    """
    records: list[Record] = []
    rules = same_file(matcher.path) if isinstance(matcher, NativeRules) else matcher.rules
    if isinstance(matcher, Interpreted) and matcher.background:
        workers = None  # there is one Prolog
    task = Task(_count, _load, (rules,)) if workers is not None else Task(_count, _as_it_is, (matcher,))
    found: list[_Counts] = []
    for counts in (workers or Processes()).each(task, _pieces(gathering, records)):
        found.append(counts)
        watch.advance(counts.positions)
    if not gathering.examples:
        raise GotoolsError(gathering.why_nothing())
    return _joined(records, strengths(records), found, len(matcher.rules.rules))


def names_of(records: Sequence[Record]) -> list[str]:
    """Return the names of black and white of each game, "" where the record has none."""
    return [" ".join(name.split()) for record in records for name in record.players]


def ranks_of(
    records: Sequence[Record], scale: Scale, game: Game, ratings: Mapping[str, float] | None = None
) -> NDArray[np.float64]:
    """Return their strengths; nan where the record names none of the scale: a rating stands for a rank in Go alone.

    ratings -- of players by their names, in place of what the records say
    """
    if ratings is not None:
        known = {" ".join(name.split()): rating for name, rating in ratings.items()}
        return np.array([known.get(name, np.nan) for name in names_of(records)])
    apart = scale is RANKS and game.records.strength is None
    ranks = [rank for record in records for rank in record.ranks]
    return np.array([np.nan if apart and rating_of(rank) is not None else scale.steps(rank) for rank in ranks])


# ---- pieces of work ----


def _pieces(gathering: Gathering, records: list[Record]) -> Iterator[tuple[Examples, NDArray[np.int64]]]:
    """Yield stretches of positions with the row of each in `Sides`, and append their games to `records`."""
    for some, examples in gathering.played():
        row = 2 * (len(records) + examples.game.astype(np.int64)) + examples.to_play.astype(np.int64) - 1
        records += some
        for begin in range(0, len(examples), POSITIONS):
            rows = np.arange(begin, min(begin + POSITIONS, len(examples)))
            yield examples.take(rows), row[rows]


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """Sums over a stretch, for the rows of `Sides` that it has moves of; positions -- their number."""

    positions: int
    row: NDArray[np.int64]
    opportunities: NDArray[np.uint16]
    taken: NDArray[np.uint16]
    figures: NDArray[np.float64]  # float64[rows, 4]: decisions, log-likelihood, first, likely


def _load(rules: SameFile | RuleSet) -> Matcher:
    return Interpreted(rules) if isinstance(rules, RuleSet) else find_matcher(rules.checked())


def _as_it_is(matcher: Matcher) -> Matcher:
    return matcher


def _count(matcher: Matcher, piece: tuple[Examples, NDArray[np.int64]]) -> _Counts:
    some, row = piece
    if isinstance(matcher, NativeRules):
        moves, _ = ranked_by_library(of_go(some), matcher, None, False)
    else:
        moves = first_moves(some, rank_together(some, matcher), None)
    positions = len(some)
    if len(moves.examples) < len(some):  # positions without a legal move were left out
        kept = np.isin(_key(some), _key(moves.examples))
        row = row[kept]
    return _summed(positions, row, moves, len(matcher.rules.rules))


def _key(some: Examples) -> NDArray[np.int64]:
    key: NDArray[np.int64] = some.game.astype(np.int64) * 2**32 + some.ply
    return key


def _summed(positions: int, row: NDArray[np.int64], moves: FirstMoves, rules: int) -> _Counts:
    """Add up by rows; decisions whose move is not legal do not count."""
    of = np.repeat(np.arange(len(row)), np.diff(moves.first))
    played = np.flatnonzero(moves.played)
    covered, hit = (np.zeros((len(row), rules), np.bool_) for _ in range(2))
    covered[np.repeat(of, np.diff(moves.firing.at)), moves.firing.rule] = True
    at_played = moves.firing.take(played)
    hit[np.repeat(of[played], np.diff(at_played.at)), at_played.rule] = True
    known = of[played]
    place = played - moves.first[known]
    share = np.log(np.maximum(moves.probability[played], np.finfo(np.float64).tiny))
    figures = np.stack([np.ones(len(known)), share, place == 0, place < LIKELY], axis=1)
    order = np.argsort(row[known], kind="stable")
    rows, begin = np.unique(row[known][order], return_index=True)
    if not len(rows):
        none = np.zeros((0, rules), np.uint16)
        return _Counts(positions, rows, none, none, np.zeros((0, 4)))
    return _Counts(
        positions,
        rows,
        np.add.reduceat(covered[known][order], begin, axis=0, dtype=np.uint16),
        np.add.reduceat(hit[known][order], begin, axis=0, dtype=np.uint16),
        np.add.reduceat(figures[order], begin, axis=0),
    )


def _joined(records: Sequence[Record], ranks: NDArray[np.float64], found: Sequence[_Counts], rules: int) -> Sides:
    """Return the rows of all games, those without a decision left out; ranks -- of their players."""
    total = 2 * len(records)
    opportunities, taken = (np.zeros((total, rules), np.uint16) for _ in range(2))
    figures = np.zeros((total, 4))
    for one in found:
        opportunities[one.row] += one.opportunities
        taken[one.row] += one.taken
        figures[one.row] += one.figures
    whole = Sides(
        players=names_of(records),
        ranks=ranks,
        game=np.repeat(np.arange(len(records)), 2),
        decisions=figures[:, 0].astype(np.int64),
        opportunities=opportunities,
        taken=taken,
        log_likelihood=figures[:, 1],
        first=figures[:, 2].astype(np.int64),
        likely=figures[:, 3].astype(np.int64),
    )
    return whole.take(whole.decisions > 0)
