"""Find good and bad moves in games and tables: moves of strong winners; moves of weak losers, or not played at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gotools.base.errors import FileFormatError, GotoolsError, quoted
from gotools.files.kinds import Kind
from gotools.files.opening import head_of
from gotools.files.tables import read_header, read_table
from gotools.game.examples.examples import UNNAMED, Examples
from gotools.game.examples.gather import Gathering
from gotools.game.examples.loading import games_and_tables, stream_tables
from gotools.game.examples.negatives import unplayed_moves
from gotools.game.examples.states import examples_class
from gotools.game.game import Game
from gotools.game.records.ranks import RATING, Strength, strength_of
from gotools.game.records.record import Record
from gotools.game.records.selection import Selection, Strengths, late
from gotools.game.records.sources import UNPLAYED
from gotools.game.traits import Rows

Paths = Sequence[str | Path]


@dataclass(frozen=True, slots=True)
class GoodBadSelection:
    """Which moves are good, and which are bad.

    good_above -- moves of winners above it are good; None: of all winners
    bad_below  -- moves of losers below it are bad; None: legal moves that were not played where the good ones were
    last       -- the share of a game, at its end, whose moves count: those after (1 - last) of its moves
    sizes      -- of boards; empty means any
    seed       -- of the draw among moves not played
    strengths  -- of players
    """

    good_above: Strength | None
    bad_below: Strength | None
    last: float
    sizes: frozenset[int]
    seed: int
    strengths: Strengths


def good_and_bad(
    paths: Sequence[str],
    game: Game,
    choice: GoodBadSelection,
    report: Callable[[str], None],
    advance: Callable[[], None],
    strict: bool,
) -> Examples:
    """Return good moves with label 1 and bad ones with label 0: of games, those not played there, of tables.

    Records give moves by rank and result; passes count as moves of the game, but are never taken. The rows of
    tables are good by label 1 and bad by label 0; the length of a game is its largest ply there,
    and rows without a ply are all taken. A table that has no labels, but the results of its games, is read as records.

    Reads all; 110 bytes a move of 9x9 stay in memory, twice that at the end.

    report, advance, strict -- as those of `load_decisions`

    Raises GotoolsError if there are no good moves, no bad moves, or no ranks to choose by, and as `load_decisions`.
    """
    games, tables = games_and_tables(paths, game, report)
    whole = [table for table in tables if _says_who_won(table, game)]
    games, tables = games + whole, [table for table in tables if table not in whole]
    if not games and (choice.good_above is not None or choice.bad_below is not None):
        raise GotoolsError(
            f"{tables[0]}: a table says by its labels which moves are good; ranks choose among game records"
        )
    tally = _Tally(choice)
    parts = _of_games(games, game, choice, tally, report, advance, strict) if games else []
    if games and not any((part.label == 1).any() for part in parts):  # whatever tables may bring
        raise GotoolsError(f"no good moves: {tally.why_none(1)}")
    if tables:
        parts.append(_of_tables(tables, game, choice, advance))
    rows = examples_class(game).concat(parts)
    for label, kind in ((1, "good"), (0, "bad")):
        if not (rows.label == label).any():
            raise GotoolsError(f"no {kind} moves: {tally.why_none(label) if games else _why_none(label, choice)}")
    return rows


def _says_who_won(table: str | Path, game: Game) -> bool:
    """Return whether a table of a game has no labels, but the results of its games."""
    if game.has(Rows):
        return False
    lines = head_of(table).decode("utf-8", "replace").splitlines()
    _, columns, _ = read_header(lines, Kind.examples.word, Kind.examples.version, table)
    return "label" not in columns and "result" in columns


# ---- games ----


class _Tally:
    """Count the games that a choice of moves concerns."""

    def __init__(self, choice: GoodBadSelection) -> None:
        self._choice = choice
        self.games = self.ranked = self.decided = self.above = self.below = 0

    def notice(self, record: Record) -> None:
        """Count a game."""
        ranks = [self._choice.strengths.of(record, side) for side in (1, 2)]
        won = record.winner
        self.games += 1
        self.ranked += any(rank is not None for rank in ranks)
        if won:
            self.decided += 1
            best, worst = ranks[won - 1], ranks[2 - won]
            above, below = self._choice.good_above, self._choice.bad_below
            self.above += above is None or (best is not None and best.above(above))
            self.below += below is not None and worst is not None and below.above(worst)

    def check_ranks(self) -> None:
        """Raise GotoolsError if ranks are required and no game has one."""
        limits = (("--good-above", self._choice.good_above), ("--bad-below", self._choice.bad_below))
        given = [name for name, limit in limits if limit is not None]
        if given and not self.ranked:
            raise GotoolsError(
                f"no ranks in any of {_games(self.games)}: leave out {' and '.join(given)}, or give games whose BR and "
                "WR hold ranks or ratings (3d, 12k, 9p, 1500), or ratings of their players (--ratings)"
            )

    def why_none(self, label: int) -> str:
        """Explain why games have no good moves (label 1), or no bad ones (0)."""
        if not label:
            return self._why_no_bad()
        if not self.decided:
            return f"none of {_games(self.games)} names a winner; in SGF, RE[B+3.5] or RE[W+R] does"
        if not self.above:
            return f"{self._won()}, none by a player above --good-above; choose a lower rank"
        winners = "" if self._choice.good_above is None else f", {self.above} by a player above --good-above"
        return f"{self._won()}{winners}, but without a move of the winner in the share --last; choose a larger one"

    def _why_no_bad(self) -> str:
        if self._choice.bad_below is None:
            return "nothing but the good moves was legal"
        if not self.below:
            return f"{self._won()}, none against a player below --bad-below; choose a higher rank, or leave it out"
        return (
            f"{self._won()}, {self.below} against a player below --bad-below, but without a move of the loser in the "
            "share --last; choose a larger one"
        )

    def _won(self) -> str:
        return f"of {_games(self.games)} {self.decided} {'was' if self.decided == 1 else 'were'} won"


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def _of_games(
    games: Paths,
    game: Game,
    choice: GoodBadSelection,
    tally: _Tally,
    report: Callable[[str], None],
    advance: Callable[[], None],
    strict: bool,
) -> list[Examples]:
    """Return the good and bad moves of games, and after them moves not played, where those are wanted."""
    selection = Selection(
        sizes=choice.sizes,
        rank_above=choice.good_above,
        weak_below=choice.bad_below,
        winners_only=True,
        last=choice.last,
        strengths=choice.strengths,
    )
    gathering = Gathering(games, game, selection, report, advance, strict, tally.notice)
    rows = examples_class(game).concat([rows for _, rows in gathering.played()])
    if not gathering.games:
        raise GotoolsError(gathering.why_nothing())
    tally.check_ranks()
    if choice.bad_below is not None or not gathering.examples:
        return [rows]
    return [rows, unplayed_moves(rows, len(rows), np.random.default_rng([choice.seed, UNPLAYED]))]


# ---- tables ----


def _of_tables(tables: Paths, game: Game, choice: GoodBadSelection, advance: Callable[[], None]) -> Examples:
    """Return the rows of tables in the last share of their games."""
    rows = examples_class(game).concat(list(stream_tables(tables, game, choice.sizes, advance)))
    number = rows.game_numbers()
    length = np.zeros(int(number.max()) + 1, np.int64)
    np.maximum.at(length, number, rows.ply)
    unnamed = np.array([name == UNNAMED for name in rows.names], np.bool_)[rows.game]
    return rows.take(late(rows.ply, length[number], choice.last) | (rows.ply == 0) | unnamed)


def _why_none(label: int, choice: GoodBadSelection) -> str:
    """Explain why tables have no rows of a label."""
    where = "" if choice.last == 1 else " in the share --last of the games; choose a larger one, or"
    if label:
        return f"no row of label 1{where or ':'} give a table of moves that were played"
    return (
        f"no row of label 0{where or ':'} give counter-examples, as `sgf-to-examples --negatives unplayed` makes them"
    )


# ---- ratings ----


def read_ratings(path: str) -> dict[str, float]:
    """Read the ratings of players by their names from ratings.tsv. Raises FileFormatError."""
    _, columns, _, rows = read_table(path, Kind.ratings.word, Kind.ratings.version)
    name, elo = columns.index("name"), columns.index("elo")
    found = {}
    for number, cells in rows:
        if not cells[elo]:
            continue
        rating = strength_of(cells[elo])
        if rating is None or rating.scale != RATING:
            raise FileFormatError(path, number, f"elo {quoted(cells[elo])} is no number")
        found[cells[name]] = rating.value
    return found
