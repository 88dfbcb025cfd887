"""Tic-tac-toe to its end: minimax beside alpha-beta, and whether learned values can lose at all.

    python tictactoe.py count a1 b2             positions that minimax and alpha-beta look at after these moves
    python tictactoe.py loses eval.npz --plies 2   walks every game against players that look so many plies ahead

A player of learned values draws among equal moves; all of them are walked, against every move of the other side.
Where no game is lost, the player can never lose.
"""

from __future__ import annotations

import argparse
import sys

from gotools.base.errors import GotoolsError
from gotools.game.choice import Limits
from gotools.game.game import find_game
from gotools.jit.kernels.seams import ONGOING
from gotools.search.alphabeta import AlphaBeta
from gotools.search.knowledge import NO_EVALUATION, NO_ORDERING
from gotools.values.games.match import Searcher, ways_to_lose
from gotools.values.weights.evaluator import load_evaluator

GAME = find_game("tictactoe")
WORDS = {1: "the side to play wins", 0: "a draw", -1: "the other side wins"}


def minimax(state: object) -> tuple[float, int]:
    """Return the value of a position for the side to play, and how many positions were looked at."""
    value = GAME.outcome(state)
    if value != ONGOING:
        return value, 1
    best, count = -1.0, 1
    for move in GAME.moves_of(state):  # type: ignore[arg-type]
        found, seen = minimax(GAME.play(state, move))  # type: ignore[arg-type]
        best, count = max(best, -found), count + seen
    return best, count


def count(moves: list[str]) -> None:
    """Print what both searches find after some moves."""
    state = GAME.position()
    for text in moves:
        move = GAME.parse_move(text, 3)
        if move not in GAME.moves_of(state):
            raise GotoolsError(f"{text} is not legal here")
        state = GAME.play(state, move)
    value, positions = minimax(state)
    search = AlphaBeta(GAME, NO_ORDERING, NO_EVALUATION)
    choice = search.choose(state, GAME.moves_of(state), Limits(depth=9))
    assert choice.value == value
    print(f"{WORDS[int(value)]}: minimax looks at {positions:,} positions, alpha-beta at {choice.nodes:,}")


def loses(paths: list[str], plies: int) -> None:
    """Print how many games learned values can lose."""
    for path in paths:
        found = load_evaluator(path, GAME.name)
        games = ways_to_lose(GAME, Searcher(plies, found.evaluate, found.numbers))
        shown = f", such as {' '.join(GAME.move_text(move, 3) for move in games[0])}" if games else ": it never loses"
        print(f"{path} at {plies} plies: {len(games)} games lost{shown}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    tasks = parser.add_subparsers(dest="task", required=True)
    tasks.add_parser("count").add_argument("moves", nargs="*", metavar="MOVE", help="a1 to c3, from the start")
    walk = tasks.add_parser("loses")
    walk.add_argument("files", nargs="+", metavar="EVAL", help="eval.npz of train-eval --game tictactoe")
    walk.add_argument("--plies", type=int, default=1, metavar="N", help="that the player looks ahead; 1")
    given = parser.parse_args()
    try:
        if given.task == "count":
            count(given.moves)
        else:
            loses(given.files, given.plies)
    except (GotoolsError, ValueError) as error:
        sys.exit(f"tictactoe.py: {error}")


if __name__ == "__main__":
    main()
