"""The features of Go moves for an ordering by clusters, and the features of the moves of a table."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.learning import MoveFeatures
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.inputs.kernels import move_features as k
from gotools.games.go.vocabulary import STAGES


def _describe(decisions: GoExamples) -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
    """Return the features of every row's move, int16[n, features], and the stage of its position, uint8[n]."""
    features = np.empty((len(decisions), k.FEATURES), np.int16)
    stages = np.empty(len(decisions), np.uint8)
    d = decisions
    k.describe_decisions(d.board, d.size, d.to_play, d.last, d.last2, d.move, features, stages)
    return features, stages


MOVE_FEATURES: Final = MoveFeatures(
    names=(
        "line", "second_line", "fullness", "captured", "ataris", "atari_stones", "touched", "touched_stones",
        "touched_liberties", "joined", "joined_stones", "saved", "liberties_before", "liberties_after",
        "other_liberties", "own_near", "other_near", "own_around", "other_around", "last_distance", "last2_distance",
        "last_liberties",
    ),
    most=k.MAXIMA,
    stages=STAGES,
    measure=k.measure_moves,
    order=k.order_by_clusters,
    describe=_describe,
)  # fmt: skip
"""Each counts up to its `most`:

line, second_line   lines from the nearest edge, and from the nearest of the other two edges
fullness            twentieths of the board that hold stones: how far the game has come
captured            stones taken
ataris, atari_stones    opponent's chains put in atari, and their stones
touched, touched_stones, touched_liberties   opponent's chains beside the point, their stones, the least liberties
joined, joined_stones   own chains beside the point, their stones
saved               own stones in atari whose chain touches the point or a captured chain; 0 if liberties_after < 2
liberties_before, liberties_after    least liberties of own chains beside the point; of the chain after the move, for
                    which a captured chain counts one, however many of its points the chain then touches
other_liberties     liberties that the opponent's chain would have there, counted in the same way
own_near, other_near, own_around, other_around   stones among the eight points around, and the sixteen around these
last_distance, last2_distance   dx + dy + max(dx, dy) to the last move, and to the last but one
last_liberties      liberties left to the chain of the last move, where the move takes one; else the most
"""
