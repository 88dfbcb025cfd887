"""Decisions of players: position, side, ko, last moves, the move, example or not; read, written and drawn."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, MissingTool
from gotools.files.opening import expand_paths, read_parts
from gotools.files.tables import header
from gotools.game.records.table import KIND, NEEDED, VERSION, read_pieces
from gotools.games.go.kernels import constants
from gotools.games.go.points import MAX_SIZE, NONE

COLUMNS = ("id", "to_play", "position", "ko", "last", "last2", "move", "label", "source")
SOURCES = constants.SOURCES
PLAYED, RANDOM, SUICIDE, UNPLAYED, WEAK = range(len(SOURCES))
SUFFIXES = (".tsv", ".parquet")
UNNAMED = "line"
"""The game of the rows of a table without ids; their ply is the number of the line."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Hold n decisions, a row each, as arrays of one length.

    The id of a row is "game:ply": `names[game[i]]` and `ply[i]`, counted from 1 with the passes (0: the id has no ply);
    `names` may hold games without rows. `board[i, :size[i] ** 2]` is the position before the move, by point
    number; the cells after it are 0. Missing points are NONE, and `last`, `last2` may be PASS. `label` is 1
    for an example and 0 for a counter-example; `source` is an index into SOURCES.
    """

    names: list[str]
    game: NDArray[np.int32]
    ply: NDArray[np.int32]
    size: NDArray[np.uint8]
    to_play: NDArray[np.uint8]
    board: NDArray[np.uint8]  # uint8[n, largest size squared]
    ko: NDArray[np.int16]
    last: NDArray[np.int16]
    last2: NDArray[np.int16]
    move: NDArray[np.int16]
    label: NDArray[np.uint8]
    source: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.size)

    def __repr__(self) -> str:
        sizes = ", ".join(map(str, np.unique(self.size)))
        return f"Examples(rows={len(self)}, games={len(np.unique(self.game))}, size={sizes or None})"

    def to_pandas(self) -> Any:
        """Return the table as a pandas.DataFrame with the columns of examples.tsv; a missing point is NaN.

        Raises MissingTool without pandas.
        """
        try:
            import pandas
        except ImportError as error:
            raise MissingTool("pandas", "`pip install pandas`") from error
        missing = {name: ["-"] for name in ("ko", "last", "last2", "move")}
        text = io.BytesIO(format_rows(self))
        return pandas.read_csv(
            text, sep="\t", names=list(COLUMNS), quoting=csv.QUOTE_NONE, keep_default_na=False, na_values=missing
        )

    @property
    def id(self) -> list[str]:
        """The ids of all rows, made anew at each call."""
        pairs = zip(self.game.tolist(), self.ply.tolist(), strict=True)
        return [f"{self.names[game]}:{ply}" if ply else self.names[game] for game, ply in pairs]

    def games(self) -> list[str]:
        """Return the name of the game of every row."""
        return [self.names[game] for game in self.game.tolist()]

    def game_numbers(self) -> NDArray[np.int64]:
        """Return a number for every row that is the same for rows of one game, also where its name stands twice."""
        number = {name: at for at, name in enumerate(dict.fromkeys(self.names))}
        numbers: NDArray[np.int64] = np.array([number[name] for name in self.names], np.int64)[self.game]
        return numbers

    def take(self, indices: NDArray[np.integer] | NDArray[np.bool_]) -> Examples:
        """Return the rows at `indices` (numbers or a mask), in that order."""
        rows = np.flatnonzero(indices) if indices.dtype == np.bool_ else indices
        return replace(self, **{name: getattr(self, name)[rows] for name in _ARRAYS})

    def columns(self) -> tuple[NDArray[np.uint8] | NDArray[np.int16], ...]:
        """Return what follows the ids: size, to_play, board, ko, last, last2, move, label, source."""
        ends = (self.label, self.source)
        return (self.size, self.to_play, self.board, self.ko, self.last, self.last2, self.move, *ends)

    @staticmethod
    def empty(cells: int = 0) -> Examples:
        """Return no rows, with boards of `cells` cells."""
        none, far, number = np.zeros(0, np.uint8), np.zeros(0, np.int16), np.zeros(0, np.int32)
        board = np.zeros((0, cells), np.uint8)
        return Examples([], number, number, none, none, board, far, far, far, far, none, none)

    @staticmethod
    def concat(parts: Sequence[Examples]) -> Examples:
        """Return the rows of all parts, one part after the other; boards get the width of the widest."""
        if not parts:
            return Examples.empty()
        if len(parts) == 1:
            return parts[0]
        boards = np.zeros((sum(map(len, parts)), max(part.board.shape[1] for part in parts)), np.uint8)
        names: list[str] = []
        games, row = [], 0
        for part in parts:
            boards[row : row + len(part), : part.board.shape[1]] = part.board
            games.append(part.game + np.int32(len(names)))
            names += part.names
            row += len(part)
        others = [name for name in _ARRAYS if name not in ("game", "board")]
        joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in others}
        return Examples(names=names, game=np.concatenate(games), board=boards, **joined)


_ARRAYS: Final = tuple(one.name for one in fields(Examples) if one.name != "names")
"""The arrays of `Examples`."""


# ---- writing ----


def write_header(out: BinaryIO) -> None:
    """Write the lines that begin a file of examples."""
    out.write(header(KIND, VERSION, {"game": "go"}, COLUMNS))


def write_rows(out: BinaryIO, examples: Examples) -> None:
    """Write a line for every row, without a header."""
    out.write(format_rows(examples))


def write_examples(out: BinaryIO, examples: Examples) -> None:
    """Write a whole file of examples: header and rows."""
    write_header(out)
    write_rows(out, examples)


def format_rows(examples: Examples) -> memoryview | bytes:
    """Return the rows as lines of text, in 0.2 us a row of 9x9: a kernel writes the bytes."""
    from gotools.games.go.examples.kernels.rows import SOURCE_ENDS, SOURCE_LETTERS, write_text

    if not len(examples):
        return b""
    names = [name.encode("utf-8", "replace") for name in examples.names]
    ends = np.cumsum([0, *map(len, names)])
    letters = np.frombuffer(b"".join(names) + b"\n", np.uint8)
    size = examples.size.astype(np.int64)
    room = int((size * (size + 1)).sum() + np.diff(ends)[examples.game].sum()) + 60 * len(examples)
    text = np.empty(room, np.uint8)
    length: int = write_text(
        text, letters, ends, examples.game, examples.ply, examples.columns(), SOURCE_LETTERS, SOURCE_ENDS
    )
    return text[:length].data


# ---- reading ----


def read_examples(paths: Sequence[str | Path]) -> Examples:
    """Read files of examples (`-`, .gz, folders, globs; files joined by `cat` too) into one table.

    Columns are found by name; `to_play position move` are needed, `ko last last2` are NONE where absent, `label` 1,
    `source` played for an example and random for a counter-example, `id` line:NUMBER.

    Raises FileFormatError with the line for anything that is not a decision: a board that is not square, of size 2..19,
    a point off the board, a move onto a stone.
    """
    return Examples.concat([part for path in expand_paths(paths, SUFFIXES) for part in stream_examples(path)])


def stream_examples(path: str | Path, bare: bool = False) -> Iterator[Examples]:
    """Give the rows of one file block by block, while it is still being read.

    bare -- the move of a row may be NONE, and the column be missing: positions without the move played
    """
    needed = [name for name in NEEDED if not (bare and name == "move")]
    for columns, line, text in read_pieces(read_parts(path), path, "go", needed):
        yield _parse(text, columns, path, line, bare)


def _parse(lines: bytes, columns: list[str], path: str | Path, first: int, bare: bool) -> Examples:
    from gotools.games.go.examples.kernels.rows import PROBLEMS, largest_board, parse_text

    text = np.frombuffer(lines, np.uint8)
    fields = np.array([COLUMNS.index(name) if name in COLUMNS else -1 for name in columns], np.int64)
    rows, widest = largest_board(text, columns.index("position"))
    size, to_play, label, source = (np.zeros(rows, np.uint8) for _ in range(4))
    ko, last, last2, move = (np.full(rows, NONE, np.int16) for _ in range(4))
    game, ply = np.zeros(rows, np.int32), np.arange(first, first + rows, dtype=np.int32)
    label[:] = 1
    board = np.zeros((rows, min(widest, MAX_SIZE) ** 2), np.uint8)
    letters = np.empty(len(text), np.uint8)
    arrays = (size, to_play, board, ko, last, last2, move, label, source)
    length, row, problem = parse_text(text, fields, bare, letters, game, ply, *arrays)
    if problem:
        raise FileFormatError(path, first + row, PROBLEMS[problem])
    if "source" not in columns:
        source[:] = np.where(label == 1, PLAYED, RANDOM)
    names = letters[:length].tobytes().decode("utf-8", "replace").split("\n")[:-1]
    return Examples(names if "id" in columns else [UNNAMED], game, ply, *arrays)


# ---- drawing ----


REACH: Final = 3
"""Points drawn each way from the move."""
DIAGRAM_KEY: Final = "* the move  X own  O the opponent's  L the opponent's last move  . empty  # off the board"
_EMPTY, _OWN, _OTHER, _OUTSIDE, _MOVE, _LAST = ".XO#*L"


def move_diagram(rows: Examples, row: int, reach: int = REACH) -> list[str]:
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
