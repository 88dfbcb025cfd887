"""Find good and bad moves in games and tables: moves of strong winners; moves of weak losers, or not played at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gotools.base.errors import GotoolsError
from gotools.game.records.ranks import rank_value
from gotools.game.records.record import Record
from gotools.game.records.selection import Selection, late
from gotools.games.go.examples.gather import Gathering
from gotools.games.go.examples.loading import games_and_tables, stream_tables
from gotools.games.go.examples.negatives import unplayed_points
from gotools.games.go.examples.table import UNNAMED, UNPLAYED, Examples

Paths = Sequence[str | Path]


@dataclass(frozen=True, slots=True)
class GoodBadSelection:
    """Which moves are good, and which are bad.

    good_above -- strength (see `rank_value`): moves of winners above it are good; None: of all winners
    bad_below  -- moves of losers below it are bad; None: legal moves that were not played where the good ones were
    last       -- the share of a game, at its end, whose moves count: those after (1 - last) of its moves
    sizes      -- of boards; empty means any
    seed       -- of the draw among moves not played
    """

    good_above: float | None
    bad_below: float | None
    last: float
    sizes: frozenset[int]
    seed: int


def good_and_bad(
    paths: Sequence[str],
    choice: GoodBadSelection,
    report: Callable[[str], None],
    advance: Callable[[], None],
    strict: bool,
) -> Examples:
    """Return good moves with label 1 and bad ones with label 0: of games, those not played there, of tables.

    Games (SGF) give moves by rank and result; passes count as moves of the game, but are never taken. The rows of
    tables are good by label 1 and bad by label 0; the length of a game is its largest ply there,
    and rows without a ply are all taken. Reads all; 110 bytes a move of 9x9 stay in memory, twice that at the end.

    report, advance, strict -- as those of `load_decisions`

    Raises GotoolsError if there are no good moves, no bad moves, or no ranks to choose by, and as `load_decisions`.
    """
    games, tables = games_and_tables(paths, report)
    if not games and (choice.good_above is not None or choice.bad_below is not None):
        raise GotoolsError(
            f"{tables[0]}: a table says by its labels which moves are good; ranks choose among game records"
        )
    tally = _Tally(choice)
    parts = _of_games(games, choice, tally, report, advance, strict) if games else []
    if games and not any((part.label == 1).any() for part in parts):  # whatever tables may bring
        raise GotoolsError(f"no good moves: {tally.why_none(1)}")
    if tables:
        parts.append(_of_tables(tables, choice, advance))
    rows = Examples.concat(parts)
    for label, kind in ((1, "good"), (0, "bad")):
        if not (rows.label == label).any():
            raise GotoolsError(f"no {kind} moves: {tally.why_none(label) if games else _why_none(label, choice)}")
    return rows


# ---- games ----


class _Tally:
    """Count the games that a choice of moves concerns."""

    def __init__(self, choice: GoodBadSelection) -> None:
        self._choice = choice
        self.games = self.ranked = self.decided = self.above = self.below = 0

    def notice(self, record: Record) -> None:
        """Count a game."""
        ranks = [rank_value(text) for text in record.ranks]
        won = record.winner
        self.games += 1
        self.ranked += any(rank is not None for rank in ranks)
        if won:
            self.decided += 1
            best, worst = ranks[won - 1], ranks[2 - won]
            above, below = self._choice.good_above, self._choice.bad_below
            self.above += above is None or (best is not None and best > above)
            self.below += below is not None and worst is not None and worst < below

    def check_ranks(self) -> None:
        """Raise GotoolsError if ranks are required and no game has one."""
        limits = (("--good-above", self._choice.good_above), ("--bad-below", self._choice.bad_below))
        given = [name for name, limit in limits if limit is not None]
        if given and not self.ranked:
            raise GotoolsError(
                f"no ranks in any of {_games(self.games)}: leave out {' and '.join(given)}, or give games whose BR and "
                "WR hold ranks or ratings (3d, 12k, 9p, 1500)"
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
    )
    gathering = Gathering(games, selection, report, advance, strict, tally.notice)
    rows = Examples.concat(list(gathering.batches(needed=False)))
    if not gathering.games:
        raise GotoolsError(gathering.why_nothing())
    tally.check_ranks()
    if choice.bad_below is not None or not gathering.examples:
        return [rows]
    return [rows, unplayed_points(rows, len(rows), np.random.default_rng([choice.seed, UNPLAYED]))]


# ---- tables ----


def _of_tables(tables: Paths, choice: GoodBadSelection, advance: Callable[[], None]) -> Examples:
    """Return the rows of tables in the last share of their games."""
    rows = Examples.concat(list(stream_tables(tables, choice.sizes, advance)))
    game = rows.game_numbers()
    length = np.zeros(int(game.max()) + 1, np.int64)
    np.maximum.at(length, game, rows.ply)
    unnamed = np.array([name == UNNAMED for name in rows.names], np.bool_)[rows.game]
    return rows.take(late(rows.ply, length[game], choice.last) | (rows.ply == 0) | unnamed)


def _why_none(label: int, choice: GoodBadSelection) -> str:
    """Explain why tables have no rows of a label."""
    where = "" if choice.last == 1 else " in the share --last of the games; choose a larger one, or"
    if label:
        return f"no row of label 1{where or ':'} give a table of moves that were played"
    return (
        f"no row of label 0{where or ':'} give counter-examples, as `sgf-to-examples --negatives unplayed` makes them"
    )
