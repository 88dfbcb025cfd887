"""Which of several encodings a text is in: the one under which its characters are the likeliest.

Bytes stand for one text in each encoding, so the probabilities of these texts may be compared: the product of those of
their characters. Frequent characters of the language share most of the probability, the other characters of the first
plane of its standard most of the rest. Family names begin the names of players, and a digit stands before a rank.
All costs are natural logarithms.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from math import log
from typing import Final

from gotools.game.records import characters as chars

ASIAN: Final = {  # in the order of how many records have them: languages, first bytes of the common plane, its size
    "gb18030": (chars.CHINESE_SURNAMES, chars.CHINESE, 0xB0, 0xD7, 3755),
    "cp932": (chars.JAPANESE, chars.JAPANESE, 0x88, 0x98, 2965),
    "cp949": (chars.KOREAN_SURNAMES, chars.KOREAN, 0xB0, 0xC8, 2350),
    "cp950": (chars.CHINESE_SURNAMES, chars.CHINESE, 0xA4, 0xC6, 5401),
    "euc_jp": (chars.JAPANESE, chars.JAPANESE, 0xB0, 0xCF, 2965),
}
SINGLE: Final = {"cp1252": -2.0, "cp1251": -5.0, "cp1250": -5.0, "koi8_r": -6.0}
CANDIDATES: Final = (*ASIAN, *SINGLE, "utf-8")
_SHARES: Final = (0.8, 0.15)
"""Of the probability: that of frequent characters, and of others of the common plane."""
_SECOND_PLANE, _BEYOND, _WIDE_MARK, _PRIVATE = -12.5, -15.0, -11.5, -18.0
_ASCII, _DAMAGED, _UNKNOWN = -3.3, -20.0, -9.0
_SMALL, _CAPITAL, _MISPLACED, _SIGN, _OTHER = -4.5, -6.0, -10.0, -7.0, -11.0
_NEIGHBOUR: Final = -3.0
"""An accented letter beside another one."""
_RANK: Final = 12.0
_UNPAIRED: Final = -25.0
_RANKS: Final = re.compile(r"(?:[0-9０-９]|[初一二三四五六七八九十])\s*[段级級단급]")
_FIRST: Final = re.compile(r"(?<![A-Z])P[BW]\s*\[\s*([^\x00-\x7f])")
_ACCENTS: Final = re.compile(r"[^\x00-\x7f]{2,}")
_BRACKET: Final = re.compile(r"[\[\]]")
_STUCK: Final = re.compile("[a-z](?=[^\x00-\x7f])|(?<=[^\x00-\x7f])[a-z]")
_MIXED: Final = re.compile(r"[A-Za-z][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]")
_CAPITALS_INSIDE: Final = re.compile(r"(?<=[^\W\d_])[^\W\x00-\x7f]")
_SIGNS: Final = frozenset("«»°·’‘“”„–—…§©®¿¡ªº´№ \u00a0")
_VALUE: Final = re.compile(r"\[[^\\\]]*(?:\\.[^\\\]]*)*(?:\]|\\?\Z)", re.DOTALL)


def likelihood(data: bytes, codec: str) -> float:
    """Return how likely a text is under an encoding, as a logarithm; comparable for the same bytes only."""
    text = data.decode(codec, "replace")
    weigh = _asian(codec) if codec in ASIAN else _single(codec)
    once = "".join(dict.fromkeys(_BRACKET.split(text)))  # a name that stands everywhere says no more than once
    found = sum(count * weigh[c] for c, count in Counter(once).items())
    if codec in ASIAN:
        surnames, frequent = _first(codec), weigh
        found += sum(surnames.get(c, frequent[c] - 1.5) - frequent[c] for c in _FIRST.findall(text))
        found += _RANK * len(_RANKS.findall(text))
        found -= 6 * len(_STUCK.findall(text))
        found -= list(ASIAN).index(codec)
    elif codec != "utf-8":
        if codec in ("cp1252", "cp1250"):
            found += _NEIGHBOUR * sum(len(run) - 1 for run in _ACCENTS.findall(text))
        found += _OTHER * len(_MIXED.findall(text))
        found += _MISPLACED * sum(c.isupper() for c in _CAPITALS_INSIDE.findall(text)) + SINGLE.get(codec, -7.0)
    return found + _UNPAIRED * unpaired(text)


def unpaired(text: str) -> int:
    """Count the brackets and backslashes of an SGF text that stand where none should: the sign of a wrong encoding."""
    inside = sum(m[0].count("[") - m[0].count("\\[") - m[0].endswith("]") for m in _VALUE.finditer(text))
    return inside + len(re.findall(r"[\[\]\\]", _VALUE.sub("", text)))


class _Weights(dict[str, float]):
    """Logarithms of probabilities; those of characters that have not come yet are found by their place in a code."""

    def __init__(self, codec: str, known: Iterable[tuple[str, float]]) -> None:
        super().__init__(known)
        self._codec = codec

    def __missing__(self, c: str) -> float:
        weight = self[c] = _ASCII if c < "\x80" else self._of(c)
        return weight

    def _of(self, c: str) -> float:
        if c == "\ufffd":
            return _DAMAGED
        if "\ue000" <= c <= "\uf8ff" or "\x80" <= c < "\xa0":
            return _PRIVATE
        if self._codec not in ASIAN:
            return _UNKNOWN if self._codec == "utf-8" and c > "\u2e7f" else _of_alphabet(c)
        if "\uff61" <= c <= "\uff9f":  # katakana of one byte
            return _SIGN
        _, _, low, high, count = ASIAN[self._codec]
        raw = c.encode(self._codec, "replace")
        if len(raw) == 2 and low <= raw[0] <= high and (raw[1] > 0xA0 or self._codec in ("cp932", "cp950")):
            return log(_SHARES[1] / count)
        if raw[0] < low and raw[0] >= (0x81 if self._codec == "cp932" else 0xA1):
            return _WIDE_MARK
        extended = self._codec in ("gb18030", "cp949") and (raw[0] < 0xA1 or raw[-1] < 0xA1)
        return _BEYOND if extended or len(raw) != 2 else _SECOND_PLANE


@cache
def _asian(codec: str) -> _Weights:
    _, frequent, *_ = ASIAN[codec]
    return _Weights(codec, _shared(frequent, codec))


@cache
def _first(codec: str) -> dict[str, float]:
    return dict(_shared(ASIAN[codec][0], codec))


def _shared(characters: str, codec: str) -> list[tuple[str, float]]:
    """Share the probability of frequent characters among those that an encoding has."""
    there = [c for c in dict.fromkeys(characters) if c.encode(codec, "ignore")]
    return [(c, log(_SHARES[0] / len(there))) for c in there]


@cache
def _single(codec: str) -> _Weights:
    return _Weights(codec, ())


def _of_alphabet(c: str) -> float:
    if c.lower() in chars.ACCENTED or (c.isalpha() and ("\u0386" <= c <= "\u044f" or "\u05d0" <= c < "\u0e80")):
        return _CAPITAL if c.isupper() else _SMALL
    return _SIGN if c in _SIGNS else _OTHER
