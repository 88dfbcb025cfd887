"""Tables: they fit, they show what they are given, they say what they leave out."""

from io import StringIO

import pytest
from rich.console import Console
from rich.table import Table
from support.clauses import rule_of

from gotools.rules.clauses.rules import Rule, RuleSet
from gotools.rules.explain.report import accuracy_table, rules_table

BODIES = (
    "pos_gen(E), edge_hor(C,D,-4,E), stage(A,open)",
    "pos_gen(E), block_on_pos(A,C,D,F,3,3,E), block_on_pos(A,C,D,F,-3,-3,E), block_color(A,F,B), stone_cnt(A,F,N),"
    "range(N,5,99)",
    "connects_direct(A,E,C,D,B), liberty_cnt(A,E,1), connects_direct(A,F,C,D,B), liberty_cnt(A,F,3), stone_cnt(A,F,1)",
)
RULES = RuleSet(tuple(Rule(f"r{i}", rule_of(body).body, 12345, i, 0.5) for i, body in enumerate(BODIES, 1)))

METRICS = {
    "test": {
        "positions": 4210,
        "top1": 0.152,
        "top3": 0.301,
        "top5": 0.44,
        "top10": 0.66,
        "top20": 0.871,
        "log_likelihood": -3.4012,
        "no_rule_fired": 0.004,
    },
    "baselines": {
        "chance": {"top1": 0.019, "top3": 0.05, "top5": 0.094, "top10": 0.188, "top20": 0.375, "log_likelihood": -3.98},
        "centre_first": {"top1": 0.045, "top3": 0.12, "top5": 0.216, "top10": 0.42, "top20": 0.736},
        "near_last_move": {"top1": 0.134, "top3": 0.3, "top5": 0.416, "top10": 0.583, "top20": 0.764},
    },
    "rules": 34,
    "clauses_searched": 270049,
    "seconds": 12.31,
}


def printed(table: Table, width: int) -> list[str]:
    out = StringIO()
    Console(file=out, width=width).print(table)
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 120])
def test_nothing_is_cut(width: int) -> None:
    for table in (rules_table(RULES), rules_table(RULES, clauses=width == 120), accuracy_table(METRICS)):
        lines = printed(table, width)
        assert max(map(len, lines)) <= width
        assert not any("\N{HORIZONTAL ELLIPSIS}" in line for line in lines)


def test_a_rule_has_counts_diagram_and_words() -> None:
    text = "\n".join(printed(rules_table(RULES, clauses=True), 120))
    assert "12,345" in text and "In the opening, plays on the fourth line from an edge." in text
    assert ". y * x ." in text and "y own, 1 stone" in text
    assert "pos_gen(E), edge_hor(C,D,-4,E), stage(A,open)" in text


def test_left_out_rules_are_counted() -> None:
    text = "\n".join(printed(rules_table(RULES, top=1), 80))
    assert "2 more rules not shown." in text and "r1" in text and "r2" not in text
    assert "not shown" not in "\n".join(printed(rules_table(RULES, top=3), 80))


def test_accuracy() -> None:
    rows = [line.split() for line in printed(accuracy_table(METRICS), 80)]
    assert ["rules", "15.2%", "30.1%", "44.0%", "66.0%", "87.1%", "-3.401", "0.4%"] in rows
    assert ["centre", "first", "4.5%", "12.0%", "21.6%", "42.0%", "73.6%", "-", "-"] in rows
    assert ["34", "rules,", "270,049", "clauses", "searched,", "12.3", "s"] in rows


def test_accuracy_without_a_test_set_is_an_empty_table() -> None:
    assert accuracy_table({"rules": 3}).row_count == 0
