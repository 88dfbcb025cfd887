"""Records become rows of examples, on several cores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from gotools.base.errors import FileFormatError
from gotools.game.game import Game, find_game
from gotools.game.records.reading import Report, read_records, reporting
from gotools.game.records.record import Record
from gotools.game.records.replay import replayed, stopped
from gotools.game.records.table import row_of
from gotools.work.workers import Processes, Task, Workers

_TOGETHER: Final = 16
"""Games that a worker converts together."""


class Converted(NamedTuple):
    """What a game has become: its rows as text, how many there are, and what is wrong with it, None if nothing is."""

    text: bytes
    rows: int
    problem: FileFormatError | None


def converted(
    paths: Sequence[str | Path], game: Game, report: Report, *, most: int | None, strict: bool, workers: Workers | None
) -> Iterator[Converted]:
    """Yield what games have become, in their order; a game with an illegal move ends before it.

    most    -- moves of a game; None: all
    workers -- they change nothing in the result; None: this process, one game at a time

    Other arguments and errors are those of `read_records`, which reads the games in this process.
    """
    problem, games = reporting(report, strict), read_records(paths, game, report, strict)
    batches = iter(lambda: list(islice(games, 1 if workers is None else _TOGETHER)), [])
    for part in (workers or Processes()).each(Task(partial(_convert, most), find_game, (game.full_name,)), batches):
        for one in part:
            if one.problem is not None:
                problem(one.problem)
            yield one


def _convert(most: int | None, game: Game, batch: list[tuple[str, Record]]) -> list[Converted]:
    """Return the rows of games up to their ends, or to the first move that is not legal."""
    found = []
    for path, record in batch:
        rows, problem = list[str](), None
        try:
            for decision in islice(replayed(record, game), most):
                rows.append(row_of(decision, record, game))
        except ValueError as error:
            problem = stopped(path, record, game, error)
        found.append(Converted("".join(rows).encode("utf-8", "replace"), len(rows), problem))
    return found
