"""Sentences: what a Go player should read for a clause, and that any clause gets one."""

import pytest
from hypothesis import given
from support.clauses import rule_of, rules

from gotools.rules.clauses.rules import Rule
from gotools.rules.explain.scene import read_scene
from gotools.rules.explain.sentences import MAX_WORDS, sentence

THEIRS = "block_color(A,F,G), opposite(B,G)"
OWN = "block_color(A,F,B)"


def at(dx: int, dy: int, chain: str = "F") -> str:
    return f"block_on_pos(A,C,D,{chain},{dx},{dy},E)"


THESIS = {
    "3.2": (f"pos_gen(E), {at(0, -1)}, {THEIRS}", "Touches an opponent's stone."),
    "3.3": ("pos_gen(E), edge_ver(C,D,-6,E), edge_hor(C,D,-6,E)", "Plays at a 4-4 point."),
    "3.4": (f"pos_gen(E), {at(2, 1)}, {OWN}", "Plays a knight's move from an own stone."),
    "3.5": (f"pos_gen(E), {at(1, -1)}, {OWN}", "Plays a diagonal move from an own stone."),
    "3.6": (f"pos_gen(E), {at(1, 0)}, {OWN}", "Extends an own stone."),
    "3.7": (f"pos_gen(E), {at(-2, 0)}, {OWN}", "Plays a one-point jump from an own stone."),
    "3.8": ("pos_gen(E), edge_ver(C,D,-6,E), stage(A,open)", "In the opening, plays on the fourth line from an edge."),
    "3.9": ("pos_gen(E), edge_ver(C,D,-5,E), stage(A,open)", "In the opening, plays on a middle line."),
    "3.10": ("pos_gen(E), edge_hor(C,D,-4,E), stage(A,open)", "In the opening, plays on the fourth line from an edge."),
    "3.11": ("pos_gen(E), edge_ver(C,D,-6,E), edge_hor(C,D,-4,E)", "Plays at a 4-4 point."),
    "3.12": ("pos_gen(E), edge_ver(C,D,-7,E), edge_hor(C,D,-3,E)", "Plays at a 3-3 point."),
}
"""The rules that the thesis prints with constants (3.1 is a scheme of rules)."""


@pytest.mark.parametrize("number", THESIS)
def test_rules_of_the_thesis(number: str) -> None:
    body, words = THESIS[number]
    assert sentence(rule_of(body)) == words


STEPS = {
    (0, 3): "a two-point jump from",
    (-1, 3): "a large knight's move from",
    (2, -2): "a diagonal jump from",
    (3, 3): "three points diagonally from",
    (-2, 3): "three across and two up from",
}


@pytest.mark.parametrize("offset", STEPS)
def test_steps_have_names(offset: tuple[int, int]) -> None:
    assert sentence(rule_of(f"{at(*offset)}, {OWN}")) == f"Plays {STEPS[offset]} an own stone."


