"""The features of the moves of tic-tac-toe and Connect-4 for an ordering by clusters."""

from __future__ import annotations

from typing import Final

from gotools.game.learning import MoveFeatures
from gotools.games.kernels import move_features as k

_STAGES: Final = ("opening", "middle", "end")

CONNECT4_MOVES: Final = MoveFeatures(
    names=(
        "centre_distance", "row", "even_row", "open_lines", "twos", "threes", "wins",
        "other_twos", "other_threes", "blocks", "wins_above", "other_wins_above", "threats", "other_threats",
    ),
    most=(3, 5, 1, 13, 13, 13, 1, 13, 13, 1, 1, 1, 7, 7),
    stages=_STAGES,
    measure=k.measure_connect4,
    order=k.order_connect4_by_clusters,
)  # fmt: skip
"""Of the cell where the stone comes to rest:

centre_distance, row, even_row   columns from the middle one; rows below; 1 on the second, fourth, sixth row
open_lines, twos, threes, wins   lines of four through it without a stone of the opponent that hold 0, 1, 2 own stones
                                 before the move; 1 where one holds 3
other_twos, other_threes, blocks     lines without an own stone that hold 1, 2 stones of the opponent; 1 where one has 3
wins_above, other_wins_above     1 where a stone on top of it would make four, of one's own, of the opponent
threats, other_threats           columns in which each side could make four with its next stone, after the move
"""

TICTACTOE_MOVES: Final = MoveFeatures(
    names=("lines", "open_lines", "twos", "wins", "other_twos", "blocks"),
    most=(4, 4, 4, 1, 4, 1),
    stages=_STAGES,
    measure=k.measure_tictactoe,
    order=k.order_tictactoe_by_clusters,
)
"""lines through the cell: all; empty ones; with one own stone alone, or 1 where one holds two; and the opponent's."""
