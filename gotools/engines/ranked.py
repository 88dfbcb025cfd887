"""Rank positions on several cores: what `gotools rank-moves` writes, stretch by stretch in the order of the input."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gotools.base.errors import WrongUsage
from gotools.base.screen_text import TEXT_WIDTH
from gotools.engines.move_values import MoveValues
from gotools.files.opening import STDIN, SameFile, same_file
from gotools.games.go.examples.table import Examples
from gotools.rules.clauses.rules import RuleSet
from gotools.rules.compiled.native import NativeRules
from gotools.rules.matching import Interpreted, Matcher, find_matcher
from gotools.rules.ranking import Ranking, RankingTally, Words, explained, table_rows
from gotools.rules.rule_ranking import RuleRanking, RuleWords, measured, rank_together, stretches
from gotools.rules.rule_table import first_moves, ranked_by_library, rows_of
from gotools.work.workers import Task, Workers


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is written: moves of a position (None: all), as text for people or rows of a table, and whether measured.

    width -- columns of the text for people
    """

    top: int | None
    explain: bool = False
    measured: bool = False
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


class Ranker(ABC):
    """Ranks positions, some hundreds together, in the order of the input.

    rules -- by which moves are ranked; about -- a line on the learned values, None without them
    wanted -- what is written
    """

    rules: RuleSet
    about: str | None
    wanted: Wanted

    @abstractmethod
    def stretches(self, found: Any) -> Iterator[Any]:
        """Cut decisions into stretches that are ranked together."""

    @abstractmethod
    def ranking(self, some: Any) -> tuple[Ranking, Words]:
        """Return the legal moves of a stretch in order, and what writes them."""

    @abstractmethod
    def __call__(self, some: Any) -> Ranked:
        """Rank a stretch and write it."""

    @abstractmethod
    def local_option(self) -> str | None:
        """Return the option by which only this process can rank; None: other processes can."""

    @abstractmethod
    def loading(self) -> tuple[Callable[..., Ranker], tuple[Any, ...]]:
        """Return a function that makes the same ranker in another process, and its arguments."""

    def report_left_out(  # noqa: B027 -- many have nothing to report
        self, report: Callable[[str], None], done: int, sizes: set[int]
    ) -> None:
        """Report at the end what was left out; done -- positions ranked, sizes -- of their boards."""

    def ranked(self, found: Iterable[Any], workers: Workers | None) -> Iterator[Ranked]:
        """Rank stretches and write them; workers change nothing in the result, None: this process.

        In one process a stretch is ranked when it is needed; others work some stretches ahead. Where only this process
        can rank, processes of this machine are left out, and those of another one raise WrongUsage.
        """
        if option := self.local_option():
            if workers is not None and workers.elsewhere:
                raise WrongUsage(f"{option} works on this machine alone, without --cluster")
            workers = None
        if workers is None:
            yield from map(self, found)
        else:
            yield from workers.each(Task(_rank, *self.loading()), found)


class GoRanker(Ranker):
    """Ranks decisions of label 1 by rules, by learned values, or by rules with the values beside them."""

    def __init__(self, matcher: Matcher, values: MoveValues | None, wanted: Wanted, name: str = "") -> None:
        """Take rules and values; name -- of the file of rules, for messages."""
        self.rules, self.about, self.wanted = matcher.rules, None if values is None else values.about, wanted
        self._matcher, self._values, self._name = matcher, values, name
        self._names = [rule.id for rule in matcher.rules.rules]

    def stretches(self, found: Iterable[Examples]) -> Iterator[Examples]:
        for batch in found:
            yield from stretches(batch if self._values is None else self._values.fitting(batch))

    def ranking(self, some: Examples) -> tuple[RuleRanking, Words]:
        ranking = rank_together(some, self._matcher, self._values, self.wanted.top)
        return ranking, RuleWords(ranking, self._matcher, self._values, self.wanted.width)

    def __call__(self, some: Examples) -> Ranked:
        wanted, sizes = self.wanted, frozenset(np.unique(some.size).tolist())
        rows_only = self._values is None and not wanted.explain
        if rows_only and isinstance(self._matcher, NativeRules):
            moves, tally = ranked_by_library(some, self._matcher, wanted.top, wanted.measured)
            return Ranked(rows_of(moves, self._names), len(moves.examples), sizes, tally)
        ranking, words = self.ranking(some)
        tally = measured(ranking) if wanted.measured else RankingTally()
        text = (
            rows_of(first_moves(some, ranking, wanted.top), self._names) if rows_only else wanted.text(ranking, words)
        )
        return Ranked(text, len(ranking.ids), sizes, tally)

    def local_option(self) -> str | None:
        if isinstance(self._matcher, Interpreted) and self._matcher.background:
            return "--background"  # there is one Prolog
        return "--eval -" if self._values is not None and self._values.path == STDIN else None

    def loading(self) -> tuple[Callable[..., Ranker], tuple[Any, ...]]:
        matcher, values = self._matcher, self._values
        rules = same_file(matcher.path) if isinstance(matcher, NativeRules) else matcher.rules
        return _load, (rules, values and (same_file(values.path), values.orders, values.symmetries), self.wanted)

    def report_left_out(self, report: Callable[[str], None], done: int, sizes: set[int]) -> None:
        if warning := self.rules.learned_elsewhere(sizes):
            report(f"{self._name}: {warning}")
        if self._values is not None:
            self._values.report_left_out(report, done)


# ---- in other processes ----


def _rank(ranker: Ranker, some: Any) -> Ranked:
    return ranker(some)


def _load(rules: SameFile | RuleSet, values: tuple[SameFile, bool, bool] | None, wanted: Wanted) -> GoRanker:
    """Load what ranks; the first process has looked at the files, and seen that they are right."""
    judge = MoveValues(values[0].checked(), values[1], False, values[2]) if values else None
    matcher = Interpreted(rules) if isinstance(rules, RuleSet) else find_matcher(rules.checked())
    return GoRanker(matcher, judge, wanted)