@pytest.mark.parametrize(
    ("body", "words"),
    [
        # numbers of stones and liberties
        ("atari(A,F,C,D,B), stone_cnt(A,F,2)", "Puts an opponent's chain of 2 stones in atari."),
        ("captures(A,F,C,D,B), stone_cnt(A,F,1)", "Captures an opponent's single stone."),
        ("connects_direct(A,F,C,D,B), liberty_cnt(A,F,1)", "Extends an own chain in atari."),
        ("connects_direct(A,F,C,D,B), liberty_cnt(A,F,G), range(G,1,2)", "Extends an own chain with 1 or 2 liberties."),
        ("connects_direct(A,F,C,D,B), stone_cnt(A,F,G), range(G,5,99)", "Extends an own chain of 5 or more stones."),
        (
            "connects_direct(A,F,C,D,B), liberty_cnt(A,F,G), range(G,3,5), range(G,4,8)",
            "Extends an own chain with 4 or 5 liberties.",
        ),
        (
            f"pos_gen(E), {at(3, 3)}, {OWN}, liberty_cnt(A,F,G), range(G,4,8)",
            "Plays three points diagonally from an own chain with 4 to 8 liberties.",
        ),
        (f"{at(1, 2)}, {OWN}, stone_cnt(A,F,1)", "Plays a knight's move from a single own stone."),
        # what the opponent could do here is said of the own chain it would hit
        ("captures(A,F,C,D,G), opposite(B,G)", "Extends an own chain in atari."),
        ("atari(A,F,C,D,G), opposite(G,B)", "Extends an own chain with 2 liberties."),
        (
            "opposite(B,E), connects_direct(A,F,C,D,E), liberty_cnt(A,F,G), range(G,1,3), stone_cnt(A,F,1)",
            "Touches an opponent's single stone with 1 to 3 liberties.",
        ),
        (
            "connects_indirect(A,F,C,D,G), opposite(B,G)",
            "Plays where an opponent's chain could link up in two ways.",
        ),
        # a colour that follows from another chain's
        (
            f"pos_gen(E), {at(0, -2)}, block_color(A,F,G), captures(A,H,C,D,G), block_color(A,H,B)",
            "Extends an own chain in atari and plays at a one-point jump from an opponent's stone.",
        ),
        (
            f"pos_gen(E), {at(-3, 3)}, block_color(A,F,G), connects_indirect(A,H,C,D,G), block_color(A,H,G)",
            "Plays three points diagonally from a stone of either colour"
            " and where a chain of that colour could link up in two ways.",
        ),
        ("captures(A,F,C,D,G)", "Plays next to a chain of either colour in atari."),
        # several chains, several stones of a chain
        (
            "connects_direct(A,E,C,D,B), liberty_cnt(A,E,3), connects_direct(A,F,C,D,B), liberty_cnt(A,F,2)",
            "Connects an own chain with 3 liberties to one with 2 liberties.",
        ),
        (
            "connects_direct(A,E,C,D,B), connects_direct(A,F,C,D,B), liberty_cnt(A,F,2)",
            "Extends an own chain and one with 2 liberties (perhaps one chain).",
        ),
        (
            f"{at(1, 0)}, {OWN}, {at(-1, 0, 'G')}, block_color(A,G,B)",
            "Extends two own stones (perhaps one chain).",
        ),
        (f"{at(1, 0)}, {at(-1, 0)}, {OWN}", "Extends an own chain on two sides."),
        (f"{at(2, -1)}, {at(2, 1)}, {OWN}", "Plays a knight's move from two stones of an own chain."),
        (
            f"{at(-2, 1)}, {OWN}, {at(-2, 2)}",
            "Plays a knight's move from an own chain that also has a stone a diagonal jump away.",
        ),
        (
            f"{at(-2, 1)}, {OWN}, connects_direct(A,F,C,D,B)",
            "Extends an own chain that also has a stone a knight's move away.",
        ),
        (
            f"{at(-2, 0)}, connects_indirect(A,F,C,D,B), stone_cnt(A,F,1)",
            "Links up in two ways with a single own stone a one-point jump away.",
        ),
        (
            "stage(A,end), connects_indirect(A,E,C,D,B), liberty_cnt(A,E,F), range(F,4,8)",
            "In the endgame, links up in two ways with an own chain with 4 to 8 liberties.",
        ),
        # liberties in common, equal counts
        (
            "atari(A,F,C,D,B), connects_direct(A,G,C,D,B), liberty(A,F,L), liberty(A,G,L)",
            "Puts an opponent's chain in atari and extends an own chain; the two chains share a liberty.",
        ),
        (
            "connects_direct(A,F,C,D,B), stone_cnt(A,F,N), liberty_cnt(A,F,N)",
            "Extends an own chain; it has as many liberties as stones.",
        ),
        (
            "connects_direct(A,F,C,D,B), opposite(B,H), connects_direct(A,G,C,D,H),"
            "liberty_cnt(A,F,N), stone_cnt(A,G,N)",
            "Extends an own chain and touches an opponent's chain;"
            " the own chain has as many liberties as the opponent's has stones.",
        ),
        # edges: heights are named from the edge that the line is counted from
        ("pos_gen(E), edge_ver(C,D,-9,E), stage(A,open)", "In the opening, plays on the first line."),
        (
            f"pos_gen(E), edge_ver(C,D,-2,E), {at(2, 0)}, {OWN}",
            "On the second line from an edge, plays a one-point jump from an own stone two lines higher.",
        ),
        (
            f"pos_gen(E), edge_ver(C,D,-7,E), {at(2, 0)}, {OWN}",
            "On the third line from an edge, plays a one-point jump from an own stone two lines lower.",
        ),
        (
            f"pos_gen(E), edge_hor(C,D,-2,E), {at(2, 0)}, {OWN}",
            "On the second line from an edge, plays a one-point jump from an own stone on the same line.",
        ),
        (
            f"pos_gen(E), edge_hor(C,D,-5,E), {at(0, 2)}, {OWN}",
            "On a middle line, plays a one-point jump from an own stone two lines to the side.",
        ),
        (
            f"pos_gen(E), edge_ver(C,D,-4,E), edge_hor(C,D,-8,E), {at(3, -3)}, {OWN}",
            "At a 2-4 point, plays three points diagonally from an own stone at the 5-7 point of that corner.",
        ),
        ("pos_gen(E), edge_ver(C,D,-5,E), edge_hor(C,D,-5,E)", "Plays at the centre point."),
        # nothing but a stage; chains that stand nowhere in particular; contradictions
        ("stage(A,end)", "In the endgame, plays anywhere."),
        ("block_color(A,F,B), liberty_cnt(A,F,1)", "Plays anywhere and there is an own chain in atari on the board."),
        ("captures(A,F,C,D,B), connects_direct(A,F,C,D,B)", "Can never apply on a 9x9 board."),
    ],
)
def test_meaning(body: str, words: str) -> None:
    assert sentence(rule_of(body)) == words


