"""Connect-4 positions with their exact scores, from ../shared/data/connect4."""

from __future__ import annotations

from support.needs import SHARED

SETS = ("test_l3_r1", "test_l2_r1", "test_l2_r2", "test_l1_r1", "test_l1_r2", "test_l1_r3")
"""Easiest first: l3 ends of games, l1 beginnings; r1 to r3 by the plies to look ahead."""


def scored_positions(name: str) -> list[tuple[str, int]]:
    """Return the positions of one set as (moves, score for the side to play); `position_of` plays the moves."""
    lines = (SHARED / "connect4" / f"{name}.txt").read_text(encoding="ascii").split("\n")
    return [(moves, int(score)) for moves, score in (line.split() for line in lines if line)]
