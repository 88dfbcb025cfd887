"""Write what pieces of shogi are worth by the fixed evaluation as weights, to begin a training with: table.py FILE"""

from __future__ import annotations

import sys

import numpy as np

from gotools.game.game import find_game
from gotools.values.weights.weights_file import Weights, save_weights

PLAIN = dict(zip("PLNSGBR", (1, 3, 4, 5, 6, 8, 10), strict=True))
PROMOTED = {f"+{piece}": worth for piece, worth in zip("PLNSBR", (7, 6, 6, 6, 10, 12), strict=True)}
IN_HAND = {f"{piece} in hand": worth for piece, worth in zip("PLNSGBR", (1, 3, 4, 5, 6, 9, 11), strict=True)}
WORTH = PLAIN | PROMOTED | IN_HAND
"""docs/shogi.md, Players."""
HALF = 20
"""A lead that is worth one half."""


def main() -> None:
    features = find_game("shogi").find_features("material")
    scales = features.scales(9)
    weights = np.array([WORTH[label] for label in features.labels(9)]) / (HALF * scales)
    save_weights(sys.argv[1], Weights("shogi", 9, 0.0, "material", "linear", 0, weights, scales))


if __name__ == "__main__":
    main()
