"""Read results of games from the paths that a user names, and count them: the input of `gotools elo PATH...`.

Files, folders and globs; `-` is stdin; gzip is undone anywhere, archives are read member by member. Formats are those
of formats.Format, known by content first. Text is read in parts: memory is bounded by the players and the pairs that
met; a zip archive, and a tar archive from stdin or inside of another, are held in memory.
"""

from __future__ import annotations

import codecs
import gc
import io
import os.path
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import BinaryIO, Final, cast

from gotools.base.errors import FileFormatError, GotoolsError, RefusedArchive
from gotools.files.archives import chosen_members, is_hidden, unpacked
from gotools.files.converting import PARQUET
from gotools.files.kinds import BZIP2, OURS, XZ, Kind, kind_of, wrong_kind
from gotools.files.lines import LongLine, PartsStream
from gotools.files.opening import GZIP, STDIN, expand_paths, read_parts
from gotools.game.records.encoding import utf8_parts
from gotools.game.records.gogui import is_doubtful
from gotools.ratings.games import GameTally
from gotools.ratings.reading.formats import (
    HEAD_BYTES,
    SUFFIXES,
    WHAT_CAN_BE_READ,
    ResultFormat,
    format_of,
    without_copies,
)
from gotools.ratings.reading.journal_lines import read_json_lines
from gotools.ratings.reading.ledger import Batch, Ledger, OneGame, sequence
from gotools.ratings.reading.pgn import read_pgn
from gotools.ratings.reading.sgf_roots import Root, SgfGames, all_roots, seated
from gotools.ratings.reading.tables import read_table, read_twogtp

BROKEN: Final = "broken"
SEATS_UNKNOWN: Final = "colours unknown"
_SAID: Final = 20
"""Problems of a file that are reported one by one."""
_DEEPEST: Final = 3
"""Archives inside of archives."""
_ROOTS: Final = 1500
"""Games of small SGF files that are counted together."""

_WIDE: Final = ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_NO_RESULTS: Final = (OURS - {Kind.journal, Kind.results_table}) | {Kind.page, Kind.empty}
"""Kinds of files that cannot hold results, whatever their names; other kinds may be recognised by mistake."""
_READERS: Final = {
    ResultFormat.json: read_json_lines,
    ResultFormat.table: read_table,
    ResultFormat.twogtp: read_twogtp,
    ResultFormat.pgn: read_pgn,
}


def _no_advance(games: int) -> None:
    pass


def read_results(
    paths: Sequence[str],
    report: Callable[[str], None],
    strict: bool = False,
    advance: Callable[[int], None] = _no_advance,
    game: str | None = None,
) -> GameTally:
    """Count the games that files hold.

    report  -- called with a message for each broken record, with path and line
    strict  -- stop at the first broken record
    advance -- called with the number of games read since the last call
    game    -- the game to read, others are left out; None: all must be of one game

    Games that are void, unfinished, of unknown result, without a player's name or of a player against itself do not
    count; the tally counts each kind, and broken records.
    Raises FileFormatError for a file named that is missing, empty or of no known format, and for a broken record
    with `strict`; GotoolsError without any game, counting or not, and for games of two kinds without `game`.
    """
    reading = _Reading(report, strict, advance, game)
    ledger = Ledger()
    with _no_search_for_cycles():
        for batch in reading.batches(paths):
            ledger.add(batch)
    ledger.excluded.update(reading.excluded)
    return ledger.tally()


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Keep Python's collector from looking through millions of short-lived tuples; none refers to itself.

    It takes a quarter of the time of reading short lines.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def read_sequence(
    paths: Sequence[str],
    report: Callable[[str], None],
    strict: bool = False,
    advance: Callable[[int], None] = _no_advance,
    excluded: Counter[str] | None = None,
    game: str | None = None,
    played: set[str] | None = None,
) -> Iterator[tuple[str, str, float]]:
    """Yield black, white and black's score (1, 0.5, 0) of the games that count, in the order of files and games.

    excluded -- the games left out are counted there by reason; complete at the end
    played   -- gets the name of the game at the end

    Files of a folder come in the order of their names. Other parameters and errors are those of `read_results`.
    """
    reading, left_out = _Reading(report, strict, advance, game), Counter() if excluded is None else excluded
    yield from sequence(reading.batches(paths), left_out)
    left_out.update(reading.excluded)
    if played is not None:
        played.add(reading.game)


