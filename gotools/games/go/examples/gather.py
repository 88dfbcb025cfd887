"""Read game records from files and give the decisions in them, batch by batch, as examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.files.opening import STDIN
from gotools.game.known import suffixes_of
from gotools.game.records.reading import Reader, place_of_game
from gotools.game.records.record import Record
from gotools.game.records.selection import Selection, late
from gotools.games.go.examples.table import PLAYED, WEAK, Examples
from gotools.games.go.go import GO

if TYPE_CHECKING:
    from gotools.games.go.board import Replays

SUFFIXES = suffixes_of("go")
BATCH_MOVES = 8192  # 0.7 MB of 9x9 boards: the work stays in the cache, and rows leave soon
NO_MOVES = "the game has no moves"


class Gathering:
    """Go through files of games once; the counts are final when `batches` is.

    paths -- as the user gave them (see `expand_paths`)
    report -- called with `path: reason` for every game that is broken, or stops at an illegal move
    advance -- called after each file
    strict -- raise FileFormatError at the first such game instead
    notice -- called with every game of the size and result wanted
    """

    def __init__(
        self,
        paths: Sequence[str | Path],
        selection: Selection,
        report: Callable[[str], None] = lambda _: None,
        advance: Callable[[], None] = lambda: None,
        strict: bool = False,
        notice: Callable[[Record], None] = lambda _: None,
    ) -> None:
        self._reader = Reader(paths, GO, report, self._problem, self._takes)
        self.files = self._reader.files
        self.games = 0
        self.examples = 0
        self.problems = 0
        self.sizes: Counter[int] = Counter()  # of all games that could be read
        self._selection = selection
        self._report = report
        self._advance = advance
        self._strict = strict
        self._notice = notice
        self._kept: list[tuple[str, Record]] = []

    def keep(self) -> list[Record]:
        """Read the games into memory, from where they are given from now on, as often as wanted; returns them."""
        self._kept = list(self.records())
        return [record for _, record in self._kept]

    def batches(self, needed: bool = True) -> Iterator[Examples]:
        """Yield the examples in the order of the files and games; no batch is empty. needed -- as for `played`."""
        return (examples for _, examples in self.played(needed) if len(examples))

    def played(self, needed: bool = False) -> Iterator[tuple[list[Record], Examples]]:
        """Yield games, some at a time, and the examples from them, possibly without rows.

        needed -- raise GotoolsError at the end if there was no example
        """
        for records, paths in self._record_batches():
            examples, remarks = examples_of(records, self._selection)
            for game, what in remarks:
                self._remark(paths[game], records[game].id, what)
            self.examples += int(np.count_nonzero(examples.label))
            yield records, examples
        if needed and not self.examples:
            raise GotoolsError(self.why_nothing())

    def _record_batches(self) -> Iterator[tuple[list[Record], list[str]]]:
        """Give records and the files they are from, a batch of moves at a time."""
        records: list[Record] = []
        paths: list[str] = []
        moves = 0
        for path, record in self.records():
            records.append(record)
            paths.append(path)
            moves += len(record.moves)
            if moves >= BATCH_MOVES:
                yield records, paths
                records, paths, moves = [], [], 0
        yield records, paths

    def records(self) -> Iterator[tuple[str, Record]]:
        """Give the games that are selected, each with its file and an id of its own; moves are not looked at."""
        if self._kept:
            yield from self._kept
            return
        for path in self.files:
            yield from self._reader.records(path)
            self._advance()

    def _takes(self, record: Record) -> bool:
        """Count a game, and return whether it is selected."""
        self.sizes[record.size] += 1
        if not self._selection.takes(record):
            return False
        self.games += 1
        self._notice(record)
        return True

    def _remark(self, path: str, game: str, what: str) -> None:
        """Report a remark of `examples_of` about a game; a game without moves is odd, but not broken."""
        place = place_of_game(path, game)
        if what == NO_MOVES:
            self._report(f"{place}: {what}")
        else:
            self._problem(FileFormatError(place, None, f"{what}; left out from there on"))

    def _problem(self, error: FileFormatError) -> None:
        if self._strict:
            raise error
        self.problems += 1
        self._report(str(error))

    def why_nothing(self) -> str:
        """Explain why there are no examples, with the file's name if there is only one."""
        what = "no game could be read"
        if self.sizes:
            there = ", ".join(f"{count} of {size}x{size}" for size, count in sorted(self.sizes.items()))
            which = "game of the size and result wanted"
            if self.games:
                which = "move" if self._selection.rank_above is None else "move of the players wanted"
            what = f"no {which} (games read: {there})"
        files = ["stdin" if path == STDIN else str(path) for path in self.files]
        return f"{files[0]}: no examples: {what}" if len(files) == 1 else f"no examples: {what}"


def examples_of(records: Sequence[Record], selection: Selection) -> tuple[Examples, list[tuple[int, str]]]:
    """Return the decisions in games, passes left out, and remarks (game, what).

    A remark says where a game stops at an illegal move ("move 57 (W D4): occupied"), or is NO_MOVES.
    Moves of weak losers (see Selection) come as counter-examples of source weak; all others as examples.
    """
    from gotools.games.go.board import replay_many

    played = replay_many(records)
    ply = (np.arange(1, len(played) + 1) - played.first[played.game]).astype(np.int32)
    wanted = played.move >= 0
    moves = np.bincount(played.game[wanted], minlength=len(records))
    remarks = [(game, what or NO_MOVES) for game, what in enumerate(played.illegal) if what or not moves[game]]
    if selection.max_moves is not None:
        wanted &= ply <= selection.max_moves
    label, source = np.ones(len(played), np.uint8), np.full(len(played), PLAYED, np.uint8)
    if selection.last < 1:
        length = np.array([len(record.moves) for record in records], np.int64)
        wanted &= late(ply, length[played.game], selection.last)
    if selection.rank_above is not None or selection.winners_only:
        wanted &= _by_player(records, played, selection.takes_player)
    if selection.weak_below is not None:
        weak = _by_player(records, played, selection.is_weak)
        label[weak], source[weak] = 0, WEAK
    rows = Examples(
        names=[record.id for record in records],
        game=played.game,
        ply=ply,
        size=played.size,
        to_play=played.to_play,
        board=played.board,
        ko=played.ko,
        last=played.last,
        last2=played.last2,
        move=played.move,
        label=label,
        source=source,
    )
    return rows if wanted.all() else rows.take(wanted), remarks


def _by_player(records: Sequence[Record], played: Replays, test: Callable[[Record, int], bool]) -> NDArray[np.bool_]:
    """Call `test` once for each player of each record, and spread the results over the rows."""
    answers = np.array([[test(record, colour) for colour in (1, 2)] for record in records], np.bool_).reshape(-1, 2)
    return answers[played.game, played.to_play.astype(np.intp) - 1]
