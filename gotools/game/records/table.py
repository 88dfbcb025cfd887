"""Records as tables of examples, and back: a row for each move, with the position before it as text.

##gotools examples 2
##game=shogi
id      to_play   position   move   black   white   black_rank   white_rank   result
final:1 b         lnsgkg...  7g7f   Abe     Kato    1500         3d           B+
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError, quoted, shown
from gotools.files.cells import MISSING, cells
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.lines import LongLine, unix_ends, whole_lines
from gotools.files.opening import FIRST_BYTES
from gotools.files.tables import MOST_HEADER, read_header
from gotools.game.game import Game
from gotools.game.records.mainline import MOST_MOVES
from gotools.game.records.record import Record
from gotools.game.records.replay import legal_move
from gotools.game.records.sources import SOURCES
from gotools.game.sides import side_letter
from gotools.game.table import USUAL
from gotools.jit.kernels.seams import TO_PLAY

KIND, VERSION = Kind.examples.word, Kind.examples.version
COLUMNS: Final = ("id", "to_play", "position", "move", "black", "white", "black_rank", "white_rank", "result")
NEEDED: Final = ("to_play", "position", "move")
"""Columns without which every table of examples is refused."""
RESULTS: Final = (MISSING, "B+", "W+")
"""By the side that has won."""
NO_MOVE: Final = -1
"""The place of the move of a row that is a position alone."""
_LABELS: Final = ("1", "0", MISSING)
_MOST_DIGITS: Final = 6
_EMPTY_LINES: Final = re.compile(rb"\n*")


class Row(NamedTuple):
    """The cells of a row, as they stand there."""

    id: str
    to_play: str
    position: str
    move: str
    black: str = MISSING
    white: str = MISSING
    black_rank: str = MISSING
    white_rank: str = MISSING
    result: str = MISSING
    label: str = MISSING
    source: str = MISSING

    @property
    def game(self) -> str:
        """Return the name of the game that the row is of."""
        return self.id.rpartition(":")[0]


# reading --------------------------------------------------------------------------------------------------------------


class Piece(NamedTuple):
    """Rows that stand together in a table: the names of their columns, the number of the first line, whole lines."""

    columns: list[str]
    line: int
    text: bytes


def read_pieces(parts: Iterable[bytes], path: str | Path, game: str | None, needed: Sequence[str]) -> Iterator[Piece]:
    """Yield the rows of a table, or of several that `cat` joined, piece by piece while they are read.

    parts -- the text, cut anywhere; path -- for errors; game -- the name of the game, None for any
    needed -- columns without which a table is refused

    Raises FileFormatError for another table, another game, an empty line between rows, and a line that is too long.
    """
    reader = _Pieces(path, game, needed)
    try:
        for text in whole_lines(unix_ends(parts)):
            yield from reader.pieces(text)
    except LongLine as error:
        raise FileFormatError(path, reader.line, str(error)) from error
    reader.end()


class _Pieces:
    """Divides a table into headers and rows; line -- the number of the next line."""

    def __init__(self, path: str | Path, game: str | None, needed: Sequence[str]) -> None:
        self.line = 1
        self._path, self._game, self._needed = path, game, needed
        self._columns: list[str] | None = None
        self._header: list[bytes] = []
        """Lines of a header that goes on."""
        self._names = b""
        self._rows_end = re.compile(b"")
        self._empty: int | None = None
        """The first of the empty lines that may be the end of the file."""

    def pieces(self, data: bytes) -> Iterator[Piece]:
        """Read each header with the rows below it, from whole lines."""
        place = 0
        while place < len(data):
            end = data.index(b"\n", place)
            line = data[place:end]
            if line.startswith(b"##"):
                self._take(line)
            elif self._header or self._columns is None or line.startswith(b"#"):
                self._begin(line, data)
            elif not line:
                self._empty = self._empty or self.line
                end += len(_EMPTY_LINES.match(data, place + 1)[0])  # type: ignore[index]
                self.line += end + 1 - place
            elif line == self._names:
                self.line += 1
            else:
                found = self._rows_end.search(data, place)
                end = found.start() if found else len(data) - 1
                yield self._piece(data[place : end + 1])
            place = end + 1

    def end(self) -> None:
        """Raise FileFormatError if the file ends before the columns are named."""
        if self._header or self._columns is None:
            self._begin(b"", b"")

    def _take(self, line: bytes) -> None:
        """Take a line of a header."""
        self._header.append(line)
        self.line += 1
        if len(self._header) > MOST_HEADER:
            raise FileFormatError(self._path, self.line, f"a header of more than {MOST_HEADER:,} lines")

    def _begin(self, names: bytes, data: bytes) -> None:
        """Take the line with the names of the columns: the header is over.

        data -- what the file begins with, where this is its first line
        """
        first = self._columns is None and not self._header
        if first and not names.startswith(b"#") and kind_of(data[:FIRST_BYTES]) is not Kind.examples:
            raise wrong_kind(self._path, data[:FIRST_BYTES], KIND)
        lines = [line.decode("utf-8", "replace") for line in (*self._header, names)]
        self._columns = columns_of(lines, self._path, self.line - len(self._header), self._needed, self._game)
        self._names, self._header, self._empty = names, [], None
        self._rows_end = re.compile(rb"\n(?=#|\n|" + re.escape(names) + rb"\n)")
        self.line += 1

    def _piece(self, text: bytes) -> Piece:
        if self._empty is not None:
            raise FileFormatError(self._path, self._empty, "an empty line in the middle of the table")
        assert self._columns is not None
        found = Piece(self._columns, self.line, text)
        self.line += text.count(b"\n")
        return found


def read_rows(
    parts: Iterable[bytes], path: str | Path, game: str | None = None, bare: bool = False
) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a table as cells, each with the number of its line; arguments and errors are as above.

    bare -- the column of moves may be missing

    Raises FileFormatError for a row with more or fewer cells than columns, too.
    """
    needed = [name for name in ("id", *NEEDED) if not (bare and name == "move")]
    for columns, first, text in read_pieces(parts, path, game, needed):
        places = [columns.index(name) if name in columns else -1 for name in Row._fields]
        for number, line in enumerate(text.decode("utf-8", "replace").split("\n")[:-1], first):
            found = cells(line)
            if len(found) != len(columns):
                what = f"{len(found)} cells, where the header names {len(columns)} columns"
                raise FileFormatError(path, number, what)
            found.append(MISSING)
            yield number, Row(*[found[place] for place in places])


