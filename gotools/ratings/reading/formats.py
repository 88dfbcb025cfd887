"""The format of a file of results: by its content first, by its name second."""

from __future__ import annotations

import os.path
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from gotools.files.opening import ARCHIVES
from gotools.ratings.reading.tables import header_of

SUFFIXES: Final = (".sgf", ".sgfs", ".jsonl", ".csv", ".tsv", ".pgn", ".dat", ".parquet", *ARCHIVES)
"""Suffixes of the files to read in folders and archives; `.gz` may follow."""
JOURNAL: Final = "results.jsonl"
HEAD_BYTES: Final = 4096
"""Bytes by which a format is recognised; the mark of tar is at 257."""


class ResultFormat(StrEnum):
    """A way to write down results; the value is the name for users."""

    sgf = "SGF"
    json = "JSON lines with black, white and result"
    table = "CSV with a header black,white,result"
    twogtp = "gogui-twogtp's .dat"
    pgn = "PGN"
    tar = "tar"
    zip = "zip"


WHAT_CAN_BE_READ: Final = f"not a format that can be read: {', '.join(ResultFormat)}"

_BY_NAME: Final = {
    ".sgf": ResultFormat.sgf,
    ".sgfs": ResultFormat.sgf,
    ".pgn": ResultFormat.pgn,
    ".tar": ResultFormat.tar,
    ".tgz": ResultFormat.tar,
}
_SGF: Final = re.compile(rb"\(\s*;")
_PGN: Final = re.compile(rb'(?:%[^\n]*+\n\s*+)*\[\s*+\w++\s++"')


def format_of(head: bytes, name: str) -> ResultFormat | None:
    """Return the format of a file that begins with `head`, gzip undone; None for another format."""
    if head.startswith((b"PK\3\4", b"PK\5\6")):
        return ResultFormat.zip
    if head[257:262] == b"ustar":
        return ResultFormat.tar
    text = head.lstrip()
    if _SGF.match(text):
        return ResultFormat.sgf
    if text.startswith(b"{"):
        return ResultFormat.json
    if _PGN.match(text):
        return ResultFormat.pgn
    if text.startswith(b"#") and re.search(rb"^#.*\tRES_B\t", text, re.MULTILINE):
        return ResultFormat.twogtp
    lines = (line for line in text.split(b"\n") if not line.startswith(b"##"))
    if header_of(next(lines, b"")):
        return ResultFormat.table
    return _BY_NAME.get(os.path.splitext(name.lower().removesuffix(".gz"))[1])


def without_copies(names: Sequence[str]) -> list[str]:
    """Leave out, of the files of a folder or archive, those that hold games of another of them.

    In the folder of a tournament's journal, and below, nothing else is read; beside NAME.dat of gogui-twogtp
    neither its games NAME-0.sgf and so on, nor its summary.
    """
    journals = {os.path.dirname(name) for name in names if _is_journal(name)}
    tables = {_plain(name).removesuffix(".dat") for name in names if _plain(name).endswith(".dat")}
    kept = []
    for name in names:
        folders = _above(name)[1:] if _is_journal(name) else _above(name)
        numbered = re.fullmatch(r"(.*)-[0-9]+\.sgf", _plain(name))
        of_table = _plain(name).endswith(".summary.dat") or (numbered is not None and numbered[1] in tables)
        if journals.isdisjoint(folders) and not of_table:
            kept.append(name)
    return kept


def _plain(name: str) -> str:
    return name.removesuffix(".gz")


def _is_journal(name: str) -> bool:
    return _plain(os.path.basename(name)) == JOURNAL


def _above(name: str) -> list[str]:
    """Return the folders that a file is in, the innermost first."""
    found = [os.path.dirname(name)]
    while (parent := os.path.dirname(found[-1])) != found[-1]:
        found.append(parent)
    return found
