"""The lines of a live analysis, as Leela Zero and KataGo print them; all values are for the side to play.

lz-analyze      info move D4 visits 12 winrate 4650 prior 1234 lcb 3900 order 0 pv D4 E5 info move ...
kata-analyze    info move D4 visits 12 winrate 0.465000 prior 0.123400 lcb 0.390000 order 0 pv D4 E5 info move ...
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

SURE: Final = 1.96
"""Standard errors between the winrate and its lower bound: one time in forty it lies lower."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that a search looked at: its text, winrate and prior from 0 to 1, and the moves expected from it on."""

    move: str
    winrate: float
    visits: int
    prior: float
    line: tuple[str, ...]


Line = Callable[[Sequence[Candidate], "float | None"], str]
"""Write a report of moves, with the lead in points where it is known."""


def lz_line(candidates: Sequence[Candidate], lead: float | None) -> str:
    """Write a report as Leela Zero does: values are whole numbers to 10,000, the lead is left out."""
    parts = []
    for order, candidate in enumerate(candidates):
        numbers = (candidate.winrate, candidate.prior, lower_bound(candidate))
        winrate, prior, lcb = (round(10_000 * min(max(number, 0.0), 1.0)) for number in numbers)
        values = f"visits {candidate.visits} winrate {winrate} prior {prior} lcb {lcb} order {order}"
        parts.append(f"info move {candidate.move} {values} pv {' '.join(candidate.line)}")
    return " ".join(parts)


def kata_line(candidates: Sequence[Candidate], lead: float | None) -> str:
    """Write a report as KataGo does: values are fractions; the lead in points stands with the first move only."""
    parts = []
    for order, candidate in enumerate(candidates):
        points = "" if lead is None or order else f" scoreMean {lead:.3f} scoreLead {lead:.3f}"
        values = f"visits {candidate.visits} winrate {candidate.winrate:.6f}{points}"
        values += f" prior {candidate.prior:.6f} lcb {lower_bound(candidate):.6f} order {order}"
        parts.append(f"info move {candidate.move} {values} pv {' '.join(candidate.line)}")
    return " ".join(parts)


def lower_bound(candidate: Candidate) -> float:
    """Return the lower end of the winrate's 95 % interval (Wald, with one won and one lost game added)."""
    n = candidate.visits + 2
    rate = (candidate.winrate * candidate.visits + 1) / n
    return min(max(rate - SURE * math.sqrt(rate * (1 - rate) / n), 0.0), 1.0)
