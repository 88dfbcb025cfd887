"""When a game of Go is over: counts of the score, the decision to pass, and a second look at risky moves.

A player passes where it is ahead after the dead stones are taken off, by another count too, and the opponent has passed
or every point is settled; and where every point is settled against it. A pass of the search stands only where the
player is ahead in this way, or where the best other moves lose points, as in a seki.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from gotools.game.choice import Choice, Limits, Option, without_search
from gotools.game.history import History
from gotools.game.sides import BLACK
from gotools.game.traits import Passing
from gotools.games.go.board import Board
from gotools.games.go.estimate.status import SETTLED_GAMES, dead_points, final_score, ownership
from gotools.games.go.go import GO, point_of
from gotools.games.go.kernels import game as g
from gotools.games.go.kernels import rules as k
from gotools.games.go.kernels.liberties import is_self_atari
from gotools.games.go.points import EMPTY, PASS

COUNTING: Final = 0.2
"""Share of the time for a move that may go into counts, before and after the search."""
COST: Final = 4e-3
"""Seconds for each point of the board that all counts of a move take in full, on a busy machine."""
ENDLESS: Final = Limits()
"""Of an analysis, which thinks about moves and not about the end."""
SETTLED: Final = 0.9
"""A point is settled where one side owns it after this share of playouts more than the other."""
LATE: Final = 0.45
"""Share of the points that hold stones before the game may be over."""
FIRST_GAMES, FIRST_SETTLED = 100, 0.8
"""Playouts of a first count, and the share by which each point must be owned in them before there is a full one."""
TRIED, TRIAL_GAMES, WASTED = 5, 300, 3.0
"""Moves that are compared with a pass; playouts for each; points that a move may lose against a pass. The mean of so
many playouts errs by about one point."""
MANY_STONES: Final = 3
"""Stones that are not put into atari late in the game without a second look."""
FEWEST_GAMES: Final = 30
"""Playouts below which the score is not known."""


@dataclass(frozen=True, slots=True)
class Count:
    """By how much a side is ahead.

    agreed -- dead stones taken off; played -- in the mean of playouts; stands -- with all stones alive
    sure   -- every point goes to the same side in nearly all playouts
    passed -- the opponent has just passed: a pass ends the game
    """

    agreed: float
    played: float
    stands: float
    sure: bool
    passed: bool

    def won(self, alive: bool) -> bool:
        """Return whether two counts say that the game is won; one is the board as it stands, where a pass ends it.

        alive -- every stone on the board counts as alive: then the board as it stands must be won
        """
        if alive:
            return self.stands > 0 and (self.passed or self.agreed > 0)
        return self.agreed > 0 and (self.played > 0 or (self.passed and self.stands > 0))

    def lost(self, alive: bool) -> bool:
        """Return whether every point is settled, and the game is lost by all counts."""
        return self.sure and self.agreed < 0 and self.played < 0 and (not alive or self.stands < 0)


@dataclass(frozen=True, eq=False)
class Judge:
    """What a player asks about the end of a game before and after the search for a move.

    board -- before the move of `colour`, with its komi; limits -- of the move
    seed  -- of the playouts that count the score
    cleanup, alive -- as in `Player.choose`
    """

    board: Board
    colour: int
    komi: float
    limits: Limits
    seed: int
    cleanup: bool
    alive: bool

    @cached_property
    def share(self) -> float:
        """The share of the usual number of playouts for which there is time."""
        seconds = self.limits.seconds
        return 1.0 if seconds is None else min(1.0, COUNTING * seconds / (COST * self.board.side**2))

    @cached_property
    def dead(self) -> list[int]:
        """The stones of the opponent that have to be taken off before a pass."""
        ends = self._is_late or self._is_passed
        if not (self.cleanup or (self.alive and ends and self._stands <= 0)):
            return []
        games = max(FEWEST_GAMES, int(self.share * SETTLED_GAMES))
        found = dead_points(self.board, self.seed, games)
        return [p for p in found if self.board.colour(p) == 3 - self.colour]

    def before(self) -> Choice | None:
        """Return a pass where there is nothing left to play for; None where the search has to be asked."""
        if self.limits == ENDLESS:
            return None
        over = self._end()
        return None if self.dead else over

    def worthy(self, moves: list[int]) -> list[int]:
        """Keep the moves beside stones that have to be taken off, where there are any."""
        if self.limits == ENDLESS:
            return moves
        near = {p for point in self.dead for p in self.board.liberties(point)}
        kept = [move for move in moves if point_of(move, self.board.side) in near]
        return kept or moves

    def left(self, began: float) -> Limits:
        """Return the limits less the time since a choice began, and, late in a game, that of the counts to come."""
        seconds = self.limits.seconds
        if seconds is None:
            return self.limits
        share = seconds * (1 - COUNTING / 2) if self._is_late else seconds
        return replace(self.limits, seconds=max(0.0, share - (time.monotonic() - began)))

    def after(self, choice: Choice, look: Callable[[], tuple[Option, ...]]) -> Choice:
        """Return the search's choice where it stands, else another; look -- searches all moves but the pass shortly."""
        if choice.move != g.PASS_MOVE and not self._risks_much(choice.move):
            return choice
        if not others(choice):  # the search ended before it saw a move besides the pass
            choice = replace(choice, options=choice.options + look())
        return self._checked(choice)

    def _end(self) -> Choice | None:
        """Return a pass where there is nothing left to play for; None where the game goes on."""
        if not self._is_passed:
            if not self._is_late or self.share * SETTLED_GAMES < FEWEST_GAMES:
                return None
            if (np.abs(ownership(self.board, self.colour, self.seed, FIRST_GAMES)) < FIRST_SETTLED).any():
                return None
        count = self._count()
        if count is None:
            return None
        if count.won(self.alive) and (count.passed or count.sure):
            why = "the opponent passed" if count.passed else "every point is settled"
            lead = count.stands if self.alive else count.agreed
            return without_search(g.PASS_MOVE, f"{why}, and the game is won by {lead:g}", lead)
        if count.lost(self.alive):
            why = f"every point is settled, and the game is lost by {-count.agreed:g}"
            return without_search(g.PASS_MOVE, why, count.agreed)
        return None

    def _count(self) -> Count | None:
        """Count with as many playouts as the time for the move allows; None where they would be too few."""
        sign, passed = 1 if self.colour == BLACK else -1, self._is_passed
        stands = self._stands
        games = int(self.share * SETTLED_GAMES)
        if games < FEWEST_GAMES:
            return Count(stands, stands, stands, False, True) if passed else None
        agreed = sign * final_score(self.board, self.komi, self.seed, games)
        owned = ownership(self.board, self.colour, self.seed, games)
        played = sign * (float(owned.sum()) - self.komi)
        return Count(agreed, played, stands, bool((np.abs(owned) > SETTLED).all()), passed)

    def _checked(self, choice: Choice) -> Choice:
        """Return the choice, a pass or a move that puts many own stones into atari, where it stands; else another."""
        moves = others(choice)
        if not (self._is_late or self._is_passed) or self.dead:
            return _instead(choice, moves[0])
        count = self._count()
        if count is None:
            return _instead(choice, moves[0])
        if count.won(self.alive):
            return choice
        before = self._lead_after(PASS)
        for option in moves[:TRIED]:
            if self._lead_after(point_of(option.move, self.board.side)) > before - WASTED:
                return _instead(choice, option)
        return _passing(choice)

    @cached_property
    def _stands(self) -> float:
        """By how much the side is ahead, all stones alive."""
        lead = self.board.area_score() - self.komi
        return lead if self.colour == BLACK else -lead

    def _lead_after(self, point: int) -> float:
        """Return by how much the side is ahead, without komi, in playouts after its move."""
        after = self.board.copy()
        after.play_point(point, self.colour)
        owned = float(ownership(after, 3 - self.colour, self.seed, max(1, int(self.share * TRIAL_GAMES))).sum())
        return owned if self.colour == BLACK else -owned

    @property
    def _is_passed(self) -> bool:
        """Whether the opponent has just passed."""
        return bool(self.board.state[k.LAST] == PASS and self.board.to_play == self.colour)

    @cached_property
    def _is_late(self) -> bool:
        """Whether the game may be over."""
        return bool((self.board.cells != EMPTY).mean() >= LATE)

    def _risks_much(self, move: int) -> bool:
        """Return whether a move late in the game puts several own stones into atari."""
        if not self._is_late or not is_self_atari(self.board.state, move, self.colour):
            return False
        after = self.board.copy()
        after.play_point(point_of(move, self.board.side), self.colour)
        return len(after.chain(point_of(move, self.board.side))) >= MANY_STONES


def others(choice: Choice) -> list[Option]:
    """List the options except the pass, best first."""
    return [option for option in choice.options if option.move != g.PASS_MOVE]


def _instead(choice: Choice, best: Option) -> Choice:
    """Return a move, with a reason where the search chose another one."""
    if best.move == choice.move:
        return choice
    why = "a pass is not yet safe" if choice.move == g.PASS_MOVE else "the first choice throws stones away"
    return replace(choice, move=best.move, value=best.value, line=best.line, reason=f"{choice.reason}; {why}")


def _passing(choice: Choice) -> Choice:
    """Return a pass, with a reason."""
    reason = f"{choice.reason}; all other moves throw stones away"
    return replace(choice, move=g.PASS_MOVE, line=(g.PASS_MOVE,), reason=reason)


def judge(history: History, side: int, limits: Limits, *, seed: int, cleanup: bool, alive: bool) -> Judge:
    """Return what a player asks about the end of a game when a side is to move."""
    state = history.state
    return Judge(Board.of_state(state), side, state[GO.komi] / 2, limits, seed, cleanup, alive)


PASSING: Final = Passing(judge)
