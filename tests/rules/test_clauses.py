"""Clauses of a rules file hold where backtracking through Prolog's meaning says; what binds nothing is refused."""

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support.clauses import CLAUSES, FULL
from support.clauses import rules as random_rules
from support.slow_induction import Example, covers, points_of, random_examples

from gotools.base.errors import GotoolsError
from gotools.games.go.vocabulary import VOCABULARIES
from gotools.rules.clauses.facts import FactTable, Intervals, shapes_named
from gotools.rules.clauses.meaning import facts_of, holds
from gotools.rules.clauses.rules import Literal, Rule, parse_body


def coverage(table: FactTable, body: tuple[Literal, ...]) -> np.ndarray:
    return holds(table, table.masks(np.arange(len(table), dtype=np.int32)), body)


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return random_examples(random.Random(1), 5, 600, 30)


@pytest.mark.parametrize("clause", CLAUSES + FULL)
def test_clauses_hold_where_backtracking_says(clause: str, examples: list[Example]) -> None:
    body = parse_body(f"move(A,B,C,D) :- {clause}.", "test", 1)
    words = VOCABULARIES["groups"] if clause in FULL else VOCABULARIES["advanced"]
    table = facts_of(points_of(examples), Intervals.start(), predicates=words, shapes=shapes_named(body))
    held = coverage(table, body)
    assert held.tolist() == [covers(body, example) for example in examples]
    assert 0 < held.sum() < len(examples)


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        ("liberties_after(A,C,D,B,E), liberty_cnt(A,F,E)", "F is used before"),
        ("connects_direct(A,F,C,D,B), liberties_after(A,C,D,B,E), liberty_cnt(A,F,E)", "only range may follow"),
        ("connects_direct(A,F,C,D,B), liberty_cnt(A,F,E), line(A,C,D,E)", "bound already"),
        ("line(A,C,D,E), line(A,C,D,E)", "bound already"),
        ("liberties_after(A,C,D,E,2)", "E is used before it is bound"),
        ("escapes(A,C,D,B,perhaps)", "expected works or fails"),
        ("fills_eye(A,C,D,B,works)", "expected real or false"),
        ("pos_gen(E), empty_on_pos(A,C,D,4,0,E)", "expected a number from -3 to 3"),
        ("pos_gen(E), last_on_pos(A,C,D,0,0,E)", "the point itself"),
        ("ladder(A,D,C,B,works)", "argument 2 must be C"),
        ("shape(A,C,D,B,E)", "E stands where a shape belongs"),
        ("opposite(B,E), shape(A,C,D,E,'.../.*./...')", "argument 4 must be B"),
    ],
)
def test_what_the_full_vocabulary_refuses(clause: str, why: str) -> None:
    body = parse_body(f"move(A,B,C,D) :- {clause}.", "test", 1)
    with pytest.raises(GotoolsError, match=why):
        coverage(some_points()[1], body)


@cache
def some_points() -> tuple[list[Example], FactTable]:
    examples = random_examples(random.Random(5), 5, 60, 30)
    return examples, facts_of(points_of(examples), Intervals.start(), predicates=VOCABULARIES["groups"])


@settings(suppress_health_check=[HealthCheck.filter_too_much])  # a random clause often says nothing
@given(st.one_of(random_rules(size=5, most=6), random_rules(size=5, most=6, full=True)))
def test_any_clause_that_is_taken_holds_where_backtracking_says(rule: Rule) -> None:
    examples, table = some_points()
    try:
        held = coverage(table, rule.body)
    except GotoolsError:  # a variable used before it is bound, two that are one: never found by a search
        assume(False)
    assert held.tolist() == [covers(rule.body, example) for example in examples]


def test_clauses_that_would_take_too_much_room_are_refused() -> None:
    sharing = "connects_direct(A,E,C,D,B)" + ", liberty(A,E,L)" * 17
    choosing = ", ".join(f"connects_direct(A,E{k},C,D,B)" for k in range(9))
    for clause in (sharing, choosing):
        body = parse_body(f"move(A,B,C,D) :- {clause}.", "test", 1)
        with pytest.raises(GotoolsError, match=r"more than (16|8) literals"):
            coverage(some_points()[1], body)
        coverage(some_points()[1], body[:-1])


REFUSED = {
    "stone_cnt(A,E,1)": "E is used before it is bound",
    "opposite(E,B)": "E is used before it is bound",
    "pos_gen(E), pos_gen(F)": "one pos_gen",
    "connects_direct(A,E,C,D,B), stone_cnt(A,B,1)": "B is a color, not a block",
    "connects_direct(A,E,D,C,B)": "must be C",
    "connects_direct(B,E,C,D,B)": "must be A",
    "stage(A,late)": "open, middle, end",
    "connects_direct(A,E,C,D,B), liberty_cnt(A,E,F), range(F,1,9)": "an interval is one of 1-2",
    "pos_gen(E), block_on_pos(A,C,D,F,0,0,E)": "0,0 is the point itself",
    "pos_gen(E), block_on_pos(A,C,D,F,4,0,E)": "from -3 to 3",
    "pos_gen(E), edge_ver(C,D,1,E)": "from -19 to -1",
    "connects_direct(A,e,C,D,B)": "e stands where a variable belongs",
}


@pytest.mark.parametrize("clause", REFUSED)
def test_clauses_that_make_no_sense_are_refused_with_the_literal(clause: str) -> None:
    body = parse_body(f"move(A,B,C,D) :- {clause}.", "test", 1)
    with pytest.raises(GotoolsError) as caught:
        coverage(some_points()[1], body)
    assert REFUSED[clause] in str(caught.value)
    assert str(body[-1]) in str(caught.value)
