"""Read game records from files and give the decisions in them, batch by batch, as examples."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.files.opening import STDIN
from gotools.game.examples.examples import Examples
from gotools.game.examples.states import examples_class
from gotools.game.game import Game, find_game
from gotools.game.records.reading import Reader, place_of_game
from gotools.game.records.record import Record
from gotools.game.records.selection import Selection, late
from gotools.game.records.sources import WEAK
from gotools.work.workers import Processes, Task, Workers

BATCH_MOVES = 8192  # 0.7 MB of 9x9 boards: the work stays in the cache, and rows leave soon
NO_MOVES = "the game has no moves"


class Taken(NamedTuple):
    """What some games have become: the rows, or their text; how many they are, and how many of them are examples.

    remarks -- (number of the game, what): where it stops at an illegal move ("move 57 (W D4): occupied"), or NO_MOVES
    """

    rows: Examples | None
    text: bytes | memoryview
    number: int
    examples: int
    remarks: list[tuple[int, str]]


class Gathering:
    """Go through files of games once; the counts are final when `batches` is.

    paths -- as the user gave them (see `expand_paths`); of records of the game
    report -- called with `path: reason` for every game that is broken, or stops at an illegal move
    advance -- called after each file
    strict -- raise FileFormatError at the first such game instead
    notice -- called with every game of the size and result wanted
    """

    def __init__(
        self,
        paths: Sequence[str | Path],
        game: Game,
        selection: Selection,
        report: Callable[[str], None] = lambda _: None,
        advance: Callable[[], None] = lambda: None,
        strict: bool = False,
        notice: Callable[[Record], None] = lambda _: None,
    ) -> None:
        self.game = game
        self._reader = Reader(paths, game, report, self._problem, self._takes)
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

    def batches(self, needed: bool = True, workers: Workers | None = None) -> Iterator[Examples]:
        """Yield the examples in the order of the files and games; no batch is empty; arguments as for `played`."""
        return (examples for _, examples in self.played(needed, workers) if len(examples))

    def played(self, needed: bool = False, workers: Workers | None = None) -> Iterator[tuple[list[Record], Examples]]:
        """Yield games, some at a time, and the examples from them, possibly without rows.

        needed -- raise GotoolsError at the end if there was no example
        workers -- they change nothing in the result; None: this process
        """
        for records, found in self._decided(False, needed, workers):
            assert found.rows is not None
            yield records, found.rows

    def texts(self, workers: Workers | None = None) -> Iterator[tuple[bytes | memoryview, int]]:
        """Yield the examples as text, as `batches` does, and how many they are; raises GotoolsError without any."""
        for _, found in self._decided(True, True, workers):
            if found.number:
                yield found.text, found.number

    def _decided(self, as_text: bool, needed: bool, workers: Workers | None) -> Iterator[tuple[list[Record], Taken]]:
        """Yield games, some at a time, and what they have become; their remarks are reported."""
        under_way: deque[tuple[list[Record], list[str]]] = deque()

        def batches() -> Iterator[list[Record]]:
            for batch in self._record_batches():
                under_way.append(batch)
                yield batch[0]

        task = Task(partial(_decide, self._selection, as_text), find_game, (self.game.full_name,))
        for found in (workers or Processes()).each(task, batches()):
            records, paths = under_way.popleft()
            for game, what in found.remarks:
                self._remark(paths[game], records[game], what)
            self.examples += found.examples
            yield records, found
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

    def _remark(self, path: str, record: Record, what: str) -> None:
        """Report a remark of `examples_of` about a game; a game without moves is odd, but not broken."""
        place = place_of_game(path, record.id)
        if what == NO_MOVES:
            self._report(f"{place}: {what}")
        else:
            rest = "; left out from there on" if record.size in self.game.sizes else ""
            self._problem(FileFormatError(place, None, f"{what}{rest}"))

    def _problem(self, error: FileFormatError) -> None:
        if self._strict:
            raise error
        self.problems += 1
        self._report(str(error))

    def why_nothing(self) -> str:
        """Explain why there are no examples, with the file's name if there is only one."""
        what = "no game could be read"
        if self.sizes:
            board = self.game.usual.board.format
            there = ", ".join(f"{count} of {board(size)}" for size, count in sorted(self.sizes.items()))
            which = "game of the size and result wanted"
            if self.games:
                which = "move" if self._selection.rank_above is None else "move of the players wanted"
            what = f"no {which} (games read: {there})"
        files = ["stdin" if path == STDIN else str(path) for path in self.files]
        return f"{files[0]}: no examples: {what}" if len(files) == 1 else f"no examples: {what}"


def _decide(selection: Selection, as_text: bool, game: Game, records: list[Record]) -> Taken:
    rows, remarks = examples_of(records, selection, game)
    examples = int(np.count_nonzero(rows.label))
    text = bytes(rows.text()) if as_text else b""
    return Taken(None if as_text else rows, text, len(rows), examples, remarks)


def examples_of(records: Sequence[Record], selection: Selection, game: Game) -> tuple[Examples, list[tuple[int, str]]]:
    """Return the decisions in games, without passes where the game is counted, and the remarks of `Taken`.

    Moves of weak losers (see Selection) come as counter-examples of source weak; all others as examples.
    """
    rows, stops = examples_class(game).played(records, game)
    moves = np.bincount(rows.game, minlength=len(records))
    remarks = [(number, what or NO_MOVES) for number, what in enumerate(stops) if what or not moves[number]]
    wanted = np.ones(len(rows), np.bool_)
    if selection.max_moves is not None:
        wanted &= rows.ply <= selection.max_moves
    if selection.last < 1:
        length = np.array([len(record.moves) for record in records], np.int64)
        wanted &= late(rows.ply, length[rows.game], selection.last)
    if selection.rank_above is not None or selection.winners_only:
        wanted &= _by_player(records, rows, selection.takes_player)
    if selection.weak_below is not None:
        weak = _by_player(records, rows, selection.is_weak)
        rows = replace(rows, label=np.where(weak, 0, rows.label), source=np.where(weak, WEAK, rows.source))
    return rows if wanted.all() else rows.take(wanted), remarks


def _by_player(records: Sequence[Record], rows: Examples, test: Callable[[Record, int], bool]) -> NDArray[np.bool_]:
    """Call `test` once for each player of each record, and spread the results over the rows."""
    answers = np.array([[test(record, colour) for colour in (1, 2)] for record in records], np.bool_).reshape(-1, 2)
    return answers[rows.game, rows.to_play.astype(np.intp) - 1]
