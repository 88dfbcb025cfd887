"""Results from tables: CSV with a header that names black, white and result, and the .dat files of gogui-twogtp."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from gotools.ratings.reading.ledger import Batch, Batches, Game
from gotools.ratings.reading.line_blocks import Block, Problem, line_blocks
from gotools.ratings.reading.result_text import (
    CLASS_KEYS,
    FAILED,
    LOSS,
    UNKNOWN,
    WANTED,
    WIN,
    class_of,
    has_ones,
    score_code,
    table_code,
    zero_is_draw,
)

_DELIMITERS: Final = "\t,;|"
_HELD: Final = 50_000


def header_of(line: bytes) -> tuple[str, list[str]] | None:
    """Return the delimiter and the columns (in small letters) of a table's first line; None for another line."""
    text = line.decode("utf-8", "replace").strip("\r\n").removeprefix("#")
    for delimiter in _DELIMITERS:
        columns = [name.strip().strip('"').casefold() for name in text.split(delimiter)]
        if all(columns.count(name) == 1 for name in WANTED):
            return delimiter, columns
    return None


def read_table(parts: Iterable[bytes], problem: Problem) -> Iterator[Batch]:
    """Yield the games of a table; other columns than black, white, result, komi, handicap, size are ignored.

    The columns stand in any order, between commas, tabs, semicolons or bars; lines of `##` before the header are
    skipped. A field is one line. Results are as in result_text.table_code; the meaning of `0` follows from the first
    conclusive result (zero_is_draw), and games are held back until then; if the first _HELD games of a table have only
    the results 1 and 0, 0 is black's loss.
    """
    table: _Table | None = None
    batches: Batches[bytes] | None = None
    held: list[list[Sequence[bytes]]] = []
    some_won = False
    for block in line_blocks(parts):
        if table is None:
            table, block = _begin(block, problem)
            if table is None:
                continue
        if columns := table.columns(block):
            held.append(columns)
        if batches is None and columns:
            texts = [text.decode("utf-8", "replace") for text in dict.fromkeys(columns[2])]
            some_won = some_won or has_ones(texts)
            zero = zero_is_draw(texts)
            if zero is None and some_won and sum(len(some[0]) for some in held) > _HELD:
                zero = False
            batches = None if zero is None else _batches(table, zero)
        if batches is not None:
            yield from (batches.batch(*columns) for columns in held)
            held = []
    if table and held:
        batches = _batches(table, False if some_won else None)
        yield from (batches.batch(*columns) for columns in held)


def _begin(block: Block, problem: Problem) -> tuple[_Table | None, Block]:
    """Return the table whose header is in the block, and the lines after it; None if it has not come yet."""
    lines = block.text.split(b"\n")
    skipped = next((place for place, line in enumerate(lines) if line.strip() and not line.startswith(b"##")), None)
    if skipped is None:
        return None, block
    found = header_of(lines[skipped])
    delimiter, columns = found or (",", list(WANTED))
    if not found:
        problem(block.first + skipped, "expected a header with the columns black, white and result")
    rest = b"\n".join(lines[skipped + 1 :])
    return _Table(delimiter, columns, problem), Block(block.first + skipped + 1, block.lines - skipped - 1, rest)


def _batches(table: _Table, zero: bool | None) -> Batches[bytes]:
    black_first = table.names.index("black") < table.names.index("white")
    kinds = [name for name in table.names if name in CLASS_KEYS]
    return Batches(
        lambda text: table_code(text.decode("utf-8", "replace"), zero, black_first),
        lambda text: class_of(dict(zip(kinds, text.decode("utf-8", "replace").split("\t"), strict=False))),
    )