def columns_of(lines: list[str], path: str | Path, first: int, needed: Sequence[str], game: str | None) -> list[str]:
    """Return the names of the columns of a header.

    first -- the number of its first line; needed -- columns; game -- of the examples, None for any

    Raises FileFormatError for another kind of table, another game, and where a column is missing.
    """
    values, columns, _ = read_header(lines, KIND, VERSION, path, first)
    named = values.get("game", USUAL)
    if game not in (None, named):
        raise FileFormatError(path, first, f"examples of the game {shown(named)}; expected {game}")
    missing = [name for name in needed if name not in columns]
    if missing:
        what = f"no column {' or '.join(missing)}; the first line that does not begin with `##` names them"
        raise FileFormatError(path, first + len(lines) - 1, what)
    return columns


class Placed(NamedTuple):
    """A row with its position.

    name, ply -- of its id; state -- the position; place -- of the move, NO_MOVE without one
    setting   -- by which a game begins at the row, None where it follows from the row before
    """

    row: Row
    name: str
    ply: int
    state: NDArray[np.int32]
    place: int
    setting: str | None


def placed_rows(rows: Iterable[tuple[int, Row]], path: str, game: Game, bare: bool = False) -> Iterator[Placed]:
    """Yield rows of `read_rows` with their positions.

    bare -- rows may be without a move

    A row whose position follows from the move before it has all that the game knows of the moves so far; another one
    begins anew. Raises FileFormatError for a position or a move that is not one, and for a move that is not legal.
    """
    placing = _Placing(path, game, bare)
    for number, found in rows:
        try:
            yield placing.place(found)
        except ValueError as error:
            raise FileFormatError(path, number, str(error)) from error


