"""Read decisions from whatever a user names: game records and files of examples, side by side."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.opening import STDIN, expand_paths, head_of
from gotools.game.examples import table
from gotools.game.examples.examples import Examples
from gotools.game.examples.gather import Gathering
from gotools.game.examples.states import examples_class
from gotools.game.game import Game, suffixes_of
from gotools.game.records.selection import Selection
from gotools.game.table import RECORDS

WANTED = "examples or game records"


def suffixes_of_decisions(game: str) -> tuple[str, ...]:
    """Return the suffixes of files that hold decisions of a game. Raises GotoolsError for an unknown name."""
    return suffixes_of(game) + table.SUFFIXES


def load_decisions(
    paths: Sequence[str],
    game: Game,
    selection: Selection,
    report: Callable[[str], None],
    advance: Callable[[], None],
    strict: bool = False,
) -> Examples:
    """Return the decisions of records and the rows of tables of examples, those of the records first.

    paths -- files, folders and globs of either kind; a file not named as a record is recognised by its content

    Raises GotoolsError without any row of a size wanted, or without any file of either kind.
    """
    return examples_class(game).concat(list(stream_decisions(paths, game, selection, report, advance, strict)))


def stream_decisions(
    paths: Sequence[str],
    game: Game,
    selection: Selection,
    report: Callable[[str], None],
    advance: Callable[[], None],
    strict: bool = False,
    bare: bool = False,
) -> Iterator[Examples]:
    """Return the same decisions as `load_decisions`, batch by batch while they are being read; no batch is empty.

    bare -- rows of a table may be positions without a move (NONE)

    Raises GotoolsError as `load_decisions` does, at the end where it is known only then.
    """
    games, tables = games_and_tables(paths, game, report)
    played = Gathering(games, game, selection, report, advance, strict).batches() if games else ()
    return chain(played, stream_tables(tables, game, selection.sizes, advance, bare))


def stream_tables(
    tables: Sequence[str | Path],
    game: Game,
    sizes: frozenset[int],
    advance: Callable[[], None],
    bare: bool = False,
) -> Iterator[Examples]:
    """Give the rows of files of examples, of the sizes wanted (empty: any), batch by batch; no batch is empty.

    Raises GotoolsError at the end if there was none; `advance` and `bare` are those of `stream_decisions`.
    """
    there: set[int] = set()
    found = False
    for path in tables:
        for batch in whole_decisions(table.stream_examples(path, game, bare)):
            there |= set(batch.size.tolist())
            kept = batch.take(np.isin(batch.size, sorted(sizes))) if sizes else batch
            found |= len(kept) > 0
            if len(kept):
                yield kept
        advance()
    if tables and not found:
        raise _nothing_of_size(sizes, there, tables[0])


def whole_decisions(batches: Iterable[Examples]) -> Iterator[Examples]:
    """Give the same rows in batches of whole decisions: the last one waits for the next batch, which may go on with it.

    A position without a move is a decision by itself, and does not wait: a program may send one at a time.
    """
    held: list[Examples] = []
    for batch in batches:
        rows = batch.concat([*held, batch])
        if not len(rows):
            continue
        last = len(rows) if rows.move[-1] < 0 else int(np.flatnonzero(rows.begins())[-1])
        held = [rows.take(np.arange(last, len(rows)))] if last < len(rows) else []
        if last:
            yield rows.take(np.arange(last))
    yield from held


def games_and_tables(
    paths: Sequence[str], game: Game, report: Callable[[str], None]
) -> tuple[list[str | Path], list[str | Path]]:
    """Return the files of games and those of examples; raises GotoolsError where there is neither, or another kind.

    report -- as in `expand_paths`
    """
    files = expand_paths(paths, suffixes_of_decisions(game.name), report)
    games, tables, named = list[str | Path](), list[str | Path](), set(map(str, paths))
    for path in files:
        given = str(path) in named
        try:
            if _holds_examples(path, game):
                tables.append(path)
            elif given or not (str(path).endswith(RECORDS[1]) and kind_of(head_of(path)) is Kind.journal):
                games.append(path)
        except FileFormatError:
            if given:
                raise  # of what else lies in a folder, such as ratings beside the games, nothing is wanted
    if not games and not tables:
        raise GotoolsError(f"no game records ({RECORDS[0]}) and no examples ({table.SUFFIXES[0]}) there")
    return games, tables


def _holds_examples(path: str | Path, game: Game) -> bool:
    """Distinguish examples from games: by the suffixes of records, else by content; for a pipe by the name alone.

    Raises FileFormatError if it is known to be something else.
    """
    name = str(path).lower().removesuffix(".gz")
    if name.endswith(suffixes_of(game.name)):
        return False
    if path != STDIN and not os.path.isfile(path):
        return name.endswith(table.SUFFIXES)
    try:
        head = head_of(path)
    except FileFormatError:
        if path == STDIN:
            raise
        return name.endswith(table.SUFFIXES)  # the reader reports why it cannot be read
    kind = kind_of(head)
    if kind in (Kind.examples, Kind.packed):  # of a packed table only the beginning may have arrived
        return True
    if kind in (Kind.games, Kind.zip, Kind.tar) or (kind in (Kind.json, Kind.results) and head.startswith(b"{")):
        return False
    if kind in (Kind.text, Kind.binary, Kind.other_table):  # a record in UTF-16 looks binary
        return (game.records.read is None and head.startswith(b"#")) or name.endswith(table.SUFFIXES)
    raise wrong_kind(path, head, WANTED)


def _nothing_of_size(sizes: frozenset[int], there: set[int], path: str | Path) -> FileFormatError:
    what = "no rows"
    if there:
        known = ", ".join(map(str, sorted(there)))
        what = f"no row of size {', '.join(map(str, sorted(sizes)))}; there is {known}"
    return FileFormatError(path, None, what)
