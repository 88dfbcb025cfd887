"""docs/vocabulary-GAME.md is made from the vocabulary of the game, whose signs can be told apart in drawings."""

from __future__ import annotations

from itertools import product
from xml.etree import ElementTree

import pytest
from rules.test_vocabularies import NAMES
from support.needs import ROOT
from support.training_recipes import load

from gotools.game.game import vocabulary_of
from gotools.rules.clauses.rules import Rule, parse_body
from gotools.rules.explain.diagrams import diagram
from gotools.views.patterns import pattern_svg

MAKE = load("make_vocabularies", ROOT / "docs")
PAGE = (ROOT / "docs/vocabulary.md").read_text(encoding="utf-8")


def test_the_page_of_go_leads_to_those_of_other_games() -> None:
    assert MAKE.with_links(PAGE) == PAGE, "run docs/make_vocabularies.py"
    assert all(f"(vocabulary-{name}.md)" in PAGE for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_a_vocabulary_is_made_from_it(name: str) -> None:
    text = (ROOT / f"docs/vocabulary-{name}.md").read_text(encoding="utf-8")
    assert MAKE.page(name) == text, "run docs/make_vocabularies.py"
    assert all(f"| `{predicate.name}(" in text for predicate in vocabulary_of(name).predicates)


@pytest.mark.parametrize("name", NAMES)
def test_what_stands_where_is_drawn_there(name: str) -> None:
    window = vocabulary_of(name).window
    assert window is not None and list(window.signs) == list(window.classes)
    assert len({"*", ".", *window.signs.values()}) == len(window.signs) + 2
    for held, (dx, dy) in product(window.classes, window.offsets):
        body = parse_body(f"move(A,B,C) :- pos_gen(D), cell(A,C,{dx},{dy},{held},D).", "", 1, name)
        rule = Rule("r1", body, 0, 0, 1.0, name)
        rows = diagram(rule)
        at = {(x // 2, -y): sign for y, row in enumerate(rows) for x, sign in enumerate(row) if sign not in " ."}
        (move,) = (place for place, sign in at.items() if sign == "*")
        assert at == {move: "*", (move[0] + dx, move[1] + dy): window.signs[held]}
        assert ElementTree.fromstring(pattern_svg(rule, 9)[0]).tag == "svg"
