"""Tables of examples of games other than Go: a row for each move of a record, with the position before it.

##gotools examples 2
##game=shogi
id      to_play   position   move   black   white   black_rank   white_rank   result
final:1 b         lnsgkg...  7g7f   Abe     Kato    1500         3d           B+
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from gotools.errors import FileFormatError, GotoolsError, quoted, shown
from gotools.files.cells import MISSING, cells
from gotools.files.lines import LongLine, unix_ends, whole_lines
from gotools.files.tables import header, read_header, row
from gotools.game.game import Game
from gotools.game.table import USUAL
from gotools.games.replay import Decision, legal_move
from gotools.games.text_games import TextGame
from gotools.go.examples.table import KIND, MOST_HEADER, VERSION
from gotools.go.records.mainline import MOST_MOVES
from gotools.go.records.results import read_result
from gotools.kernels.seams import TO_PLAY

COLUMNS: Final = ("id", "to_play", "position", "move", "black", "white", "black_rank", "white_rank", "result")
NEEDED: Final = 4
"""Columns without which a table is refused; text of the others is missing where they are."""
_RESULTS: Final = (MISSING, "B+", "W+")
"""By the side that has won."""
_MOST_DIGITS: Final = 6


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


def row_of(decision: Decision, record: TextGame, game: Game) -> str:
    """Return the row of a move of a record."""
    side, move = "bw"[int(decision.state[TO_PLAY]) - 1], game.move_text(decision.move, decision.size)
    known = (text or MISSING for text in (*record.players, *record.ranks))
    return row((decision.id, side, game.text_of(decision.state), move, *known, _RESULTS[record.winner]))


# reading --------------------------------------------------------------------------------------------------------------


def read_rows(parts: Iterable[bytes], path: str, game: str | None = None) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a table, or of several that `cat` joined, each with the number of its line.

    parts -- the text, cut anywhere; path -- for errors; game -- the name of the game, None for any

    Raises FileFormatError for another table, another game, and a row with more or fewer cells than columns.
    """
    places: list[int] | None = None
    head: list[str] = []
    names, number = "", 0
    try:
        for text in whole_lines(unix_ends(parts)):
            for line in text.decode("utf-8", "replace").split("\n")[:-1]:
                number += 1
                if line.startswith("##"):
                    head.append(line)
                    if len(head) > MOST_HEADER:
                        raise FileFormatError(path, number, f"a header of more than {MOST_HEADER:,} lines")
                elif head or places is None:
                    places = _places([*head, line], path, number - len(head), game)
                    head, names, width = [], line, line.count("\t") + 1
                elif line and line != names:
                    found = cells(line)
                    if len(found) != width:
                        what = f"{len(found)} cells, where the header names {width} columns"
                        raise FileFormatError(path, number, what)
                    found.append(MISSING)
                    yield number, Row(*[found[place] for place in places])
    except LongLine as error:
        raise FileFormatError(path, number + 1, str(error)) from error
    if head or places is None:
        _places([*head, ""], path, number - len(head) + 1, game)  # raises: no columns are named


def _places(lines: list[str], path: str, first: int, game: str | None) -> list[int]:
    """Return the place of each column in a row, -1 for one that is missing."""
    values, columns, _ = read_header(lines, KIND, VERSION, path, first)
    named = values.get("game", USUAL)
    if game is not None and named != game:
        raise FileFormatError(path, first, f"examples of the game {shown(named)}; expected {game}")
    missing = [name for name in COLUMNS[:NEEDED] if name not in columns]
    if missing:
        what = f"no column {' or '.join(missing)}; the first line that does not begin with `##` names them"
        raise FileFormatError(path, first + len(lines) - 1, what)
    return [columns.index(name) if name in columns else -1 for name in COLUMNS]


def read_game_examples(parts: Iterable[bytes], path: str, game: Game) -> Iterator[TextGame]:
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
        self._moves: list[tuple[int, str]] = []
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
        if found.to_play != "bw"[side - 1]:
            what = f"to_play is {quoted(found.to_play)}; in the position it is {'bw'[side - 1]}"
            raise FileFormatError(self._path, number, what)
        try:
            move = legal_move(self._game, self._state, self._game.sizes[0], side, found.move)
        except ValueError as error:
            raise FileFormatError(self._path, number, f"move {shown(found.move, 20)}: {shown(error, 200)}") from error
        self._moves.append((side, found.move))
        self._state = self._game.play(self._state, move)
        self._next += 1

    def game(self) -> Iterator[TextGame]:
        """Yield the game at hand, if there is one."""
        if self._row is None:
            return
        known = ["" if text == MISSING else text for text in self._row[NEEDED:8]]
        yield TextGame(
            id=self._name,
            size=None,
            moves=tuple(self._moves),
            setting=self._setting,
            winner=read_result(self._row.result).winner,
            ranks=(known[2], known[3]),
            players=(known[0], known[1]),
            first=self._next - len(self._moves),
        )
