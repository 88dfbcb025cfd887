"""The kinds of files: what each is called, how it is recognised, its endings, the columns of its tables.

A kind of our own is one entry of `Kind`. Errors, the check of outputs, Parquet, CSV and `gotools show` read it there.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import Final

from gotools.base.errors import FileFormatError, shown
from gotools.files.cells import Cells, Columns, columns

BZIP2, XZ = b"BZh", b"\xfd7zXZ"
_TABLES: Final = (".tsv", ".tab", ".parquet", ".csv")
_JSON: Final = (".json",)


@dataclass(frozen=True, slots=True, eq=False)
class FileKind:
    """A kind of file.

    name    -- in words, for errors
    ours    -- gotools writes it, and recognises it with certainty
    marks   -- the first bytes of a binary file, one of them
    begins  -- a pattern of the beginning of a text
    endings -- of names; a command may replace such a file that it found in a folder by one of the same ending
    schema  -- of its JSON: a name in schemas/ (docs/formats.md)
    """

    name: str
    ours: bool = False
    marks: tuple[bytes, ...] = ()
    begins: str = ""
    endings: tuple[str, ...] = ()
    schema: str = ""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, eq=False)
class TableKind(FileKind):
    """A kind of table, `##gotools WORD VERSION`. rows -- its content, in the plural, for errors; "": the word."""

    ours: bool = True
    endings: tuple[str, ...] = _TABLES
    word: str = ""
    version: int = 1
    columns: Columns = field(default_factory=columns)
    rows: str = ""


class Kind:
    """All kinds. A text is of the first one whose pattern it begins with; a table is known by its first line."""

    examples: Final = TableKind(
        "a file of examples",
        endings=(),  # no command replaces examples that it found in a folder: they are an input of most
        word="examples",
        version=2,
        columns=columns(
            varied="id position",
            word="ko last last2 move black white black_rank white_rank result",
            whole="label",
        ),
    )
    ranking: Final = TableKind(
        "a ranking of moves",
        word="ranking",
        version=2,
        columns=columns(whole="rank played", real="score probability value", word="rules"),
    )
    clusters: Final = TableKind(
        "a file of clusters",
        word="clusters",
        version=2,
        columns=columns(Cells.real, text="stage kind", whole="good bad", word="typical"),
    )
    orders: Final = TableKind(
        "a comparison of orders of moves",
        begins=r'\{\s*"settings"\s*:\s*\{\s*"(?:game|depth)"',
        endings=_TABLES + _JSON,
        schema="orders-1",
        word="order-bench",
        version=2,
        rows="comparisons of orders",
        columns=columns(whole="nodes", real="ratio seconds value", word="move"),
    )
    solved: Final = TableKind(
        "a table of solved positions",
        word="solved",
        rows="solved positions",
        columns=columns(varied="line", whole="plies nodes", word="line"),
    )
    lessons: Final = TableKind(
        "a comparison of players",
        begins=r'\{\s*"gotools"\s*:\s*"lessons"',
        endings=_TABLES + _JSON,
        schema="lessons-1",
        word="lessons",
        columns=columns(Cells.real, "words clause", text="rule words clause", word="like"),
    )
    ratings: Final = TableKind(
        "a table of ratings",
        begins=r'\{\s*"format"\s*:\s*"gotools ratings',
        endings=_TABLES + _JSON,
        schema="ratings-1",
        word="ratings",
        version=2,
        columns=columns(whole="rank games wins draws losses group", real="elo low high score superiority"),
    )
    superiorities: Final = TableKind(
        "a table of superiorities", word="superiorities", version=2, columns=columns(Cells.real, text="name")
    )
    results_table: Final = TableKind(
        "a table of results",
        word="results",
        columns=columns(
            varied="moves",
            whole="game pair size handicap opening black_contested_moves white_contested_moves",
            real="komi black_seconds white_seconds black_slowest white_slowest"
            " black_contested_seconds white_contested_seconds",
            word="fault what setting notes",
        ),
    )
    log: Final = TableKind(
        "the log of a training",
        word="training-log",
        version=2,
        rows="rows of a training log",
        columns=columns(Cells.real, whole="games"),
    )
    other_table: Final = FileKind("a table of another kind")
    rules: Final = FileKind("a file of rules", True, begins=r"%% gotools rules\b", endings=(".pl", ".pro", ".prolog"))
    library: Final = FileKind(
        "a shared library or program",
        True,
        marks=(b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ"),
        endings=(".so", ".dylib", ".dll"),
    )
    weights: Final = FileKind("a file of weights", True, endings=(".npz",))
    journal: Final = FileKind(
        "the journal of a tournament", True, begins=r'\{\s*"gotools"\s*:\s*"journal"', schema="journal-1"
    )
    summary: Final = FileKind(
        "the summary of a tournament",
        True,
        begins=r'\{\s*"gotools"\s*:\s*"summary"',
        endings=_JSON,
        schema="summary-1",
    )
    metrics: Final = FileKind(
        "figures of rules in JSON",
        True,
        begins=r'\{\s*"(?:test"\s*:\s*\{\s*"positions|rules"\s*:\s*\d)',
        endings=_JSON,
        schema="metrics-1",
    )
    contents: Final = FileKind(
        "what a file holds, in JSON", begins=r'\{\s*"file"\s*:\s*"[^\n]*"\s*,\s*"kind"\s*:', schema="contents-1"
    )
    moves: Final = FileKind(
        "explained moves in JSON", begins=r'\{\s*"id"\s*:\s*"[^\n]*"\s*,\s*"to_play"\s*:', schema="moves-1"
    )
    page: Final = FileKind("a web page", begins="<!doctype html|<html", endings=(".html", ".htm"))
    xml: Final = FileKind("XML", begins=r"<\?xml|<[a-z]", endings=(".xml",))
    results: Final = FileKind(
        "results of games",
        begins=r'\{[^\n]*"(?:black|white)"\s*:|(?:%[^\n]*\n)*\[\s*\w+\s+"|#[^\n]*\tRES_B\t|# *Black:',
    )
    settings: Final = FileKind(
        "settings in TOML", begins=r"(?:#[^\n]*\n|\s)*\[\[engine\]\]", endings=(".toml", ".ini", ".yaml", ".yml")
    )
    json: Final = FileKind("JSON of another kind", begins=r"[\[{]\s*[\"\[{}\]]")
    games: Final = FileKind("a game record", begins=r"\(\s*;", endings=(".sgf", ".sgfs"))
    script: Final = FileKind("a script", begins="#!")
    c_source: Final = FileKind("C source", True, begins=r"/\*[^*]* of gotools as C|#include|#ifndef", endings=(".c",))
    prolog: Final = FileKind("a Prolog program", begins=r"(?:%[^\n]*\n|\s)*(?::-|[a-z]\w*\([^\n]*\)\s*(?:\.|:-))")
    zip: Final = FileKind("a zip archive")
    tar: Final = FileKind("a tar archive")
    packed: Final = FileKind(
        "a packed file", marks=(b"\x1f\x8b", BZIP2, XZ, b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf", b"Rar!")
    )
    office: Final = FileKind("an office document or PDF", marks=(b"%PDF", b"\xd0\xcf\x11\xe0"))
    picture: Final = FileKind("a picture", marks=(b"\x89PNG", b"\xff\xd8\xff", b"GIF8"))
    parquet: Final = FileKind("Parquet inside of gzip", marks=(b"PAR1",))
    csv: Final = FileKind("CSV for other programs", endings=(".csv",))
    data: Final = FileKind("a data file of another program", marks=(b"\x93NUMPY", b"SQLite format 3"))
    binary: Final = FileKind("a binary file")
    empty: Final = FileKind("an empty file")
    text: Final = FileKind("text of no known kind")


KINDS: Final = tuple(kind for kind in vars(Kind).values() if isinstance(kind, FileKind))
TABLES: Final = {kind.word: kind for kind in KINDS if isinstance(kind, TableKind)}
"""The kinds of tables by the word of their first line."""
OURS: Final = frozenset(kind for kind in KINDS if kind.ours)
"""The kinds that gotools writes, except game records."""
_MARKS: Final = [kind for kind in KINDS if kind.marks]
_BEGINS: Final = [(re.compile(kind.begins.encode(), re.IGNORECASE), kind) for kind in KINDS if kind.begins]
_TABLE: Final = re.compile(rb"##gotools (\S{1,40}) ")
_GAME: Final = re.compile(rb"\(\s*;\s*[A-Z]{1,2}\s*\[")
_WIDE: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAME: Final = rb'(?:[^\s,"][^\t\n,"]*|"(?:[^"\n]|"")*")'
_CSV: Final = re.compile(_NAME + rb"(?:," + _NAME + rb")+\r?(?:\n|$)")
"""A line of names between commas, none of which begins with a space."""
_CONTROL: Final = re.compile(rb"[\0-\x08\x0e-\x1a]")


def kind_of(head: bytes) -> FileKind:
    """Return the kind of a file that begins with `head` (files.FIRST_BYTES bytes, gzip undone)."""
    if head.startswith(b"PK"):
        first = head[:100]
        return Kind.weights if b"about.npy" in first else Kind.data if b".npy" in first else Kind.zip
    if head[257:262] == b"ustar":
        return Kind.tar
    found = next((kind for kind in _MARKS if head.startswith(kind.marks)), None)
    return found or _kind_of_text(_in_utf8(head).lstrip())


def _kind_of_text(text: bytes) -> FileKind:
    if not text:
        return Kind.empty
    if _CONTROL.search(text):
        return Kind.binary
    if named := _TABLE.match(text):
        return TABLES.get(named[1].decode("utf-8", "replace"), Kind.other_table)
    found = next((kind for pattern, kind in _BEGINS if pattern.match(text)), None)
    if found is not None:
        return found
    line = next((line for line in text.split(b"\n") if not line.startswith(b"##")), b"").lstrip(b"#").strip()
    if {b"to_play", b"position"} <= set(line.split(b"\t")):
        return Kind.examples
    names = set(re.split(rb'[\t,;|" ]+', line.lower()))
    if {b"black", b"white", b"result"} <= names and b"to_play" not in names:  # else examples as CSV
        return Kind.results
    if _GAME.search(text):
        return Kind.games
    return Kind.csv if _CSV.match(text) else Kind.text


def _in_utf8(head: bytes) -> bytes:
    """Remove a byte order mark, and recode UTF-16 or UTF-32."""
    if head.startswith(codecs.BOM_UTF8):
        return head[3:]
    codec = next(((mark, codec) for mark, codec in _WIDE if head.startswith(mark)), None)
    return head if codec is None else head[len(codec[0]) :].decode(codec[1], "replace").encode("utf-8", "replace")


def wrong_kind(path: object, head: bytes, wanted: str) -> FileFormatError:
    """Return the error for a file of the wrong kind.

    head   -- its first bytes; wanted -- the expected content, in the plural
    """
    return FileFormatError(path, None, f"{kind_of(head)}; expected {wanted}")


def wrong_table(path: object, line: int, found: str, wanted: str) -> FileFormatError:
    """Return the error for a table whose header, which begins in this line, names another kind than `wanted`."""
    kind = TABLES.get(found, f"a file of {shown(found)}")
    return FileFormatError(path, line if line > 1 else None, f"{kind}; expected {rows_of(wanted)}")


def rows_of(word: str) -> str:
    """Return the content of a table, in the plural, by the word of its first line."""
    return TABLES[word].rows or word if word in TABLES else word
