"""Records of any game from files, and the decisions in them.

A record is SGF, or a line of JSON: {"game": "connect4", "moves": ["4", "4", "3"], "id": "final", "size": 7}. The name
of the game may have a setting, as in `--game`: abalone:belgian-daisy. A game may have notations of its own
(`Records.read`). Tables of examples are read too (table.py), of games whose records are moves as text.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from gotools.base.errors import FileFormatError, GotoolsError, quoted, shown
from gotools.files.kinds import OURS, FileKind, Kind, kind_of
from gotools.files.lines import LONGEST_LINE, TOO_LONG, unix_ends
from gotools.files.members import read_each
from gotools.files.opening import FIRST_BYTES, STDIN, expand_paths, head_of, read_parts
from gotools.files.tables import Ids
from gotools.game.game import Game, record_suffixes, suffixes_of
from gotools.game.records.mainline import MOST_MOVES, moves_of
from gotools.game.records.record import Problem, Record
from gotools.game.records.replay import end_on_board
from gotools.game.records.sgf import read_games, stem_of
from gotools.game.records.table import read_game_examples
from gotools.game.sides import side_letter
from gotools.game.traits import Scoring
from gotools.jit.kernels.seams import TO_PLAY

Report = Callable[[str], None]


class Reader:
    """Reads files of records of a game, one after the other.

    paths   -- SGF files, files of JSON lines or of the game's notations, archives of them, folders, globs (see
        `expand_paths`), and tables of examples, which are not looked for in folders; the content of a file says which
        of them it is. The journal of a tournament beside the records in a folder is passed over
    report  -- called with what is remarkable about a game that is read all the same
    problem -- called with the error for each file or game that cannot be read
    takes   -- whether a game is wanted; the others get no id
    """

    def __init__(
        self,
        paths: Sequence[str | Path],
        game: Game,
        report: Report,
        problem: Callable[[FileFormatError], None],
        takes: Callable[[Record], bool] = lambda _: True,
    ) -> None:
        self.files = expand_paths(paths, suffixes_of(game.name), report)
        self._named = {str(path) for path in paths}
        self._game, self._report, self._problem, self._takes = game, report, problem, takes
        self._as_text, self._ids = game.records.main_line is None, Ids()

    def records(self, path: str | Path) -> Iterator[tuple[str, Record]]:
        """Yield the games of a file or an archive, each with the name of its file and an id of its own.

        Raises FileFormatError for a table of examples of another game, or with a damaged row. The games of a table keep
        their ids.
        """
        if self._holds_examples(path):
            yield from self._games_of_table(read_parts(path), str(path))
            return
        for name, data in read_each(path, record_suffixes(self._game.name), self._problem):
            kind = Kind.games if data.startswith(b"(;") else kind_of(data[:FIRST_BYTES])  # which costs 6 us a file
            if kind is Kind.journal and name not in self._named and path != STDIN:
                continue
            if kind is Kind.examples and self._as_text:  # of a pipe, whose kind is not known before it is read
                yield from self._games_of_table([data], name)
                continue
            for found in self._games(data, name, kind):
                if isinstance(found, Record):
                    yield from self._taken(found, name)
                elif found.harmless:
                    self._report(str(FileFormatError(name, found.line, found.what)))
                else:
                    self._problem(FileFormatError(name, found.line, found.what))

    def _games_of_table(self, parts: Iterable[bytes], name: str) -> Iterator[tuple[str, Record]]:
        return ((name, found) for found in read_game_examples(parts, name, self._game) if self._takes(found))

    def _holds_examples(self, path: str | Path) -> bool:
        """Return whether a file holds a table of examples of a game; of a pipe that is not known."""
        if not self._as_text or str(path).lower().removesuffix(".gz").endswith(suffixes_of(self._game.name)):
            return False
        try:
            return kind_of(head_of(path)) is Kind.examples
        except FileFormatError:
            return False  # the reader of records reports why it cannot be read

    def _games(self, data: bytes, name: str, kind: FileKind) -> Iterator[Record | Problem]:
        """Read a file; kind -- what its first bytes say that it is."""
        if kind not in OURS:
            if data.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{"):
                return _json_games(data, name, self._game)
            read = self._game.records.read
            if read is not None and kind is not Kind.games and not name.lower().removesuffix(".gz").endswith(".sgf"):
                return read(data, name)
        return read_games(data, name, self._game)

    def _taken(self, record: Record, name: str) -> Iterator[tuple[str, Record]]:
        """Yield a record, with an id of its own, if it is wanted."""
        if not self._takes(record):
            return
        own = self._ids.of(record.id)
        record = record if own == record.id else replace(record, id=own)
        for what in record.remarks:
            self._report(f"{place_of_game(name, own)}: {what}")
        yield name, self._decided(record)

    def _decided(self, record: Record) -> Record:
        """Return a record with the winner that the board shows where its moves end, if it names none.

        A game that is counted has none by its position alone.
        """
        winner = 0 if record.winner or self._game.has(Scoring) else end_on_board(record, self._game)
        return replace(record, result=f"{side_letter(winner).upper()}+") if winner else record


def place_of_game(path: str, game: str) -> str:
    """Return where a game stands, for messages: its file, and its id where that is not the file's name."""
    return path if game == Path(path).stem else f"{path}: {game}"


