"""Rank positions on several cores: what `gotools rank-moves` writes, stretch by stretch in the order of the input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gotools.base.errors import WrongUsage
from gotools.base.screen_text import TEXT_WIDTH
from gotools.engines.move_values import MoveValues
from gotools.files.opening import STDIN, SameFile, same_file
from gotools.game.examples.examples import Examples
from gotools.game.examples.legal import legal_moves_of
from gotools.game.vocabulary import Vocabulary
from gotools.games.go.examples.examples import of_go
from gotools.rules.clauses.points import Points
from gotools.rules.clauses.rules import RuleSet
from gotools.rules.compiled.native import NativeRules
from gotools.rules.matching import Interpreted, Matcher, find_matcher
from gotools.rules.ranking import Ranking, RankingTally, Words, as_json_lines, explained, ranked, stretches, table_rows
from gotools.rules.rule_ranking import RuleRanking, RuleWords, measured, rank_together
from gotools.rules.rule_table import first_moves, ranked_by_library, rows_of
from gotools.work.workers import Task, Workers


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is written: moves of a position (None: all), as what, and whether measured.

    form -- rows of a table, or reasons as text for people, or as lines of JSON; width -- columns of the text
    """

    top: int | None
    form: Literal["table", "text", "json"] = "table"
    measured: bool = False
    width: int = TEXT_WIDTH

    def text(self, ranking: Ranking, words: Words) -> bytes:
        """Return what is written of a ranking."""
        if self.form == "text":
            return explained(ranking, words, self.top or 1).encode("utf-8", "replace")
        if self.form == "json":
            return as_json_lines(ranking, words, self.top).encode("ascii")
        return table_rows(ranking, words, self.top)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Some positions: what is written of them, how many there are, of which board sizes, and how well they went."""

    text: bytes
    positions: int
    sizes: frozenset[int]
    tally: RankingTally


class Ranker:
    """Ranks decisions of label 1 by rules, by learned values, or by rules with the values beside them.

    rules -- by which moves are ranked; about -- a line on the learned values, None without them
    wanted -- what is written
    """

    def __init__(self, matcher: Matcher, values: MoveValues | None, wanted: Wanted, name: str = "") -> None:
        """Take rules, which may be none, and values; name -- of the file of rules, for messages."""
        self.rules, self.about, self.wanted = matcher.rules, None if values is None else values.about, wanted
        self._matcher, self._values, self._name = matcher, values, name
        self._names = [rule.id for rule in matcher.rules.rules]

    def stretches(self, found: Iterable[Examples]) -> Iterator[Examples]:
        """Cut decisions into stretches that are ranked together, some hundreds each, in the order of the input."""
        for batch in found:
            yield from stretches(batch if self._values is None else self._values.fitting(batch))

    def ranking(self, some: Examples) -> tuple[Ranking, Words]:
        """Return the legal moves of a stretch in order, and what writes them."""
        if some.of.has(Vocabulary):
            found = rank_together(some, self._matcher, self._values, self.wanted.top)
            return found, RuleWords(found, self._matcher, self._values, self.wanted.width)
        ranking = ranked(legal_moves_of(some), None, self._values, self.wanted.top)
        return ranking, Words(ranking, self._values)

    def __call__(self, some: Examples) -> Ranked:
        """Rank a stretch and write it."""
        wanted, sizes = self.wanted, frozenset(np.unique(some.size).tolist())
        rows_only = self._values is None and wanted.form == "table"
        if rows_only and isinstance(self._matcher, NativeRules):
            moves, tally = ranked_by_library(of_go(some), self._matcher, wanted.top, wanted.measured)
            return Ranked(rows_of(moves, self._names), len(moves.examples), sizes, tally)
        ranking, words = self.ranking(some)
        tally = self.tally(ranking) if wanted.measured else RankingTally()
        if rows_only and isinstance(ranking, RuleRanking) and isinstance(ranking.choices.points, Points):
            text = rows_of(first_moves(of_go(some), ranking, wanted.top), self._names)
        else:
            text = wanted.text(ranking, words)
        return Ranked(text, len(ranking), sizes, tally)

    def tally(self, ranking: Ranking) -> RankingTally:
        """Return how well a ranking predicts the moves played; positions whose move is not legal do not count."""
        if isinstance(ranking, RuleRanking):
            return measured(ranking)
        tally = RankingTally()
        tally.add_beside_chance(ranking)
        return tally

    def local_option(self) -> str | None:
        """Return the option by which only this process can rank; None: other processes can."""
        if isinstance(self._matcher, Interpreted) and self._matcher.background:
            return "--background"  # there is one Prolog
        return "--eval -" if self._values is not None and self._values.path == STDIN else None

    def report_left_out(self, report: Callable[[str], None], done: int, sizes: set[int]) -> None:
        """Report at the end what was left out; done -- positions ranked, sizes -- of their boards."""
        if warning := self.rules.learned_elsewhere(sizes):
            report(f"{self._name}: {warning}")
        if self._values is not None:
            self._values.report_left_out(report, done)

    def ranked(self, found: Iterable[Examples], workers: Workers | None) -> Iterator[Ranked]:
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
            yield from workers.each(Task(_rank, _load, self._loading()), found)

    def _loading(self) -> tuple[Any, ...]:
        """Return the arguments of `_load`, which makes the same ranker in another process."""
        matcher, values = self._matcher, self._values
        rules = same_file(matcher.path) if isinstance(matcher, NativeRules) else matcher.rules
        known = values and (same_file(values.path), values.game.full_name, values.orders, values.symmetries)
        return rules, known, self.wanted


# ---- in other processes ----


def _rank(ranker: Ranker, some: Examples) -> Ranked:
    return ranker(some)


def _load(rules: SameFile | RuleSet, values: tuple[SameFile, str, bool, bool] | None, wanted: Wanted) -> Ranker:
    """Load what ranks; the first process has looked at the files, and seen that they are right."""
    judge = None
    if values:
        file, game, orders, symmetries = values
        judge = MoveValues(file.checked(), game, orders, False, symmetries)
    matcher = Interpreted(rules) if isinstance(rules, RuleSet) else find_matcher(rules.checked())
    return Ranker(matcher, judge, wanted)
