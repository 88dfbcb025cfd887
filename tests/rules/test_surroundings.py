"""The full vocabulary in words and drawings: hand-written ones, and what no clause may be described or drawn as."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from textwrap import dedent

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples_of
from support.clauses import rule_of, rules
from support.examples import load_decisions
from support.induce_runs import GAMES

from gotools.base.errors import GotoolsError
from gotools.game.records.selection import Selection
from gotools.games.go.shapes import parse_shape
from gotools.games.go.vocabulary import BEYOND_ADVANCED, MEASURE_OF, VOCABULARIES
from gotools.rules.boosting.candidates import body_of, conditions_of
from gotools.rules.clauses.facts import shapes_named
from gotools.rules.clauses.points import Points
from gotools.rules.clauses.rules import Literal, Rule, Var
from gotools.rules.explain.diagrams import diagram, diagram_text
from gotools.rules.explain.scene import read_scene
from gotools.rules.explain.sentences import MAX_WORDS, sentence
from gotools.rules.weigh.accuracy import choices_of
from gotools.rules.weigh.firing import firing_of

THEIRS = "opposite(B,G)"
FREE = "pos_gen(E), block_on_pos(A,C,D,F,1,0,E), block_color(A,F,G)"


# ---- words ----

SENTENCES = {
    # what stands around
    "pos_gen(E), empty_on_pos(A,C,D,1,0,E)": "a point next to the move is empty",
    "pos_gen(E), empty_on_pos(A,C,D,-1,1,E)": "a point diagonally next to the move is empty",
    "pos_gen(E), empty_on_pos(A,C,D,0,2,E)": "a point a one-point jump away is empty",
    "pos_gen(E), outside_on_pos(A,C,D,0,2,E)": "a point a one-point jump away is off the board",
    "pos_gen(E), outside_on_pos(A,C,D,0,2,E), outside_on_pos(A,C,D,0,3,E)": "2 points nearby are off the board",
    "pos_gen(E), last_on_pos(A,C,D,0,-1,E)": "next to the last move",
    "pos_gen(E), last_on_pos(A,C,D,2,1,E)": "a knight's move from the last move",
    "pos_gen(E), last2_on_pos(A,C,D,2,1,E)": "a knight's move from its own previous move",
    "line(A,C,D,2), pos_gen(E), empty_on_pos(A,C,D,1,0,E)": "on the second line; a point next to the move is empty",
    # lines and distances
    "line(A,C,D,1)": "on the first line",
    "line(A,C,D,N), range(N,1,2)": "on the first or second line",
    "line(A,C,D,N), range(N,3,5)": "on the third to fifth line",
    "line(A,C,D,N), range(N,5,99)": "on the fifth line or above",
    "last_distance(A,C,D,2)": "next to the last move",
    "last_distance(A,C,D,3)": "diagonally next to the last move",
    "last_distance(A,C,D,6)": "at distance 6 from the last move",
    "last_distance(A,C,D,N), range(N,1,3)": "next or diagonally next to the last move",
    "last2_distance(A,C,D,N), range(N,4,8)": "at distance 4 to 8 from its own previous move",
    "last2_distance(A,C,D,N), range(N,5,99)": "a knight's move or more from its own previous move",
    # numbers of a stone there
    "liberties_after(A,C,D,B,1)": "leaves itself one liberty",
    "liberties_after(A,C,D,B,3)": "leaves itself 3 liberties",
    "liberties_after(A,C,D,B,N), range(N,2,3)": "leaves itself 2 or 3 liberties",
    f"{THEIRS}, liberties_after(A,C,D,G,2)": "the opponent would have 2 liberties",
    f"{THEIRS}, liberties_after(A,C,D,G,0)": "the opponent would have no liberty",
    f"{FREE}, liberties_after(A,C,D,G,2)": "that colour would have 2 liberties",
    "adjacent_chains(A,C,D,B,0)": "touches no own chain",
    "adjacent_chains(A,C,D,B,N), range(N,2,4)": "touches 2 to 4 own chains",
    f"{THEIRS}, adjacent_chains(A,C,D,G,1)": "touches one chain of the opponent",
    f"{FREE}, adjacent_chains(A,C,D,G,2)": "touches 2 chains of that colour",
    # what it would do
    "self_atari(A,C,D,B)": "puts itself in atari",
    f"{THEIRS}, self_atari(A,C,D,G)": "the opponent would be in atari",
    "escapes(A,C,D,B,works)": "escapes from atari",
    "escapes(A,C,D,B,fails)": "in vain",
    f"{THEIRS}, escapes(A,C,D,G,works)": "stops an opponent's chain from escaping",
    "ladder(A,C,D,B,works)": "gives an atari that catches a chain",
    "ladder(A,C,D,B,fails)": "gives an atari that catches nothing",
    f"{THEIRS}, ladder(A,C,D,G,works)": "forestalls an atari that would catch an own chain",
    "fills_eye(A,C,D,B,real)": "fills a real eye of its own",
    "fills_eye(A,C,D,B,false)": "fills a false eye of its own",
    f"{THEIRS}, fills_eye(A,C,D,G,real)": "plays into a real eye of the opponent",
    "rescues(A,C,D,B)": "captures stones that hold an own chain in atari",
    "joins(A,C,D,B)": "joins own chains",
    f"{THEIRS}, joins(A,C,D,G)": "cuts apart chains of the opponent",
    # together
    "stage(A,open), line(A,C,D,3), adjacent_chains(A,C,D,B,0)": (
        "in the opening, plays on the third line and touches no own chain"
    ),
    "liberties_after(A,C,D,B,2), liberties_after(A,C,D,B,3)": "can never apply on a 9x9 board",
    "liberties_after(A,C,D,B,N), range(N,5,99), liberties_after(A,C,D,B,2)": "can never apply on a 9x9 board",
    "pos_gen(E), empty_on_pos(A,C,D,1,1,E), outside_on_pos(A,C,D,1,1,E)": "can never apply on a 9x9 board",
    "pos_gen(E), last_on_pos(A,C,D,1,1,E), last_on_pos(A,C,D,0,1,E)": "can never apply on a 9x9 board",
    f"{FREE}, empty_on_pos(A,C,D,1,0,E)": "can never apply on a 9x9 board",
}


@pytest.mark.parametrize("body", SENTENCES)
def test_words(body: str) -> None:
    assert SENTENCES[body] in sentence(rule_of(body)).lower()


# Conditions of different sentences say different things, and the other way round.

CONDITIONS = [body_of([c]) for c in conditions_of(VOCABULARIES["groups"], 9)]


def meaning(body: Sequence[Literal]) -> tuple[object, ...]:
    """What a condition says, whatever the symmetry: the offset by its size, and distances as what they can be."""
    said: list[object] = []
    for literal in body:
        name, args = literal
        if name.endswith("on_pos"):
            said.append((name, tuple(sorted(abs(int(str(a))) for a in args[-3:-1]))))
        elif name.startswith("edge"):
            said.append(("edge", min(-int(str(args[2])), 10 + int(str(args[2])))))
        elif name != "pos_gen":
            own = {str(a): "own" for a in args if a == Var("B")}
            said.append((name, *(own.get(str(a), a) for a in args)))
    if body[0].predicate.endswith("_distance"):
        low, high = body[1].args[1:] if len(body) > 1 else body[0].args[-1:] * 2
        return body[0].predicate, tuple(k for k in range(2, 99) if int(str(low)) <= k <= int(str(high)))
    return tuple(said)


@pytest.mark.parametrize("name", sorted(BEYOND_ADVANCED - {"shape"}))
def test_every_argument_makes_a_difference(name: str) -> None:
    """Two conditions of one predicate have one sentence only if they say the same."""
    said: dict[str, set[tuple[object, ...]]] = defaultdict(set)
    for body in CONDITIONS:
        if any(literal.predicate == name for literal in body):
            said[sentence(Rule("r1", body, 1, 1, 0.0))].add(meaning(body))
    alone = name in MEASURE_OF and not MEASURE_OF[name].last  # a condition that holds or not
    assert said and len(said) > alone
    assert {words: found for words, found in said.items() if len(found) > 1} == {}


def test_distances_of_a_range_are_distinguished() -> None:
    """Next to the last move is distance 2, diagonally next to it 3; no other point is nearer."""
    said = [sentence(rule_of(f"last_distance(A,C,D,N), range(N,{a},{b})")) for a, b in ((1, 2), (1, 3), (2, 3))]
    assert said[0] == sentence(rule_of("last_distance(A,C,D,2)")) != said[1] == said[2]


def test_every_condition_is_described_in_plain_words() -> None:
    for body in CONDITIONS:
        text = sentence(Rule("r1", body, 1, 1, 0.0))
        assert re.fullmatch(r"[A-Z][a-z0-9',;() -]+\.", text), text
        assert "  " not in text and "_" not in text and len(text.split()) <= MAX_WORDS, text
        assert not re.search(r"\b[A-Za-z]+\(", text.replace(" (", "")), text
        assert not re.search(r"\b1 (liberties|chains|own chains)\b|\ban? (no|one|two) ", text), text


# ---- drawings ----


@pytest.mark.parametrize(
    ("body", "picture"),
    [
        (
            "pos_gen(E), empty_on_pos(A,C,D,1,0,E), empty_on_pos(A,C,D,-1,2,E)",
            """
            . . . . .
            . _ . . .
            . . . . .
            . . * _ .
            . . . . .
            """,
        ),
        (
            "pos_gen(E), last_on_pos(A,C,D,0,1,E), last2_on_pos(A,C,D,2,-1,E)",
            """
            . . . . .
            . L . . .
            . * . . .
            . . . M .
            . . . . .
            """,
        ),
        (
            "pos_gen(E), outside_on_pos(A,C,D,-2,0,E), outside_on_pos(A,C,D,0,3,E)",
            """
            . . . # .
            . . . . .
            . . . . .
            . # . * .
            . . . . .
            """,
        ),
        (
            "pos_gen(E), block_on_pos(A,C,D,F,1,0,E), block_color(A,F,G), opposite(B,G), liberty_cnt(A,F,2),"
            " empty_on_pos(A,C,D,1,1,E), last_on_pos(A,C,D,2,0,E), line(A,C,D,3)",
            """
            . . . . .
            . . _ . .
            . * O L .
            . . . . .
            O 2 liberties
            """,
        ),
        (
            "pos_gen(E), edge_ver(C,D,-2,E), empty_on_pos(A,C,D,-1,0,E), last2_on_pos(A,C,D,0,2,E)",
            """
            | . . .
            | . M .
            | . . .
            | _ * .
            | . . .
            """,
        ),
        (
            "escapes(A,C,D,B,works), fills_eye(A,C,D,B,real), last_distance(A,C,D,5)",
            """
            . . .
            . * .
            . . .
            """,
        ),
    ],
)
def test_pictures(body: str, picture: str) -> None:
    assert [line.rstrip() for line in diagram(rule_of(body))] == dedent(picture).strip().splitlines()


def signs_of(rule: Rule) -> dict[tuple[int, int], str]:
    """What a drawing shows, by its offset from the move."""
    board = [line for line in diagram(rule) if re.fullmatch(r"(\| )?\S( \S)*( \|)? *", line) and "-" not in line]
    row = next(k for k, line in enumerate(board) if "*" in line)
    column = board[row].index("*")
    return {
        ((x - column) // 2, row - y): sign
        for y, line in enumerate(board)
        for x, sign in enumerate(line)
        if sign in "_#LM"
    }


@given(rules(full=True))
def test_any_clause_is_drawn_and_described(rule: Rule) -> None:
    lines, text, scene = diagram(rule), sentence(rule), read_scene(rule)
    assert len({len(line) for line in lines}) == 1 and all(line.isascii() for line in lines)
    assert [line.rstrip() for line in diagram_text(rule).plain.splitlines()] == [line.rstrip() for line in lines]
    assert text[0].isupper() and text.endswith(".") and "None" not in text and len(text.split()) <= MAX_WORDS + 12
    if scene.contradictory:
        assert text == "Can never apply on a 9x9 board."
        return
    said: dict[str, set[object]] = {
        name: set() for name in ("empty_on_pos", "outside_on_pos", "last_on_pos", "last2_on_pos")
    }
    for literal in rule.body:
        if literal.predicate in said:
            said[literal.predicate].add(literal.args[3:5])
    signs = signs_of(rule)
    for sign, name in zip("LM", ("last_on_pos", "last2_on_pos"), strict=True):
        hidden = said["last2_on_pos"] if name == "last_on_pos" else set()
        assert {at for at, drawn in signs.items() if drawn == sign} >= said[name] - hidden
    moves = said["last_on_pos"] | said["last2_on_pos"]
    shaped = {at for text in shapes_named(rule.body) for at in parse_shape(text).points()}
    for sign, name in zip("_#", ("empty_on_pos", "outside_on_pos"), strict=True):
        assert {at for at, drawn in signs.items() if drawn == sign} - shaped == said[name] - moves - shaped


# ---- what can never apply ----


@cache
def some_points() -> Points:
    """Legal moves of a few games."""
    rows = load_decisions([*map(str, GAMES[:3])], Selection(), print, lambda: None, False)
    points = choices_of(rows).points
    return points.take(np.random.default_rng(0).choice(len(points), 500, replace=False))


@examples_of(max_examples=200)
@given(rules(full=True, most=4))
def test_what_applies_somewhere_is_not_called_contradictory(rule: Rule) -> None:
    if not read_scene(rule).contradictory:
        return
    try:
        firing = firing_of([rule], some_points())
    except GotoolsError:  # a clause that has no meaning
        return
    assert not len(firing.rule)


def test_two_free_colours_are_two_colours() -> None:
    """One may be ours and the other the opponent's: nothing here excludes anything."""
    body = f"{FREE}, block_on_pos(A,C,D,H,-1,0,E), block_color(A,H,I), adjacent_chains(A,C,D,G,1), "
    rule = rule_of(f"{body} adjacent_chains(A,C,D,I,2)")
    assert len(firing_of([rule], some_points()).rule) > 0
    assert not read_scene(rule).contradictory


def test_no_line_is_the_zeroth() -> None:
    assert sentence(rule_of("line(A,C,D,0)")) == "Can never apply on a 9x9 board."


def test_distances_that_are_named_reach_far() -> None:
    for k in MEASURE_OF["last_distance"].tried:
        text = sentence(rule_of(f"last_distance(A,C,D,{k})"))
        assert text.endswith("the last move.") and (str(k) in text) == (k > 5)
