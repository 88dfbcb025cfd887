"""Exact results of positions, of a game that can be solved before its end."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.choice import Choice, Limits, Option
from gotools.game.game import Game
from gotools.game.goals import Solvable
from gotools.jit.kernels.seams import NODE_LIMIT, NODES, STOPPED, TO_PLAY
from gotools.search.forcing import Decision
from gotools.search.proof import Proof

TABLE_BITS: Final = 21
State = NDArray[np.int32]


class _Unknown(Exception):
    """A limit came first."""


class Endings:
    """Find the exact scores of positions (`Solvable`). What is found shortens the search of later positions.

    One that was stopped cannot be used again before `forget`.

    table_bits -- the table of bounds has 2**table_bits entries of 8 bytes
    """

    share: Final = 2
    """It takes at most one part in `share` of the limits of a player."""

    def __init__(self, game: Game, table_bits: int = TABLE_BITS) -> None:
        self._game, self._solvable = game, game.need(Solvable)
        self._table = np.zeros(1 << table_bits, np.int64)
        self._counters = np.zeros(STOPPED + 1, np.int64)
        self._stop = np.zeros(1, np.int32)
        self._stopped = False

    def stop(self) -> None:
        """Make a search of another thread answer at once, whether it has begun or not."""
        self._stopped = True
        self._stop[0] = 1

    def forget(self) -> None:
        """Drop what was found."""
        self._table[:] = 0
        self._stopped, self._stop[0] = False, 0

    def solve(self, state: State, limits: Limits, goal: State) -> Proof:
        """Find out whether the side goal[0] wins; see `ProofSearch.solve`. The line is the shortest victory."""
        attacks = bool(state[TO_PLAY] == goal[0])
        won, line = None, list[int]()
        with self._limited(limits), suppress(_Unknown):
            sign = self._sign(state)
            if sign == (1 if attacks else -1):
                line = self._line(state, self._score(state, sign))
                won = True
            else:
                line = [] if attacks else self._reaching(state, self._game.moves_of(state), sign)[:1]
                won = False
        return Proof(won, tuple(line), int(self._counters[NODES]))

    def result(self, state: State, moves: Sequence[int], limits: Limits) -> tuple[int, list[int]] | None:
        """Return 1, 0 or -1, and the first of the moves that reaches it, of a draw all; None if a limit came first."""
        with self._limited(limits), suppress(_Unknown):
            sign = self._sign(state)
            return sign, self._reaching(state, moves, sign)
        return None

    def decide(self, state: State, moves: Sequence[int], limits: Limits) -> Decision:
        """Return the quickest victory or longest defence, if the position is solved; of a draw all moves that keep it.

        Where the limit comes before the quickest victory is known, another one is returned.
        """
        if (opening := self._opening(state, moves)) is not None:
            return Decision(opening, moves, 0)
        score, best, line, others = 0, list[int](), list[int](), list[Option]()
        with self._limited(limits):
            with suppress(_Unknown):
                sign = self._sign(state)
                if sign >= 0:
                    score, best = sign, self._reaching(state, moves, sign)
                if sign != 0:
                    exact = self._score(state, sign)
                    if quickest := self._reaching(state, moves, exact):  # it may not be among the moves
                        line = self._from(state, quickest[0], exact)
                        score, best = exact, quickest
            nodes = int(self._counters[NODES])
            if not best or (score == 0 and len(best) > 1):
                return Decision(None, best or moves, nodes, "a draw, solved" * bool(best))
            self._counters[NODE_LIMIT] = min(self._counters[NODE_LIMIT], 2 * nodes)
            with suppress(_Unknown):
                for move in moves:
                    if move != best[0]:
                        others.append(self._option(state, move))
        why = ("a loss", "a draw", "a victory")[1 + (score > 0) - (score < 0)] + f" in {len(line)} plies" * bool(line)
        line = line or best
        mine = Option(best[0], self._solvable.worth(score), nodes, 0.0, tuple(line))
        choice = Choice(
            mine.move,
            mine.value,
            mine.line,
            nodes,
            len(line),
            f"{why}, solved in {nodes:,} positions",
            (mine, *sorted(others, key=lambda other: -other.value)),
        )
        return Decision(choice, moves, int(self._counters[NODES]))

    def _opening(self, state: State, moves: Sequence[int]) -> Choice | None:
        """Return the best move of a position that was solved before; None where it is not known."""
        move, score = self._solvable.openings().get(self._game.key(state), (-1, 0))
        if move not in moves:
            return None
        value = self._solvable.worth(score)
        why = f"a {'victory' if score > 0 else 'draw'}, by the openings that were solved before"
        return Choice(move, value, (move,), 0, 1, why, (Option(move, value, 0, 0.0, (move,)),))

    @contextmanager
    def _limited(self, limits: Limits) -> Iterator[None]:
        """Count positions from 0, and stop the searches of the block at a limit."""
        counters = self._counters
        counters[[NODES, STOPPED]] = 0
        counters[NODE_LIMIT] = np.iinfo(np.int64).max if limits.nodes is None else limits.nodes
        if limits.seconds is None:
            yield
            return
        timer = threading.Timer(max(limits.seconds, 0.0), self._stop.fill, [1])
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            self._stop[0] = self._stopped

    def _ask(self, state: State, low: int, high: int) -> int:
        """Return the score, or a bound beyond low or high."""
        score = int(self._solvable.solve(state, low, high, self._table, self._counters, self._stop))
        if self._counters[STOPPED]:
            raise _Unknown
        return score

    def _sign(self, state: State) -> int:
        """Return 1 for a victory of the side to play, 0 for a draw, -1 for a loss."""
        return max(-1, min(1, self._ask(state, -1, 1)))

    def _score(self, state: State, sign: int) -> int:
        """Return the score of a position, of which the sign is known."""
        low, high = (sign, self._solvable.most * sign) if sign >= 0 else (-self._solvable.most, -1)
        while low < high:
            middle = (low + high) // 2
            if self._ask(state, middle, middle + 1) > middle:
                low = middle + 1
            else:
                high = middle
        return low

    def _reaching(self, state: State, moves: Sequence[int], score: int) -> list[int]:
        """Return the first move that reaches a score, of a draw all moves that do."""
        found = list[int]()
        for move in moves:
            if -self._ask(self._game.play(state, move), -score, 1 - score) >= score:
                found.append(move)
                if score != 0:
                    break
        return found

    def _line(self, state: State, score: int) -> list[int]:
        """Return the moves to the end of a decided position: the quickest victory, against the longest defence."""
        return self._from(state, self._reaching(state, self._game.moves_of(state), score)[0], score)

    def _from(self, state: State, first: int, score: int) -> list[int]:
        """Return such a line that begins with one of the best moves."""
        line = [first]
        state, score = self._game.play(state, first), -score
        while moves := self._game.moves_of(state):
            line += self._reaching(state, moves, score)
            state, score = self._game.play(state, line[-1]), -score
        return line

    def _option(self, state: State, move: int) -> Option:
        """Return a move with its exact value."""
        after, before = self._game.play(state, move), int(self._counters[NODES])
        score = -self._score(after, self._sign(after))
        return Option(move, self._solvable.worth(score), int(self._counters[NODES]) - before, 0.0, (move,))
