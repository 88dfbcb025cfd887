"""docs/vocabulary.md: every predicate with its arguments, no other, and examples as gotools words and draws them."""

import re
from itertools import pairwise

import numpy as np
import pytest
from support.needs import ROOT
from support.pages import blocks

from gotools.games.go.kernels.ladders import MOST_NODES
from gotools.games.go.vocabulary import EYES, INTERVALS, LEVELS, OUTCOMES, PREDICATES, RADIUS, STAGES, VOCABULARIES
from gotools.rules.clauses import clauses
from gotools.rules.clauses.rules import MAX_BODY, Rule, RuleSet, parse_body
from gotools.rules.compiled.c_source import c_source
from gotools.rules.explain.diagrams import EMPTY, LAST, MARKS, OUTSIDE, diagram
from gotools.rules.explain.sentences import sentence

PAGE = ROOT / "docs/vocabulary.md"
TEXT = PAGE.read_text(encoding="utf-8")
ROWS = re.compile(r"^\| `([a-z_0-9]+)\(([^`]*)\)` \| (.+) \|$", re.MULTILINE)
BLOCKS = [(kind, text) for kind, text, _ in blocks(PAGE)]
EXAMPLES = [(clause, shown) for (a, clause), (b, shown) in pairwise(BLOCKS) if (a, b) == ("prolog", "text")]


def section(title: str) -> str:
    """Return the text of a section."""
    (found,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    return str(found)


def rule_of(clause: str) -> Rule:
    return Rule("r1", parse_body(clause.strip(), "vocabulary.md", 1), 0, 0, 1.0)


def test_every_predicate_stands_in_the_section_of_its_level() -> None:
    for level, name in enumerate(LEVELS):
        shown = [row[0] for row in ROWS.findall(section(name.capitalize()))]
        assert sorted(shown) == sorted(p.name for p in PREDICATES if p.level == level)


def test_no_other_predicate_is_listed() -> None:
    assert sorted(row[0] for row in ROWS.findall(TEXT)) == sorted(VOCABULARIES["groups"])
    called = set(re.findall(r"\b([a-z][a-z_0-9]*)\(", TEXT)) - {"move"}
    assert called <= set(VOCABULARIES["groups"])


def test_arguments_are_those_of_the_vocabulary() -> None:
    types = dict(re.findall(r"^\| ([A-Z][A-Za-z]*) \| (\w+) \|", section("Arguments"), re.MULTILINE))
    for name, arguments, _ in ROWS.findall(TEXT):
        (predicate,) = [p for p in PREDICATES if p.name == name]
        named = arguments.split(", ")
        assert len(named) == predicate.arity
        assert [types[argument] for argument in named] == [mode[1:] for mode in predicate.modes], name
    used = {argument for _, arguments, _ in ROWS.findall(TEXT) for argument in arguments.split(", ")}
    assert used == set(types)


def test_numbers_and_constants_are_those_of_the_program() -> None:
    meaning = {name: words for name, _, words in ROWS.findall(TEXT)}
    assert re.findall(r"(\d+)-(\d+)", meaning["range"]) == [(str(a), str(b)) for a, b in INTERVALS]
    arguments = dict(re.findall(r"^\| ([A-Z]\w*) \| \w+ \| (.*) \|$", section("Arguments"), re.MULTILINE))
    assert re.findall(r"`(\w+)`", arguments["Stage"]) == list(STAGES)
    assert re.findall(r"`(\w+)`", arguments["Outcome"]) == list(OUTCOMES)
    assert re.findall(r"`(\w+)`", arguments["Eye"]) == list(EYES)
    assert f"-{RADIUS} to {RADIUS}" in arguments["DX"]
    assert f"-{RADIUS} to {RADIUS}" in arguments["DY"]
    assert f"After {MOST_NODES} defences" in section("What is caught")
    assert f"at most {MAX_BODY} conditions" in TEXT
    assert (clauses.MOST_CHOICES, clauses.MOST_SHARING) == (8, 16)
    assert "eight chains bound by relations, and 16 conditions on one liberty" in " ".join(TEXT.split())


def test_the_table_of_stages_is_their_share_of_the_board() -> None:
    rows = re.findall(r"^\| (\d+)x\1 \| (\d+) stones \| (\d+) stones \|$", TEXT, re.MULTILINE)
    assert [int(size) for size, *_ in rows] == [9, 13, 19]
    for size, opening, middle in rows:
        counts = np.arange(int(size) ** 2 + 1)
        for shown, most in ((opening, 10), (middle, 30)):
            assert int(shown) == counts[counts * 81 <= most * int(size) ** 2].max()


def test_the_signs_are_those_of_the_diagrams() -> None:
    shown = dict(re.findall(r"^\| `(.)`[^|]* \| (.*) \|$", section("Rules in words and diagrams"), re.MULTILINE))
    assert shown[EMPTY] == "empty"
    assert shown[OUTSIDE] == "off the board"
    assert shown[LAST["last_on_pos"]] == "the last move"
    assert shown[LAST["last2_on_pos"]] == "the own move before it"
    for letters in MARKS.values():
        assert f"`{letters[1]}`, `{letters[2]}` and so on" in shown[letters[0]]


def test_there_is_an_example_of_every_vocabulary() -> None:
    assert len(EXAMPLES) == len(LEVELS)
    for level, (clause, _) in enumerate(EXAMPLES):
        known = {p.name: p.level for p in PREDICATES}
        assert max(known[literal.predicate] for literal in rule_of(clause).body) == level


@pytest.mark.parametrize(("clause", "shown"), EXAMPLES)
def test_an_example_is_described_and_drawn_as_by_gotools(clause: str, shown: str) -> None:
    rule = rule_of(clause)
    drawn = "\n".join(line.rstrip() for line in diagram(rule))
    assert shown == f"{sentence(rule)}\n\n{drawn}\n"


@pytest.mark.parametrize("clause", [text for kind, text in BLOCKS if kind == "prolog"])
def test_the_clauses_have_a_meaning(clause: str) -> None:
    assert c_source(RuleSet((rule_of(clause),)), "vocabulary.md")