@dataclass(frozen=True, slots=True)
class _Source:
    """A file, or a member of an archive.

    parts -- gives its bytes from the start
    named -- by the user: then it has to be readable
    again -- whether `parts` can be called more than once
    packed -- bytes as the file was found; None: unknown
    """

    name: str
    parts: Callable[[], Iterable[bytes]]
    named: bool
    again: bool = False
    packed: int | None = None


class _Reading:
    """One reading of files: the problems reported, and the games left out."""

    def __init__(
        self, report: Callable[[str], None], strict: bool, advance: Callable[[int], None], game: str | None
    ) -> None:
        self._one_game = OneGame(game)
        self.excluded: Counter[str] = Counter()
        self._report = report
        self._strict = strict
        self._advance = advance
        self._reported: Counter[str] = Counter()
        """Problems by file."""
        self._remarks: set[str] = set()
        self._sgf = SgfGames()
        self._roots: list[Root] = []

    @property
    def game(self) -> str:
        """Return the name of the game that is read."""
        return self._one_game.name

    def batches(self, paths: Sequence[str]) -> Iterator[Batch]:
        """Yield the games of all files in order. Raises GotoolsError."""
        games = 0
        for source in _sources(paths, self._report):
            for batch in self._read_whole(source, 0):
                games += len(batch.black)
                self._advance(len(batch.black))
                yield self._one_game.of(batch, self.excluded)
        for batch in self._flush():
            games += len(batch.black)
            self._advance(len(batch.black))
            yield self._one_game.of(batch, self.excluded)
        if not games:
            where = paths[0] if len(paths) == 1 else f"{len(paths)} files and folders"
            raise GotoolsError(f"{'stdin' if where == STDIN else where}: no game could be read")

    def _read_whole(self, source: _Source, depth: int) -> Iterator[Batch]:
        """Read a source, and report the number of problems beyond those reported one by one."""
        try:
            yield from self._read(source, depth)
        except RefusedArchive:
            raise
        except FileFormatError as error:
            if source.named or self._strict:
                raise
            self._report(str(error))
        if (more := self._reported.pop(source.name, 0) - _SAID) > 0:
            self._report(f"{source.name}: {more:,} more broken records")

    def _read(self, source: _Source, depth: int) -> Iterator[Batch]:
        head, parts = _peeked(source.parts())
        if head.startswith((GZIP, BZIP2, XZ)):
            inside = _Source(source.name, partial(unpacked, parts, source.name), source.named, packed=source.packed)
            yield from self._read(inside, depth)
            return
        head, parts = _in_utf8(head, parts)
        form = self._format(head, source.name)
        problem = self._problem_of(source.name)
        if form is ResultFormat.sgf:
            for roots in all_roots(utf8_parts(parts), problem, partial(self._remark, source.name), source.name):
                self._roots += self._seated(roots, source.name)
                if len(self._roots) >= _ROOTS:
                    yield from self._flush()
            return
        yield from self._flush()
        if form in (ResultFormat.tar, ResultFormat.zip):
            yield from self._read_archive(source, form, parts, depth)
        else:
            try:
                yield from _READERS[form](utf8_parts(parts), problem)
            except LongLine as error:
                raise FileFormatError(source.name, error.line, str(error)) from error

    @staticmethod
    def _format(head: bytes, name: str) -> ResultFormat:
        """Return the format of a file. Raises FileFormatError for a file without results."""
        form, kind = format_of(head, name), kind_of(head)
        if form is None and kind in (Kind.text, Kind.json, Kind.csv):
            raise FileFormatError(name, None, WHAT_CAN_BE_READ)
        if form is None or kind in _NO_RESULTS:
            raise wrong_kind(name, head, "results of games")
        return form

    def _seated(self, roots: list[Root], name: str) -> list[Root]:
        """Return games with the colours that were played; report and count games whose colours are not known."""
        programs = {root[7] for root in roots}
        if not any(is_doubtful(program.decode("utf-8", "replace")) for program in programs):
            return roots
        found = [seated(root, name) for root in roots]
        if unknown := found.count(None):
            self.excluded[SEATS_UNKNOWN] += unknown
            self._report(f"{name}: gogui-twogtp may have alternated colours without saying so; name its .dat instead")
        return [root for root in found if root is not None]

    def _flush(self) -> Iterator[Batch]:
        """Yield the games of SGF files that were kept for one batch."""
        if self._roots:
            roots, self._roots = self._roots, []
            yield self._sgf.batch(roots)

    def _read_archive(self, source: _Source, form: ResultFormat, parts: Iterable[bytes], depth: int) -> Iterator[Batch]:
        if depth == _DEEPEST:
            raise FileFormatError(source.name, None, f"more than {_DEEPEST} archives inside of each other")
        again: Callable[[], BinaryIO] = partial(_stream, source.parts)
        if form is ResultFormat.zip or not source.again:
            again = partial(io.BytesIO, b"".join(parts))
        for name, content in chosen_members(again, source.name, source.packed, _wanted):
            yield from self._read_whole(_Source(f"{source.name}/{name}", partial(iter, content), False), depth + 1)

    def _remark(self, name: str, line: int | None, what: str) -> None:
        """Say what was not understood in a game that is read all the same, once for all files."""
        if what not in self._remarks:
            self._remarks.add(what)
            self._report(str(FileFormatError(name, line, what)))

    def _problem_of(self, name: str) -> Callable[[int | None, str], None]:
        def problem(line: int | None, what: str) -> None:
            error = FileFormatError(name, line, what)
            if self._strict:
                raise error
            self.excluded[BROKEN] += 1
            self._reported[name] += 1
            if self._reported[name] <= _SAID:
                self._report(str(error))

        return problem


