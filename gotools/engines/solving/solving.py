"""Positions solved: whether a goal of the game, such as mate, is reached in each, and by which line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Event

import numpy as np
from numpy.typing import NDArray

from gotools.engines.solving.answers import UNKNOWN, Solved, SolvingSettings
from gotools.game.choice import Limits
from gotools.game.game import Game
from gotools.game.goals import Goal, Question, Solvable
from gotools.search.endings import Endings
from gotools.search.proof import Proof, ProofSearch
from gotools.work.workers import in_order, threads


@dataclass(frozen=True, slots=True)
class Posed:
    """A position with what is asked of it."""

    id: str
    size: int
    state: NDArray[np.int32]
    questions: Sequence[Question]


def solve_each(
    problems: Sequence[Posed], game: Game, settings: SolvingSettings, advance: Callable[[], None], jobs: int = 1
) -> Iterator[Solved]:
    """Solve problems, and yield the answers in their order; jobs -- threads.

    An exception, such as KeyboardInterrupt, ends all searches.
    """
    running, over, limits = set[ProofSearch | Endings](), Event(), Limits(settings.seconds, settings.nodes)

    exact = game.has(Solvable)  # lines are the shortest

    def prove(problem: Posed, goal: NDArray[np.int32], plies: int = 0) -> Proof:
        search = Endings(game) if exact else ProofSearch(game, plies=plies)
        running.add(search)
        if over.is_set():
            search.stop()
        try:
            return search.solve(problem.state, limits, goal)
        finally:
            running.discard(search)

    def one(problem: Posed) -> Solved:
        proofs = list[Proof]()
        answer = game.need(Goal).otherwise
        for name, goal in problem.questions:
            proofs.append(proof := prove(problem, goal))
            if proof.reached is not False:
                answer = name if proof.reached else UNKNOWN
                break
        while settings.shortest and not exact and proof.reached and len(proof.line) > 2:
            proofs.append(shorter := prove(problem, goal, len(proof.line) - 2))
            if not shorter.reached:
                break
            proof = shorter
        texts = tuple(game.move_text(move, problem.size) for move in proof.line)
        return Solved(problem.id, answer, sum(proof.nodes for proof in proofs), texts)

    with threads(jobs) as pool:
        try:
            for found in in_order(pool, one, problems, jobs):
                advance()
                yield found
        finally:
            over.set()
            for search in tuple(running):
                search.stop()