class _Placing:
    """Makes positions of the rows of a table. Its methods raise ValueError with a message for the user."""

    def __init__(self, path: str, game: Game, bare: bool) -> None:
        self._path, self._any, self._bare = path, game, bare
        self._usual = game.text_of(game.position())
        self._next: tuple[str, int] | None = None
        """The game that goes on, and the number of its next move."""
        self._moves = 0
        self._game, self._state = game, game.position()

    def place(self, found: Row) -> Placed:
        """Return a row with its position."""
        name, _, ply = found.id.rpartition(":")
        if not name or not ply.isascii() or not ply.isdigit() or len(ply) > _MOST_DIGITS:
            raise ValueError(f"id {quoted(found.id)} is not a game and the number of a move, such as name:12")
        for what, given, known in (("label", found.label, _LABELS), ("source", found.source, (*SOURCES, MISSING))):
            if given not in known:
                raise ValueError(f"{what} is {quoted(given)}, not one of {', '.join(known)}")
        follows = self._next == (name, int(ply)) and self._moves < MOST_MOVES
        setting = None
        if not follows or found.position != self._any.text_of(self._state):
            setting = self._begin(found)
        side = int(self._state[TO_PLAY])
        if found.to_play != side_letter(side):
            raise ValueError(f"to_play is {quoted(found.to_play)}; in the position it is {side_letter(side)}")
        state, place = self._state, NO_MOVE
        self._next = None
        if found.move != MISSING or not self._bare:
            place = self._move(found, side, name, int(ply))
        return Placed(found, name, int(ply), state, place, setting)

    def _begin(self, found: Row) -> str:
        """Begin at the position of a row; return the setting that does so."""
        setting = "" if found.position == self._usual else found.position
        try:
            if not found.position:
                raise GotoolsError("it is empty")
            self._game = self._any.started_from(setting)
            self._state, self._moves = self._game.position(), 0
        except GotoolsError as error:
            what = f"position {quoted(found.position)}, which does not follow from the row before: {error}"
            raise ValueError(what) from error
        return setting

    def _move(self, found: Row, side: int, name: str, ply: int) -> int:
        """Return the place of the move of a row, which is made if it was played."""
        size = self._game.sizes[0]
        try:
            move = legal_move(self._game, self._state, size, side, found.move)
        except ValueError as error:
            raise ValueError(f"move {shown(found.move, 20)}: {shown(error, 200)}") from error
        if found.label != _LABELS[1]:
            self._state, self._next = self._game.play(self._state, move), (name, ply + 1)
            self._moves += 1
        return self._game.place_of(move, size)


def read_game_examples(parts: Iterable[bytes], path: str, game: Game) -> Iterator[Record]:
    """Yield the games in a table of examples; counter-examples are left out.

    Rows that follow each other in a game are one; another row begins anew, at its position. Errors are those of
    `placed_rows`.
    """
    together: list[Placed] = []
    for one in placed_rows(read_rows(parts, path, game.name), path, game):
        if one.row.label == _LABELS[1]:
            continue
        if one.setting is not None and together:
            yield _record(together, game)
            together = []
        together.append(one)
    if together:
        yield _record(together, game)


def _record(rows: list[Placed], game: Game) -> Record:
    """Return the game of rows that follow each other."""
    black, white, black_rank, white_rank, result = ("" if text == MISSING else text for text in rows[0].row[4:9])
    return Record(
        id=rows[0].name,
        size=game.sizes[0],
        moves=np.array([(int(one.state[TO_PLAY]), one.place) for one in rows], np.int32).reshape(-1, 2),
        players=(black, white),
        ranks=(black_rank, white_rank),
        result=result,
        setting=rows[0].setting or "",
        first=rows[0].ply,
    )
