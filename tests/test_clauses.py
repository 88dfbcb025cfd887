"""Clauses of a rules file hold where backtracking through Prolog's meaning says; what binds nothing is refused."""

import random
from functools import cache

import numpy as np
import pytest
from clauses import rules as random_rules
from hypothesis import assume, given
from slow_induction import Example, covers, points_of, random_examples

from gotools.errors import GotoolsError
from gotools.patterns.clauses import holds
from gotools.patterns.facts import FactTable, Intervals, facts_of
from gotools.patterns.rules import ARITIES, Literal, Rule, parse_body


def coverage(table: FactTable, body: tuple[Literal, ...]) -> np.ndarray:
    return holds(table, table.masks(np.arange(len(table), dtype=np.int32)), body)


AT = "pos_gen(E), block_on_pos(A,C,D,F,{},{},E)"
CLAUSES = [
    "connects_direct(A,E,C,D,B), connects_direct(A,F,C,D,B), liberty_cnt(A,E,G), stone_cnt(A,F,G)",
    "opposite(B,E), connects_direct(A,F,C,D,E), atari(A,G,C,D,B), liberty(A,F,L), liberty(A,G,L), stone_cnt(A,F,1)",
    "connects_direct(A,E,C,D,B), connects_direct(A,F,C,D,B), liberty(A,E,L), liberty(A,F,L), stone_cnt(A,F,2)",
    f"{AT.format(1, 0)}, block_color(A,F,G), connects_direct(A,H,C,D,G), liberty_cnt(A,H,N), range(N,1,2)",
    f"{AT.format(0, 1)}, block_color(A,F,G), captures(A,H,C,D,G), block_on_pos(A,C,D,H,1,0,E)",
    f"{AT.format(-1, 1)}, connects_indirect(A,F,C,D,B), liberty_cnt(A,F,N), range(N,2,4)",
    f"{AT.format(1, 0)}, block_on_pos(A,C,D,G,0,1,E), block_on_pos(A,C,D,H,-1,1,E), "
    "liberty(A,F,L), liberty(A,G,L), liberty(A,H,L), block_color(A,F,I), block_color(A,G,I)",
    f"{AT.format(1, 1)}, edge_hor(C,D,-1,E), stage(A,open), block_color(A,F,G), opposite(G,B)",
    "opposite(B,E), opposite(E,B), stage(A,end)",
]


@pytest.mark.parametrize("clause", CLAUSES)
def test_clauses_hold_where_backtracking_says(clause: str) -> None:
    body = parse_body(f"move(A,B,C,D) :- {clause}.", ARITIES, "test", 1)
    examples = random_examples(random.Random(clause), 5, 400, 30)
    held = coverage(facts_of(points_of(examples), Intervals.start()), body)
    assert held.tolist() == [covers(body, example) for example in examples]
    assert 0 < held.sum() < len(examples)


@cache
def some_points() -> tuple[list[Example], FactTable]:
    examples = random_examples(random.Random(5), 5, 60, 30)
    return examples, facts_of(points_of(examples), Intervals.start())


@given(random_rules(size=5, most=6))
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
        body = parse_body(f"move(A,B,C,D) :- {clause}.", ARITIES, "test", 1)
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
    body = parse_body(f"move(A,B,C,D) :- {clause}.", ARITIES, "test", 1)
    with pytest.raises(GotoolsError) as caught:
        coverage(some_points()[1], body)
    assert REFUSED[clause] in str(caught.value)
    assert str(body[-1]) in str(caught.value)