class _Table:
    """How to read the lines of a table."""

    def __init__(self, delimiter: str, names: list[str], problem: Problem) -> None:
        self.names = names
        self._delimiter = delimiter
        self._problem = problem
        self._wanted = [names.index(name) for name in WANTED]
        self._kinds = [place for place, name in enumerate(names) if name in CLASS_KEYS]
        mark = re.escape(delimiter.encode())
        fields = [
            (b"([^%b\n]*+)" if place in self._wanted + self._kinds else b"[^%b\n]*+") % mark
            for place in range(len(names))
        ]
        self._line = re.compile(b"^" + mark.join(fields) + b"\n", re.MULTILINE)
        self._groups = sorted(self._wanted + self._kinds)

    def columns(self, block: Block) -> list[Sequence[bytes]]:
        """Return black, white, result, and the texts of the class (a single one if the table has none)."""
        named = self._fast(block) or self._slowly(block)
        if not named:
            return []
        wanted = [named[place] for place in self._wanted]
        kinds = [named[place] for place in self._kinds]
        return [*wanted, list(map(b"\t".join, zip(*kinds, strict=True))) if kinds else [b""]]

    def _fast(self, block: Block) -> dict[int, Sequence[bytes]] | None:
        """Read a block without quotes whose lines all have as many fields as the header; None for others.

        A match begins and ends with a line: if there are as many as lines, none spans two.
        """
        if b'"' in block.text:
            return None
        found = self._line.findall(block.text)
        if not found or len(found) != block.lines:
            return None
        return dict(zip(self._groups, zip(*found, strict=True), strict=True))

    def _slowly(self, block: Block) -> dict[int, Sequence[bytes]]:
        rows = []
        for number, line in enumerate(block.text.split(b"\n")[:-1], block.first):
            if line.strip() and (fields := self._fields(line, number)):
                rows.append([fields[place] for place in self._groups])
        return dict(zip(self._groups, zip(*rows, strict=True), strict=True)) if rows else {}

    def _fields(self, line: bytes, number: int) -> list[bytes] | None:
        """Return the fields of a line; None if they are too few or too many, or a quote is not closed."""
        if b'"' not in line:
            fields = line.split(self._delimiter.encode())
        else:
            text = line.decode("utf-8", "surrogateescape")
            try:
                (row,) = csv.reader([text], delimiter=self._delimiter, strict=True)
            except csv.Error as error:
                self._problem(number, f"quotes that do not pair ({error})")
                return None
            fields = [field.encode("utf-8", "surrogateescape") for field in row]
        if len(fields) != len(self.names):
            self._problem(number, f"{len(fields)} columns, where the header has {len(self.names)}")
            return None
        return fields


# gogui-twogtp ---------------------------------------------------------------------------------------------------------


def read_twogtp(parts: Iterable[bytes], problem: Problem) -> Iterator[Batch]:
    """Yield the games of a .dat file of gogui-twogtp.

    `# Black: NAME` and so on come first, then `#GAME ...` with the names of the columns. RES_B, RES_W and RES_R are
    the results by black, white and the referee; "B" and "W" are the programs that began as black and white even where
    ALT says that they had changed colours (reference of gogui-twogtp, -alternate). The referee decides if there is
    one, else the players if they agree. Games with an error do not count. In joined files a header line after games
    begins a new header, independent of the one before.
    """
    values: dict[str, str] = {}
    columns: list[str] = []
    games: list[Game] = []
    header = True
    for block in line_blocks(parts):
        for number, line in enumerate(block.text.decode("utf-8", "replace").split("\n")[:-1], block.first):
            if line.startswith("#"):
                yield from _twogtp_batch(games, values)
                games = []
                if "RES_B" in line.split("\t"):
                    columns = line[1:].split("\t")
                elif ":" in line:
                    key, _, value = line[1:].partition(":")
                    if not header and key.strip() in values:
                        values, header = {}, True
                    values[key.strip()] = value.strip()
            elif line.strip():
                row = dict(zip(columns, line.split("\t"), strict=False))
                if "RES_B" not in row:
                    problem(number, "expected a row of a twogtp table: GAME, RES_B, RES_W, ...")
                else:
                    games.append(_twogtp_game(row, values))
                    header = False
        yield from _twogtp_batch(games, values)
        games = []


def _twogtp_batch(games: list[Game], values: dict[str, str]) -> Iterator[Batch]:
    batches: Batches[bytes] = Batches(int, lambda _: class_of({key.lower(): value for key, value in values.items()}))
    return batches.of_one_class(games, b"")


def _twogtp_game(row: dict[str, str], values: dict[str, str]) -> Game:
    """Return a game with the code of black's score as its result."""
    players = [(values.get(f"{side}Label") or values.get(side) or side).encode() for side in ("Black", "White")]
    said = [row.get(name, "").strip() for name in ("RES_R", "RES_B", "RES_W")]
    if said[0] not in ("", "?", "-"):
        code = score_code(said[0])
    elif said[1] == said[2]:
        code = score_code(said[1])
    else:
        code = UNKNOWN
    if row.get("ERR", "").strip() not in ("", "0"):
        code = FAILED
    if row.get("ALT", "").strip() == "1":
        players.reverse()
        code = {WIN: LOSS, LOSS: WIN}.get(code, code)
    return players[0], players[1], b"%d" % code
