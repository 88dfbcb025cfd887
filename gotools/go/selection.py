"""Choose which games, and which players' moves in them, become examples: size, ranks, results, length."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gotools.errors import GotoolsError
from gotools.game import GameRecord

RESULTS = {
    "decided": re.compile(r"[BW]\+"),
    "B": re.compile(r"B\+"),
    "W": re.compile(r"W\+"),
    "resign": re.compile(r"[BW]\+R"),
    "score": re.compile(r"[BW]\+[0-9]|0$|DRAW"),
    "time": re.compile(r"[BW]\+T"),
    "draw": re.compile(r"0$|DRAW|JIGO"),
}
"""What --result may ask for, as a pattern at the beginning of SGF's RE in capitals."""

PROFESSIONAL = 50
"""Added to a professional's dan, so that 1p stands above every amateur."""

_KANJI = str.maketrans("一二三四五六七八九初０１２３４５６７８９", "12345678910123456789")
_RANK = re.compile(
    r"(p(?:ro)?\s*)?-?(\d{1,2})\s*[-.]?\s*(kyu|dan|pro|[kdp](?![a-z])|段|级|級|단|급)(\s*p(?:ro)?\b)?", re.IGNORECASE
)


def rank_value(text: str) -> float | None:
    """Return a strength that orders ranks, or None where `text` names no rank.

    30k is -30, 1k is -1, 1d is 1, 9d is 9, 1p is 51. Read as people write them: `5 dan`, `7d?`, `P9段`, `9p, Tengen`,
    `18级`, `-8k` (a server's way to write 8k). Of several (`5p & 4p`) the first counts.
    """
    match = _RANK.search(text.translate(_KANJI).replace("十", "10"))
    if match is None:
        return None
    before, number, unit, after = match.groups()
    if unit.lower() in ("k", "kyu", "级", "級", "급"):
        return -float(number)
    professional = before or after or unit.lower().startswith("p")
    return float(number) + (PROFESSIONAL if professional else 0)


def parse_rank(text: str) -> float:
    """Return the strength that an option names.

    Raises GotoolsError where it is no rank.
    """
    value = rank_value(text)
    if value is None:
        raise GotoolsError(f"`{text}` is no rank; write it as 12k, 3d or 5p")
    return value


@dataclass(frozen=True, slots=True)
class Selection:
    """Say which games and moves to take; the default takes all.

    `sizes` empty means any. `rank_above` and `weak_below` are strengths as `rank_value` gives them: moves of players
    at or below the first, or of no known rank, are left out; moves of players below the second who lost become
    counter-examples of source weak, and are examples no more. `result` is a key of RESULTS. Only the first `max_moves`
    moves of a game count.
    """

    sizes: frozenset[int] = frozenset()
    rank_above: float | None = None
    result: str | None = None
    max_moves: int | None = None
    weak_below: float | None = None

    def takes(self, record: GameRecord) -> bool:
        """Tell whether a game is of a size and result asked for."""
        if self.sizes and record.size not in self.sizes:
            return False
        return self.result is None or RESULTS[self.result].match(record.result.strip().upper()) is not None

    def takes_player(self, record: GameRecord, colour: int) -> bool:
        """Tell whether the moves of black (1) or white (2) are taken by the player's rank; weak losers' always are."""
        if self.rank_above is None or self.is_weak(record, colour):
            return True
        value = rank_value(record.ranks[colour - 1])
        return value is not None and value > self.rank_above

    def is_weak(self, record: GameRecord, colour: int) -> bool:
        """Tell whether black (1) or white (2) is below the weak rank and lost."""
        if self.weak_below is None:
            return False
        value = rank_value(record.ranks[colour - 1])
        lost = record.result.strip().upper().startswith("W+" if colour == 1 else "B+")
        return lost and value is not None and value < self.weak_below
