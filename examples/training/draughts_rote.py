"""Rote learning after Samuel (1959): a table of positions of draughts, with the values that searches backed up to them.

    python draughts_rote.py 500 --plies 3     learn from 500 games, then play 200 against what knows no table

A search that ends in a position of the table sees as much further as the search that put it there. The table is part
of an evaluation's numbers, as weights are; a position takes the place of another with the same place. The game is that
of examples/draughts, which has to be installed.
"""

from __future__ import annotations

import argparse
import random

import numpy as np
from draughts_game.draughts import DRAUGHTS, POLYNOMIAL
from draughts_game.kernels.rules import key
from draughts_game.kernels.values import samuel_value
from numpy.typing import NDArray

from gotools.game.choice import Limits
from gotools.jit import seam
from gotools.jit.kernels.seams import EVALUATE, ONGOING
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.knowledge import NO_ORDERING, Evaluation
from gotools.values.games.match import Searcher, play_series

PLACES, OPENING, GAMES = 1 << 20, 2, 200
"""Places of the table, random moves before each game, games of the match."""
FIRST = len(POLYNOMIAL.numbers)
NAME_BITS = 53
"""Of a key, those that a float64 holds exactly."""


@seam(EVALUATE)
def rote_value(state, numbers):  # type: ignore[no-untyped-def]
    """Value a position by the table, where it is there, else by Samuel's terms.

    numbers: | those of samuel_value, FIRST | places of the table: key less its last bits, value |
    """
    name = key(state)
    at = FIRST + 2 * (name % PLACES)
    return numbers[at + 1] if numbers[at] == np.float64(name >> (64 - NAME_BITS)) else samuel_value(state, numbers)


def learn(games: int, plies: int) -> NDArray[np.float64]:
    """Return the numbers of `rote_value` after games against itself."""
    numbers, rng = np.concatenate((POLYNOMIAL.numbers, np.zeros(2 * PLACES))), random.Random(1)
    evaluation = Evaluation("rote", rote_value, numbers)
    for _ in range(games):
        search = AlphaBeta(DRAUGHTS, NO_ORDERING, evaluation, AlphaBetaSettings(quiescence=0, table_bits=12))
        state, ply = DRAUGHTS.position(), 0
        while DRAUGHTS.outcome(state) == ONGOING:
            moves = DRAUGHTS.moves_of(state)
            choice = search.choose(state, moves, Limits(depth=plies))
            name = int(DRAUGHTS.key(state))
            at = FIRST + 2 * (name % PLACES)
            numbers[at : at + 2] = name >> (64 - NAME_BITS), choice.value
            state, ply = DRAUGHTS.play(state, rng.choice(moves) if ply < OPENING else choice.move), ply + 1
    return numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int)
    parser.add_argument("--plies", type=int, default=3)
    asked = parser.parse_args()
    numbers = learn(asked.games, asked.plies)
    known = Searcher(asked.plies, rote_value, numbers)
    other = Searcher(asked.plies, POLYNOMIAL.evaluate, POLYNOMIAL.numbers)
    first, second = play_series(DRAUGHTS, known, other, GAMES // 2, seed=2, opening=OPENING)
    won, drawn, lost = (one + two for one, two in zip(first, second, strict=True))
    print(f"{np.count_nonzero(numbers[FIRST::2])} positions; {won} games won, {drawn} drawn, {lost} lost")


if __name__ == "__main__":
    main()