def _sources(paths: Sequence[str], report: Callable[[str], None]) -> Iterator[_Source]:
    """Yield the files that paths name, each once. Raises FileFormatError for a path without files."""
    seen = set()
    for path in paths:
        files = [str(file) for file in expand_paths([path], SUFFIXES, report)]
        plain = os.path.expanduser(path)
        named = path == STDIN or (os.path.exists(plain) and not os.path.isdir(plain))
        for file in files if named else without_copies(files):
            if file not in seen:
                seen.add(file)
                name = "stdin" if file == STDIN else file
                size = os.path.getsize(file) if os.path.isfile(file) else None
                yield _Source(name, partial(read_parts, file), named, again=file != STDIN, packed=size)


def _wanted(names: list[str]) -> list[str]:
    """Choose the members of an archive to read."""
    fit = set(SUFFIXES) - {PARQUET}  # which is read from its end
    known = [n for n in names if n.lower().removesuffix(".gz").endswith(tuple(fit)) and not is_hidden(n)]
    return without_copies(known)


def _peeked(parts: Iterable[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the first bytes, and all of them from the start."""
    rest = iter(parts)
    head = b""
    while len(head) < HEAD_BYTES and (part := next(rest, b"")):
        head += part
    return head, chain([head], rest)


def _in_utf8(head: bytes, parts: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Take off a byte order mark, and recode what it marks as UTF-16 or UTF-32."""
    if head.startswith(codecs.BOM_UTF8):
        next(parts)
        return head[3:], chain([head[3:]], parts)
    codec = next((codec for mark, codec in _WIDE if head.startswith(mark)), None)
    if codec is None:
        return head, parts
    decoder = codecs.getincrementaldecoder(codec)("replace")
    return _peeked(decoder.decode(part).encode("utf-8", "replace") for part in parts)


def _stream(parts: Callable[[], Iterable[bytes]]) -> BinaryIO:
    return cast(BinaryIO, PartsStream(parts()))
