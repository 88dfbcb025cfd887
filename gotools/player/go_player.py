"""A player of Go: a search and what a game needs besides, superko, passing (passing.py), reasons (reasons.py).

It never fills an own single-point eye. It passes where nothing else is legal, and where passing.py says so.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.go.as_game import GO, move_of, point_of, search_state
from gotools.go.board import Board
from gotools.go.kernels import game as g
from gotools.learn.weights.evaluator import Evaluator
from gotools.patterns.matching import Matcher
from gotools.player.go_choice import GoChoice, choice_lines, in_points, rule_lines, value_lines, without_search
from gotools.player.passing import Counter, is_late, is_passed, others, risks_much
from gotools.search.choice import Choice, Limits, Option, Search

COUNTING: Final = 0.2
"""Share of the time for a move that may go into counts, before and after the search."""
COST: Final = 4e-3
"""Seconds for each point of the board that all counts of a move take in full, on a busy machine."""
ENDLESS: Final = Limits()
"""Of an analysis, which thinks about moves and not about the end."""


class GoPlayer:
    """Choose moves in games of Go; see `choose`.

    matcher -- the rules that order the moves, for reasons in words; None where there are none
    seed    -- of the playouts that count the score
    evaluator -- the learned values that the search works with, for reasons in words; None where there are none
    """

    def __init__(
        self,
        name: str,
        search: Search,
        matcher: Matcher | None = None,
        seed: int = 0,
        evaluator: Evaluator | None = None,
    ) -> None:
        self.name = name
        self._evaluator = evaluator
        self._search, self._matcher = search, matcher
        self._komi: float | None = None
        self._stopped = threading.Event()
        self._counter = Counter(seed)

    @property
    def only_size(self) -> int | None:
        """Return the one board size that the player knows; None where it plays on all."""
        return None if self._evaluator is None else self._evaluator.only_size

    def stop(self) -> None:
        """Make a `choose` of another thread answer now."""
        self._stopped.set()
        self._search.stop()

    def forget(self) -> None:
        """Forget the game so far: another one begins."""
        self._search.forget()

    def choose(
        self,
        board: Board,
        colour: int,
        komi: float,
        limits: Limits,
        report: Callable[[GoChoice], None] | None = None,
        *,
        cleanup: bool = False,
        alive: bool = False,
        allowed: Collection[int] | None = None,
    ) -> GoChoice:
        """Choose a move, or a pass. The board is not changed; its history counts for positional superko.

        cleanup -- take all dead stones of the opponent off before passing
        alive   -- every stone on the board counts as alive at the end: pass only where the board as it stands is won,
                   and take off dead stones until it is
        allowed -- choose among these points only
        """
        began = self._begin(board.side, komi, limits, alive)
        state = search_state(board, colour, komi)
        moves = self._moves(board, state, colour, allowed)
        if len(moves) == 1:
            what = "no other legal move that leaves the own eyes alone" if allowed is None else "the only move allowed"
            return without_search(point_of(moves[0], board.side), what)
        ends = is_late(board) or is_passed(board, colour)
        cleanup = cleanup or (alive and ends and self._counter.stands(board, colour, komi) <= 0)
        dead = self._counter.dead_of(board, 3 - colour) if cleanup and allowed is None else []
        if allowed is None and limits != ENDLESS:
            over = self._counter.end(board, colour, komi)
            if over is not None and not dead:
                return over
            moves = _captures(board, moves, dead)
        choice = self._search.choose(
            state, moves, _left(limits, began, self._stopped, is_late(board)), self._report_of(board.side, report)
        )
        if allowed is None and (choice.move == g.PASS_MOVE or risks_much(board, state, colour, choice.move)):
            if not others(choice):  # the search ended before it saw a move besides the pass
                choice = replace(choice, options=choice.options + self._look(state, moves))
            choice = self._counter.checked(board, colour, komi, choice, dead)
        return in_points(choice, board.side)

    def _begin(self, side: int, komi: float, limits: Limits, alive: bool) -> float:
        """Prepare for a choice; returns the time."""
        whole = COST * side * side
        share = 1.0 if limits.seconds is None else min(1.0, COUNTING * limits.seconds / whole)
        self._counter = replace(self._counter, share=share, alive=alive)
        self._stopped.clear()
        if komi != self._komi:
            self._search.forget()  # the values of positions were those of another komi
        self._komi = komi
        return time.monotonic()

    def _report_of(self, size: int, report: Callable[[GoChoice], None] | None) -> Callable[[Choice], None] | None:
        """Return the function that the search calls with its answers so far."""
        if report is None:
            return None

        def translated(choice: Choice) -> None:
            if self._stopped.is_set():  # before the search began, so that it does not know
                self._search.stop()
            report(in_points(choice, size))

        return translated

    def _moves(self, board: Board, state: NDArray[np.int32], colour: int, allowed: Collection[int] | None) -> list[int]:
        """List the moves to choose among; at least one."""
        legal = [
            move
            for move in GO.worthy_moves_of(state)
            if move == g.PASS_MOVE or board.is_legal(point_of(move, board.side), colour, ko="positional")
        ]
        if allowed is None:
            return legal
        wanted = {move_of(point, board.side) for point in allowed}
        return [move for move in legal if move in wanted] or [g.PASS_MOVE]

    def _look(self, state: NDArray[np.int32], moves: list[int]) -> tuple[Option, ...]:
        """Search all moves but the pass, one ply deep."""
        others = [move for move in moves if move != g.PASS_MOVE]
        found = self._search.choose(state, others, Limits(nodes=1000, depth=1))
        return found.options or (Option(found.move, found.value, 0, 0.0, found.line),)

    def explain(self, board: Board, colour: int, choice: GoChoice) -> str:
        """Say in some lines why a move was chosen: value, what was compared, and which rules speak for it."""
        lines = choice_lines(choice, board.side)
        if self._matcher is not None:
            lines += rule_lines(self._matcher, board, colour, choice.point)
        if self._evaluator is not None:
            lines += value_lines(self._evaluator, board, colour, self._komi or 0.0)
        return "\n".join(lines)


def _captures(board: Board, moves: list[int], dead: list[int]) -> list[int]:
    """Keep the moves beside dead stones, where there are any."""
    near = {p for point in dead for p in board.liberties(point)}
    kept = [move for move in moves if point_of(move, board.side) in near]
    return kept or moves


def _left(limits: Limits, began: float, stopped: threading.Event, late: bool) -> Limits:
    """Return the limits less the time since a choice began, and, late in a game, that of the counts to come."""
    if stopped.is_set():
        return replace(limits, seconds=0.0)
    if limits.seconds is None:
        return limits
    share = limits.seconds * (1 - COUNTING / 2) if late else limits.seconds
    return replace(limits, seconds=max(0.0, share - (time.monotonic() - began)))
