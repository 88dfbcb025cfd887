"""What one side may force: the traits of a game for solvers, and the goal of games that are played out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Question(NamedTuple):
    """A goal, an array for the functions of the game that begins with the attacker, and its name as an answer."""

    answer: str
    goal: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """What one side may force, for proof-number search: mate, the capture of stones.

    tries -- compiled with the signature TRIES of kernels/seams.py. Of the defender it lists all moves that could
             prevent the goal
    ask   -- what is asked of a position with marks (`Record.marks`), the next where the one before is not reached;
             raises ValueError where the marks ask nothing
    otherwise -- the answer where none is reached
    sought -- whether players look for it before they search: it wins the game, and few moves may force it
    """

    tries: Any
    ask: Callable[[NDArray[np.int32], Sequence[tuple[str, int]]], Sequence[Question]]
    otherwise: str
    sought: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Solvable:
    """Exact scores, of a game whose positions can be solved many plies before the end.

    solve -- compiled with the signature SOLVE of kernels/seams.py
    most  -- the largest score
    worth -- the value of a score, as `Game.outcome` values the end that it stands for
    openings -- reads what was solved before: the best move of a position, and the score that it reaches at least, by
                `Game.key`
    """

    solve: Any
    most: int
    worth: Callable[[int], float]
    openings: Callable[[], Mapping[int, tuple[int, int]]] = dict


def _ask(state: NDArray[np.int32], marks: Sequence[tuple[str, int]]) -> tuple[Question, Question]:
    """Return whether the side to play wins, and whether the other one does."""
    from gotools.jit.kernels.seams import TO_PLAY  # numba takes long to import, and traits.py imports this module

    side = state[[TO_PLAY]]
    return Question("win", side), Question("loss", 3 - side)


def ending(tries: Any) -> Goal:
    """Return the goal to win, by what lists the moves until the game is over (`Goal.tries`)."""
    return Goal(tries, _ask, "draw")
