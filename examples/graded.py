"""Make tables of positions in which every right move is an example: rules learn to choose one of them.

    python examples/graded.py learn.tsv test.tsv [--game connect4] [--plies 8] [--positions N] [--by SOLVER]
    gotools induce-patterns --game connect4 --objective rank learn.tsv --test test.tsv -o rules.pl

All positions after --plies moves (0-7: after 0 to 7 moves) that have a wrong move, one of a position and its mirror
image: in random order, the last --share of them to the second file; --positions takes that many of
them. A right move is one that keeps the result, won, drawn or lost; the rows of a position have one id, and the ids of
a hundred positions one name. SOLVER is bitbully (Connect-4, exact; `pip install bitbully bitbully-databases`, AGPL-3;
58,000 positions in two minutes), or alphabeta:12, our own search to depth 12, which counts a game as a draw if it does
not see its end: exact for tic-tac-toe.
"""

import argparse
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from gotools.engines.players import new_player
from gotools.game.choice import Limits
from gotools.game.game import Game, find_game
from gotools.game.history import History

HEADER = "##gotools examples 2\n##game={}\n#id\tto_play\tposition\tmove\n"
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


def alphabeta(game: Game, depth: int) -> Callable[[State, list[int]], Grades]:
    player = new_player(game.name, evaluation="none")

    def worth(state: State) -> float:
        if not game.moves_of(state):
            return game.outcome(state)
        return player.choose(History(game, game.sizes[0], (state,)), Limits(depth=depth)).value

    def grades(state: State, _: list[int]) -> Grades:
        values = {move: -worth(game.play(state, move)) for move in game.moves_of(state)}
        return {move: sign(value) * (abs(value) >= game.decided) for move, value in values.items()}

    return grades


def positions(game: Game, least: int, most: int) -> list[tuple[State, list[int]]]:
    """Return all positions of some plies with moves that lead there, one of each and its mirror image."""
    layer, found = [(game.position(), list[int]())], []
    for ply in range(most + 1):
        found += [one for one in layer if ply >= least and game.moves_of(one[0])]
        reached: dict[str, tuple[State, list[int]]] = {}
        for state, moves in layer:
            for move in game.moves_of(state) if ply < most else ():
                after = game.play(state, move)
                text = game.text_of(after)
                mirrored = "/".join(row[::-1] for row in text.split("/"))
                reached.setdefault(min(text, mirrored), (after, [*moves, move]))
        layer = list(reached.values())
    return found


def graded(given: argparse.Namespace) -> Iterator[str]:
    """Yield the rows of each position."""
    solver, _, depth = given.by.partition(":")
    game = find_game(given.game)
    grades_of = bitbully() if solver == "bitbully" else alphabeta(game, int(depth or 12))
    least, _, most = given.plies.partition("-")
    drawn = positions(game, int(least), int(most or least))
    random.Random(given.seed).shuffle(drawn)
    count = 0
    for state, moves in drawn:
        grades = grades_of(state, moves)
        right = [move for move, grade in grades.items() if grade == max(grades.values())]
        if len(right) == len(grades):
            continue
        name = f"graded-{count // TOGETHER + 1:04}:{len(moves) + 1}"
        row = f"{name}\t{'bw'[len(moves) % 2]}\t{game.text_of(state)}"
        yield "".join(f"{row}\t{game.move_text(move, game.sizes[0])}\n" for move in right)
        count += 1
        if count == given.positions:
            break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("learn", type=Path)
    parser.add_argument("test", type=Path)
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--plies", default="8")
    parser.add_argument("--positions", type=int, default=0, help="0: all")
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--by", default="bitbully", metavar="SOLVER")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rows = list(graded(given))
    learned = round(len(rows) * (1 - given.share))
    for path, some in ((given.learn, rows[:learned]), (given.test, rows[learned:])):
        path.write_text(HEADER.format(given.game) + "".join(some), encoding="utf-8")
        print(f"{path}: {len(some):,} positions")


if __name__ == "__main__":
    main()
