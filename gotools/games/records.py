"""Records of games other than Go, and the decisions in them.

A record is SGF, or a line of JSON: {"game": "connect4", "moves": ["4", "4", "3"], "id": "final", "size": 7}. The name
of the game may have a setting, as in `--game`: abalone:belgian-daisy. A game may have notations of its own
(`Game.records`). Tables of examples are read too (`games/examples.py`).
"""

from __future__ import annotations

import codecs
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from gotools.errors import FileFormatError, GotoolsError, quoted, shown
from gotools.files.kinds import OURS, FileKind, Kind, kind_of
from gotools.files.lines import LONGEST_LINE, TOO_LONG, unix_ends
from gotools.files.members import read_each
from gotools.files.opening import ARCHIVES, FIRST_BYTES, STDIN, expand_paths, head_of, read_parts
from gotools.files.tables import Ids
from gotools.game.game import Game
from gotools.game.table import GAMES
from gotools.game.traits import Records
from gotools.games.examples import read_game_examples
from gotools.games.replay import Decision, end_on_board, replayed
from gotools.games.text_games import TextGame, read_text_games
from gotools.go.records.mainline import MOST_MOVES
from gotools.go.records.sgf import SgfProblem, stem_of
from gotools.kernels.seams import TO_PLAY

RECORDS: Final = (".sgf", ".jsonl")
SUFFIXES: Final = (*RECORDS, *ARCHIVES)
"""Of a game without notations of its own; `suffixes_of` knows those of any."""

Report = Callable[[str], None]


def read_records(
    paths: Sequence[str | Path], game: Game, report: Report, strict: bool = False
) -> Iterator[tuple[str, TextGame]]:
    """Read games, each with the name of its file and an id of its own. The texts of moves are not checked.

    paths  -- SGF files, files of JSON lines or of the game's notations, archives of them, folders, globs (see
        `expand_paths`), and tables of examples, which are not looked for in folders; the content of a file says which
        of them it is. The journal of a tournament beside the records in a folder is passed over
    report -- called with a message for each file or game that cannot be read
    strict -- raise FileFormatError at the first such file or game instead

    Raises FileFormatError for a table of examples of another game, or with a damaged row. The games of a
    table keep their ids.
    """
    problem, named, ids = _problem(report, strict), set(map(str, paths)), Ids()
    for path in expand_paths(paths, suffixes_of(game), report):
        if _holds_examples(path, game):
            yield from ((str(path), found) for found in read_game_examples(read_parts(path), str(path), game))
            continue
        for name, data in read_each(path, _plain_suffixes(game), problem):
            kind = kind_of(data[:FIRST_BYTES])
            if kind is Kind.journal and name not in named and path != STDIN:
                continue
            if kind is Kind.examples:  # of a pipe, whose kind is not known before it is read
                yield from ((name, found) for found in read_game_examples([data], name, game))
                continue
            for found in _games(data, name, kind, game):
                if isinstance(found, SgfProblem):
                    (_problem(report, False) if found.harmless else problem)(
                        FileFormatError(name, found.line, found.what)
                    )
                else:
                    yield name, _decided(replace(found, id=ids.of(found.id)), game)


def _decided(record: TextGame, game: Game) -> TextGame:
    """Return a record with the winner that the board shows where its moves end, if it names none."""
    winner = record.winner or end_on_board(record, game)
    return replace(record, winner=winner) if winner else record


def _holds_examples(path: str | Path, game: Game) -> bool:
    """Return whether a file holds a table of examples; of a pipe that is not known."""
    if str(path).lower().removesuffix(".gz").endswith(suffixes_of(game)):
        return False
    try:
        return kind_of(head_of(path)) is Kind.examples
    except FileFormatError:
        return False  # the reader of records reports why it cannot be read


def suffixes_of(game: Game) -> tuple[str, ...]:
    """Return the suffixes of files of records, and of archives."""
    return (*_plain_suffixes(game), *ARCHIVES)


def _plain_suffixes(game: Game) -> tuple[str, ...]:
    return (*RECORDS, *GAMES[game.name].suffixes)


def _games(data: bytes, name: str, kind: FileKind, game: Game) -> Iterator[TextGame | SgfProblem]:
    """Read a file; kind -- what its first bytes say that it is."""
    notations = game.find(Records)
    if kind not in OURS:
        if data.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{"):
            return _json_games(data, name, game)
        if notations is not None and kind is not Kind.games and not name.lower().removesuffix(".gz").endswith(".sgf"):
            found: Iterator[TextGame | SgfProblem] = notations.read(data, name)
            return found
    return read_text_games(data, name, GAMES[game.name].sgf, game.name)


def decisions(
    paths: Sequence[str | Path], game: Game, report: Report, sizes: Collection[int] = (), strict: bool = False
) -> Iterator[Decision]:
    """Yield the moves of records with the positions before them; the other arguments are those of `read_records`.

    sizes -- of boards; empty: any

    An illegal move is a problem of its record, which ends there. Records of other sizes are left out and counted.

    Raises GotoolsError at the end if there was no move.
    """
    problem, others, moves = _problem(report, strict), Counter[int](), 0
    for path, record in read_records(paths, game, report, strict):
        size = game.sizes[0] if record.size is None else record.size
        if size not in game.sizes:
            problem(FileFormatError(path, None, f"game {record.id}: {game.name} has no board of size {size}"))
        elif sizes and size not in sizes:
            others[size] += 1
        else:
            try:
                for decision in replayed(record, game, size):
                    moves += 1
                    yield decision
            except ValueError as error:
                problem(FileFormatError(path, None, f"game {record.id}: {shown(error, 200)}; left out from there on"))
    reasons = ", ".join(f"{count} of size {size}" for size, count in sorted(others.items()))
    if not moves:
        raise GotoolsError(f"no move of {game.name} to look at" + (f"; games left out: {reasons}" if reasons else ""))
    if others:
        report(f"games left out: {reasons}")


def _problem(report: Report, strict: bool) -> Callable[[FileFormatError], None]:
    def problem(error: FileFormatError) -> None:
        if strict:
            raise error
        report(str(error))

    return problem


# ---- JSON lines ----


def _json_games(data: bytes, name: str, game: Game) -> Iterator[TextGame | SgfProblem]:
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
            yield SgfProblem(shown(error, 200), number)


def _json_game(line: bytes, name: str, game: Game) -> TextGame:
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
    moves, size, own = found.get("moves"), found.get("size"), found.get("id", name)
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise ValueError('"moves" is not a list of texts')
    if len(moves) > MOST_MOVES:
        raise ValueError(f"more than {MOST_MOVES} moves")
    if size is not None and (not isinstance(size, int) or isinstance(size, bool)):
        raise ValueError('"size" is not a whole number')
    if not isinstance(own, str):
        raise ValueError('"id" is not a text')
    first = _first_side(game, setting)
    return TextGame(own, size, tuple((2 - (first + ply) % 2, move) for ply, move in enumerate(moves)), setting)


def _first_side(game: Game, setting: str) -> int:
    """Return the side that moves first. Raises ValueError for a setting that the game does not have."""
    try:
        return int(game.started_from(setting).position()[TO_PLAY])
    except GotoolsError as error:
        raise ValueError(str(error)) from error
