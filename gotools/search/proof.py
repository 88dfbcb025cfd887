"""Proof-number search: whether a side can force a goal, such as mate, and how."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gotools.game.choice import Limits
from gotools.game.game import Game
from gotools.game.goals import Goal
from gotools.jit import as_value
from gotools.jit.kernels.seams import REACHED, TO_PLAY
from gotools.search.kernels import proof as k

TABLE_BITS = 20
State = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Proof:
    """What is known of a goal.

    reached -- whether the attacker reaches it against every defence; None: a limit came first
    line    -- the moves of both, where it does: short ones of the attacker against the longest defence that is known.
               There may be a shorter way. Where it does not, the move of a defender whose turn it is
    nodes   -- positions whose moves were listed: the same number, the same answer
    """

    reached: bool | None
    line: tuple[int, ...]
    nodes: int


class ProofSearch:
    """Depth-first proof-number search. One that was stopped cannot be used again.

    What it has proven of a position counts for later positions of the same game too, unless plies are limited.

    table_bits -- the transposition table has 2**table_bits entries of 24 bytes
    plies      -- in which the goal has to be reached; 0: any number

    Raises GotoolsError for a game without goals.
    """

    def __init__(self, game: Game, table_bits: int = TABLE_BITS, plies: int = 0) -> None:
        self._game, self._tries = game, game.need(Goal).tries
        self._tables = k.new_tables(game.cells, game.longest, table_bits)
        self._tables.counters[k.FARTHEST] = plies

    def stop(self) -> None:
        """Make `solve` answer at once, whether another thread has begun it or not."""
        self._tables.stop[0] = 1

    def solve(self, state: State, limits: Limits, goal: State) -> Proof:
        """Find out whether a goal is reached, one that the game's trait `Goal` asks for."""
        tables = self._tables
        tables.counters[[k.NODES, k.STOPPED]] = 0
        tables.counters[k.NODE_LIMIT] = np.iinfo(np.int64).max if limits.nodes is None else limits.nodes
        timer = None if limits.seconds is None else threading.Timer(max(limits.seconds, 0.0), self.stop)
        if timer is not None:
            timer.start()
        try:
            proven = self._search(state, goal, 0)
            line = self._line(state, goal) if proven else self._defence(state, goal)
        finally:
            if timer is not None:
                timer.cancel()
        nodes = int(tables.counters[k.NODES])
        return Proof(None if proven is None or line is None else proven, tuple(line or ()), nodes)

    def _search(self, state: State, goal: State, ply: int) -> bool | None:
        """Return whether the attacker reaches the goal from the position of a ply; None if that is not known."""
        tables, game = self._tables, self._game
        tables.states[ply] = state
        tables.own[ply] = tables.path[ply] = k.word_of(tables, game.key(state), ply)
        task = k.Task(as_value(self._tries), as_value(game.after), as_value(game.key), goal)
        k.prove(ply, k.INFINITE, k.INFINITE, tables, task)
        phi, delta, note = tables.found[ply].tolist()
        if (phi and delta) or note == k.LINE_TOO_LONG:
            return None
        return bool((phi == 0) == (state[TO_PLAY] == goal[0]))

    def _line(self, state: State, goal: State) -> list[int] | None:
        """Return the moves from a proven position to the goal, which is looked at; None if a limit comes first."""
        line: list[int] = []
        moves = np.empty(self._game.longest, np.int32)
        for _ in range(2 * k.PLIES):
            n = self._tries(state, goal, moves)
            if n == REACHED:
                return line
            attacks = bool(state[TO_PLAY] == goal[0])
            after, ply = {move: self._game.play(state, move) for move in moves[:n].tolist()}, len(line)
            lengths = {move: self._length(child, goal, ply + 1) for move, child in after.items()}
            known = {move: length for move, length in lengths.items() if length is not None}
            if known:
                move = (min if attacks else max)(known, key=known.__getitem__)
            elif n and not attacks:
                move = int(moves[0])
            elif n and self._search(state, goal, ply if self._bounded else 0):
                continue  # other positions had taken the place of those after it in the table
            else:
                break
            line.append(move)
            state = after[move]
        return None

    def _defence(self, state: State, goal: State) -> list[int]:
        """Return the move by which a defender whose turn it is prevents the goal, after the search."""
        if state[TO_PLAY] == goal[0]:
            return []
        n = max(self._tries(state, goal, self._tables.moves[0]), 0)
        found: list[int] = self._tables.moves[0, :n][self._tables.delta[0, :n] == 0][:1].tolist()
        return found

    @property
    def _bounded(self) -> bool:
        return bool(self._tables.counters[k.FARTHEST])

    def _length(self, state: State, goal: State, ply: int) -> int | None:
        """Return how many plies a proof of a position takes; None where the table holds none."""
        at = k.place_of(self._tables, k.word_of(self._tables, self._game.key(state), ply))
        if at < 0 or self._tables.entries[at, k.PHI if state[TO_PLAY] == goal[0] else k.DELTA] != 0:
            return None
        return int(self._tables.entries[at, k.NOTE])
