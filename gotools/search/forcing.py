"""A search behind a solver: what can be decided for certain, such as a mate or an ending, is played."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from gotools.game.choice import Choice, Limits, Option, Report, Search
from gotools.game.game import Game
from gotools.game.goals import Goal
from gotools.search.proof import ProofSearch

_TABLE_BITS: Final = 16


@dataclass(frozen=True, slots=True)
class Decision:
    """What a solver found out.

    choice -- the move to play; None: that is left to the search
    moves  -- among which the search chooses
    nodes  -- positions looked at
    why    -- what is known of these moves, in words; empty: nothing
    """

    choice: Choice | None
    moves: Sequence[int]
    nodes: int
    why: str = ""


class Solver(Protocol):
    """Decides positions for certain. One that was stopped cannot be used again before `forget`."""

    @property
    def share(self) -> int:
        """It takes at most one part in `share` of the positions, or of the time."""

    def decide(self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits) -> Decision:
        """Look at a position for a while."""

    def stop(self) -> None:
        """Make a `decide` of another thread answer now."""

    def forget(self) -> None:
        """Drop what was kept from earlier positions."""


class SoughtGoal:
    """A solver that looks by proof numbers for a goal that wins the game (`Goal.sought`)."""

    share: Final = 10

    def __init__(self, game: Game) -> None:
        self._game, self._ask = game, game.need(Goal).ask
        self._proof = ProofSearch(game, _TABLE_BITS)

    def decide(self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits) -> Decision:
        question = self._ask(state, ())[0]
        proof = self._proof.solve(state, limits, question.goal)
        if proof.reached is None:  # a stopped proof search cannot be used again
            self.forget()
        if not (proof.reached and proof.line and proof.line[0] in moves):
            return Decision(None, moves, proof.nodes)
        move, plies = proof.line[0], len(proof.line)
        why = f"{question.answer} in {plies} plies, proven in {proof.nodes:,} positions"
        option = Option(move, 1.0, proof.nodes, 0.0, proof.line)
        return Decision(Choice(move, 1.0, proof.line, proof.nodes, plies, why, (option,)), moves, proof.nodes)

    def stop(self) -> None:
        self._proof.stop()

    def forget(self) -> None:
        self._proof = ProofSearch(self._game, _TABLE_BITS)


class Forcing:
    """Play what a solver decides, else what a search chooses among the moves that the solver leaves.

    A limit of depth alone, or none, leaves the search as it is: nothing is solved.
    """

    def __init__(self, search: Search, solver: Solver) -> None:
        self._search, self._solver = search, solver
        self._stopped = threading.Event()

    def choose(
        self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits, report: Report | None = None
    ) -> Choice:
        """Solve, then search; see `Search`."""
        if self._stopped.is_set():  # after the search before: a stopped solver cannot be used again
            self._solver.forget()
            self._stopped.clear()
        if limits.nodes is None and limits.seconds is None:
            return self._search.choose(state, moves, limits, report)
        began, share = time.monotonic(), self._solver.share
        nodes = None if limits.nodes is None else limits.nodes // share
        seconds = None if limits.seconds is None else limits.seconds / share
        decision = self._solver.decide(state, moves, Limits(seconds, nodes))
        if decision.choice is not None:
            if report is not None:
                report(decision.choice)
            return decision.choice
        left = limits
        if limits.nodes is not None:
            left = replace(left, nodes=limits.nodes - decision.nodes)
        if limits.seconds is not None:
            left = replace(left, seconds=limits.seconds - (time.monotonic() - began))
        if self._stopped.is_set():
            left = replace(left, seconds=0.0)
        choice = self._search.choose(state, decision.moves, left, report)
        if not decision.why:
            return choice
        return replace(choice, value=0.0, reason=f"{decision.why}; {choice.reason}")

    def stop(self) -> None:
        self._stopped.set()
        self._solver.stop()
        self._search.stop()

    def forget(self) -> None:
        self._solver.forget()
        self._search.forget()
