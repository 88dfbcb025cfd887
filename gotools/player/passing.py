"""When a game of Go is over: counts of the score, the decision to pass, and a second look at risky moves.

A player passes where it is ahead after the dead stones are taken off, by another count too, and the opponent has passed
or every point is settled; and where every point is settled against it. A pass of the search stands only where the
player is ahead in this way, or where the best other moves lose points, as in a seki.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.go.as_game import point_of
from gotools.go.board import Board
from gotools.go.estimate.status import SETTLED_GAMES, dead_points, final_score, ownership
from gotools.go.kernels import game as g
from gotools.go.kernels import rules as k
from gotools.go.kernels.liberties import is_self_atari
from gotools.go.points import BLACK, EMPTY, PASS
from gotools.player.go_choice import GoChoice, without_search
from gotools.search.choice import Choice, Option

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


@dataclass(frozen=True, slots=True)
class Counter:
    """Counts the score by playouts.

    seed -- of their random numbers; share -- of the usual number of playouts, for which there is time
    alive -- every stone that is on the board at the end counts as alive
    """

    seed: int
    share: float = 1.0
    alive: bool = False

    def end(self, board: Board, colour: int, komi: float) -> GoChoice | None:
        """Return a pass where there is nothing left to play for; None where the game goes on."""
        if not is_passed(board, colour):
            if not is_late(board) or self.share * SETTLED_GAMES < FEWEST_GAMES:
                return None
            if (np.abs(ownership(board, colour, self.seed, FIRST_GAMES)) < FIRST_SETTLED).any():
                return None
        count = self.count(board, colour, komi)
        if count is None:
            return None
        if count.won(self.alive) and (count.passed or count.sure):
            why = "the opponent passed" if count.passed else "every point is settled"
            lead = count.stands if self.alive else count.agreed
            return without_search(PASS, f"{why}, and the game is won by {lead:g}", lead)
        if count.lost(self.alive):
            why = f"every point is settled, and the game is lost by {-count.agreed:g}"
            return without_search(PASS, why, count.agreed)
        return None

    def count(self, board: Board, colour: int, komi: float) -> Count | None:
        """Count with as many playouts as the time for the move allows; None where they would be too few."""
        sign, passed = 1 if colour == BLACK else -1, is_passed(board, colour)
        stands = self.stands(board, colour, komi)
        games = int(self.share * SETTLED_GAMES)
        if games < FEWEST_GAMES:
            return Count(stands, stands, stands, False, True) if passed else None
        agreed = sign * final_score(board, komi, self.seed, games)
        owned = ownership(board, colour, self.seed, games)
        played = sign * (float(owned.sum()) - komi)
        return Count(agreed, played, stands, bool((np.abs(owned) > SETTLED).all()), passed)

    def checked(self, board: Board, colour: int, komi: float, choice: Choice, dead: list[int]) -> Choice:
        """Return the choice, a pass or a move that puts many own stones into atari, where it stands; else another.

        dead -- stones of the opponent that have to be taken off before a pass
        """
        moves = others(choice)
        if not (is_late(board) or is_passed(board, colour)) or dead:
            return _instead(choice, moves[0])
        count = self.count(board, colour, komi)
        if count is None:
            return _instead(choice, moves[0])
        if count.won(self.alive):
            return choice
        before = self._lead_after(board, colour, PASS)
        for option in moves[:TRIED]:
            if self._lead_after(board, colour, point_of(option.move, board.side)) > before - WASTED:
                return _instead(choice, option)
        return _passing(choice)

    def stands(self, board: Board, colour: int, komi: float) -> float:
        """Return by how much a colour is ahead, all stones alive."""
        lead = board.area_score() - komi
        return lead if colour == BLACK else -lead

    def dead_of(self, board: Board, colour: int) -> list[int]:
        """List the dead stones of a colour."""
        games = max(FEWEST_GAMES, int(self.share * SETTLED_GAMES))
        return [p for p in dead_points(board, self.seed, games) if board.colour(p) == colour]

    def _lead_after(self, board: Board, colour: int, point: int) -> float:
        """Return by how much a colour is ahead, without komi, in playouts after its move."""
        after = board.copy()
        after.play_point(point, colour)
        owned = float(ownership(after, 3 - colour, self.seed, max(1, int(self.share * TRIAL_GAMES))).sum())
        return owned if colour == BLACK else -owned


def is_passed(board: Board, colour: int) -> bool:
    """Return whether the opponent of a colour has just passed."""
    return bool(board.state[k.LAST] == PASS and board.to_play == colour)


def is_late(board: Board) -> bool:
    """Return whether the game may be over."""
    return bool((board.cells != EMPTY).mean() >= LATE)


def risks_much(board: Board, state: NDArray[np.int32], colour: int, move: int) -> bool:
    """Return whether a move late in the game puts several own stones into atari."""
    if not is_late(board) or not is_self_atari(state, move, colour):
        return False
    after = board.copy()
    after.play_point(point_of(move, board.side), colour)
    return len(after.chain(point_of(move, board.side))) >= MANY_STONES


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