def test_lines_depend_on_the_board() -> None:
    rule = rule_of("pos_gen(E), edge_ver(C,D,-7,E), stage(A,middle)")
    assert sentence(rule, 19) == "In the middle game, plays on the seventh line from an edge."
    assert sentence(rule, 13) == "In the middle game, plays on a middle line."
    assert sentence(rule, 7) == "In the middle game, plays on the first line."
    assert sentence(rule, 5) == "Can never apply on a 5x5 board."


def test_foreign_predicates_are_quoted_with_what_they_name() -> None:
    foreign = {"ladder": 3, "eye": 2}
    assert sentence(rule_of("connects_direct(A,F,C,D,B), ladder(A,C,D)", **foreign)) == (
        "Extends an own chain, and ladder(A,C,D) holds."
    )
    assert sentence(rule_of("connects_direct(A,F,C,D,B), eye(A,F)", **foreign)) == (
        "Extends an own chain F, and eye(A,F) holds."
    )


def test_what_does_not_fit_is_counted() -> None:
    stones = ", ".join(f"{at(3, y, f'F{y}')}, block_color(A,F{y},B), stone_cnt(A,F{y},{y})" for y in range(1, 4))
    touched = "atari(A,G,C,D,B), stone_cnt(A,G,2), connects_direct(A,H,C,D,B), liberty_cnt(A,H,3)"
    text = sentence(rule_of(f"{stones}, {touched}"))
    assert text.startswith("Puts an opponent's chain of 2 stones in atari, extends an own chain with 3 liberties")
    assert text.endswith("; 2 more conditions.")


@given(rules())
def test_any_clause_gets_a_sentence(rule: Rule) -> None:
    text = sentence(rule)
    assert text[0].isupper() and text.endswith(".") and "  " not in text and "None" not in text
    assert len(text.split()) <= MAX_WORDS + 12  # the first action always stands
    if not read_scene(rule).lines:
        assert not any(word in text for word in (" edge", " corner", "higher", "lower", "middle line"))
