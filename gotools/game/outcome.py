"""The end of a game: its result, and why it ended; leads in points as text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class End(StrEnum):
    """Why a game ended."""

    score = "score"  # two passes, counted; in games other than Go the end by their rules
    resign = "resign"
    moves = "moves"  # the longest game allowed, counted as the board stands; in games other than Go a draw
    time = "time"  # the clock ran out; the answer came later
    stall = "stall"  # no answer within the patience beyond the clock; the engine was killed
    crash = "crash"  # the engine's process ended
    flood = "flood"  # an answer without end; the engine was killed
    illegal = "illegal"  # a move against the rules, off the board or not a move at all
    refused = "refused"  # `?` to genmove
    rejected = "rejected"  # `?` to a legal move of the opponent
    setup = "setup"  # `?` to a command that sets up a game
    cycle = "cycle"  # the same position for the third time: under simple ko no result, in games other than Go a draw
    dispute = "dispute"  # the engines disagree about who won, and no count can be believed: no result


@dataclass(frozen=True, slots=True)
class Count:
    """The result of a finished game as SGF has it, the kind of end, and how it was counted."""

    result: str
    end: End
    how: str


def score_text(points: float) -> str:
    """Write black's lead as a result: B+3.5, W+12, 0."""
    if points == 0:
        return "0"
    return f"{'B' if points > 0 else 'W'}+{abs(points):g}"


def parse_score(text: str) -> float | None:
    """Read "B+3.5", "W+12", "0" as black's lead; None for anything else."""
    sign = {"B": 1.0, "W": -1.0}.get(text[:1].upper())
    if text in ("0", "0.0", "Draw", "draw", "Jigo", "jigo"):
        return 0.0
    if sign is None or text[1:2] != "+":
        return None
    try:
        points = float(text[2:])
    except ValueError:
        return None
    return sign * points if 0 < points < 1e6 else None
