"""Rank positions on several cores: what `gotools rank-moves` writes, stretch by stretch in the order of the input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from gotools.errors import WrongUsage
from gotools.files.opening import STDIN, SameFile, same_file
from gotools.go.examples.table import Examples
from gotools.patterns.clauses.rules import RuleSet
from gotools.patterns.matching import Interpreted, Matcher, Native, find_matcher
from gotools.patterns.ranking import Ranking, RankingTally, Words, explained, table_rows
from gotools.patterns.rule_ranking import RuleWords, measured, rank_together, stretches
from gotools.patterns.rule_table import first_moves, ranked_by_library, rows_of
from gotools.player.move_values import MoveValues
from gotools.screen_text import TEXT_WIDTH
from gotools.workers import Task, Workers


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
            return explained(ranking, words, self.top or 1).encode("utf-8", "replace")
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
        ranking = rank_together(some, self._matcher, self._judge, wanted.top)
        tally = measured(ranking) if wanted.measured else RankingTally()
        if rows_only:
            text = rows_of(first_moves(some, ranking, wanted.top), self._names)
        else:
            text = wanted.text(ranking, RuleWords(ranking, self._matcher, self._judge, wanted.width))
        return Ranked(text, len(ranking.ids), sizes, tally)


def ranked(
    batches: Iterable[Examples], matcher: Matcher, judge: MoveValues | None, wanted: Wanted, workers: Workers | None
) -> Iterator[Ranked]:
    """Rank the decisions of label 1 that fit the judge, if there is one.

    workers -- they change nothing in the result. None: this process

    In one process a stretch is ranked when it is needed; others work some stretches ahead. Where predicates of a user
    are evaluated (there is one Prolog), or the weights came from stdin, processes of this machine are left out, and
    those of another one raise WrongUsage.
    """
    fitting = (batch if judge is None else judge.fitting(batch) for batch in batches)
    some = (stretch for batch in fitting for stretch in stretches(batch))
    if isinstance(matcher, Interpreted) and matcher.background:
        check_here(workers, "--background")
        workers = None
    elif judge and judge.path == STDIN:
        check_here(workers, "--eval -")
        workers = None
    ranker = _Ranker(matcher, judge, wanted)
    if workers is None:
        yield from map(ranker, some)
        return
    rules = same_file(matcher.path) if isinstance(matcher, Native) else matcher.rules
    values = (same_file(judge.path), judge.orders, judge.symmetries) if judge else None
    yield from workers.each(Task(_rank, _load, (rules, values, wanted)), some)


def check_here(workers: Workers | None, option: str) -> None:
    """Raise WrongUsage where workers of a cluster are to do what needs this machine."""
    if workers is not None and workers.elsewhere:
        raise WrongUsage(f"{option} works on this machine alone, without --cluster")


# ---- in other processes ----


def _rank(ranker: _Ranker, some: Examples) -> Ranked:
    return ranker(some)


def _load(rules: SameFile | RuleSet, values: tuple[SameFile, bool, bool] | None, wanted: Wanted) -> _Ranker:
    """Load what ranks; the first process has looked at the files, and seen that they are right."""
    judge = MoveValues(values[0].checked(), values[1], False, values[2]) if values else None
    matcher = Interpreted(rules) if isinstance(rules, RuleSet) else find_matcher(rules.checked())
    return _Ranker(matcher, judge, wanted)
