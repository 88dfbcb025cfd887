"""Player names in SGF: their encoding, which a file names in CA or not at all, and SGF's backslashes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from gotools.go.records.encoding import STEALS_BRACKETS, named_codec
from gotools.ratings.reading.ledger import Cache

_ESCAPE: Final = re.compile(rb"\\(\r\n|\n\r|.)", re.DOTALL)
_LINE_ENDS: Final = (b"\r\n", b"\n\r", b"\r", b"\n")


class Decoder:
    """Texts of an SGF file as UTF-8.

    texts -- by CA, then by the bytes of a value
    """

    def __init__(self, charset: str = "") -> None:
        """Use `charset` as the encoding of all games, whatever they declare; "": as each declares."""
        self._charset = charset
        self.texts: Cache[bytes, Cache[bytes, bytes]] = Cache(self._texts_of)

    def _texts_of(self, declared: bytes) -> Cache[bytes, bytes]:
        codec = self._charset or named_codec(b"CA[" + declared + b"]")
        return Cache(lambda value: _to_utf8(_unescaped(value), codec))


def recoded(parts: Iterable[bytes]) -> tuple[Iterator[bytes], str]:
    """Return a file's bytes, and their encoding if it is known for the whole file.

    Encodings in which the byte of "]" may be half a character are turned into UTF-8, so that every bracket byte is a
    bracket. They are known by the first CA of the file, if its first part can be read so.
    """
    rest = iter(parts)
    first = next(rest, b"")
    codec = named_codec(first)
    if codec not in STEALS_BRACKETS and not codec.startswith(("iso2022", "utf-16", "utf-32")):
        return chain([first], rest), ""
    try:
        codecs.getincrementaldecoder(codec)().decode(first)
    except ValueError:
        return chain([first], rest), ""
    decode = codecs.getincrementaldecoder(codec)("replace").decode
    return (decode(part).encode("utf-8", "replace") for part in chain([first], rest)), "utf-8"


def _to_utf8(value: bytes, codec: str) -> bytes:
    """Recode a text from its declared encoding; if that fails leave it to `ledger.plain_name`."""
    if codec in ("", "utf-8") or value.isascii():
        return value
    try:
        return value.decode(codec).encode()
    except ValueError:
        return value


def _unescaped(value: bytes) -> bytes:
    return _ESCAPE.sub(lambda found: b"" if found[1] in _LINE_ENDS else found[1], value) if b"\\" in value else value
