"""Rank positions on several cores: what `gotools rank-moves` writes, stretch by stretch in the order of the input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from gotools.files.opening import STDIN
from gotools.go.examples.table import Examples
from gotools.patterns.clauses.rules import RuleSet
from gotools.patterns.matching import Interpreted, Matcher, Native, find_matcher
from gotools.patterns.ranking import Ranking, RankingTally, Words, explained, table_rows
from gotools.patterns.rule_ranking import RuleWords, measured, rank_together, stretches
from gotools.patterns.rule_table import first_moves, ranked_by_library, rows_of
from gotools.player.move_values import MoveValues
from gotools.screen_text import TEXT_WIDTH
from gotools.workers import in_order, processes

Work = TypeVar("Work")

AHEAD = 2
"""Stretches for each process that are begun before they are wanted."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is written: moves of a position (None: all), as text for people or rows of a table, and whether measured.

    width -- columns of the text for people
    """

    top: int | None
    explain: bool
    measured: bool
    width: int = TEXT_WIDTH

    def text(self, ranking: Ranking, words: Words) -> bytes:
        """Return what is written of a ranking."""
        if self.explain:
            return explained(ranking, words, self.top or 1).encode()
        return table_rows(ranking, words, self.top)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Some positions: what is written of them, how many there are, of which board sizes, and how well they went."""

    text: bytes
    positions: int
    sizes: frozenset[int]
    tally: RankingTally


class _Ranker:
    """Ranks stretches of positions; made once in each process."""

    def __init__(self, matcher: Matcher, judge: MoveValues | None, wanted: Wanted) -> None:
        self._matcher, self._judge, self._wanted = matcher, judge, wanted
        self._names = [rule.id for rule in matcher.rules.rules]

    def __call__(self, some: Examples) -> Ranked:
        wanted, sizes = self._wanted, frozenset(np.unique(some.size).tolist())
        rows_only = self._judge is None and not wanted.explain
        if rows_only and isinstance(self._matcher, Native):
            moves, tally = ranked_by_library(some, self._matcher.library, wanted.top, wanted.measured)
            return Ranked(rows_of(moves, self._names), len(moves.examples), sizes, tally)
        ranking = rank_together(some, self._matcher, self._judge)
        tally = measured(ranking) if wanted.measured else RankingTally()
        if rows_only:
            text = rows_of(first_moves(some, ranking, wanted.top), self._names)
        else:
            text = wanted.text(ranking, RuleWords(ranking, self._matcher, self._judge, wanted.width))
        return Ranked(text, len(ranking.ids), sizes, tally)


def ranked(
    batches: Iterable[Examples], matcher: Matcher, judge: MoveValues | None, wanted: Wanted, jobs: int = 1
) -> Iterator[Ranked]:
    """Rank the decisions of label 1 that fit the judge, if there is one.

    jobs -- processes; they change nothing in the result. One only, where predicates of a user are evaluated (there
        is one Prolog), or the weights came from stdin

    In one process a stretch is ranked when it is needed; other processes work some stretches ahead.
    """
    fitting = (batch if judge is None else judge.fitting(batch) for batch in batches)
    some = (stretch for batch in fitting for stretch in stretches(batch))
    if (isinstance(matcher, Interpreted) and matcher.background) or (judge and judge.path == STDIN):
        jobs = 1
    rules = matcher.path if isinstance(matcher, Native) else matcher.rules
    values = (judge.path, judge.orders) if judge else None
    yield from on_cores(some, _Ranker(matcher, judge, wanted), jobs, _load, rules, values, wanted)


def on_cores(
    works: Iterable[Work], ranker: Callable[[Work], Ranked], jobs: int, load: Callable[..., Any], *given: Any
) -> Iterator[Ranked]:
    """Yield what a ranker makes of each piece of work, in their order.

    jobs -- processes; in each of several `load(*given)` makes its ranker. It must be importable
    """
    if jobs == 1:
        yield from map(ranker, works)
        return
    with processes(jobs, _begin, load, given) as pool:
        yield from in_order(pool, _rank, works, AHEAD * jobs)


# ---- in other processes ----

_ranker: Callable[[Any], Ranked]


def _begin(load: Callable[..., Any], given: tuple[Any, ...]) -> None:
    """Load what ranks; the first process has looked at the files, and seen that they are right."""
    global _ranker
    _ranker = load(*given)


def _rank(some: Any) -> Ranked:
    return _ranker(some)


def _load(rules: str | RuleSet, values: tuple[str, bool] | None, wanted: Wanted) -> _Ranker:
    judge = MoveValues(values[0], values[1], strict=False) if values else None
    return _Ranker(find_matcher(rules) if isinstance(rules, str) else Interpreted(rules), judge, wanted)
