"""Print a row for each file of weights: games won, drawn and lost against a random player, and against Samuel's terms.

python -m draughts_game.curve 3 100 eval-*.npz     both sides look 3 plies ahead, but for the random player; 100 games
"""

import sys

from draughts_game.draughts import DRAUGHTS, POLYNOMIAL
from gotools.values.games.match import Searcher, play_series
from gotools.values.weights.evaluator import load_evaluator

OPENING = 4
"""Random moves before a game, without which all games against Samuel's terms would be alike."""


def main(depth, games, files):
    others = {"random": Searcher(1), "samuel": Searcher(depth, POLYNOMIAL.evaluate, POLYNOMIAL.numbers)}
    print("weights", *(f"{name}_{what}" for name in others for what in ("won", "drawn", "lost")), sep="\t")
    for file in files:
        evaluator = load_evaluator(file, DRAUGHTS.name)
        player = Searcher(depth, evaluator.evaluate, evaluator.numbers)
        counts = []
        for other in others.values():
            first, second = play_series(DRAUGHTS, player, other, games // 2, seed=1, opening=OPENING)
            counts += [one + two for one, two in zip(first, second, strict=True)]
        print(file, *counts, sep="\t", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
