"""The positions that follow a root within some plies, each once, and what minimax makes of estimates of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from small_games import State, Truth, sign

from gotools.game.game import Game
from gotools.jit.kernels.seams import ONGOING

Floats = NDArray[np.float64]


class Expanded:
    """The positions up to some plies below a root.

    states  -- lists of positions, those after 0 plies first; following, of each, the numbers of the next ones
    over    -- of each, its value where it is over, else None
    """

    def __init__(self, game: Game, root: State, plies: int) -> None:
        self.moves = game.moves_of(root)
        self.states: list[list[State]] = [[root]]
        self.over: list[list[int | None]] = []
        self.following: list[list[list[int]]] = []
        for _ in range(plies + 1):
            numbers, level = dict[bytes, int](), list[State]()
            over, following = list[int | None](), list[list[int]]()
            for state in self.states[-1]:
                outcome = game.outcome(state)
                over.append(None if outcome == ONGOING else sign(outcome))
                children = []
                for move in game.moves_of(state) if outcome == ONGOING else ():
                    child = game.play(state, move)
                    if child.tobytes() not in numbers:
                        numbers[child.tobytes()] = len(level)
                        level.append(child)
                    children.append(numbers[child.tobytes()])
                following.append(children)
            self.over.append(over)
            self.following.append(following)
            self.states.append(level)
        del self.states[-1]

    def backed_up(self, leaves: Floats, plies: int) -> list[Floats]:
        """Return the values of minimax at each number of plies, from those of the positions after `plies`.

        leaves -- float64[positions, ...], of positions that are over anything; the same shape is returned
        """
        found = [self._settled(plies, leaves)]
        for ply in range(plies - 1, -1, -1):
            below, shape = found[0], leaves.shape[1:]
            values = [(-below[each]).max(0) if each else np.zeros(shape) for each in self.following[ply]]
            found.insert(0, self._settled(ply, np.array(values)))
        return found

    def root_values(self, leaves: Floats, plies: int) -> Floats:
        """Return what each move of the root is worth to its side, from the values of the positions after `plies`."""
        return -self.backed_up(leaves, plies)[1][self.following[0][0]]

    def truths(self, truth: Truth) -> list[Floats]:
        """Return the true values of all positions, of which only the last are searched."""
        last = np.array([truth.value(state) for state in self.states[-1]], np.float64)
        return self.backed_up(last, len(self.states) - 1)

    def estimates(self, plies: int, value: Callable[[State], float]) -> Floats:
        """Return the estimates of the positions after so many plies; 0 where they are over."""
        pairs = zip(self.states[plies], self.over[plies], strict=True)
        return np.array([0.0 if over is not None else value(state) for state, over in pairs])

    def _settled(self, ply: int, values: Floats) -> Floats:
        out = values.copy()
        for number, over in enumerate(self.over[ply]):
            if over is not None:
                out[number] = over
        return out
