"""Decisions of players: the position, the side, the move, example or counter-example; a row for each."""

from __future__ import annotations

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import MissingTool
from gotools.files.cells import MISSING, quotes_cells
from gotools.files.tables import header
from gotools.game.game import Game
from gotools.game.records.record import Record
from gotools.game.records.table import KIND, NO_MOVE, VERSION

UNNAMED: Final = "line"
"""The game of the rows of a table without ids; their ply is the number of the line."""


class Listed(NamedTuple):
    """Places in each of n rows: those of row i are place[first[i]] to place[first[i + 1] - 1], int64[n + 1]."""

    first: NDArray[np.int64]
    place: NDArray[np.int16]

    @property
    def row(self) -> NDArray[np.int64]:
        """The row of each place."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Examples(ABC):
    """Hold n decisions of a game, a row each, as arrays of one length.

    The id of a row is "game:ply": `names[game[i]]` and `ply[i]`, counted from 1 with the passes (0: the id has no ply);
    `names` may hold games without rows. `move` is a place (`Game.place_of`), negative where there is none. `label` is 1
    for an example and 0 for a counter-example; `source` is an index into SOURCES. The arrays of a subclass hold the
    positions before the moves.
    """

    names: list[str]
    game: NDArray[np.int32]
    ply: NDArray[np.int32]
    size: NDArray[np.uint8]
    to_play: NDArray[np.uint8]
    move: NDArray[np.int16]
    label: NDArray[np.uint8]
    source: NDArray[np.uint8]

    # what a game does in its own way ----------------------------------------------------------------------------------

    @property
    @abstractmethod
    def of(self) -> Game:
        """The game."""

    @property
    @abstractmethod
    def cells(self) -> int:
        """Numbers that a position takes."""

    @classmethod
    @abstractmethod
    def none(cls, game: Game) -> Self:
        """Return no rows."""

    @classmethod
    @abstractmethod
    def played(cls, records: Sequence[Record], game: Game) -> tuple[Self, list[str]]:
        """Return the decisions in records, passes left out where the game is counted, and for each why it stops."""

    @classmethod
    @abstractmethod
    def read(cls, parts: Iterable[bytes], path: str | Path, game: Game, bare: bool) -> Iterator[Self]:
        """Read the rows of a table, block by block while it is being read; arguments as in `stream_examples`."""

    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns of a table of these rows."""

    @abstractmethod
    def text(self) -> bytes | memoryview:
        """Return a line of text for every row."""

    @abstractmethod
    def legal(self) -> Listed:
        """Return the legal moves of each position as places, without passes where the game is counted."""

    @abstractmethod
    def forbidden(self) -> Listed:
        """Return moves that only a further rule forbids, ko or suicide. Raises GotoolsError in a game without."""

    @abstractmethod
    def position_keys(self) -> NDArray[np.void]:
        """Return a key for each row: equal for the same position and side to play."""

    @abstractmethod
    def state(self, row: int, komi: float = 0.0, whole: bool = True) -> NDArray[np.int32]:
        """Return the position of a row for the functions of the game.

        whole -- with what was before it, so far as that is known: the last moves, ko

        Raises GotoolsError for a position that cannot be.
        """

    @abstractmethod
    def packed(self) -> tuple[Self, NDArray[Any]]:
        """Return the rows without their positions, and the positions in little memory: [n, ...], joined along n."""

    @abstractmethod
    def unpacked(self, positions: NDArray[Any], cells: int) -> Self:
        """Return rows without positions together with those that `packed` has made of them."""

    @abstractmethod
    def drawing(self, row: int, moves: Sequence[int] = ()) -> list[str]:
        """Draw the position of a row as people do; moves -- the first of them, which are numbered if there is room."""

    # what is the same in all games ------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.size)

    def __repr__(self) -> str:
        sizes = ", ".join(map(str, np.unique(self.size)))
        return f"{type(self).__name__}(rows={len(self)}, games={len(np.unique(self.game))}, size={sizes or None})"

    def to_pandas(self) -> Any:
        """Return the table as a pandas.DataFrame with the columns of examples.tsv; a missing point is NaN.

        Raises MissingTool without pandas.
        """
        try:
            import pandas
        except ImportError as error:
            raise MissingTool("pandas", "`pip install pandas`") from error
        columns, lines = self.columns(), header(KIND, VERSION, {"game": self.of.name}).decode().splitlines()
        quoting = csv.QUOTE_MINIMAL if quotes_cells(lines) else csv.QUOTE_NONE
        missing = {name: [MISSING] for name in columns if name in ("ko", "last", "last2", "move")}
        text = io.BytesIO(self.text())
        return pandas.read_csv(
            text, sep="\t", names=list(columns), quoting=quoting, keep_default_na=False, na_values=missing
        )

    @property
    def id(self) -> list[str]:
        """The ids of all rows, made anew at each call."""
        pairs = zip(self.game.tolist(), self.ply.tolist(), strict=True)
        return [f"{self.names[game]}:{ply}" if ply else self.names[game] for game, ply in pairs]

    def move_text(self, row: int) -> str:
        """Return the move of a row as the game writes it, "-" without a move."""
        place, size = int(self.move[row]), int(self.size[row])
        return MISSING if place == NO_MOVE else self.of.move_text(self.of.move_at(place, size), size)

    def move_id(self, row: int) -> str:
        """Return a name of a row's move: the id of the row, and the move."""
        return f"{self.take(np.array([row])).id[0]} {self.move_text(row)}"

    def games(self) -> list[str]:
        """Return the name of the game of every row."""
        return [self.names[game] for game in self.game.tolist()]

    def game_numbers(self) -> NDArray[np.int64]:
        """Return a number for every row that is the same for rows of one game, also where its name stands twice."""
        number = {name: at for at, name in enumerate(dict.fromkeys(self.names))}
        numbers: NDArray[np.int64] = np.array([number[name] for name in self.names], np.int64)[self.game]
        return numbers

    def begins(self) -> NDArray[np.bool_]:
        """Mark the rows that begin a decision; those behind it with the same id and position are its further moves."""
        found, games = np.ones(len(self), np.bool_), self.game
        alike = np.flatnonzero(self.ply[1:] == self.ply[:-1]) + 1
        one, before = games[alike], games[alike - 1]
        same = one == before
        if self.names:  # a game may go on in the next part of a table
            pairs = zip(one[~same].tolist(), before[~same].tolist(), strict=True)
            same[~same] = [self.names[k] == self.names[j] for k, j in pairs]
        alike = alike[same]
        if len(alike):
            found[alike] = self.take(alike).position_keys() != self.take(alike - 1).position_keys()
        return found

    def take(self, indices: NDArray[np.integer] | NDArray[np.bool_]) -> Self:
        """Return the rows at `indices` (numbers or a mask), in that order."""
        rows = np.flatnonzero(indices) if indices.dtype == np.bool_ else indices
        taken: dict[str, Any] = {name: values[rows] for name, values in self.arrays().items()}
        return replace(self, **taken)

    @classmethod
    def concat(cls, parts: Sequence[Self]) -> Self:
        """Return the rows of all parts, at least one, one after the other; boards get the width of the widest."""
        if len(parts) == 1:
            return parts[0]
        games, names, others = [], list[str](), parts[0]._lists()
        lists: dict[str, list[Any]] = {name: [] for name in others}
        for part in parts:
            games.append(part.game + np.int32(len(names)))
            names += part.names
            for name, values in part._lists().items():
                lists[name] += values
        joined: dict[str, Any] = {name: _joined([getattr(part, name) for part in parts]) for name in parts[0].arrays()}
        return replace(parts[0], **{**joined, **lists, "names": names, "game": np.concatenate(games)})

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays by name."""
        return {one.name: found for one in fields(self) if isinstance(found := getattr(self, one.name), np.ndarray)}

    def _lists(self) -> dict[str, list[Any]]:
        """Return the lists that have an entry for each game, by name; the names apart."""
        return {
            one.name: found
            for one in fields(self)
            if one.name != "names" and isinstance(found := getattr(self, one.name), list)
        }


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Concatenate arrays; rows get the length of the longest, filled with 0."""
    if parts[0].ndim == 1 or len({part.shape[1:] for part in parts}) == 1:
        return np.concatenate(parts)
    found, row = np.zeros((sum(map(len, parts)), max(part.shape[1] for part in parts)), parts[0].dtype), 0
    for part in parts:
        found[row : row + len(part), : part.shape[1]] = part
        row += len(part)
    return found


def write_header(out: BinaryIO, examples: Examples) -> None:
    """Write the lines that begin a table of such rows."""
    out.write(header(KIND, VERSION, {"game": examples.of.name}, examples.columns()))


def write_examples(out: BinaryIO, examples: Examples) -> None:
    """Write a whole table of examples: header and rows."""
    write_header(out, examples)
    out.write(examples.text())
