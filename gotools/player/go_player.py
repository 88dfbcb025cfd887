"""A player of Go: a search and what a game asks for besides, superko, passing, colours, reasons in words.

It never fills an own single-point eye. It passes where nothing else is legal; where it is ahead after
the dead stones are taken off, by another count too, and the opponent has passed or every point is settled; where every
point is settled against it. Else a pass stands only where the search prefers it and the player is ahead in this way, or
where the best other moves are worse than none, as in a seki.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gotools.go.as_game import GO, move_of, point_of
from gotools.go.board import Board
from gotools.go.estimate.status import SETTLED_GAMES, dead_points, final_score, ownership
from gotools.go.kernels import game as g
from gotools.go.kernels import rules as k
from gotools.go.kernels.liberties import is_self_atari
from gotools.go.points import BLACK, EMPTY, NONE, PASS, vertex
from gotools.learn.weights.evaluator import Evaluator
from gotools.patterns.matching import Matcher
from gotools.patterns.ranking import reasons
from gotools.screen_text import TEXT_WIDTH, wrapped
from gotools.search.choice import Choice, Limits, Option, Search

SETTLED = 0.9
"""A point is settled where one side owns it after this share of play-outs more than the other."""
LATE = 0.45
"""Share of the points that hold stones before the game may be over."""
GLANCE, GLANCED = 100, 0.8
"""Games of a first look whether all is settled, and the share by which each point must be owned in them."""
TRIED, TRIALS, WASTED = 5, 300, 3.0
"""Moves that are looked at for one that throws no stones away; games for each; points by which such a move is worse
than a pass. The mean of so many games errs by about one."""
MANY = 3
"""Stones that are not put into atari late in the game without a second look."""
COUNTING = 0.2
"""Share of the time for a move that may go into counts, before and after the search."""
COST = 4e-3
"""Seconds for each point of the board that all counts of a move take in full, on a busy machine."""
FEWEST = 30
"""Games that say something about the score."""
ENDLESS = Limits()
"""Of an analysis, which thinks about moves and not about the end."""
SHOWN = 5
"""Moves that an explanation compares."""


@dataclass(frozen=True, slots=True)
class GoOption:
    """A candidate: points of points.py, PASS for a pass; winrate and prior from 0 to 1; `line` begins with `point`."""

    point: int
    winrate: float
    visits: int
    prior: float
    line: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GoChoice:
    """The player's answer; winrate is for the side to play, score_lead in points for it where a count was made."""

    point: int
    winrate: float
    score_lead: float | None
    line: tuple[int, ...]
    nodes: int
    depth: int
    reason: str
    options: tuple[GoOption, ...]


@dataclass(frozen=True, slots=True)
class _Count:
    """By how much a side is ahead.

    agreed -- dead stones taken off; played -- in the mean of games played to the end; stands -- no stone is dead
    sure   -- every point goes to the same side in nearly all of these games
    passed -- the opponent has just passed: a pass ends the game
    """

    agreed: float
    played: float
    stands: float
    sure: bool
    passed: bool

    def won(self) -> bool:
        """Say whether two counts hold the game for won; of a game that a pass ends, the board as it stands is one."""
        return self.agreed > 0 and (self.played > 0 or (self.passed and self.stands > 0))


