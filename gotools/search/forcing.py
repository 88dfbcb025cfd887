"""A search that first looks whether a goal that wins the game can be forced, such as mate."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.choice import Choice, Limits, Option, Report, Search
from gotools.game.game import Game
from gotools.game.goals import Goal
from gotools.search.proof import ProofSearch

SHARE: Final = 10
"""The proof takes at most one part in SHARE of the positions, or of the time."""
_TABLE_BITS: Final = 16


class Forcing:
    """Play the first move of a forced win where proof numbers find one, else what another search chooses.

    A limit of depth alone, or none, leaves the other search as it is: no win is looked for.
    """

    def __init__(self, search: Search, game: Game) -> None:
        self._search, self._game, self._ask = search, game, game.need(Goal).ask
        self._proof = ProofSearch(game, _TABLE_BITS)
        self._stopped = threading.Event()

    def choose(
        self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits, report: Report | None = None
    ) -> Choice:
        """Look for a forced win, then search; see `Search`."""
        if self._stopped.is_set():  # after the search before: a stopped proof search cannot be used again
            self._proof = ProofSearch(self._game, _TABLE_BITS)
            self._stopped.clear()
        if limits.nodes is None and limits.seconds is None:
            return self._search.choose(state, moves, limits, report)
        began = time.monotonic()
        found, nodes = self._forced(state, moves, limits)
        if found is not None:
            if report is not None:
                report(found)
            return found
        left = limits
        if limits.nodes is not None:
            left = replace(left, nodes=limits.nodes - nodes)
        if limits.seconds is not None:
            left = replace(left, seconds=limits.seconds - (time.monotonic() - began))
        if self._stopped.is_set():
            left = replace(left, seconds=0.0)
        return self._search.choose(state, moves, left, report)

    def stop(self) -> None:
        self._stopped.set()
        self._proof.stop()
        self._search.stop()

    def forget(self) -> None:
        self._proof = ProofSearch(self._game, _TABLE_BITS)
        self._search.forget()

    def _forced(self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits) -> tuple[Choice | None, int]:
        """Return the first move of a forced win, and the number of positions of the proof."""
        question = self._ask(state, ())[0]
        nodes = None if limits.nodes is None else limits.nodes // SHARE
        seconds = None if limits.seconds is None else limits.seconds / SHARE
        proof = self._proof.solve(state, Limits(seconds, nodes), question.goal)
        if proof.reached is None:  # a stopped proof search cannot be used again
            self._proof = ProofSearch(self._game, _TABLE_BITS)
        if not (proof.reached and proof.line and proof.line[0] in moves):
            return None, proof.nodes
        move, plies = proof.line[0], len(proof.line)
        why = f"{question.answer} in {plies} plies, proven in {proof.nodes:,} positions"
        option = Option(move, 1.0, proof.nodes, 0.0, proof.line)
        return Choice(move, 1.0, proof.line, proof.nodes, plies, why, (option,)), proof.nodes
