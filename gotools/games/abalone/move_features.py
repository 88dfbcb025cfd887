"""The features of Abalone's moves for an ordering by clusters: a choice of the vocabulary's measures."""

from __future__ import annotations

from typing import Final

from gotools.game.learning import MoveFeatures
from gotools.games.abalone.kernels import move_features as k
from gotools.games.abalone.vocabulary import VOCABULARY

_NAMES: Final = {
    column + side: f"{('', 'other_')[side]}{m.name}"
    for m in VOCABULARY.measures
    for column in [VOCABULARY.column_of[m.name]]
    for side in range(m.columns)
}

MOVE_FEATURES: Final = MoveFeatures(
    names=tuple(_NAMES[column] for column in k.COLUMNS.tolist()),
    most=tuple(k.MOST.tolist()),
    stages=tuple(VOCABULARY.stages),
    measure=k.measure_moves,
    order=k.order_by_clusters,
)
"""Each counts up to its `most`; those of the other side begin with other_. The measures are in vocabulary.py."""
