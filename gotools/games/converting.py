"""Records of games other than Go become rows of examples, on several cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from gotools.errors import FileFormatError
from gotools.game.game import Game, find_game
from gotools.game.records.reading import Report, read_records
from gotools.game.records.record import Record
from gotools.game.records.replay import replayed, stopped
from gotools.game.records.table import row_of
from gotools.workers import Task, Workers

_TOGETHER: Final = 16
"""Games that a worker converts together."""
_Found = tuple[str, Record]


@dataclass(frozen=True, slots=True)
class Converted:
    """What a game has become: its rows as text, how many there are, and what is wrong with it, None if nothing is."""

    text: bytes
    rows: int
    problem: FileFormatError | None


@dataclass(frozen=True, slots=True)
class _Converter:
    """Converts games; made once in each process. most -- moves of a game, None: all."""

    game: Game
    most: int | None

    def __call__(self, found: _Found) -> Converted:
        """Return the rows of a game up to its end, or to the first move that is not legal."""
        path, record = found
        rows, problem = list[str](), None
        try:
            for decision in islice(replayed(record, self.game), self.most):
                rows.append(row_of(decision, record, self.game))
        except ValueError as error:
            problem = stopped(path, record, self.game, error)
        return Converted("".join(rows).encode("utf-8", "replace"), len(rows), problem)


def converted(
    paths: Sequence[str | Path],
    game: Game,
    report: Report,
    *,
    most: int | None = None,
    strict: bool = False,
    workers: Workers | None = None,
) -> Iterator[Converted]:
    """Yield what games have become, in their order; a game with an illegal move ends before it.

    most    -- moves of a game; None: all
    workers -- they change nothing in the result; None: this process

    Other arguments and errors are those of `read_records`, which reads the games in this process.
    """
    games = read_records(paths, game, report, strict)
    if workers is None:
        parts: Iterable[list[Converted]] = ([_Converter(game, most)(found)] for found in games)
    else:
        parts = workers.each(Task(_convert, _begin, (game.full_name, most)), _batches(games))
    for part in parts:
        for one in part:
            if one.problem is not None and strict:
                raise one.problem
            if one.problem is not None:
                report(str(one.problem))
            yield one


def _batches(games: Iterator[_Found]) -> Iterator[list[_Found]]:
    while batch := list(islice(games, _TOGETHER)):
        yield batch


def _begin(name: str, most: int | None) -> _Converter:
    return _Converter(find_game(name), most)


def _convert(converter: _Converter, batch: list[_Found]) -> list[Converted]:
    return [converter(found) for found in batch]
