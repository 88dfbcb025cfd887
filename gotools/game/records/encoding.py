"""Game records of any age and country as UTF-8.

An SGF file names its encoding inside, in CA, often wrongly or not at all. Legacy East Asian encodings use the bytes of
"]" and "\\" as second halves of characters, so a file must be decoded before it is parsed.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from gotools.game.records.encoding_guess import ASIAN, CANDIDATES, likelihood

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is the beginning of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED: Final = re.compile(rb"(?<![A-Z])CA\s*\[\s*([\w.:+-]{1,40})\s*\]")
_SEVEN_BITS: Final = (b"\0", b"\x1b", b"~{")
"""Signs that a file needs decoding even without bytes over 127: UTF-16, ISO-2022, HZ."""
_WIDER: Final = {
    "ascii": "utf-8",
    "big5": "cp950",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift_jis_2004": "cp932",
    "shift_jisx0213": "cp932",
}
"""Supersets that programs use when they declare the narrower name."""
_NOT_TEXT: Final = {"unicode_escape", "raw_unicode_escape", "punycode", "idna"}
"""Python's codecs that are not character sets; they would rewrite backslashes or take quadratic time."""
_PROBE: Final = "(;SZ[9]C[\\]])"
"""Text that a codec must leave unchanged to be plausible in a file whose CA could be read as it stands."""
_SEVEN_BIT_CODECS: Final = ("iso2022", "hz")
_GAME: Final = re.compile(rb"\(\s*;(?=\s*(?:FF|GM|SZ|CA|AP|ST|EV|GN|PB|PW|BR|WR|DT|KM|RE|RU|PC|RO|US|SO|HA)\s*\[)")
_SAMPLE_BYTES: Final = 16_384
_WIDE: Final = {*ASIAN, "big5hkscs", "johab"}
"""Encodings that a text may be in though its bytes are UTF-8 as well."""
_BLOCK: Final = 1 << 20
"""Bytes whose encoding is guessed together, in a text that comes in parts."""
_ADVANTAGE, _ADVANTAGE_A_BYTE = 20.0, 1.25
"""Logarithms by which another encoding must be likelier than CA's; the second for encodings of many bytes."""


def to_utf8(data: bytes) -> bytes:
    """Return game records re-encoded as UTF-8, without byte order mark; never fails.

    Taken in this order: a byte order mark; UTF-16 by its zero bytes; UTF-8; else the likeliest encoding, that of CA
    among them, which has an advantage. In a file whose games need different ones each game has its own. Bytes that fit
    nothing become U+FFFD.
    """
    if data.isascii() and not any(sign in data for sign in _SEVEN_BITS):
        return data
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return _utf8(data[len(mark) :].decode(codec, "replace"))
    if codec := _wide_without_mark(data):
        return _utf8(data.decode(codec, "replace"))
    declared = _declared(data)
    first = declared if declared and data.isascii() else "utf-8"
    if declared not in _WIDE and (text := _strictly(data, first)) is not None:
        return _utf8(text)
    codec = likeliest(data, declared)
    starts = [found.start() for found in _GAME.finditer(data)]
    text = _strictly(data, codec)
    if len(starts) < 2 or (text is not None and len(set(_DECLARED.findall(data))) < 2):
        return _utf8(data.decode(codec, "replace") if text is None else text)
    return b"".join(_one_game(data[a:b], codec) for a, b in pairwise([0, *starts[1:], len(data)]))


def _one_game(data: bytes, codec: str) -> bytes:
    """Return a game of a collection as UTF-8: in the encoding of the others, unless it does not fit or CA names one."""
    text = None if _DECLARED.search(data) else _strictly(data, codec)
    return to_utf8(data) if text is None else _utf8(text)


def utf8_parts(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a text that comes in parts as UTF-8, by `to_utf8`.

    From the first part on that is not UTF-8 some games are read together, up to the start of one.
    """
    held, rest = b"", iter(parts)
    for part in rest:
        if not held and _wide_without_mark(part):
            part = b"".join((part, *rest))
        held += part
        if held.isascii() and not any(sign in held for sign in _SEVEN_BITS):
            yield held
            held = b""
        elif len(held) >= _BLOCK:
            place = next((at for sign in (b"(;", b"\n", b";") if (at := held.rfind(sign)) > 0), len(held))
            yield to_utf8(held[:place])
            held = held[place:]
    if held:
        yield to_utf8(held)


def likeliest(data: bytes, declared: str = "", candidates: Sequence[str] = CANDIDATES) -> str:
    """Return the likeliest encoding of a text that is not in UTF-8, or damaged.

    declared -- a codec that the text names; it has an advantage
    """
    sample = bytearray()
    for piece in re.finditer(rb"[^;\n]+[;\n]?", data):  # these bytes are no part of a longer character
        if not piece[0].isascii():
            sample += piece[0]
            if len(sample) >= _SAMPLE_BYTES:
                break
    codecs_to_try = dict.fromkeys((declared, *candidates) if declared else candidates)
    scores = {codec: likelihood(bytes(sample), codec) for codec in codecs_to_try}
    if declared and declared != "utf-8":
        others = sum(byte > 127 for byte in sample) if declared in _WIDE else 0
        scores[declared] += _ADVANTAGE + _ADVANTAGE_A_BYTE * others
    return max(scores, key=scores.__getitem__)


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _wide_without_mark(data: bytes) -> str:
    """Name the UTF-16 or UTF-32 whose zero bytes stand as in Latin letters; "" for other files."""
    if b"\0" not in data:
        return ""
    head = data[:_SAMPLE_BYTES]
    zeros = [head[i::4].count(0) * 4 > len(head) // 2 for i in range(4)]
    patterns = {
        (False, True, False, True): "utf-16-le",
        (True, False, True, False): "utf-16-be",
        (False, True, True, True): "utf-32-le",
        (True, True, True, False): "utf-32-be",
    }
    return patterns.get((zeros[0], zeros[1], zeros[2], zeros[3]), "")


def _declared(data: bytes) -> str:
    """Return the codec that CA names, where it can make a difference to this file; "" for none."""
    codec = named_codec(data)
    if data.isascii() and not codec.startswith(_SEVEN_BIT_CODECS):
        return ""
    return codec


def named_codec(data: bytes) -> str:
    """Return the codec that the first CA of a game record names, widened; "" for none, or one that Python lacks."""
    found = _DECLARED.search(data)
    if not found:
        return ""
    try:
        codec = codecs.lookup(found[1].decode("ascii", "replace")).name
        codec = _WIDER.get(codec, codec)
        if codec.replace("-", "_") in _NOT_TEXT or _PROBE.encode().decode(codec) != _PROBE:
            return ""
    except (LookupError, ValueError):
        return ""
    return codec


def _strictly(data: bytes, codec: str) -> str | None:
    """Decode; None if the bytes do not fit."""
    try:
        return data.decode(codec)
    except ValueError:
        return None
