"""The features of shogi's moves for an ordering by clusters."""

from __future__ import annotations

from typing import Final

from gotools.game.learning import MoveFeatures
from gotools.games.shogi.kernels import move_features as k

_OF_PIECES: Final = ("sum", "most", "mean", "least")
_MOST_OF_PIECES: Final = (k.MOST_SUM, k.MOST_WORTH, k.MOST_WORTH, k.MOST_WORTH)


def _of(group: str, number: bool = False) -> tuple[str, ...]:
    return (*(f"{group}_{what}" for what in _OF_PIECES), *([f"{group}_number"] if number else []))


def _most(number: bool = False) -> tuple[int, ...]:
    return (*_MOST_OF_PIECES, *([k.MOST_NUMBER] if number else []))


MOVE_FEATURES: Final = MoveFeatures(
    names=(
        "piece", "captured", "from_row", "from_file", "to_row", "to_file", "promotes",
        *_of("attacked"), *_of("from_attackers"), *_of("to_attackers", True),
        *_of("from_defenders"), *_of("to_defenders", True),
        "other_king_files", "other_king_rows", "own_king_files", "own_king_rows", "move_number",
        "protected_sum", "protected_number", "left_sum", "left_number",
    ),
    most=(
        k.MOST_WORTH, k.MOST_WORTH, 8, 8, 8, 8, 1,
        *_most(), *_most(), *_most(True), *_most(), *_most(True),
        k.MOST_STEPS, k.MOST_STEPS, k.MOST_STEPS, k.MOST_STEPS, k.MOST_TENS,
        k.MOST_SUM, k.MOST_NUMBER, k.MOST_SUM, k.MOST_NUMBER,
    ),
    stages=("opening", "attack", "defence", "even"),
    measure=k.measure_moves,
    order=k.order_by_clusters,
)  # fmt: skip
"""Each counts up to its `most`; pieces have the worth of kernels/values.py, the king 15:

piece, captured     worth of the piece that moves, and of what it takes
from_row, to_row    rows from the side's own last row; from_file, to_file   files, from its left hand
promotes            1 where the piece promotes
attacked            pieces of the other side that it attacks from its new square: their sum, the most, mean, least worth
from_attackers, to_attackers    pieces of the other side that attack the old square, and the new one
from_defenders, to_defenders    other pieces of one's own that do
*_number            how many these are
other_king, own_king    files and rows between the new square and the kings
move_number         tens of plies
protected, left     pieces of one's own that it defends from its new square, and that it defended from the old one

The stages are situations: the opening (up to three pieces in hand, none promoted); attack and defence, where two
pieces more stand within two squares of the other king than of one's own, or two less; even.
"""
