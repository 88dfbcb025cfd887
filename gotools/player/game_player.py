"""A player of any game: a search, what it knows, and its reasons. Go has its own, go_player.py."""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError
from gotools.game.game import Game
from gotools.kernels.seams import ONGOING
from gotools.learn.weights.evaluator import Evaluator
from gotools.screen_text import TEXT_WIDTH, wrapped
from gotools.search.choice import Choice, Limits, Report, Search

SHOWN: Final = 7
"""Moves that an explanation compares."""

State = NDArray[np.int32]


class GamePlayer:
    """Choose moves in one game on boards of one size.

    search    -- finds the moves
    evaluator -- the learned values that the search works with, for reasons in words; None without them
    """

    def __init__(self, name: str, game: Game, size: int, search: Search, evaluator: Evaluator | None = None) -> None:
        self.name, self.game, self.size = name, game, size
        self._search, self._evaluator = search, evaluator
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Make a `choose` of another thread answer now."""
        self._stopped.set()
        self._search.stop()

    def forget(self) -> None:
        """Forget the game so far: another one begins."""
        self._search.forget()

    def choose(
        self,
        state: State,
        limits: Limits,
        report: Report | None = None,
        *,
        allowed: Collection[int] | None = None,
    ) -> Choice:
        """Choose a move; `allowed` -- among these only. Raises GotoolsError where the game is over."""
        self._stopped.clear()
        moves = self._moves(state, allowed)
        if len(moves) == 1:
            return Choice(moves[0], 0.0, (moves[0],), 0, 0, "the only move", ())

        def checked(choice: Choice) -> None:
            if self._stopped.is_set():  # before the search began, so that it does not know
                self._search.stop()
            if report is not None:
                report(choice)

        if self._stopped.is_set():
            limits = replace(limits, seconds=0.0)
        return self._search.choose(state, moves, limits, None if report is None else checked)

    def chance(self, value: float) -> float:
        """Return the chance to win, 0 to 1, of a value of a search: 0 or 1 where the game is decided."""
        return (min(max(value / self.game.decided, -1.0), 1.0) + 1) / 2

    def explain(self, state: State, choice: Choice) -> str:
        """Say in some lines why a move was chosen: what was compared, and what the learned value sees."""
        text = self.move_text
        head = f"{text(choice.move)}: {choice.reason}"
        if choice.nodes:
            head += f"; chance to win {100 * self.chance(choice.value):.1f} %"
        lines = [wrapped(head, TEXT_WIDTH - 2, 4)]  # the answer begins with "= "
        if len(choice.line) > 1:
            lines.append(wrapped("expected: " + " ".join(map(text, choice.line)), indent=10))
        for option in choice.options[:SHOWN]:
            chance = f"chance {100 * self.chance(option.value):5.1f} %"
            lines.append(f"  {text(option.move):4} {chance}, {option.visits:,} visits")
        if self._evaluator is not None:
            value = 100 * (self._evaluator.value(state) + 1) / 2
            lines.append(f"{self._evaluator.weights.features} without search: chance {value:.1f} %")
            lines += [f"        {reason.share:+.3f}  {reason.what}" for reason in self._evaluator.why(state)]
        return "\n".join(lines)

    def move_text(self, move: int) -> str:
        """Return a move as the game writes it."""
        return self.game.move_text(move, self.size)

    def _moves(self, state: State, allowed: Collection[int] | None) -> list[int]:
        if self.game.outcome(state) != ONGOING:
            raise GotoolsError("the game is over")
        worthy = self.game.worthy_moves_of(state)
        if allowed is None:
            return worthy
        return [move for move in worthy if move in allowed] or list(allowed)
