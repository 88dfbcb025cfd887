"""Records of games other than Go become rows of examples, on several cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from gotools.errors import FileFormatError, shown
from gotools.game.game import Game, find_game
from gotools.games.examples import row_of
from gotools.games.records import Report, read_records
from gotools.games.replay import replayed
from gotools.games.text_games import TextGame
from gotools.workers import Task, Workers

_TOGETHER: Final = 16
"""Games that a worker converts together."""
_Found = tuple[str, TextGame]


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
        size = self.game.sizes[0] if record.size is None else record.size
        if size not in self.game.sizes:
            what = f"game {record.id}: {self.game.name} has no board of size {size}"
            return Converted(b"", 0, FileFormatError(path, None, what))
        rows, problem = list[str](), None
        try:
            for decision in islice(replayed(record, self.game, size), self.most):
                rows.append(row_of(decision, record, self.game))
        except ValueError as error:
            what = f"game {record.id}: {shown(error, 200)}; left out from there on"
            problem = FileFormatError(path, None, what)
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
