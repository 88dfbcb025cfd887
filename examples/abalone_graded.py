"""Make tables of Abalone positions with the move of a deeper search: rules learn which move to try first.

    python examples/abalone_graded.py learn.tsv [--games 300] [--eval player.npz] [--depth 5]
    gotools induce-patterns --game abalone --objective rank learn.tsv --max-rules 100 -o rules.pl

Games of a shallow search, from all named starts in turn, after some random moves and with some more among them. Of each
game some positions are drawn. In a part of them one more random move or two are made, as a search meets what no player
plays: rules learn to refute these too. A game is written when it is over; a table that is there is gone on with. The
same options and the same release of gotools write the same rows.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from gotools.engines.players import new_player
from gotools.game.choice import Limits
from gotools.game.game import Game, find_game
from gotools.game.history import History
from gotools.game.sides import side_letter
from gotools.games.abalone.board import STARTS
from gotools.jit.kernels.seams import TO_PLAY

HEADER = "##gotools examples 2\n##game=abalone\n#id\tto_play\tposition\tmove\n"
OPENING, PLIES = (0, 12), 160
"""Random moves that a game begins with, and where it ends at last."""
RANDOM, STRAYED = 0.15, 0.5
"""Share of random moves in games, and of positions that random moves have led away from them."""


def play(game: Game, rng: random.Random, player, depth: int):
    """Return the positions of a game, without the last."""
    state, states = game.position(), []
    opening = rng.randint(*OPENING)
    while (moves := game.moves_of(state)) and len(states) < PLIES:
        states.append(state)
        if len(states) <= opening or rng.random() < RANDOM:
            move = rng.choice(moves)
        else:
            player.forget()
            move = player.choose(History(game, game.sizes[0], (state,)), Limits(depth=depth)).move
            move = game.move_at(move, game.sizes[0])
        state = game.play(state, move)
    return states


def graded(number: int, given: argparse.Namespace, player) -> Iterator[str]:
    """Yield the rows of a game."""
    rng = random.Random(f"{given.seed}:{number}")
    starts = sorted(STARTS)
    game = find_game(f"abalone:{starts[number % len(starts)]}")
    states = play(game, rng, player, rng.choice((1, 2, 2, 3)))
    for ply in sorted(rng.sample(range(len(states)), min(given.positions, len(states)))):
        state = states[ply]
        for _ in range(rng.randint(1, 2) if rng.random() < STRAYED else 0):
            if moves := game.moves_of(state):
                state = game.play(state, rng.choice(moves))
        if not game.moves_of(state):
            continue
        player.forget()
        best = player.choose(History(game, game.sizes[0], (state,)), Limits(depth=given.depth)).move
        side, position = side_letter(int(state[TO_PLAY])), game.text_of(state)
        yield f"graded-{number:04}:{ply + 1}\t{side}\t{position}\t{game.move_text(best, game.sizes[0])}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--positions", type=int, default=20, help="of a game")
    parser.add_argument("--depth", type=int, default=5, help="plies of the search that grades")
    parser.add_argument("--eval", help="learned values; else the steps from the centre")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if not given.table.exists():
        given.table.write_text(HEADER, encoding="utf-8")
    rows = given.table.read_text(encoding="utf-8").splitlines()[3:]
    done = int(rows[-1].split(":")[0].removeprefix("graded-")) + 1 if rows else given.first
    player = new_player("abalone", evaluation=given.eval)
    for number in range(done, given.first + given.games):
        with given.table.open("a", encoding="utf-8") as out:
            out.write("".join(graded(number, given, player)))


if __name__ == "__main__":
    main()
