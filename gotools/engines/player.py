"""A player of any game: a search, what it knows, and its reasons."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.engines.reasons import choice_lines, rule_lines, value_lines
from gotools.game.choice import Choice, Limits, Option, Report, Search, without_search
from gotools.game.game import Game
from gotools.game.history import History
from gotools.game.traits import Passing
from gotools.rules.matching import Matcher
from gotools.values.weights.evaluator import Evaluator

State = NDArray[np.int32]


class Player:
    """Choose moves in one game; see `choose`. Moves are places (`Game.place_of`).

    size      -- of the board; None: the player knows boards of all sizes
    search    -- finds the moves
    matcher   -- the rules that order the moves, for reasons in words; None without them
    evaluator -- the learned values that the search works with, for reasons in words; None without them
    seed      -- of the playouts by which a player of a game that ends by agreement counts the score
    """

    def __init__(
        self,
        name: str,
        game: Game,
        size: int | None,
        search: Search,
        matcher: Matcher | None = None,
        evaluator: Evaluator | None = None,
        seed: int = 0,
    ) -> None:
        self.name, self.game, self.size = name, game, size
        self._search, self._matcher, self._evaluator, self._seed = search, matcher, evaluator, seed
        self._passing, self._usual = game.find(Passing), game.usual
        self._komi: int | None = None
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
        history: History,
        limits: Limits,
        report: Report | None = None,
        *,
        side: int | None = None,
        cleanup: bool = False,
        alive: bool = False,
        allowed: Collection[int] | None = None,
    ) -> Choice:
        """Choose a move, a pass where the game has one.

        side    -- None: the one to play; another only in a game in which either may move
        cleanup -- take all dead stones of the opponent off before passing
        alive   -- every stone on the board counts as alive at the end: pass only where the board as it stands is won,
                   and take off dead stones until it is
        allowed -- choose among these moves only

        Raises GotoolsError where the game is over.
        """
        began, side = time.monotonic(), side or history.to_play
        self._stopped.clear()
        state = history.asked(side)
        self._remember(state)
        judge: Any = None
        if self._passing is not None:
            judge = self._passing.judge(history, side, limits, seed=self._seed, cleanup=cleanup, alive=alive)
        moves = self._moves(history, side, state, allowed)
        if len(moves) == 1:
            return self.answer(without_search(moves[0], self._why_only(allowed)), history.size)
        asks = judge is not None and allowed is None
        if asks:
            over = judge.before()
            if over is not None:
                return self.answer(over, history.size)
            moves = judge.worthy(moves)
        left = limits if judge is None else judge.left(began)
        if self._stopped.is_set():
            left = replace(limits, seconds=0.0)
        choice = self._search.choose(state, moves, left, self._checked(report, history.size))
        if asks:
            choice = judge.after(choice, lambda: self._look(state, moves))
        return self.answer(choice, history.size)

    def chance(self, value: float) -> float:
        """Return the chance to win, 0 to 1, of a value of a search: 0 or 1 where the game is decided."""
        return (min(max(value / self.game.decided, -1.0), 1.0) + 1) / 2

    def explain(self, history: History, side: int, choice: Choice) -> str:
        """Say in some lines why a move was chosen: what was compared, which rules speak for it, what values see."""
        lines = choice_lines(choice, self._usual.shown, history.text)
        if self._matcher is not None:
            lines += rule_lines(self._matcher, history, side, choice.move)
        if self._evaluator is not None:
            lines += value_lines(self._evaluator, history.asked(side))
        return "\n".join(lines)

    def _remember(self, state: State) -> None:
        """Forget what was found with another komi."""
        if self.game.komi >= 0:
            komi = int(state[self.game.komi])
            if komi != self._komi:
                self._search.forget()
            self._komi = komi

    def _moves(self, history: History, side: int, state: State, allowed: Collection[int] | None) -> list[int]:
        """List the moves to choose among, as the search numbers them; at least one."""
        worthy = history.unrepeated(side, self.game.worthy_moves_of(state))
        if allowed is None:
            return worthy
        wanted = [self.game.move_at(place, history.size) for place in allowed]
        known = set(wanted)
        return [move for move in worthy if move in known] or ([self.game.pass_move] if self._passing else wanted)

    def _why_only(self, allowed: Collection[int] | None) -> str:
        if self._passing is None:
            return "the only move"
        return "the only move allowed" if allowed is not None else "no other legal move that leaves the own eyes alone"

    def _checked(self, report: Report | None, size: int) -> Report | None:
        """Return the function that the search calls with its answers so far."""
        if report is None:
            return None

        def checked(choice: Choice) -> None:
            if self._stopped.is_set():  # before the search began, so that it does not know
                self._search.stop()
            report(self.answer(choice, size))

        return checked

    def _look(self, state: State, moves: list[int]) -> tuple[Option, ...]:
        """Search all moves but the pass, one ply deep."""
        others = [move for move in moves if move != self.game.pass_move]
        found = self._search.choose(state, others, Limits(nodes=1000, depth=1))
        return found.options or (Option(found.move, found.value, 0, 0.0, found.line),)

    def answer(self, choice: Choice, size: int) -> Choice:
        """Return a choice of the search as the player's: places, chances, and the options that were looked at."""

        def line(moves: Collection[int]) -> tuple[int, ...]:
            return tuple(self.game.place_of(move, size) for move in moves)

        def known(part: Any) -> Any:
            place = self.game.place_of(part.move, size)
            return replace(part, move=place, line=line(part.line), chance=self.chance(part.value))

        looked_at = [option for option in choice.options if option.visits] or choice.options[:1]
        found: Choice = replace(known(choice), options=tuple(map(known, looked_at)))
        return found
