"""Positions of tic-tac-toe and Connect-4 whose value is known, for the studies of what a search makes of estimates.

Values are 1, 0 or -1 for the side to play, whatever the number of moves to the end. Those of tic-tac-toe come from a
walk to the end, those of Connect-4 from alpha-beta to the end, with the moves in the middle first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gotools.game.choice import Limits
from gotools.game.game import Game, find_game
from gotools.games.connect4.kernels.rules import centre_first
from gotools.jit.kernels.seams import ONGOING
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.knowledge import NO_EVALUATION, Ordering

State = NDArray[np.int32]
STONES, CELLS = 2, 4
"""Entries of positions: of both games the stones on the board, of tic-tac-toe the cells."""


def sign(value: float) -> int:
    return int(value > 0) - int(value < 0)


class Truth:
    """The values of positions of a game; each is found once."""

    def __init__(self, game: Game) -> None:
        self.game, self._known = game, dict[bytes, int]()
        order = Ordering("centre", centre_first, np.zeros(1, np.int64), weight=0.3)
        settings = AlphaBetaSettings(quiescence=0, deepening=0, table_bits=22)
        self._search = AlphaBeta(game, order, NO_EVALUATION, settings) if game.name == "connect4" else None

    def value(self, state: State) -> int:
        """Return what a position is worth to the side to play."""
        over = self.game.outcome(state)
        if over != ONGOING:
            return sign(over)
        key = state.tobytes()
        if key not in self._known:
            moves = self.game.moves_of(state)
            if self._search is None:
                self._known[key] = max(-self.value(self.game.play(state, move)) for move in moves)
            else:
                left = Limits(depth=42 - int(state[STONES]))
                self._known[key] = sign(self._search.choose(state, moves, left).value)
        return self._known[key]

    def moves(self, state: State) -> dict[int, int]:
        """Return what each move is worth to the side to play."""
        return {move: -self.value(self.game.play(state, move)) for move in self.game.moves_of(state)}


def tictactoe_positions() -> list[State]:
    """List the positions that are not over, one of those that turns and reflections make of each other."""
    game = find_game("tictactoe")
    images = np.array([game.images(cell, 3) for cell in range(9)]).T
    found = dict[bytes, State]()
    seen, todo = set[bytes](), [game.position()]
    while todo:
        state = todo.pop()
        if state.tobytes() in seen or game.outcome(state) != ONGOING:
            continue
        seen.add(state.tobytes())
        cells = state[CELLS:]
        found.setdefault(min(cells[image].tobytes() for image in images), state)
        todo += [game.play(state, move) for move in game.moves_of(state)]
    return sorted(found.values(), key=lambda state: state.tobytes())


def connect4_positions(stones: int, count: int, rng: np.random.Generator) -> list[State]:
    """Draw different positions with so many stones by random play; none is over."""
    game = find_game("connect4")
    found = dict[bytes, State]()
    while len(found) < count:
        state = game.position()
        while state[STONES] < stones and game.outcome(state) == ONGOING:
            moves = game.moves_of(state)
            state = game.play(state, moves[int(rng.random() * len(moves))])
        if game.outcome(state) == ONGOING:
            found[state.tobytes()] = state
    return list(found.values())


def is_quiet(game: Game, state: State) -> bool:
    """Return whether no move ends the game, and no reply to a move."""
    after = [game.play(state, move) for move in game.moves_of(state)]
    replies = (game.play(one, move) for one in after for move in game.moves_of(one))
    return all(game.outcome(one) == ONGOING for one in after) and all(game.outcome(one) == ONGOING for one in replies)


def problems(truth: Truth, stones: int, count: int, rng: np.random.Generator) -> list[State]:
    """List positions with a right move and a wrong one: of tic-tac-toe all, of Connect-4 quiet ones drawn at random."""
    game, found = truth.game, dict[bytes, State]()
    if game.name == "tictactoe":
        return [state for state in tictactoe_positions() if len(set(truth.moves(state).values())) > 1]
    while len(found) < count:
        (state,) = connect4_positions(stones, 1, rng)
        if is_quiet(game, state) and len(set(truth.moves(state).values())) > 1:
            found[state.tobytes()] = state
    return list(found.values())


def spread(values: list[float]) -> tuple[float, float, float]:
    """Return a mean with the ends of its interval of 95 %."""
    mean, error = float(np.mean(values)), 1.96 * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return mean, mean - error, mean + error
