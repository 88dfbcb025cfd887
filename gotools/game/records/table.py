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

from gotools.base.errors import FileFormatError, GotoolsError, quoted, shown
from gotools.files.cells import MISSING, cells
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.lines import LongLine, unix_ends, whole_lines
from gotools.files.opening import FIRST_BYTES
from gotools.files.tables import MOST_HEADER, header, read_header, row
from gotools.game.game import Game
from gotools.game.records.mainline import MOST_MOVES
from gotools.game.records.record import Record
from gotools.game.records.replay import Decision, legal_move
from gotools.game.sides import side_letter
from gotools.game.table import USUAL
from gotools.jit.kernels.seams import TO_PLAY

KIND, VERSION = Kind.examples.word, Kind.examples.version
COLUMNS: Final = ("id", "to_play", "position", "move", "black", "white", "black_rank", "white_rank", "result")
NEEDED: Final = ("to_play", "position", "move")
"""Columns without which every table of examples is refused."""
_RESULTS: Final = (MISSING, "B+", "W+")
"""By the side that has won."""
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

    @property
    def game(self) -> str:
        """Return the name of the game that the row is of."""
        return self.id.rpartition(":")[0]


# writing --------------------------------------------------------------------------------------------------------------


def header_of(game: Game) -> bytes:
    """Return the lines before the rows."""
    return header(KIND, VERSION, {"game": game.name}, COLUMNS)


def row_of(decision: Decision, record: Record, game: Game) -> str:
    """Return the row of a move of a record."""
    side, move = side_letter(int(decision.state[TO_PLAY])), game.move_text(decision.move, decision.size)
    known = (text or MISSING for text in (*record.players, *record.ranks))
    return row((decision.id, side, game.text_of(decision.state), move, *known, _RESULTS[record.winner]))


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


def read_rows(parts: Iterable[bytes], path: str | Path, game: str | None = None) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a table as cells, each with the number of its line; arguments and errors are as above.

    Raises FileFormatError for a row with more or fewer cells than columns, too.
    """
    for columns, first, text in read_pieces(parts, path, game, ("id", *NEEDED)):
        places = [columns.index(name) if name in columns else -1 for name in COLUMNS]
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


def read_game_examples(parts: Iterable[bytes], path: str, game: Game) -> Iterator[Record]:
    """Yield the games in a table of examples.

    Rows that follow each other in a game are one; another row begins anew, at its position. Arguments and errors are
    those of `read_rows`. FileFormatError is also raised for a position or a move that is not one, and for a move that
    is not legal.
    """
    reading = _Reading(path, game)
    for number, found in read_rows(parts, path, game.name):
        if not reading.goes_on(found, number):
            yield from reading.game()
            reading.begin(found, number)
        reading.add(found, number)
    yield from reading.game()


class _Reading:
    """Makes games of the rows of a table."""

    def __init__(self, path: str, game: Game) -> None:
        self._path, self._any = path, game
        self._usual = game.text_of(game.position())
        self._row: Row | None = None
        """The first row of the game at hand."""
        self._name, self._next = "", 0
        self._moves: list[tuple[int, int]] = []
        self._game, self._state, self._setting = game, game.position(), ""

    def goes_on(self, found: Row, number: int) -> bool:
        """Return whether a row is the next move of the game at hand."""
        name, _, ply = found.id.rpartition(":")
        if not name or not ply.isascii() or not ply.isdigit() or len(ply) > _MOST_DIGITS:
            what = f"id {quoted(found.id)} is not a game and the number of a move, such as name:12"
            raise FileFormatError(self._path, number, what)
        same = self._row is not None and (name, int(ply)) == (self._name, self._next) and len(self._moves) < MOST_MOVES
        return same and found.position == self._game.text_of(self._state)

    def begin(self, found: Row, number: int) -> None:
        """Begin another game at a row."""
        name, _, ply = found.id.rpartition(":")
        self._setting = "" if found.position == self._usual else found.position
        try:
            if not found.position:
                raise GotoolsError("it is empty")
            self._game = self._any.started_from(self._setting)
            self._state = self._game.position()
        except GotoolsError as error:
            what = f"position {quoted(found.position)}, which does not follow from the row before: {error}"
            raise FileFormatError(self._path, number, what) from error
        self._row, self._name, self._next, self._moves = found, name, int(ply), []

    def add(self, found: Row, number: int) -> None:
        """Add the move of a row."""
        side = int(self._state[TO_PLAY])
        if found.to_play != side_letter(side):
            what = f"to_play is {quoted(found.to_play)}; in the position it is {side_letter(side)}"
            raise FileFormatError(self._path, number, what)
        try:
            move = legal_move(self._game, self._state, self._game.sizes[0], side, found.move)
        except ValueError as error:
            raise FileFormatError(self._path, number, f"move {shown(found.move, 20)}: {shown(error, 200)}") from error
        self._moves.append((side, self._game.place_of(move, self._game.sizes[0])))
        self._state = self._game.play(self._state, move)
        self._next += 1

    def game(self) -> Iterator[Record]:
        """Yield the game at hand, if there is one."""
        if self._row is None:
            return
        black, white, black_rank, white_rank, result = ("" if text == MISSING else text for text in self._row[4:])
        yield Record(
            id=self._name,
            size=self._game.sizes[0],
            moves=np.array(self._moves, np.int32).reshape(-1, 2),
            players=(black, white),
            ranks=(black_rank, white_rank),
            result=result,
            setting=self._setting,
            first=self._next - len(self._moves),
        )
