"""Rules that rank keep to the memory promised: tables are gone through in stretches, and no larger than said."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from support.induce_runs import GAMES

from gotools.go.examples.loading import load_decisions
from gotools.go.records.selection import Selection
from gotools.patterns import rank_study
from gotools.patterns.rank import boost
from gotools.patterns.rank.boost import BoostSettings
from gotools.patterns.rank_study import run_rank_study
from gotools.patterns.study import Study
from gotools.patterns.weigh import firing
from gotools.patterns.weigh.firing import FiringTable
from gotools.patterns.weigh.weights import Observations, worth

ROWS, RULES, EACH = 100_000, 60, 40


@pytest.fixture(scope="module")
def large() -> FiringTable:
    """A table of four million entries, 8 MB: 40 of 60 rules at each of 100,000 moves."""
    rules = np.sort(np.argsort(np.random.default_rng(1).random((ROWS, RULES)), axis=1)[:, :EACH], axis=1)
    return FiringTable(np.arange(ROWS + 1) * EACH, rules.astype(np.int16).ravel())


def peak(work: Callable[[], object]) -> float:
    """Return the most memory that some work holds, in bytes; what it returns is part of it."""
    tracemalloc.start()
    try:
        kept = work()
        assert kept is not None
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_tables_are_worked_on_in_little_memory(large: FiringTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the result: less than the table itself. It was eight times as much and more."""
    monkeypatch.setattr(firing, "ENTRIES_AT_ONCE", 200_000)
    table = large.rule.nbytes
    first = np.arange(0, ROWS + 1, 100)
    sight = Observations(first, first[:-1], large, np.zeros(ROWS, np.float32))
    worth(sight, np.zeros(RULES))  # compiles
    assert peak(lambda: worth(sight, np.full(RULES, 0.1))) < table
    assert peak(lambda: large.sums(RULES)) < table
    assert peak(lambda: large.only(np.arange(RULES - 1))) < 2.5 * table
    parts = [FiringTable(large.at[:1001] - large.at[0], large.rule[: 1000 * EACH])] * 100
    assert peak(lambda: FiringTable.concat(iter(parts))) < 1.6 * table


def test_stretches_change_nothing(large: FiringTable, monkeypatch: pytest.MonkeyPatch) -> None:
    few = FiringTable(large.at[:2001], large.rule[: 2000 * EACH])
    number = np.random.default_rng(2).random(2000)
    kept = np.array([7, 3, 59, 0])
    row = np.repeat(np.arange(2000), EACH)
    expected = np.array([number[row[few.rule == rule]].sum() for rule in range(RULES)])
    whole = few.only(kept)
    for most in (1, EACH, 999, 10**9):
        monkeypatch.setattr(firing, "ENTRIES_AT_ONCE", most)
        assert few.sums(RULES, number) == pytest.approx(expected, rel=1e-12)
        assert few.sums(RULES).tolist() == np.bincount(few.rule, minlength=RULES).tolist()
        part = few.only(kept)
        assert part.at.tolist() == whole.at.tolist() and part.rule.tolist() == whole.rule.tolist()


# ---- the table of the last weights ----

SEARCH = BoostSettings(rules=12, seeds=6, beam=6, longest=4, least=5, fresh=6)


def study(most: int | None) -> Study:
    train = load_decisions([str(path) for path in GAMES[:12]], Selection(), print, lambda: None)
    return run_rank_study(train, SEARCH, lambda found: None, seed=1, most_firing=most)


def test_the_table_is_no_larger_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights are then fitted on some of the positions, and the header says on how many."""
    sizes: list[int] = []
    made = rank_study.observations_of

    def noticed(*given: object) -> Observations:
        sight = made(*given)  # type: ignore[arg-type]
        sizes.append(len(sight.firing.rule))
        return sight

    monkeypatch.setattr(rank_study, "observations_of", noticed)
    whole = study(None)
    (all_entries,) = sizes
    sizes.clear()
    limit = all_entries // 3
    limited = study(limit)
    assert len(sizes) == 2 and sizes[1] < 1.2 * limit  # the first tells how many positions will fit
    assert "which fill the memory allowed" in limited.rules.header["weights"]
    assert "memory" not in whole.rules.header["weights"]
    assert limited.positives == whole.positives and limited.searched == whole.searched
    assert len(limited.rules.rules) > 6
    assert study(10**9).rules == whole.rules


def test_probabilities_do_not_depend_on_how_many_are_found_together(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = study(None)
    monkeypatch.setattr(boost, "LOOKED_AT", 7)
    assert study(None).rules == whole.rules
