"""Recognise a file by its first bytes: the kinds that gotools writes, and kinds that users confuse with them."""

from __future__ import annotations

import codecs
import re
from enum import StrEnum
from typing import Final

from gotools.errors import FileFormatError, shown


class Kind(StrEnum):
    """The known kinds; the value is the description in errors."""

    examples = "a file of examples"
    ranking = "a ranking of moves"
    clusters = "a file of clusters"
    orders = "a comparison of orders of moves"
    lessons = "a comparison of players"
    ratings = "a table of ratings"
    superiorities = "a table of superiorities"
    results_table = "a table of results"
    log = "the log of a training"
    other_table = "a table of another kind"
    rules = "a file of rules"
    c_source = "C source"
    library = "a shared library or program"
    weights = "a file of weights"
    journal = "the journal of a tournament"
    summary = "the summary of a tournament"
    metrics = "figures of rules in JSON"
    results = "results of games"
    games = "a game record"
    prolog = "a Prolog program"
    settings = "settings in TOML"
    json = "JSON of another kind"
    page = "a web page"
    xml = "XML"
    zip = "a zip archive"
    tar = "a tar archive"
    packed = "a packed file"
    office = "an office document or PDF"
    picture = "a picture"
    parquet = "Parquet inside of gzip"
    csv = "CSV for other programs"
    data = "a data file of another program"
    script = "a script"
    binary = "a binary file"
    empty = "an empty file"
    text = "text of no known kind"


_OF_TABLE: Final = {
    b"examples": Kind.examples,
    b"ranking": Kind.ranking,
    b"clusters": Kind.clusters,
    b"order-bench": Kind.orders,
    b"lessons": Kind.lessons,
    b"ratings": Kind.ratings,
    b"superiorities": Kind.superiorities,
    b"results": Kind.results_table,
    b"training-log": Kind.log,
}
OURS: Final = frozenset(
    {
        *_OF_TABLE.values(),
        *(Kind.rules, Kind.c_source, Kind.library, Kind.weights, Kind.journal, Kind.summary, Kind.metrics),
    }
)
"""The kinds that gotools writes, except game records: these are recognised with certainty."""
BZIP2, XZ = b"BZh", b"\xfd7zXZ"
_MAGIC: Final = (
    (b"\x7fELF", Kind.library),
    (b"\xcf\xfa\xed\xfe", Kind.library),
    (b"\xca\xfe\xba\xbe", Kind.library),
    (b"MZ", Kind.library),
    (b"%PDF", Kind.office),
    (b"\xd0\xcf\x11\xe0", Kind.office),
    (b"\x89PNG", Kind.picture),
    (b"\xff\xd8\xff", Kind.picture),
    (b"GIF8", Kind.picture),
    (b"\x1f\x8b", Kind.packed),
    (BZIP2, Kind.packed),
    (XZ, Kind.packed),
    (b"\x28\xb5\x2f\xfd", Kind.packed),
    (b"7z\xbc\xaf", Kind.packed),
    (b"Rar!", Kind.packed),
    (b"\x93NUMPY", Kind.data),
    (b"PAR1", Kind.parquet),
    (b"SQLite format 3", Kind.data),
)
_BEGINS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), kind)
    for pattern, kind in (
        (rb"%% gotools rules\b", Kind.rules),
        (rb"<!doctype html|<html", Kind.page),
        (rb"<\?xml|<[a-z]", Kind.xml),
        (rb'\{\s*"gotools"\s*:\s*"journal"', Kind.journal),
        (rb'\{\s*"gotools"\s*:\s*"summary"', Kind.summary),
        (rb'\{\s*"gotools"\s*:\s*"lessons"', Kind.lessons),
        (rb'\{\s*"format"\s*:\s*"gotools ratings', Kind.ratings),
        (rb'\{\s*"settings"\s*:\s*\{\s*"(?:game|depth)"', Kind.orders),
        (rb'\{\s*"(?:test"\s*:\s*\{\s*"positions|rules"\s*:\s*\d)', Kind.metrics),
        (rb'\{[^\n]*"(?:black|white)"\s*:', Kind.results),
        (rb"(?:#[^\n]*\n|\s)*\[\[engine\]\]", Kind.settings),
        (rb"[\[{]\s*[\"\[{}\]]", Kind.json),
        (rb"\(\s*;", Kind.games),
        (rb"#!", Kind.script),
        (rb"/\*[^*]* of gotools as C|#include|#ifndef", Kind.c_source),
        (rb'(?:%[^\n]*\n)*\[\s*\w+\s+"', Kind.results),
        (rb"#[^\n]*\tRES_B\t|# *Black:", Kind.results),
        (rb"(?:%[^\n]*\n|\s)*(?::-|[a-z]\w*\([^\n]*\)\s*(?:\.|:-))", Kind.prolog),
    )
)
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


def kind_of(head: bytes) -> Kind:
    """Return the kind of a file that begins with `head` (files.FIRST_BYTES bytes, gzip undone)."""
    if head.startswith(b"PK"):
        first = head[:100]
        return Kind.weights if b"about.npy" in first else Kind.data if b".npy" in first else Kind.zip
    if head[257:262] == b"ustar":
        return Kind.tar
    found = next((kind for mark, kind in _MAGIC if head.startswith(mark)), None)
    return found or _kind_of_text(_in_utf8(head).lstrip())


def _kind_of_text(text: bytes) -> Kind:
    if not text:
        return Kind.empty
    if _CONTROL.search(text):
        return Kind.binary
    if named := _TABLE.match(text):
        return _OF_TABLE.get(named[1], Kind.other_table)
    found = next((kind for pattern, kind in _BEGINS if pattern.match(text)), None)
    if found is not None:
        return found
    columns = next((line for line in text.split(b"\n") if not line.startswith(b"##")), b"").lstrip(b"#").strip()
    if {b"to_play", b"position"} <= set(columns.split(b"\t")):
        return Kind.examples
    names = set(re.split(rb'[\t,;|" ]+', columns.lower()))
    if {
        b"black",
        b"white",
        b"result",
    } <= names and b"to_play" not in names:  # else examples as CSV
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


def wrong_kind(path: object, head: bytes, wanted: str, line: int | None = None) -> FileFormatError:
    """Return the error for a file of the wrong kind.

    head   -- its first bytes; wanted -- the expected content, in the plural
    """
    return FileFormatError(path, line, f"{kind_of(head)}; expected {wanted}")


def wrong_table(path: object, line: int, found: str, wanted: str) -> FileFormatError:
    """Return the error for a table whose header, which begins in this line, names another kind than `wanted`."""
    kind = _OF_TABLE.get(found.encode("utf-8", "replace"), f"a file of {shown(found)}")
    return FileFormatError(path, line if line > 1 else None, f"{kind}; expected {rows_of(wanted)}")


def rows_of(kind: str) -> str:
    """Return the content of a table, in the plural, by the word of its first line."""
    return {"training-log": "rows of a training log", "order-bench": "comparisons of orders"}.get(kind, kind)
