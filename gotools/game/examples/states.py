"""Decisions of a game that has no form of rows of its own: the positions are its states, written by its own text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.files.cells import MISSING
from gotools.files.tables import row
from gotools.game.examples.examples import Examples, Listed
from gotools.game.game import Game
from gotools.game.records.record import Record
from gotools.game.records.replay import replayed
from gotools.game.records.sources import PLAYED, RANDOM, SOURCES
from gotools.game.records.table import COLUMNS, RESULTS, Placed, placed_rows, read_rows
from gotools.game.sides import side_letter
from gotools.game.traits import Rows
from gotools.jit.kernels.seams import SIZE, TO_PLAY

LABELS: Final = ("label", "source")
"""Further columns of a table that holds counter-examples."""
_TOGETHER: Final = 4096
"""Rows of a table that are read together."""
_SMALL: Final = np.iinfo(np.int16)


class Known(NamedTuple):
    """What a row says of its game: the players, their ranks, the result; MISSING where it is not known."""

    black: str
    white: str
    black_rank: str
    white_rank: str
    result: str

    @staticmethod
    def of(record: Record) -> Known:
        """Return what a record says."""
        texts = [text or MISSING for text in (*record.players, *record.ranks)]
        return Known._make([*texts, RESULTS[record.winner]])


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class States(Examples):
    """Decisions of any game.

    played_by -- the game; positions -- int32[n, cells], or int16 where all fit; known -- an entry for each of `names`
    """

    played_by: Game
    positions: NDArray[np.signedinteger[Any]]
    known: list[Known]

    @property
    def of(self) -> Game:
        return self.played_by

    @property
    def cells(self) -> int:
        return self.played_by.cells

    @classmethod
    def none(cls, game: Game) -> Self:
        return cls._made(game, [], [], [], [])

    @classmethod
    def played(cls, records: Sequence[Record], game: Game) -> tuple[Self, list[str]]:
        rows, states, moves, stops = list[tuple[int, int]](), [], [], []
        for number, record in enumerate(records):
            stop = ""
            try:
                for ply, one in enumerate(replayed(record, game), record.first):
                    if _is_decision(one.move, game):
                        rows.append((number, ply))
                        states.append(one.state)
                        moves.append(game.place_of(one.move, one.size))
            except ValueError as error:
                stop = str(error)
            stops.append(stop)
        found = cls._made(game, rows, states, moves, [record.id for record in records])
        return replace(found, known=list(map(Known.of, records))), stops

    @classmethod
    def read(cls, parts: Iterable[bytes], path: str | Path, game: Game, bare: bool) -> Iterator[Self]:
        rows = placed_rows(read_rows(parts, path, game.name, bare), str(path), game, bare)
        while some := list(islice(rows, _TOGETHER)):
            yield cls._of_rows(some, game)

    @classmethod
    def _of_rows(cls, some: list[Placed], game: Game) -> Self:
        numbers: dict[str, int] = {}
        known = []
        for one in some:
            if one.name not in numbers:
                numbers[one.name] = len(numbers)
                known.append(Known(*one.row[4:9]))
        rows = [(numbers[one.name], one.ply) for one in some]
        found = cls._made(game, rows, [one.state for one in some], [one.place for one in some], list(numbers))
        label = np.array([one.row.label != "0" for one in some], np.uint8)
        named = [one.row.source for one in some]
        usual = [SOURCES[PLAYED if one else RANDOM] for one in label.tolist()]
        source = [SOURCES.index(usual[k] if text == MISSING else text) for k, text in enumerate(named)]
        return replace(found, known=known, label=label, source=np.array(source, np.uint8))

    @classmethod
    def _made(
        cls,
        game: Game,
        rows: list[tuple[int, int]],
        states: list[NDArray[np.int32]],
        moves: list[int],
        names: list[str],
    ) -> Self:
        """Return examples that were played; rows -- the number of the game and the ply of each."""
        numbers = np.array(rows, np.int32).reshape(-1, 2)
        positions = np.array(states, np.int32).reshape(-1, game.cells)
        if not len(rows) or (positions.min() >= _SMALL.min and positions.max() <= _SMALL.max):
            positions = positions.astype(np.int16)
        return cls(
            names=names,
            game=numbers[:, 0].copy(),
            ply=numbers[:, 1].copy(),
            size=positions[:, SIZE].astype(np.uint8),
            to_play=positions[:, TO_PLAY].astype(np.uint8),
            move=np.array(moves, np.int16),
            label=np.ones(len(rows), np.uint8),
            source=np.full(len(rows), PLAYED, np.uint8),
            played_by=game,
            positions=positions,
            known=[],
        )

    def columns(self) -> tuple[str, ...]:
        return COLUMNS + LABELS if self._labelled else COLUMNS

    @property
    def _labelled(self) -> bool:
        return bool((self.source != PLAYED).any())

    def text(self) -> bytes:
        labelled, lines = self._labelled, []
        for at, name in enumerate(self.id):
            side, position = side_letter(int(self.to_play[at])), self.of.text_of(self.state(at))
            cells = [name, side, position, self.move_text(at), *self.known[self.game[at]]]
            if labelled:
                cells += [str(self.label[at]), SOURCES[self.source[at]]]
            lines.append(row(cells))
        return "".join(lines).encode("utf-8", "replace")

    def legal(self) -> Listed:
        game, room = self.of, np.empty(self.of.longest, np.int32)
        listed = [room[: game.legal(state, room)].copy() for state in self.positions.astype(np.int32)]
        move = np.concatenate([np.zeros(0, np.int32), *listed])
        row = np.repeat(np.arange(len(listed)), [len(some) for some in listed])
        if game.komi >= 0:  # as `_is_decision`
            row, move = row[move != game.pass_move], move[move != game.pass_move]
        first = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(listed)))])
        return Listed(first, game.places_of(move, self.size[row]))

    def forbidden(self) -> Listed:
        raise GotoolsError(f"{self.of.name} has no counter-examples of source suicide: no move takes its own stones")

    def position_keys(self) -> NDArray[np.void]:
        whole = np.ascontiguousarray(self.positions)
        keys: NDArray[np.void] = whole.view(np.dtype((np.void, whole.shape[1] * whole.itemsize))).ravel()
        return keys

    def state(self, row: int, komi: float = 0.0, whole: bool = True) -> NDArray[np.int32]:
        found: NDArray[np.int32] = self.positions[row].astype(np.int32)
        if komi:
            self.of.check_komi(komi)
            found[self.of.komi] = round(2 * komi)
        return found

    def packed(self) -> tuple[Self, NDArray[Any]]:
        return replace(self, positions=self.positions[:, :0]), self.positions

    def unpacked(self, positions: NDArray[Any], cells: int) -> Self:
        return replace(self, positions=positions)

    def drawing(self, row: int, moves: Sequence[int] = ()) -> list[str]:
        return self.of.draw(self.state(row)).splitlines()


def _is_decision(move: int, game: Game) -> bool:
    """Return whether a move stands in examples; a pass does not where the game is counted."""
    return move != game.pass_move or game.komi < 0


def examples_class(game: Game) -> type[Examples]:
    """Return the class of the examples of a game: its own, or that of states."""
    own = game.find(Rows)
    return States if own is None else own.kind
