"""Decisions of Go: boards, ko and the last moves as arrays of bytes; kernels read, write and replay them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.game.examples.examples import UNNAMED, Examples, Listed
from gotools.game.examples.packed import PackedExamples
from gotools.game.game import Game
from gotools.game.records.record import Record
from gotools.game.records.sources import PLAYED, RANDOM, SOURCES
from gotools.game.records.table import NEEDED, read_pieces
from gotools.game.traits import Rows
from gotools.games.go.board import Board, legal_mask, replay_many
from gotools.games.go.go import GO
from gotools.games.go.history import history_of
from gotools.games.go.kernels import rules as k
from gotools.games.go.points import CELLS, COLUMN_LETTERS, EMPTY, MAX_SIZE, NONE

COLUMNS = ("id", "to_play", "position", "ko", "last", "last2", "move", "label", "source")
_LETTERS: Final = np.frombuffer("".join(SOURCES).encode(), np.uint8)
_ENDS: Final = np.cumsum([0] + [len(name) for name in SOURCES]).astype(np.int64)
"""The names of the sources one after the other, and where each ends."""
_PROBLEMS: Final = (
    "",
    "a column is missing",
    "to_play is neither b nor w",
    "position is not rows of `.`, `X` and `O` joined by `/`, as many rows as a row is long",
    "the board is not between 2x2 and 19x19",
    "a point is neither a GTP vertex on the board (as C3), nor `pass`, nor `-`",
    "move is not a point of the board",
    "the move is on a stone",
    "label is neither 1 nor 0",
    "source is not one of " + ", ".join(SOURCES),
)
"""The problems that the kernel `parse_text` may find, by the number it returns."""
_AT_ONCE: Final = 20_000
"""Decisions that are unpacked together: 7 MB of 19x19."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GoExamples(Examples):
    """Decisions of Go.

    `board[i, :size[i] ** 2]` is the position before the move, by point number; the cells after it are 0. Missing points
    are NONE, and `last`, `last2` may be PASS.
    """

    board: NDArray[np.uint8]  # uint8[n, largest size squared]
    ko: NDArray[np.int16]
    last: NDArray[np.int16]
    last2: NDArray[np.int16]

    @property
    def of(self) -> Game:
        return GO

    @property
    def cells(self) -> int:
        return int(self.board.shape[1])

    @classmethod
    def none(cls, game: Game | None = None, cells: int = 0) -> Self:
        few, far, number = np.zeros(0, np.uint8), np.zeros(0, np.int16), np.zeros(0, np.int32)
        columns: dict[str, Any] = dict.fromkeys(("size", "to_play", "label", "source"), few)
        columns |= dict.fromkeys(("ko", "last", "last2", "move"), far)
        return cls(names=[], game=number, ply=number, board=np.zeros((0, cells), np.uint8), **columns)

    @classmethod
    def of_board(cls, board: Board) -> Self:
        """Return the position of a board, without a move."""
        last, last2 = (int(k.unpad(board.state[at], board.side)) for at in (k.LAST, k.LAST2))
        values = {"size": board.side, "to_play": board.to_play, "ko": board.ko, "last": last, "last2": last2}
        values |= {"game": 0, "ply": 0, "move": NONE, "label": 1, "source": PLAYED}
        kinds = cls.none()
        columns = {name: np.array([value], getattr(kinds, name).dtype) for name, value in values.items()}
        return cls(names=["board"], board=board.cells[None, :], **columns)

    @classmethod
    def played(cls, records: Sequence[Record], game: Game | None = None) -> tuple[Self, list[str]]:
        played = replay_many(records)
        ply = (np.arange(1, len(played) + 1) - played.first[played.game]).astype(np.int32)
        rows = cls(
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
            label=np.ones(len(played), np.uint8),
            source=np.full(len(played), PLAYED, np.uint8),
        )
        return rows.take(played.move >= 0), played.illegal

    @classmethod
    def read(cls, parts: Iterable[bytes], path: str | Path, game: Game, bare: bool) -> Iterator[Self]:
        needed = [name for name in NEEDED if not (bare and name == "move")]
        for columns, line, text in read_pieces(parts, path, game.name, needed):
            yield cls._parsed(text, columns, path, line, bare)

    @classmethod
    def _parsed(cls, lines: bytes, columns: list[str], path: str | Path, first: int, bare: bool) -> Self:
        """Return the rows of a piece of a table; first -- the number of its first line."""
        from gotools.games.go.examples.kernels.rows import largest_board, parse_text

        text = np.frombuffer(lines, np.uint8)
        fields = np.array([COLUMNS.index(name) if name in COLUMNS else -1 for name in columns], np.int64)
        rows, widest = largest_board(text, columns.index("position"))
        size, to_play, label, source = (np.zeros(rows, np.uint8) for _ in range(4))
        ko, last, last2, move = (np.full(rows, NONE, np.int16) for _ in range(4))
        game, ply = np.zeros(rows, np.int32), np.arange(first, first + rows, dtype=np.int32)
        label[:] = 1
        board = np.zeros((rows, min(widest, MAX_SIZE) ** 2), np.uint8)
        letters = np.empty(len(text), np.uint8)
        length, row, problem = parse_text(
            text, fields, bare, letters, game, ply, size, to_play, board, ko, last, last2, move, label, source,
            _LETTERS, _ENDS,
        )  # fmt: skip
        if problem:
            raise FileFormatError(path, first + row, _PROBLEMS[problem])
        if "source" not in columns:
            source[:] = np.where(label == 1, PLAYED, RANDOM)
        names = letters[:length].tobytes().decode("utf-8", "replace").split("\n")[:-1]
        return cls(
            names=names if "id" in columns else [UNNAMED],
            game=game,
            ply=ply,
            size=size,
            to_play=to_play,
            board=board,
            ko=ko,
            last=last,
            last2=last2,
            move=move,
            label=label,
            source=source,
        )

    def columns(self) -> tuple[str, ...]:
        return COLUMNS

    def text(self) -> bytes | memoryview:
        """Return the rows as lines of text, in 0.2 us a row of 9x9: a kernel writes the bytes."""
        from gotools.games.go.examples.kernels.rows import write_text

        if not len(self):
            return b""
        names = [name.encode("utf-8", "replace") for name in self.names]
        ends = np.cumsum([0, *map(len, names)])
        letters = np.frombuffer(b"".join(names) + b"\n", np.uint8)
        size = self.size.astype(np.int64)
        room = int((size * (size + 1)).sum() + np.diff(ends)[self.game].sum()) + 60 * len(self)
        text = np.empty(room, np.uint8)
        points = (self.ko, self.last, self.last2, self.move)
        columns = (self.size, self.to_play, self.board, *points, self.label, self.source)
        length: int = write_text(text, letters, ends, self.game, self.ply, columns, _LETTERS, _ENDS)
        return text[:length].data

    def legal(self) -> Listed:
        return _listed(legal_mask(self.board, self.size, self.to_play, self.ko))

    def forbidden(self) -> Listed:
        inside = np.arange(self.board.shape[1]) < self.size[:, None].astype(np.int64) ** 2
        return _listed(inside & (self.board == EMPTY) & ~legal_mask(self.board, self.size, self.to_play, self.ko))

    def position_keys(self) -> NDArray[np.void]:
        from gotools.games.go.examples.kernels.rows import group_keys

        keys = np.empty((len(self), self.board.shape[1] + 4), np.uint8)
        group_keys(self.size, self.to_play, self.board, self.ko, keys)
        whole: NDArray[np.void] = keys.view(np.dtype((np.void, keys.shape[1]))).ravel()
        return whole

    def state(self, row: int, komi: float = 0.0, whole: bool = True) -> NDArray[np.int32]:
        size, side, ko = int(self.size[row]), int(self.to_play[row]), int(self.ko[row])
        try:
            board = Board.from_cells(self.board[row], size, side, ko if whole else NONE)
        except ValueError as error:
            raise GotoolsError(f"{self.take(np.array([row])).id[0]}: {error}") from error
        if whole:
            last = self.last[row], self.last2[row]
            board.state[k.LAST], board.state[k.LAST2] = (k.pad(int(point), size) for point in last)
        return history_of(board, komi).asked(side)

    def packed(self) -> tuple[Self, NDArray[Any]]:
        """Return boards as two bits a point: uint8[n, 2, bytes], the black and the white stones."""
        bits = np.stack([np.packbits(self.board == colour, axis=1) for colour in (1, 2)], axis=1)
        return replace(self, board=np.zeros((len(self), 0), np.uint8)), bits

    def unpacked(self, positions: NDArray[Any], cells: int) -> Self:
        board = np.empty((len(positions), cells), np.uint8)
        for begin in range(0, len(positions), _AT_ONCE):
            some = positions[begin : begin + _AT_ONCE]
            black, white = (np.unpackbits(some[:, side], axis=1, count=cells) for side in (0, 1))
            board[begin : begin + _AT_ONCE] = black + 2 * white
        return replace(self, board=board)

    def drawing(self, row: int, moves: Sequence[int] = ()) -> list[str]:
        """Draw as people do: X black, O white, the last move in brackets, the first nine moves numbered."""
        size, last = int(self.size[row]), int(self.last[row])
        cells = [CELLS[cell] for cell in self.board[row, : size * size]]
        for place, point in enumerate(moves[:9], 1):
            cells[point] = str(place)
        lines = []
        for y in range(size - 1, -1, -1):
            line = list(" " + " ".join(cells[y * size : (y + 1) * size]) + " ")
            if last >= 0 and last // size == y:
                line[2 * (last % size)], line[2 * (last % size) + 2] = "()"
            lines.append(f"{y + 1:4} {''.join(line)}".rstrip())
        return [*lines, f"      {' '.join(COLUMN_LETTERS[:size])}"]


