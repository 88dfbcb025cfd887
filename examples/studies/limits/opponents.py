"""Score what it costs to take the other side for perfect: tic-tac-toe to its end, against three opponents.

    python opponents.py -o opponents.tsv

Opponents play at random, the best move one ply deep by open lines, or a perfect one; equal moves by lot. Against each
plays minimax to the end, equal moves by lot too, and a player who knows the opponent and takes the move that is worth
most against it. A row for each opponent and side: the mean results, exact, 1 won and -1 lost.
"""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path

import numpy as np
from small_games import State, Truth, sign

from gotools.game.game import find_game
from gotools.jit.kernels.seams import ONGOING

GAME = find_game("tictactoe")
TRUTH = Truth(GAME)
OPPONENTS = ("random", "open lines", "perfect")


def open_lines(state: State) -> float:
    """Return the value of a position to its side: 1, 0 or -1 at the end, else the lead in open lines in tenths."""
    over = GAME.outcome(state)
    if over != ONGOING:
        return float(sign(over))
    x = np.zeros(2)
    GAME.find_features("lines").inputs(state, x)
    return float(x.sum()) / 10


def choices(player: str, state: State) -> list[State]:
    """List the positions that a player draws from."""
    after = [GAME.play(state, move) for move in GAME.moves_of(state)]
    if player == "random":
        return after
    worth = [-(open_lines(one) if player == "open lines" else TRUTH.value(one)) for one in after]
    return [one for one, value in zip(after, worth, strict=True) if value == max(worth)]


@cache
def result(cells: bytes, side: int, player: str, opponent: str) -> float:
    """Return the mean result of a player of a side from a position on; the player `knows` maximises it."""
    state = np.frombuffer(cells, np.int32).copy()
    over = GAME.outcome(state)
    if over != ONGOING:
        return float(sign(over)) * (1 if state[1] == side else -1)
    mine = state[1] == side
    after = choices("random" if mine and player == "knows" else player if mine else opponent, state)
    found = [result(one.tobytes(), side, player, opponent) for one in after]
    return max(found) if mine and player == "knows" else sum(found) / len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description="Score minimax against opponents that are not perfect.")
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    lines = ["opponent\tside\tminimax\tknows"]
    for opponent in OPPONENTS:
        for side in (1, 2):
            found = [result(GAME.position().tobytes(), side, player, opponent) for player in ("perfect", "knows")]
            lines.append("\t".join([opponent, ("first", "second")[side - 1], *(f"{x:.3f}" for x in found)]))
    words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
