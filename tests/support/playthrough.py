"""A random game as text, to see at a glance whether a game still is what it was.

    .venv/bin/python tests/support/playthrough.py go 5 > tests/golden/go-5.txt

writes the golden text of a game on a board of a size anew: do so only where the rules were meant to change.
"""

from __future__ import annotations

import random
import sys

from support.slow_search import listed

from gotools.game.game import Game, find_game

PLIES = 80


def playthrough(game: Game, size: int) -> str:
    """Play worthy moves at random, at most PLIES of them.

    Returns a line for each move (its number, text, how many were worthy and legal), the last position, and its outcome.
    """
    rng = random.Random(20)
    state = game.position(size)
    worthy_moves = listed(game, game.worthy)
    lines: list[str] = []
    while (worthy := worthy_moves(state)) and len(lines) < PLIES:
        move = worthy[int(rng.random() * len(worthy))]  # choice() may change from one Python to the next
        text = game.move_text(move, size)
        lines.append(f"{len(lines) + 1} {text}, of {len(worthy)} worthy, {len(game.moves_of(state))} legal")
        state = game.play(state, move)
    return "\n".join([*lines, "", game.draw(state), f"outcome {game.outcome(state):.4f}", ""])


if __name__ == "__main__":
    print(playthrough(find_game(sys.argv[1]), int(sys.argv[2])), end="")
