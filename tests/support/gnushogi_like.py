"""A program with the commands of GNU Shogi that examples/gnushogi_usi.py uses; it makes the last legal move."""

from __future__ import annotations

import sys

from gotools.game.game import find_game

SHOGI = find_game("shogi")


def main() -> None:
    state, number = SHOGI.position(9), 0
    for line in sys.stdin:
        word = line.strip()
        if word == "new":
            state, number = SHOGI.position(9), 0
        elif word == "depth":
            print("depth = ", end="")
            next(sys.stdin)
        elif word == "go":
            moves = SHOGI.moves_of(state)
            if moves:
                print(f"1. ... {SHOGI.move_text(moves[-1], 9)} 300000")
        elif word != "force":
            legal = {SHOGI.move_text(move, 9): move for move in SHOGI.moves_of(state)}
            if word in legal:
                number += 1
                state = SHOGI.play(state, legal[word])
                print(f"{number}. {word} 300000")
            else:
                print(f"Illegal move (no match) {word}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
