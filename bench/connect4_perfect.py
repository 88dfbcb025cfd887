"""Learned values of Connect-4 against perfect play, by the exact solver of the package bitbully (for measuring only).

usage: bench/connect4_perfect.py PLAYER... [--games 200] [--plies 1] [--positions 2000] [--seed 0]

PLAYER is eval.npz, which looks --plies ahead; alphabeta:DEPTH, our alpha-beta with the game's heuristic; or
play:SECONDS, the player of the package with that time for each move.

For each player: games as first mover against a perfect player that delays its loss and one that only keeps the result
(won, drawn, lost, score), and the share of positions of 8 and of 12 plies where the move chosen keeps the best result.
The positions are drawn by random play, those where every move keeps it left out. Equal moves are drawn at random.
Needs `pip install -e '.[measure]'`: bitbully and bitbully-databases (AGPL-3).
"""

import argparse
import random
from collections.abc import Callable

from bitbully import BitBully, Board

from gotools.engines.players import new_player
from gotools.game.choice import Limits
from gotools.game.game import find_game
from gotools.game.history import History
from gotools.values.games.match import Searcher, best_moves
from gotools.values.weights.evaluator import load_evaluator

GAME = find_game("connect4")
PLIES = (8, 12)

Scores = dict[int, int]
Player = Callable[[list[int]], list[int]]
"""Return the columns that a player draws from, after some moves."""


class Solver:
    """The exact score of every move; positions are solved once."""

    def __init__(self) -> None:
        self._solver = BitBully(opening_book="12-ply-dist")
        self._known: dict[int, Scores] = {}

    def scores(self, moves: list[int]) -> Scores:
        board = Board(moves)
        key = board.uid()
        if key not in self._known:
            self._known[key] = self._solver.score_all_moves(board)
        return self._known[key]

    def best(self, moves: list[int], delays: bool) -> list[int]:
        """List the moves of a perfect player; one that delays loses as late, and wins as early, as can be."""
        scores = self.scores(moves)
        worth = {move: score if delays else sign(score) for move, score in scores.items()}
        return [move for move in worth if worth[move] == max(worth.values())]


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def player_of(path: str, plies: int) -> Player:
    """Return a player that looks some plies ahead with the values of a file, or searches up to a limit."""
    search, _, limit = path.partition(":")
    if search == "alphabeta":
        searching, limits = new_player(GAME.name, evaluation="none"), Limits(depth=int(limit))
    elif search == "play":
        searching, limits = new_player(GAME.name), Limits(seconds=float(limit))
    else:
        evaluator = load_evaluator(path, GAME.name)
        searcher = Searcher(plies, evaluator.evaluate, evaluator.numbers)
    known: dict[tuple[int, ...], list[int]] = {}

    def choose(moves: list[int]) -> list[int]:
        key = tuple(moves)
        if key not in known:
            state = GAME.position()
            for move in moves:
                state = GAME.play(state, move)
            if search in ("alphabeta", "play"):
                known[key] = [searching.choose(History(GAME, GAME.sizes[0], (state,)), limits).move]
            else:
                known[key] = best_moves(GAME, searcher, state)
        return known[key]

    return choose


def play(player: Player, solver: Solver, delays: bool, games: int, rng: random.Random) -> list[int]:
    """Count victories, draws and losses of a player that moves first."""
    counts = [0, 0, 0]
    for _ in range(games):
        moves: list[int] = []
        board = Board()
        while not board.has_win() and len(moves) < 42:
            ours = len(moves) % 2 == 0
            move = rng.choice(player(moves) if ours else solver.best(moves, delays))
            board.play(move)
            moves.append(move)
        counts[1 if not board.has_win() else 0 if len(moves) % 2 else 2] += 1
    return counts


def positions(plies: int, count: int, solver: Solver, rng: random.Random) -> list[list[int]]:
    """Draw positions by random play: different ones, not over, and with a wrong move."""
    found: dict[int, list[int]] = {}
    while len(found) < count:
        board, moves = Board(), list[int]()
        while len(moves) < plies and not board.is_game_over():
            moves.append(rng.choice(board.legal_moves()))
            board.play(moves[-1])
        if len(moves) < plies or board.is_game_over() or board.uid() in found:
            continue
        if len({sign(score) for score in solver.scores(moves).values()}) > 1:
            found[board.uid()] = moves
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", metavar="PLAYER")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--plies", type=int, default=1)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    solver = Solver()
    drawn = {plies: positions(plies, given.positions, solver, random.Random(plies)) for plies in PLIES}
    print("#player\tdelaying\tscore\tany\tscore\toptimal_8\toptimal_12")
    for path in given.players:
        player, rng = player_of(path, given.plies), random.Random(given.seed)
        cells = [path]
        for delays in (True, False):
            won, even, lost = play(player, solver, delays, given.games, rng)
            cells += [f"{won}-{even}-{lost}", f"{(won + even / 2) / given.games:.3f}"]
        for plies in PLIES:
            good = sum(rng.choice(player(moves)) in solver.best(moves, False) for moves in drawn[plies])
            cells.append(f"{good / max(len(drawn[plies]), 1):.3f}")
        print("\t".join(cells), flush=True)


if __name__ == "__main__":
    main()
