"""Rows of a ranking that a kernel writes are those that Python writes, for compiled rules and those of text."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.clauses import every_kind, every_kind_compiled
from support.random_boards import some_positions, table

from gotools.games.go.board import legal_mask
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.points import NONE, PASS
from gotools.rules.compiled.native import NativeRules
from gotools.rules.matching import Interpreted, Matcher, find_matcher
from gotools.rules.ranking import RankingTally, table_rows
from gotools.rules.rule_ranking import RuleWords, measured, rank_together
from gotools.rules.rule_table import first_moves, ranked_by_library, rows_of, ten_thousandths


def ids() -> list[str]:
    return [rule.id for rule in every_kind().rules]


@pytest.fixture(scope="module")
def native() -> NativeRules:
    found = find_matcher(str(every_kind_compiled()))
    assert isinstance(found, NativeRules)
    return found


def decisions(names: list[str]) -> GoExamples:
    """Positions of several sizes; moves that are legal and others, passes and none; plies of one to three digits."""
    positions = [position for size in (2, 5, 9, 13, 19) for position in some_positions(size, 15)]
    board, size, to_play, ko, last, last2 = table(positions)
    rng, count = np.random.default_rng(1), len(positions)
    move = rng.integers(0, size.astype(np.int64) ** 2).astype(np.int16)
    move[::7], move[3::7] = PASS, NONE
    return GoExamples(
        names=names,
        game=rng.integers(0, len(names), count).astype(np.int32),
        ply=rng.choice([0, 1, 9, 10, 99, 100, 361], count).astype(np.int32),
        size=size,
        to_play=to_play,
        board=board,
        ko=ko,
        last=last,
        last2=last2,
        move=move,
        label=np.ones(count, np.uint8),
        source=np.zeros(count, np.uint8),
    )


def written_by_python(some: GoExamples, matcher: Matcher, top: int | None) -> tuple[bytes, RankingTally]:
    ranking = rank_together(some, matcher)
    return table_rows(ranking, RuleWords(ranking, matcher), top), measured(ranking)


@pytest.mark.parametrize("top", [1, 2, 50, None])
@pytest.mark.parametrize("names", [["plain"], ["a", "äöü 碁", "x:y"], ['with "quotes"', "a # sign", "tab\there"]])
def test_every_byte_is_the_same(native: NativeRules, names: list[str], top: int | None) -> None:
    some = decisions(names)
    text, tally = written_by_python(some, Interpreted(every_kind()), top)
    moves, own = ranked_by_library(some, native, top, measured=True)
    assert rows_of(moves, ids()) == text and len(text) > 1000
    assert rows_of(first_moves(some, rank_together(some, Interpreted(every_kind())), top), ids()) == text
    assert own == tally and own.positions > 10


def test_nothing_is_measured_where_nobody_asks(native: NativeRules) -> None:
    assert ranked_by_library(decisions(["a"]), native, 1, measured=False)[1] == RankingTally()


def test_positions_without_a_legal_move_are_left_out(native: NativeRules) -> None:
    some = decisions(["a", "b"])
    full = some.board.copy()
    full[[0, 4, -1]] = 1
    full[4] *= 2
    some = replace(some, board=full, to_play=np.where(np.arange(len(some)) == 4, 2, 1).astype(np.uint8))
    for rows in (some, some.take(np.array([4, 0])), some.take(np.zeros(0, np.int64))):
        text, tally = written_by_python(rows, Interpreted(every_kind()), 2)
        moves, own = ranked_by_library(rows, native, 2, measured=True)
        assert (rows_of(moves, ids()), own) == (text, tally)
        legal = legal_mask(rows.board, rows.size, rows.to_play, rows.ko).any(axis=1)
        assert len(moves.examples) == legal.sum() <= max(0, len(rows) - 2)


def expected(value: float) -> str:
    return f"{round(value, 4) + 0.0:.4f}"


def written(value: float) -> str:
    units = int(ten_thousandths(np.array([value]))[0])
    return f"{'-' * (units < 0)}{abs(units) // 10_000}.{abs(units) % 10_000:04}"


@given(st.one_of(st.floats(-2e9, 2e9), st.integers(-(10**13), 10**13).map(lambda n: n / 1e9)))
def test_numbers_are_rounded_as_python_rounds(value: float) -> None:
    assert written(value) == expected(value)


@pytest.mark.parametrize("ties", [1 / 32, 3 / 32, 0.00005, 0.00015, 2.00025, 1234.56785, 1e-300, 0.0])
def test_ties_are_rounded_as_python_rounds(ties: float) -> None:
    for value in (ties, -ties, np.nextafter(ties, 1e9), np.nextafter(ties, -1e9)):
        assert written(float(value)) == expected(float(value))
