"""Lines of a record: UTF-8, Shift-JIS or EUC-JP, wide digits made narrow."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from gotools.files.lines import LONGEST_LINE
from gotools.files.opening import FIRST_BYTES
from gotools.game.records.encoding import likeliest

_PARTS: Final = re.compile(rb"[^\r\n]+|[\r\n]+")
_DECLARED: Final = re.compile(
    rb"^(?:#KIF|#KI2|'CSA)[^\r\n]{0,80}?encoding *= *([\w-]{1,20})", re.IGNORECASE | re.MULTILINE
)
_CHUNK: Final = 1 << 20
_NARROW: Final = str.maketrans("０１２３４５６７８９　：（）＝", "0123456789 :()=")


class Line(NamedTuple):
    """A line that is not empty: its number from 1, its text; whether it was longer than LONGEST_LINE, and cut."""

    number: int
    text: str
    cut: bool = False


def lines_of(data: bytes) -> Iterator[Line]:
    """Yield the lines of a file, with narrow digits, blanks, brackets, colons. Bytes that fit nothing become U+FFFD."""
    codec, number = _codec_of(data), 1
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    for part in _PARTS.finditer(data, start):
        raw = part[0]
        if raw[0] in b"\r\n":
            number += raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n")
            continue
        text = raw[:LONGEST_LINE].decode(codec, "replace")
        yield Line(number, text if text.isascii() else text.translate(_NARROW), len(raw) > LONGEST_LINE)


def _codec_of(data: bytes) -> str:
    """Return the encoding: UTF-8 if the file fits, unless it declares Shift-JIS, else the likeliest of Japanese."""
    if data.startswith(codecs.BOM_UTF8) or data.isascii():
        return "utf-8"
    found = _DECLARED.search(data[:FIRST_BYTES])
    declared = "cp932" if found and b"jis" in found[1].lower() else ""
    if not declared and _fits(data, "utf-8"):
        return "utf-8"
    return likeliest(data, declared, ("cp932", "euc_jp", "utf-8"))


def _fits(data: bytes, codec: str) -> bool:
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        for start in range(0, len(data), _CHUNK):
            decoder.decode(data[start : start + _CHUNK])
        decoder.decode(b"", final=True)
    except ValueError:
        return False
    return True
