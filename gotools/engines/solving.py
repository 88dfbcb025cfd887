"""Positions solved: whether a goal of the game, such as mate, is reached in each, and by which line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Event

import numpy as np
from numpy.typing import NDArray

from gotools.base.settings import Settings, setting, strict_setting
from gotools.files.kinds import Kind
from gotools.files.tables import header, row
from gotools.game.choice import Limits
from gotools.game.game import Game
from gotools.game.traits import Goal, Question
from gotools.search.proof import ProofSearch
from gotools.work.workers import in_order, threads

UNKNOWN = "unknown"
"""The answer where a limit came first."""
COLUMNS = ("id", "answer", "plies", "nodes", "line")


@dataclass(frozen=True, kw_only=True)
class SolvingSettings(Settings):
    """Which position of a record is solved, and how much is spent on it."""

    last: bool = setting(False, "Of a record the position after its last move, not the first.")
    nodes: int = setting(2_000_000, "Most positions to look at for an answer.", least=1, most=10**12)
    seconds: float | None = setting(
        None, "Most seconds for an answer, which then depends on the machine.", least=0.0, most=1e6
    )
    strict: bool = strict_setting()


@dataclass(frozen=True, slots=True)
class Problem:
    """A position with what is asked of it."""

    id: str
    size: int
    state: NDArray[np.int32]
    questions: Sequence[Question]


@dataclass(frozen=True, slots=True)
class Solved:
    """The answer for a position.

    answer -- as the game calls it: mate, nomate; "unknown" where a limit came first
    nodes  -- positions whose moves were listed
    line   -- the moves of both sides to the goal; else the move that prevents it, if that side is to play
    """

    id: str
    answer: str
    nodes: int
    line: tuple[str, ...]


def solve_each(
    problems: Sequence[Problem], game: Game, limits: Limits, advance: Callable[[], None], jobs: int = 1
) -> Iterator[Solved]:
    """Solve problems, and yield the answers in their order; jobs -- threads.

    An exception, such as KeyboardInterrupt, ends all searches.
    """
    running, over, otherwise = set[ProofSearch](), Event(), game.need(Goal).otherwise

    def one(problem: Problem) -> Solved:
        nodes = 0
        line: tuple[int, ...] = ()
        for answer, goal in problem.questions:
            search = ProofSearch(game)
            running.add(search)
            if over.is_set():
                search.stop()
            proof = search.solve(problem.state, limits, goal)
            running.discard(search)
            nodes, line = nodes + proof.nodes, proof.line
            if proof.reached is not False:
                found = UNKNOWN if proof.reached is None else answer
                break
        else:
            found = otherwise
        texts = tuple(game.move_text(move, problem.size) for move in line)
        return Solved(problem.id, found, nodes, texts)

    with threads(jobs) as pool:
        try:
            for found in in_order(pool, one, problems, jobs):
                advance()
                yield found
        finally:
            over.set()
            for search in tuple(running):
                search.stop()


def as_tsv(found: Sequence[Solved], game: Game, limits: Limits) -> bytes:
    """Return a table of answers, a row for each position."""
    about = {"game": game.full_name, "nodes": str(limits.nodes)}
    about |= {} if limits.seconds is None else {"seconds": f"{limits.seconds:g}"}
    rows = (
        (one.id, one.answer, len(one.line) if one.answer != UNKNOWN else "", one.nodes, " ".join(one.line) or "-")
        for one in found
    )
    return header(Kind.solved.word, Kind.solved.version, about, COLUMNS) + "".join(map(row, rows)).encode()
