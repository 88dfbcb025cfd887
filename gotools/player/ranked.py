"""Rank positions on several cores: what `gotools rank-moves` writes, stretch by stretch in the order of the input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gotools.files.opening import STDIN
from gotools.go.examples.table import Examples
from gotools.patterns.clauses.rules import RuleSet
from gotools.patterns.matching import Interpreted, Matcher, Native, find_matcher
from gotools.patterns.ranking import RankingTally, explained, rank_together, stretches, table_rows
from gotools.player.move_values import MoveValues
from gotools.screen_text import TEXT_WIDTH
from gotools.workers import in_order, processes

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

    def __call__(self, some: Examples) -> Ranked:
        matcher, judge, wanted, tally = self._matcher, self._judge, self._wanted, RankingTally()
        ranking = rank_together(some, matcher, judge)
        if wanted.explain:
            text = explained(ranking, matcher, wanted.top or 1, judge, wanted.width).encode()
        else:
            text = table_rows(ranking, matcher, wanted.top)
        if wanted.measured:
            tally.add(ranking)
        return Ranked(text, len(ranking.ids), frozenset(some.size.tolist()), tally)


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
    one = _Ranker(matcher, judge, wanted)
    if jobs == 1 or (isinstance(matcher, Interpreted) and matcher.background) or (judge and judge.path == STDIN):
        yield from map(one, some)
        return
    rules = matcher.path if isinstance(matcher, Native) else matcher.rules
    values = (judge.path, judge.orders) if judge else None
    with processes(jobs, _begin, rules, values, wanted) as pool:
        yield from in_order(pool, _rank, some, AHEAD * jobs)


# ---- in other processes ----

_ranker: _Ranker


def _begin(rules: str | RuleSet, values: tuple[str, bool] | None, wanted: Wanted) -> None:
    """Load what ranks; the first process has looked at the files, and seen that they are right."""
    global _ranker
    judge = MoveValues(values[0], values[1], strict=False) if values else None
    _ranker = _Ranker(find_matcher(rules) if isinstance(rules, str) else Interpreted(rules), judge, wanted)


def _rank(some: Examples) -> Ranked:
    return _ranker(some)
