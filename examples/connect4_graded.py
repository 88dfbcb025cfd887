"""Make tables of Connect-4 positions in which every right move is an example: rules learn to choose one of them.

    python examples/connect4_graded.py learn.tsv test.tsv [--plies 8] [--positions N] [--share 0.2] [--by SOLVER]
    gotools induce-patterns --game connect4 --objective rank learn.tsv --test test.tsv -o rules.pl

All positions of so many plies that play can reach, one of each with its mirror image, that have a wrong move: in random
order, the last --share of them to the second file; --positions takes that many of them. A right move is one that keeps
the result, won, drawn or lost; the rows of a position have one id, and the ids of a hundred positions one name. SOLVER
is bitbully (exact; `pip install bitbully bitbully-databases`, AGPL-3; 58,000 positions in two minutes), or
alphabeta:12, our own search so deep, which takes what it cannot see the end of for a draw.
"""

import argparse
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from gotools.engines.players import new_player
from gotools.game.choice import Limits
from gotools.game.game import find_game
from gotools.game.history import History

GAME = find_game("connect4")
HEADER = "##gotools examples 2\n##game=connect4\n#id\tto_play\tposition\tmove\n"
TOGETHER = 100
State = np.ndarray
Grades = dict[int, int]
"""1, 0 or -1 by move: the result that it leads to."""


def sign(number: float) -> int:
    return (number > 0) - (number < 0)


def bitbully() -> Callable[[State, list[int]], Grades]:
    from bitbully import BitBully, Board

    solver = BitBully(opening_book="12-ply-dist")
    return lambda _, moves: {move: sign(score) for move, score in solver.score_all_moves(Board(moves)).items()}


def alphabeta(depth: int) -> Callable[[State, list[int]], Grades]:
    player = new_player(GAME.name)

    def worth(state: State) -> float:
        if not GAME.moves_of(state):
            return GAME.outcome(state)
        return player.choose(History(GAME, GAME.sizes[0], (state,)), Limits(depth=depth)).value

    def grades(state: State, _: list[int]) -> Grades:
        values = {move: -worth(GAME.play(state, move)) for move in GAME.moves_of(state)}
        return {move: sign(value) * (abs(value) > GAME.decided) for move, value in values.items()}

    return grades


def positions(plies: int) -> list[tuple[State, list[int]]]:
    """Return all positions of so many plies with moves that lead there, one of each and its mirror image."""
    found = [(GAME.position(), list[int]())]
    for _ in range(plies):
        reached: dict[str, tuple[State, list[int]]] = {}
        for state, moves in found:
            for move in GAME.moves_of(state):
                after = GAME.play(state, move)
                text = GAME.text_of(after)
                mirrored = "/".join(row[::-1] for row in text.split("/"))
                reached.setdefault(min(text, mirrored), (after, [*moves, move]))
        found = list(reached.values())
    return [(state, moves) for state, moves in found if GAME.moves_of(state)]


def graded(given: argparse.Namespace) -> Iterator[str]:
    """Yield the rows of each position."""
    solver, _, depth = given.by.partition(":")
    grades_of = bitbully() if solver == "bitbully" else alphabeta(int(depth or 12))
    drawn = positions(given.plies)
    random.Random(given.seed).shuffle(drawn)
    count = 0
    for state, moves in drawn:
        grades = grades_of(state, moves)
        right = [move for move, grade in grades.items() if grade == max(grades.values())]
        if len(right) == len(grades):
            continue
        name = f"graded-{count // TOGETHER + 1:04}:{given.plies + 1}"
        row = f"{name}\t{'bw'[given.plies % 2]}\t{GAME.text_of(state)}"
        yield "".join(f"{row}\t{GAME.move_text(move, GAME.sizes[0])}\n" for move in right)
        count += 1
        if count == given.positions:
            break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("learn", type=Path)
    parser.add_argument("test", type=Path)
    parser.add_argument("--plies", type=int, default=8)
    parser.add_argument("--positions", type=int, default=0, help="0: all")
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--by", default="bitbully", metavar="SOLVER")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rows = list(graded(given))
    learned = round(len(rows) * (1 - given.share))
    for path, some in ((given.learn, rows[:learned]), (given.test, rows[learned:])):
        path.write_text(HEADER + "".join(some), encoding="utf-8")
        print(f"{path}: {len(some):,} positions")


if __name__ == "__main__":
    main()