class GoPlayer:
    """Choose moves in games of Go; see `choose`.

    matcher -- the rules that order the moves, for reasons in words; None where there are none
    seed    -- of the play-outs that count the score
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
        self._search, self._matcher, self._seed = search, matcher, seed
        self._komi: float | None = None
        self._stopped = threading.Event()
        self._share = 1.0

    @property
    def only_size(self) -> int | None:
        """Return the one board size that the player knows; None where it plays on all."""
        return None if self._evaluator is None else self._evaluator.weights.size

    def stop(self) -> None:
        """Make a `choose` of another thread answer now."""
        self._stopped.set()
        self._search.stop()

    def forget(self) -> None:
        """What comes is another game."""
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
        allowed: Collection[int] | None = None,
    ) -> GoChoice:
        """Choose a move, or a pass. The board is not changed; its history counts for positional superko.

        cleanup -- take all dead stones of the opponent off before passing; allowed -- choose among these points only
        """
        began = self._begin(board.side, komi, limits)
        state = _root(board, colour, komi)
        moves = self._moves(board, state, colour, allowed)
        if len(moves) == 1:
            what = "no other legal move that leaves the own eyes alone" if allowed is None else "the only move allowed"
            return _without_search(point_of(moves[0], board.side), what)
        dead = self._dead_of(board, 3 - colour) if cleanup and allowed is None else []
        if allowed is None and limits != ENDLESS:
            over = self._over(board, colour, komi)
            if over is not None and not dead:
                return over
            moves = _captures(board, moves, dead)
        choice = self._search.choose(
            state, moves, _left(limits, began, self._stopped, _is_late(board)), self._tell(board.side, report)
        )
        if allowed is None and (choice.move == g.PASS_MOVE or _risks_much(board, state, colour, choice.move)):
            if not _others(choice):  # the search ended before it saw a move besides the pass
                choice = replace(choice, options=choice.options + self._look(state, moves))
            choice = self._checked(board, colour, komi, choice, dead)
        return _in_points(choice, board.side)

    def _begin(self, side: int, komi: float, limits: Limits) -> float:
        """Make ready for a choice; returns the time."""
        whole = COST * side * side
        self._share = 1.0 if limits.seconds is None else min(1.0, COUNTING * limits.seconds / whole)
        self._stopped.clear()
        if komi != self._komi:
            self._search.forget()  # the values of positions were those of another komi
        self._komi = komi
        return time.monotonic()

    def _tell(self, size: int, report: Callable[[GoChoice], None] | None) -> Callable[[Choice], None] | None:
        """Return what the search shall call with its answers so far."""
        if report is None:
            return None

        def tell(choice: Choice) -> None:
            if self._stopped.is_set():  # before the search began, so that it does not know
                self._search.stop()
            report(_in_points(choice, size))

        return tell

    def _moves(self, board: Board, state: NDArray[np.int32], colour: int, allowed: Collection[int] | None) -> list[int]:
        """List the moves to choose among; at least one."""
        legal = [
            move
            for move in GO.worthy_moves_of(state)
            if move == g.PASS_MOVE or board.is_legal(point_of(move, board.side), colour, superko=True)
        ]
        if allowed is None:
            return legal
        wanted = {move_of(point, board.side) for point in allowed}
        return [move for move in legal if move in wanted] or [g.PASS_MOVE]

    # passing ---------------------------------------------------------------------------------------------------------

    def _over(self, board: Board, colour: int, komi: float) -> GoChoice | None:
        """Return a pass where there is nothing left to play for; None where the game goes on."""
        if not _is_passed(board, colour):
            if not _is_late(board):
                return None
            if self._share * SETTLED_GAMES < FEWEST:
                return None
            if (np.abs(ownership(board, colour, self._seed, GLANCE)) < GLANCED).any():
                return None
        count = self._count(board, colour, komi)
        if count is None:
            return None
        if count.won() and (count.passed or count.sure):
            why = "the opponent passed" if count.passed else "every point is settled"
            return _without_search(PASS, f"{why}, and the game is won by {count.agreed:g}", count.agreed)
        if count.agreed < 0 and count.played < 0 and count.sure:
            why = f"every point is settled, and the game is lost by {-count.agreed:g}"
            return _without_search(PASS, why, count.agreed)
        return None

    def _count(self, board: Board, colour: int, komi: float) -> _Count | None:
        """Count by as many games as the time for the move allows; None where they would be too few to tell."""
        sign, passed = 1 if colour == BLACK else -1, _is_passed(board, colour)
        stands = sign * (board.area_score() - komi)
        games = int(self._share * SETTLED_GAMES)
        if games < FEWEST:
            return _Count(stands, stands, stands, False, True) if passed else None
        agreed = sign * final_score(board, komi, self._seed, games)
        owned = ownership(board, colour, self._seed, games)
        played = sign * (float(owned.sum()) - komi)
        return _Count(agreed, played, stands, bool((np.abs(owned) > SETTLED).all()), passed)

    def _look(self, state: NDArray[np.int32], moves: list[int]) -> tuple[Option, ...]:
        """Search the moves that are no pass, not far."""
        others = [move for move in moves if move != g.PASS_MOVE]
        found = self._search.choose(state, others, Limits(nodes=1000, depth=1))
        return found.options or (Option(found.move, found.value, 0, 0.0, found.line),)

    def _checked(self, board: Board, colour: int, komi: float, choice: Choice, dead: list[int]) -> Choice:
        """Return the choice, a pass or a move that puts many own stones into atari, where it stands; else what does.

        dead -- stones of the opponent that have to be taken off before a pass
        """
        moves = _others(choice)
        if not (_is_late(board) or _is_passed(board, colour)) or dead:
            return _instead(choice, moves[0])
        count = self._count(board, colour, komi)
        if count is None:
            return _instead(choice, moves[0])
        if count.won():
            return choice
        before = self._played_after(board, colour, PASS)
        for option in moves[:TRIED]:
            if self._played_after(board, colour, point_of(option.move, board.side)) > before - WASTED:
                return _instead(choice, option)
        return _passing(choice)

    def _played_after(self, board: Board, colour: int, point: int) -> float:
        """Return by how much a colour is ahead, without komi, in games played to the end after its move."""
        after = board.copy()
        after.play_point(point, colour)
        owned = float(ownership(after, 3 - colour, self._seed, max(1, int(self._share * TRIALS))).sum())
        return owned if colour == BLACK else -owned

    def _dead_of(self, board: Board, colour: int) -> list[int]:
        games = max(FEWEST, int(self._share * SETTLED_GAMES))
        return [p for p in dead_points(board, self._seed, games) if board.colour(p) == colour]

    # reasons ---------------------------------------------------------------------------------------------------------

    def explain(self, board: Board, colour: int, choice: GoChoice) -> str:
        """Say in some lines why a move was chosen: value, what was compared, and which rules speak for it."""
        size = board.side
        head = f"{vertex(choice.point, size)}: {choice.reason}"
        if choice.nodes:
            head += f"; chance to win {100 * choice.winrate:.1f} %"
        lines = [wrapped(head, TEXT_WIDTH - 2, 4)]  # the answer begins with "= "
        if len(choice.line) > 1:
            lines.append(wrapped("expected: " + " ".join(vertex(p, size) for p in choice.line), indent=10))
        for option in choice.options[:SHOWN]:
            prior = f", prior {100 * option.prior:.1f} %" if option.prior else ""
            chance = f"chance {100 * option.winrate:5.1f} %"
            lines.append(f"  {vertex(option.point, size):4} {chance}, {option.visits:,} visits{prior}")
        if self._matcher is not None and choice.point != PASS:
            rules = self._rules(board, colour, choice.point)
            lines += ["rules:", *rules] if rules else ["no rule speaks for it or against it"]
        if self._evaluator is not None:
            lines += self._values(self._evaluator, board, colour)
        return "\n".join(lines)

    def _values(self, evaluator: Evaluator, board: Board, colour: int) -> list[str]:
        """Say what the learned value sees in the position before the move, without any search."""
        state = _root(board, colour, self._komi or 0.0)
        reasons = evaluator.why(state)
        head = f"{evaluator.weights.features} without search: chance {100 * _winrate(evaluator.value(state)):.1f} %"
        return [head, *(f"        {reason.share:+.3f}  {reason.what}" for reason in reasons)]

    def _rules(self, board: Board, colour: int, point: int) -> list[str]:
        assert self._matcher is not None
        last = [int(k.unpad(board.state[at], board.side)) for at in (k.LAST, k.LAST2)]
        ko = board.ko if colour == board.to_play else NONE
        return reasons(self._matcher, board.cells, board.side, colour, (ko, last[0], last[1]), point)


def _root(board: Board, colour: int, komi: float) -> NDArray[np.int32]:
    """Return the position for the search: never a finished game, for somebody asks for a move."""
    state = board.state.copy()
    state[k.TO_PLAY] = colour
    state[g.KOMI2] = round(2 * komi)
    if state[k.LAST] == PASS and state[k.LAST2] == PASS:
        state[k.LAST2] = NONE
    return state


def _is_passed(board: Board, colour: int) -> bool:
    """Say whether the opponent of a colour has just passed."""
    return bool(board.state[k.LAST] == PASS and board.to_play == colour)


def _captures(board: Board, moves: list[int], dead: list[int]) -> list[int]:
    """Keep the moves beside dead stones, where there are any."""
    near = {p for point in dead for p in board.liberties(point)}
    kept = [move for move in moves if point_of(move, board.side) in near]
    return kept or moves


def _is_late(board: Board) -> bool:
    """Say whether the game may be over."""
    return bool((board.cells != EMPTY).mean() >= LATE)


def _risks_much(board: Board, state: NDArray[np.int32], colour: int, move: int) -> bool:
    """Say whether a move late in the game puts several own stones into atari."""
    if not _is_late(board) or not is_self_atari(state, move, colour):
        return False
    after = board.copy()
    after.play_point(point_of(move, board.side), colour)
    return len(after.chain(point_of(move, board.side))) >= MANY


def _left(limits: Limits, began: float, stopped: threading.Event, late: bool) -> Limits:
    """Return the limits less the time since a choice began, and, late in a game, that of the counts to come."""
    if stopped.is_set():
        return replace(limits, seconds=0.0)
    if limits.seconds is None:
        return limits
    share = limits.seconds * (1 - COUNTING / 2) if late else limits.seconds
    return replace(limits, seconds=max(0.0, share - (time.monotonic() - began)))


def _others(choice: Choice) -> list[Option]:
    """List what is no pass, best first."""
    return [option for option in choice.options if option.move != g.PASS_MOVE]


def _instead(choice: Choice, best: Option) -> Choice:
    """Return a move, with a reason where it is another one than the search chose."""
    if best.move == choice.move:
        return choice
    why = "a pass is not yet safe" if choice.move == g.PASS_MOVE else "the first choice throws stones away"
    return replace(choice, move=best.move, value=best.value, line=best.line, reason=f"{choice.reason}; {why}")


def _passing(choice: Choice) -> Choice:
    """Return a pass, with a reason."""
    reason = f"{choice.reason}; all other moves throw stones away"
    return replace(choice, move=g.PASS_MOVE, line=(g.PASS_MOVE,), reason=reason)


def _without_search(point: int, why: str, lead: float | None = None) -> GoChoice:
    winrate = 0.5 if lead is None else (1.0 if lead > 0 else 0.0)
    return GoChoice(point, winrate, lead, (point,), 0, 0, why, (GoOption(point, winrate, 0, 0.0, (point,)),))


def _in_points(choice: Choice, size: int) -> GoChoice:
    """Translate moves to points and values to winrates."""

    def line(moves: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(point_of(move, size) for move in moves)

    looked_at = [option for option in choice.options if option.visits] or choice.options[:1]
    options = tuple(
        GoOption(point_of(o.move, size), _winrate(o.value), o.visits, o.prior, line(o.line)) for o in looked_at
    )
    return GoChoice(
        point_of(choice.move, size), _winrate(choice.value), None, line(choice.line), choice.nodes, choice.depth,
        choice.reason, options,
    )  # fmt: skip


def _winrate(value: float) -> float:
    return (value + 1.0) / 2.0
