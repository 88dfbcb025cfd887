"""Find good and bad moves in records of games other than Go, described for clusters.

As of Go (go/examples/good_and_bad.py): moves of strong winners are good; moves of weak losers are bad, or legal moves
that were not played where the good ones were, one for each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError, quoted, shown
from gotools.files.kinds import Kind
from gotools.files.tables import read_table
from gotools.game.game import Game
from gotools.game.records.ranks import rank_value
from gotools.game.records.reading import Report, read_records
from gotools.game.records.record import Record
from gotools.game.traits import MoveFeatures
from gotools.games.kernels import described as k
from gotools.jit import as_value
from gotools.jit.kernels.basics import seed_random

Strength = tuple[str, float]
"""Its kind, and a number that orders those of a kind."""
_RATING, _RANK = "rating", "rank"
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,6}(\.[0-9]{1,9})?")
_DRAWN: Final = 8
"""Of the seeds: moves not played."""


@dataclass(frozen=True, slots=True)
class GoodBadChoice:
    """Which moves of games are good, and which are bad.

    good_above -- rating or rank: moves of winners above it are good; None: of all winners
    bad_below  -- moves of losers below it are bad; None: legal moves that were not played where the good ones were
    last       -- the share of a game, at its end, whose moves count
    seed       -- of the draw among moves not played
    ratings    -- of players by their names, in place of what the records say; None: as they say
    """

    good_above: str | None
    bad_below: str | None
    last: float
    seed: int
    ratings: Mapping[str, float] | None = None

    def strengths(self, record: Record) -> tuple[Strength | None, Strength | None]:
        """Return the strengths of the two sides; None for an unknown one."""
        if self.ratings is None:
            return strength_of(record.ranks[0]), strength_of(record.ranks[1])
        black, white = (self.ratings.get(name) for name in record.players)
        return None if black is None else (_RATING, black), None if white is None else (_RATING, white)


@dataclass(slots=True)
class GameMoves:
    """Good and bad moves of games, described; a row each.

    game     -- of which they are, without a setting
    features -- int16[n, features]; stage -- uint8[n]; good -- bool[n]
    record   -- int32[n]: the number of the record; ply -- int32[n]: moves before; move -- int32[n]
    records  -- without their moves; moves -- int32 of each record's moves
    """

    game: Game
    features: NDArray[np.int16]
    stage: NDArray[np.uint8]
    good: NDArray[np.bool_]
    record: NDArray[np.int32]
    ply: NDArray[np.int32]
    move: NDArray[np.int32]
    records: list[Record]
    moves: list[NDArray[np.int32]]

    def __len__(self) -> int:
        return len(self.good)

    def id(self, row: int) -> str:
        """Return the name of a move: its record, the number of the move there, its text."""
        record = self.records[self.record[row]]
        return f"{record.id}:{record.first + self.ply[row]} {self.text(row)}"

    def text(self, row: int) -> str:
        """Return a move as the game writes it."""
        return self.game.move_text(int(self.move[row]), self.game.sizes[0])

    def state(self, row: int) -> NDArray[np.int32]:
        """Return the position before a move."""
        record = int(self.record[row])
        game = self.game.started_from(self.records[record].setting)
        state = game.position()
        for move in self.moves[record][: self.ply[row]].tolist():
            state = game.play(state, move)
        return state


def good_and_bad_of_game(
    paths: Sequence[str],
    game: Game,
    choice: GoodBadChoice,
    report: Report,
    advance: Callable[[], None],
    strict: bool = False,
) -> GameMoves:
    """Read records and describe their good and bad moves.

    A record with a move that is not legal is left out, with a message. Some 100 bytes a move stay in memory.

    Raises GotoolsError for a game without features of moves, and where there are no good or no bad moves.
    """
    gathering = _Gathering(game, game.need(MoveFeatures), choice)
    for path, record in read_records(paths, game, report, strict):
        try:
            gathering.add(record)
        except ValueError as error:
            problem = FileFormatError(path, None, f"game {record.id}: {shown(error, 200)}; left out")
            if strict:
                raise problem from error
            report(str(problem))
        advance()
    return gathering.moves()


@dataclass(slots=True)
class _Gathering:
    """Describes records one after the other."""

    game: Game
    vocabulary: MoveFeatures
    choice: GoodBadChoice
    _count: Counter[str] = field(default_factory=Counter)
    _records: list[Record] = field(default_factory=list)
    _moves: list[NDArray[np.int32]] = field(default_factory=list)
    _rows: list[tuple[NDArray[np.int16], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int32]]] = field(
        default_factory=list
    )

    def add(self, record: Record) -> None:
        """Take a record. Raises ValueError for a text that is not a move, or not a legal one."""
        game = self._started(record.setting)
        self._count["games"] += 1
        self._count["ranked"] += any(self.choice.strengths(record))
        self._count["won"] += record.winner > 0
        kinds = self._kinds(record)
        if record.stop and record.winner:
            raise ValueError(record.stop)
        if not kinds.any():
            return
        moves = np.array([game.move_at(place, record.size) for place in record.moves[:, 1].tolist()], np.int32)
        state, n = game.position(record.size), 2 * len(moves)
        random = np.zeros(1, np.uint64)
        seed_random(
            random, int(np.random.SeedSequence([self.choice.seed, _DRAWN, len(self._records)]).generate_state(1)[0])
        )
        features = np.empty((n, len(self.vocabulary.names)), np.int16)
        stages, good, chosen = np.empty(n, np.uint8), np.empty(n, np.uint8), np.empty((n, 2), np.int32)
        count = k.describe_game(
            game.rules, as_value(game.legal), as_value(self.vocabulary.measure), state, moves, kinds, random,
            np.empty((1, features.shape[1]), np.int32), features, stages, good, chosen,
        )  # fmt: skip
        if count < 0:
            ply = -1 - count
            text, why = game.move_text(int(moves[ply]), record.size), self._why(game, moves, record.size, ply)
            raise ValueError(f"move {ply + 1} ({shown(text, 20)}): {why}")
        self._rows.append((features[:count], stages[:count], good[:count], chosen[:count]))
        self._records.append(replace(record, moves=record.moves[:0]))
        self._moves.append(moves)

    def moves(self) -> GameMoves:
        """Return all. Raises GotoolsError where there are no good or no bad ones."""
        self._check_ranks()
        rows = self._rows
        if rows:
            features, stages, good, chosen = (np.concatenate([row[i] for row in rows]) for i in range(4))
        if not rows or not good.any():
            raise GotoolsError(f"no good moves: {self._why_none()}")
        if good.all():
            raise GotoolsError(f"no bad moves: {self._why_none()}")
        record = np.repeat(np.arange(len(rows), dtype=np.int32), [len(row[0]) for row in rows])
        ply, move = chosen[:, 0].copy(), chosen[:, 1].copy()
        return GameMoves(
            game=self.game,
            features=features,
            stage=stages,
            good=good > 0,
            record=record,
            ply=ply,
            move=move,
            records=self._records,
            moves=self._moves,
        )

    def _started(self, setting: str) -> Game:
        try:
            return self.game.started_from(setting)
        except GotoolsError as error:
            raise ValueError(str(error)) from error

    def _kinds(self, record: Record) -> NDArray[np.uint8]:
        """Return of each move whether it is good, bad, or neither."""
        kinds = np.zeros(len(record.moves), np.uint8)
        if not record.winner:
            return kinds
        above, below = self.choice.good_above, self.choice.bad_below
        counts = np.arange(1, len(kinds) + 1) > (1 - self.choice.last) * len(kinds) + 1e-6
        sides, strengths = record.moves[:, 0], self.choice.strengths(record)
        if above is None or _compare(strengths[record.winner - 1], above) > 0:
            kinds[counts & (sides == record.winner)] = k.GOOD if below is not None else k.GOOD_AND_ANOTHER
            self._count["above"] += 1
        if below is not None and _compare(strengths[2 - record.winner], below) < 0:
            kinds[counts & (sides != record.winner)] = k.BAD
            self._count["below"] += 1
        return kinds

    def _why(self, game: Game, moves: NDArray[np.int32], size: int, ply: int) -> str:
        """Say why a move is not legal."""
        state = game.position(size)
        for move in moves[:ply].tolist():
            state = game.play(state, move)
        return game.why_illegal(state, int(moves[ply])) or "not a legal move here"

    def _check_ranks(self) -> None:
        given = [
            name
            for name, limit in (("--good-above", self.choice.good_above), ("--bad-below", self.choice.bad_below))
            if limit is not None
        ]
        if given and not self._count["ranked"]:
            raise GotoolsError(
                f"no ranks in any of the {self._count['games']} games: leave out {' and '.join(given)}, or give games "
                "with ratings, or ratings of their players"
            )

    def _why_none(self) -> str:
        count = self._count
        if not count["games"]:
            return "there is no game"
        if not count["won"]:
            return f"none of the {count['games']} games names a winner"
        return (
            f"of {count['games']} games {count['won']} were won, {count['above']} of these by players above "
            f"--good-above, {count['below']} against players below --bad-below"
        )


def _compare(strength: Strength | None, limit: str) -> int:
    """Return whether a strength is above (1) or below (-1) a limit; 0 where it is neither, or they are of two kinds."""
    wanted = strength_of(limit)
    if strength is None or wanted is None or strength[0] != wanted[0]:
        return 0
    return (strength[1] > wanted[1]) - (strength[1] < wanted[1])


def strength_of(text: str) -> Strength | None:
    """Return a rating, a number that stands alone, or a rank such as 3d; None for neither."""
    if _NUMBER.fullmatch(text.strip()):
        return _RATING, float(text)
    rank = rank_value(text)
    return None if rank is None else (_RANK, rank)


def read_ratings(path: str) -> dict[str, float]:
    """Read the ratings of players by their names from ratings.tsv. Raises FileFormatError."""
    _, columns, _, rows = read_table(path, Kind.ratings.word, Kind.ratings.version)
    name, elo = columns.index("name"), columns.index("elo")
    found = {}
    for number, cells in rows:
        if not cells[elo]:
            continue
        if not _NUMBER.fullmatch(cells[elo]):
            raise FileFormatError(path, number, f"elo {quoted(cells[elo])} is no number")
        found[cells[name]] = float(cells[elo])
    return found