PackedGo = PackedExamples[GoExamples]


def of_go(rows: Examples) -> GoExamples:
    """Return rows of examples of Go as what they are. Raises GotoolsError for those of another game."""
    if not isinstance(rows, GoExamples):
        raise GotoolsError(f"examples are of {rows.of.name}, not of {GO.name}")
    return rows


def _listed(mask: NDArray[np.bool_]) -> Listed:
    """Return the points of bool[n, cells]."""
    first = np.zeros(len(mask) + 1, np.int64)
    np.cumsum(mask.sum(axis=1), out=first[1:])
    return Listed(first, np.broadcast_to(np.arange(mask.shape[1], dtype=np.int16), mask.shape)[mask])


# ---- drawing ----


REACH: Final = 3
"""Points drawn each way from the move."""
DIAGRAM_KEY: Final = "* the move  X own  O the opponent's  L the opponent's last move  . empty  # off the board"
_EMPTY, _OWN, _OTHER, _OUTSIDE, _MOVE, _LAST = ".XO#*L"


def move_diagram(rows: GoExamples, row: int, reach: int = REACH) -> list[str]:
    """Draw the points around a move, as seen by the player who moves; a line for each row of points, from the top.

    . . O X . . .    `*` the move, a point; `X` own stones, `O` the opponent's, `L` the opponent's last move
    . . O * . . .    `.` empty, `#` off the board
    . . . L X . .
    # # # # # # #
    """
    size, side, move = int(rows.size[row]), int(rows.to_play[row]), int(rows.move[row])
    signs = [_EMPTY, *(_OWN if colour == side else _OTHER for colour in (1, 2))]
    points = [signs[cell] for cell in rows.board[row, : size * size].tolist()]
    if rows.last[row] >= 0 and points[rows.last[row]] == _OTHER:
        points[rows.last[row]] = _LAST
    points[move] = _MOVE
    y, x = divmod(move, size)
    return [
        " ".join(_sign(points, size, across, up) for across in range(x - reach, x + reach + 1))
        for up in range(y + reach, y - reach - 1, -1)
    ]


def _sign(points: list[str], size: int, x: int, y: int) -> str:
    return points[y * size + x] if 0 <= x < size and 0 <= y < size else _OUTSIDE


ROWS: Final = Rows(
    GoExamples,
    move_diagram,
    DIAGRAM_KEY,
    {_MOVE: "bold yellow", _OWN: "bold green", _OTHER: "bold red", _LAST: "bold red", _EMPTY: "dim", _OUTSIDE: "dim"},
)
