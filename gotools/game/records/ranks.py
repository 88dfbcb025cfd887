"""Read the ranks and ratings of players, as people and servers write them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

from gotools.base.errors import GotoolsError, shown

PROFESSIONAL: Final = 50
"""Added to a professional's dan, so that 1p stands above every amateur."""
SHODAN: Final = 2100
PROFESSIONALS: Final = 2700
"""The ratings of 1d and of 1p on the scale of the European Go Federation."""
POINTS_A_RANK, POINTS_A_PROFESSIONAL_RANK = 100, 30
LEAST, MOST = 100, 3999
"""Numbers that count as ratings."""

_DIGITS: Final = {"〇": 0, **{digit: number for number, digit in enumerate("一二三四五六七八九", 1)}}
_FIRST: Final = frozenset("初入초입")
"""The first dan, 初段, and in China and Korea the dan of who enters the profession, 入段."""
_PRO: Final = "(?<![a-z])pro(?![a-z])|(?<![a-z])p|(?:[职職专専專][业業]|プロ|프로)(?:棋[手士]|기사)?"
_RANK = re.compile(
    rf"(?:({_PRO})[\s(:・]*)?-?(?<![\d.])(\d{{1,2}}|[〇一二三四五六七八九十廿卅]{{1,4}}|[初入초입](?=[段단]))\s*[-.]?\s*"
    rf"(kyu|dan|pro|[kdp](?![a-z])|段|级|級|단|급)(?:[\s(]*({_PRO})(?![a-z]))?"
)
_RATING = re.compile(r"[?*~\s]*([0-9]{3,4}(?:\.[0-9]+)?)[?*~\s]*")


def rank_value(text: str) -> float | None:
    """Return a strength that orders ranks and ratings, or None where `text` names none.

    30k is -30, 1k is -1, 1d is 1, 9d is 9, 1p is 51. Read as people write them: `5 dan`, `7d?`, `P9段`, `9p, Tengen`,
    `18级`, `二十級`, `职业九段`, `プロ初段`, `-8k` (a server's way to write 8k). Of several (`5p & 4p`) the first
    counts.

    A number that stands alone (`1500`, `1500?`, `2750.5`, `1850*`) is a rating: see `rating_value`.
    """
    words = unicodedata.normalize("NFKC", text).casefold()
    match = _RANK.search(words)
    if match is None:
        rating = rating_of(words)
        return None if rating is None else rating_value(rating)
    before, digits, unit, after = match.groups()
    number = 1 if digits in _FIRST else number_of(digits)
    if number < 0:
        return None
    if unit in ("k", "kyu", "级", "級", "급"):
        return -float(number)
    professional = before or after or unit.startswith("p")
    return float(number) + (PROFESSIONAL if professional else 0)


def number_of(text: str) -> int:
    """Return a number of 0 to 99, in digits or as 7, 二十五, 二五 and 廿五; -1 for other text."""
    if text.isascii():
        return int(text) if text.isdecimal() and len(text) < 3 else -1
    tens, ten, ones = text.replace("廿", "二十").replace("卅", "三十").rpartition("十")
    if not ten and len(ones) == 2:  # 二五
        tens, ones = ones[0], ones[1]
    if any(part and part not in _DIGITS for part in (tens, ones)):
        return -1
    return 10 * (_DIGITS[tens] if tens else len(ten)) + (_DIGITS[ones] if ones else 0)


def rating_of(text: str) -> float | None:
    """Return the rating that a text names as a number that stands alone (`1500?`), or None."""
    rating = _RATING.fullmatch(text)
    return None if rating is None else float(rating[1])


def rating_value(rating: float) -> float | None:
    """Return the strength of a rating on the scale of the European Go Federation, None outside LEAST to MOST.

    100 points are a rank: 100 is 20k (-20), 1500 is 6k (-6), 2000 is 1k (-1), 2100 is 1d (1), 2200 is 2d (2). From 2700
    on 30 points are one, and players count as professionals: 2700 is 1p (51), 2940 is 9p (59). Other ratings lie
    between: 2050 is 0, between 1k and 1d. Servers have scales of their own, which are not distinguished here.
    """
    if not LEAST <= rating <= MOST:
        return None
    if rating >= PROFESSIONALS:
        return PROFESSIONAL + 1 + (rating - PROFESSIONALS) / POINTS_A_PROFESSIONAL_RANK
    ranks = (rating - SHODAN) / POINTS_A_RANK
    if ranks >= 0:
        return 1 + ranks
    return 1 + 2 * ranks if ranks > -1 else ranks  # 1k is -1, 1d is 1


def parse_rank(text: str) -> float:
    """Return the strength that an option names.

    Raises GotoolsError if it is neither a rank nor a rating.
    """
    value = rank_value(text)
    if value is None:
        raise GotoolsError(f"`{shown(text)}` is not a rank; write it as 12k, 3d, 5p or 1500")
    return value


# strengths of players -------------------------------------------------------------------------------------------------


RATING, RANK = "rating", "rank"
_NUMBER: Final = re.compile(r"\s*[+-]?[0-9]{1,6}(\.[0-9]{1,9})?\s*")


class Strength(NamedTuple):
    """How strong a player is: a number that orders those of one scale, and the scale."""

    scale: str
    value: float

    def above(self, other: Strength) -> bool:
        """Return whether this is more than another strength of the same scale."""
        return self.scale == other.scale and self.value > other.value


def strength_of(text: str) -> Strength | None:
    """Return a rating, a number that stands alone, or a rank such as 3d, which has another scale; None for neither."""
    if _NUMBER.fullmatch(text):
        return Strength(RATING, float(text))
    return rank_strength(text)


def rank_strength(text: str) -> Strength | None:
    """Return a rank or a rating on the scale of ranks, see `rank_value`; None for neither."""
    value = rank_value(text)
    return None if value is None else Strength(RANK, value)
