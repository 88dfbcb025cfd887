"""Slow, obvious twin of alpha-beta: plain minimax over a Game's functions, no position left out, none remembered.

Values are integers, millionths for the side to play, rounded at the leaves: sums and comparisons are then exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game
from gotools.jit.kernels.seams import ONGOING

UNIT = 1_000_000

State = NDArray[np.int32]
MovesOf = Callable[[State], Sequence[int]]


class Found(NamedTuple):
    """The value of a position in millionths for the side to play; how many positions were looked at, with itself."""

    value: int
    nodes: int


def listed(game: Game, seam: Callable[[State, NDArray[np.int32]], int]) -> MovesOf:
    """Make a function that returns as a list the moves that `legal`, `worthy` or `noisy` of a game lists."""
    moves = np.empty(game.longest, np.int32)
    return lambda state: moves[: seam(state, moves)].tolist()


def minimax(
    game: Game,
    state: State,
    depth: int,
    evaluate: Callable[[State], float],
    quiescence_depth: int = 0,
    moves_of: MovesOf | None = None,
    extensions: int = 0,
) -> Found:
    """Value a position by all lines of `depth` plies, with at most `quiescence_depth` plies of noisy moves after these.

    A line is one ply longer for each move in it after which the side to play is threatened, `extensions` at most;
    moves of quiescence do not count.

    A finished game counts by its outcome, at any depth. Where all moves have been made, the noisy ones included, the
    position counts by `evaluate`. The side to play may also decline all noisy moves: then too it counts by `evaluate`.

    evaluate -- the value in [-1, 1] of a position for the side to play
    moves_of -- lists the moves of the first `depth` plies; the game's worthy ones unless given
    """
    all_moves = moves_of or listed(game, game.worthy)
    noisy_moves = listed(game, game.noisy)

    def search(state: State, depth: int, longer: int) -> Found:
        """Go down; depth runs from `depth` to -quiescence_depth, `longer` from `extensions` to 0."""
        end = game.outcome(state)
        if end != ONGOING:
            return Found(round(end * UNIT), 1)
        best = None if depth > 0 else round(evaluate(state) * UNIT)
        nodes = 1
        if depth > -quiescence_depth:
            for move in all_moves(state) if depth > 0 else noisy_moves(state):
                after = game.play(state, move)
                more = 1 if depth > 0 and longer > 0 and game.threatened(after) else 0
                below = search(after, depth - 1 + more, longer - more)
                nodes += below.nodes
                best = -below.value if best is None else max(best, -below.value)
        assert best is not None, "a game that goes on must offer a move"
        return Found(best, nodes)

    return search(state, depth, extensions)
