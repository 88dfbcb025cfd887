"""A game on random graphs with many circles, whose goals a search must not take for reached, or for out of reach.

state: | size | to play | node | number of the graph |      a move is the number of an edge
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gotools.game.game import Game
from gotools.game.goals import Goal
from gotools.games.tictactoe.tictactoe import TICTACTOE
from gotools.jit import inner, seam
from gotools.jit.kernels.basics import spread
from gotools.jit.kernels.seams import AFTER, KEY, REACHED, TO_PLAY, TRIES

NODES = 12
NODE, GRAPH = 2, 3
_EDGES = 3


@inner
def _number(state: Any, what: int, most: int) -> Any:
    """Return a number below `most` that the graph, the node and the side have drawn for something."""
    place = ((state[GRAPH] * NODES + state[NODE]) * 2 + state[TO_PLAY]) * 8 + what
    return (spread(place) >> 8) % most


@seam(TRIES)
def tries(state: Any, goal: Any, moves: Any) -> Any:
    if _number(state, 7, 9) == 0:
        return REACHED
    n = _number(state, 6, _EDGES + 1)
    for i in range(n):
        moves[i] = i
    return n


@seam(AFTER)
def after(state: Any, move: int, target: Any) -> None:
    for i in range(4):
        target[i] = state[i]
    target[NODE] = _number(state, move, NODES)
    target[TO_PLAY] = 3 - state[TO_PLAY]


@seam(KEY)
def key(state: Any) -> Any:
    return spread((state[GRAPH] * NODES + state[NODE]) * 2 + state[TO_PLAY])


_GOAL = Goal(tries, lambda state, marks: (), "")
GRAPH_GAME: Game = replace(
    TICTACTOE, name="graph", cells=4, longest=_EDGES, after=after, key=key, traits={"Goal": _GOAL}
)