def read_records(
    paths: Sequence[str | Path], game: Game, report: Report, strict: bool = False
) -> Iterator[tuple[str, Record]]:
    """Read games, each with the name of its file and an id of its own. Legality of the moves is not checked.

    report -- called with a message for each file or game that cannot be read
    strict -- raise FileFormatError at the first such file or game instead

    Other arguments and errors are those of `Reader`.
    """
    reader = Reader(paths, game, report, reporting(report, strict))
    for path in reader.files:
        yield from reader.records(path)


def reporting(report: Report, strict: bool) -> Callable[[FileFormatError], None]:
    """Return what is done with the error of a game that cannot be read: it is reported, or raised where `strict`."""

    def problem(error: FileFormatError) -> None:
        if strict:
            raise error
        report(str(error))

    return problem


# ---- JSON lines ----


def _json_games(data: bytes, name: str, game: Game) -> Iterator[Record | Problem]:
    """Read a game from each line that is not blank; a line that holds none is a problem."""
    stem, games = stem_of(name), 0
    lines = b"".join(unix_ends([data.removeprefix(codecs.BOM_UTF8)])).split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        games += 1
        try:
            yield _json_game(line, stem if games == 1 else f"{stem}#{games}", game)
        except ValueError as error:
            yield Problem(shown(error, 200), number)


def _json_game(line: bytes, name: str, game: Game) -> Record:
    """Raises ValueError."""
    if len(line) > LONGEST_LINE:
        raise ValueError(TOO_LONG)
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from error
    if not isinstance(found, dict):
        raise ValueError("not an object of JSON")
    plain, _, setting = str(found.get("game", "")).partition(":")
    if plain != game.name:
        raise ValueError(f'"game" is {quoted(found.get("game", ""))}; expected {game.name}')
    texts, size, own = found.get("moves"), found.get("size"), found.get("id", name)
    if not isinstance(texts, list) or not all(isinstance(move, str) for move in texts):
        raise ValueError('"moves" is not a list of texts')
    if len(texts) > MOST_MOVES:
        raise ValueError(f"more than {MOST_MOVES} moves")
    if size is not None and (not isinstance(size, int) or isinstance(size, bool)):
        raise ValueError('"size" is not a whole number')
    if not isinstance(own, str):
        raise ValueError('"id" is not a text')
    first, size = _first_side(game, setting), game.sizes[0] if size is None else size
    moves, stop = moves_of([(2 - (first + ply) % 2, move) for ply, move in enumerate(texts)], game, size)
    return Record(own, size, moves, stop=stop, setting=setting)


def _first_side(game: Game, setting: str) -> int:
    """Return the side that moves first. Raises ValueError for a setting that the game does not have."""
    try:
        return int(game.started_from(setting).position()[TO_PLAY])
    except GotoolsError as error:
        raise ValueError(str(error)) from error
