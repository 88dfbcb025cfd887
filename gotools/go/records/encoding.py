"""Game records of any age and country as UTF-8.

An SGF file names its encoding inside, in CA, often wrongly or not at all. Legacy East Asian encodings use the bytes of
"]" and "\\" as second halves of characters, so a file must be decoded before it is parsed.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with that of UTF-16
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
_CANDIDATES: Final = ["gb18030", "big5", "cp932", "euc_jp", "cp949", "cp1252", "cp1251", "koi8_r"]
_VALUE: Final = re.compile(r"\[[^\\\]]*(?:\\.[^\\\]]*)*(?:\]|\\?\Z)", re.DOTALL)
_SAMPLE_BYTES: Final = 16_384
_MOSTLY_UTF8: Final = 0.5
"""Share of damaged characters up to which a file counts as UTF-8; legacy East Asian text comes to about 0.85."""
STEALS_BRACKETS: Final = {"gb18030", "cp950", "big5hkscs", "cp932", "johab", "hz"}
"""Codecs whose characters may end in the byte of "]" or "\\": where they are wrong, they change the game."""


def to_utf8(data: bytes) -> bytes:
    """Return a game record re-encoded as UTF-8, without byte order mark; never fails.

    Taken in this order: a byte order mark; UTF-16 by its zero bytes; what CA declares, if it fits; UTF-8, also damaged;
    charset-normalizer's guess. An encoding under which brackets do not pair gives way to one under which they do.
    Bytes that fit nothing become U+FFFD.
    """
    if data.isascii() and not any(sign in data for sign in _SEVEN_BITS):
        return data
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return _utf8(data[len(mark) :].decode(codec, "replace"))
    if codec := _wide_without_mark(data):
        return _utf8(data.decode(codec, "replace"))
    declared = _declared(data)
    if declared not in STEALS_BRACKETS:
        for codec in filter(None, (declared, "utf-8")):
            if (text := _strictly(data, codec)) is not None:
                return _utf8(text)
    return _utf8(_best_paired(data, declared))


def _best_paired(data: bytes, declared: str) -> str:
    """Decode by the likeliest codec under which all brackets pair, or most of them: moves matter more than names."""
    best, fewest = "", len(data) + 1
    for codec in _likely(data, declared):
        text = data.decode(codec, "replace")
        unpaired = _unpaired(text)
        if unpaired < fewest:
            best, fewest = text, unpaired
        if not fewest:
            break
    return best


def _likely(data: bytes, declared: str) -> Iterator[str]:
    """Yield codecs, likeliest first; charset-normalizer guesses only when the others fail."""
    if declared:
        yield declared
    text = data.decode("utf-8", "replace")
    if text.count("\ufffd") <= _MOSTLY_UTF8 * sum(c > "\x7f" for c in text):
        yield "utf-8"
    import charset_normalizer  # 0.05 s, and few files need it

    values = re.split(rb"[\[\]]", data[: 16 * _SAMPLE_BYTES])
    sample = b" ".join(value for value in values if not value.isascii())[:_SAMPLE_BYTES]
    for guess in charset_normalizer.from_bytes(sample, cp_isolation=_CANDIDATES, threshold=0.6):
        yield guess.encoding
    yield from _CANDIDATES
    yield "latin-1"


def _unpaired(text: str) -> int:
    """Count the brackets and backslashes of an SGF text that stand where none should: the sign of a wrong encoding."""
    inside = sum(m[0].count("[") - m[0].count("\\[") - m[0].endswith("]") for m in _VALUE.finditer(text))
    return inside + len(re.findall(r"[\[\]\\]", _VALUE.sub("", text)))


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
    """Decode; None if the bytes or the result do not fit (as for a file wrongly declared UTF-16)."""
    try:
        text = data.decode(codec)
    except (LookupError, ValueError):
        return None
    return text if "(" in text and ";" in text else None
