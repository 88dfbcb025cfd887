"""Mode declarations of a user: the slow twin's bottom clauses and rules, the example file, and what is refused."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.needs import ROOT
from support.slow_induction import MODES, Declared, Induction, points_of, random_examples, saturate

from gotools.base.errors import FileFormatError
from gotools.games.go.vocabulary import PREDICATES, VOCABULARIES
from gotools.rules.clauses.facts import Intervals
from gotools.rules.clauses.meaning import facts_of
from gotools.rules.clauses.rules import Var
from gotools.rules.cover import induce as search
from gotools.rules.cover.induce import CoverSettings, SeedResult, induce
from gotools.rules.cover.modes import CONSTRAINTS, Modes, load_modes

EXAMPLE = ROOT / "examples/modes.pl"

FEW = """\
:- modeb(2, range(+nat, #[1..3], #[2, 3, 99])).   % the order of the file changes nothing
:- modeb(1, pos_gen(-pos)).
:- modeb(1, edge_ver(+coord_x, +coord_y, #[-2..-1, -4], +pos)).
:- modeb(*, stage(+board, #[open, middle])).
:- modeb(3, block_on_pos(+board, +coord_x, +coord_y, -block, #[-1..1], #disp, +pos)).
:- modeb(1, block_color(+board, +block, -color)).
:- modeb(1, opposite(+color, -color)).
:- modeb(1, liberty_cnt(+board, +block, #[2])). :- modeb(1, liberty_cnt(+board, +block, -nat)).
:- modeb(2, liberty(+board, +block, -block)).
:- modeb(1, connects_direct(+board, -block, +coord_x, +coord_y, +color)).
:- modeb(
    *, atari(+board, -block,
             +coord_x, +coord_y, +color)).
"""
TWIN = [
    Declared(1, ("pos_gen", "-pos")),
    Declared(1, ("edge_ver", "+x", "+y", "#", "+pos"), ((-2, -1, -4),)),
    Declared(0, ("stage", "+board", "#"), (("open", "middle"),)),
    Declared(3, ("block_on_pos", "+board", "+x", "+y", "-block", "#", "#", "+pos"), ((-1, 0, 1), ())),
    Declared(1, ("block_color", "+board", "+block", "-color")),
    Declared(1, ("opposite", "+color", "-color")),
    Declared(1, ("liberty_cnt", "+board", "+block", "#"), ((2,),)),
    Declared(1, ("liberty_cnt", "+board", "+block", "-nat")),
    Declared(2, ("range", "+nat", "#", "#"), ((1, 2, 3), (2, 3, 99))),
    Declared(2, ("liberty", "+board", "+block", "-block")),
    Declared(0, ("atari", "+board", "-block", "+x", "+y", "+color")),
    Declared(1, ("connects_direct", "+board", "-block", "+x", "+y", "+color")),
]


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str], Modes]:
    """A function that reads modes from a text."""

    def reader(text: str) -> Modes:
        (tmp_path / "m.pl").write_text(text)
        return load_modes(tmp_path / "m.pl")

    return reader


def numbered(literals: list[tuple[str, tuple[object, ...]]]) -> list[tuple[str, tuple[object, ...]]]:
    """Name variables by the order of their first appearance."""
    names: dict[object, str] = {}
    is_variable = (tuple, Var)
    return [
        (name, tuple(names.setdefault(a, f"V{len(names)}") if isinstance(a, is_variable) else a for a in args))
        for name, args in literals
    ]


def test_bottom_clauses_are_those_of_the_slow_twin(read: Callable[[str], Modes]) -> None:
    modes = read(FEW)
    examples = random_examples(random.Random(9), 7, 25, 49)
    table = facts_of(points_of(examples), Intervals.start())
    shorter = 0
    for row, example in enumerate(examples):
        slow = saturate(example, (), 10, TWIN)
        quick = search.saturate(table, row, modes.predicates, 10, modes)
        ours = numbered([(b.predicate, b.args) for b in quick.literals])
        assert ours == numbered([(b.literal.predicate, b.literal.args) for b in slow])
        shorter += len(ours) < len(saturate(example, modes.predicates, 10))
    assert shorter > 20, "modes that leave out nothing say little"


def compared(modes: Modes, declared: list[Declared], settings: CoverSettings, seed: int) -> list[SeedResult]:
    """Induce with modes on random boards, after a check that the slow twin finds the same."""
    rng = random.Random(seed)
    positives, negatives = random_examples(rng, 5, 24, 24), random_examples(rng, 5, 8, 24)
    settings = replace(settings, predicates=modes.predicates, modes=modes)
    table = facts_of(points_of(positives + negatives), Intervals.start())
    order = np.arange(len(table), dtype=np.int32)
    found = list(induce(table, order[: len(positives)], order[len(positives) :], settings))
    fields = ("seed", "body", "positives", "negatives", "searched", "left")
    twin = Induction(positives, negatives, settings, declared, modes.off)
    assert [tuple(getattr(f, field) for field in fields) for f in found] == [tuple(f) for f in twin.run()]
    assert twin.rules > 0, "a comparison without rules says little"
    return found


def test_rules_are_those_of_the_slow_twin(read: Callable[[str], Modes]) -> None:
    compared(read(FEW), TWIN, CoverSettings(nodes=200, noise=2, min_body=2), 4)


@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_constraints_switched_off_are_those_of_the_slow_twin(constraint: str) -> None:
    names: tuple[str, ...] = ("opposite", "connects_direct", "liberty_cnt", "stage")
    names += {"coloured_blocks": ("pos_gen", "block_on_pos", "block_color"), "counts_once": ("range",)}.get(
        constraint, ()
    )
    whole = load_modes(EXAMPLE)
    modes = replace(whole, of={name: whole.of[name] for name in names}, off=frozenset([constraint]))
    settings = CoverSettings(nodes=400, noise=0 if constraint == "counts_once" else 2, min_body=2, max_body=5)
    declared = [Declared(0, tuple(mode)) for mode in MODES if mode[0] in names]
    off = compared(modes, declared, settings, 11)
    on = compared(replace(modes, off=frozenset()), declared, settings, 11)
    assert [(f.body, f.searched) for f in on] != [(f.body, f.searched) for f in off], "the constraint changed nothing"


def test_the_example_declares_the_default_vocabulary_and_names_the_rest() -> None:
    modes = load_modes(EXAMPLE)
    assert sorted(modes.predicates) == sorted(VOCABULARIES["advanced"]) and not modes.off
    text = EXAMPLE.read_text()
    for predicate in PREDICATES:
        written = [f"{predicate.name}({', '.join(variant)})" for variant in predicate.variants]
        assert predicate.name == "shape" or all(one in text for one in written)
    assert all(f":- constraint({name}, on)." in text for name in CONSTRAINTS)


def test_the_example_and_its_whole_form_say_the_same_as_the_vocabularies(read: Callable[[str], Modes]) -> None:
    whole = read(re.sub(r"^% (?=:-)", "", EXAMPLE.read_text(), flags=re.MULTILINE))
    examples = random_examples(random.Random(5), 7, 12, 49)
    table = facts_of(points_of(examples), Intervals.start(), predicates=VOCABULARIES["groups"])
    for modes, names in ((load_modes(EXAMPLE), VOCABULARIES["advanced"]), (whole, VOCABULARIES["groups"])):
        for row in range(len(examples)):
            declared = search.saturate(table, row, modes.predicates, 10, modes)
            assert declared == search.saturate(table, row, names, 10)


MOVE = ":- modeh(1, move(+board, +color, +coord_x, +coord_y)).\n"
STAGE = ":- modeb(1, stage(+board, #stage)).\n"
POS = ":- modeb(1, pos_gen(-pos)).\n"
WRONG = [
    ("% nothing\n", r"m\.pl: no mode; "),
    (MOVE, r"m\.pl: no mode; "),
    (STAGE + "modeb(1, pos_gen(-pos)).", r"m\.pl:2: expected `:-`, not `modeb`"),
    (":- consult(evil).", r"m\.pl:1: `consult` declares nothing here; "),
    (":- set(i, 3).", r"m\.pl:1: `set` declares nothing here; "),
    (STAGE + "\n:- modeb(1, liberties(+board)).", r"m\.pl:3: `liberties` is no predicate of rules .*'liberty'"),
    (":- modeb(1, shape(+board, +coord_x, +coord_y, +color, #shape)).", r"m\.pl:1: `shape` .*--objective rank"),
    (":- modeb(0, stage(+board, #stage)).", r"m\.pl:1: recall is `\*` or a number from 1 to 1000, not `0`"),
    (":- modeb(2, pos_gen(-pos)).", r"m\.pl:1: pos_gen has recall 1"),
    (":- modeb(1, stage(+board)).", r"m\.pl:1: expected stage\(\+board, #stage\)"),
    (":- modeb(1, stage(+board, -stage)).", r"m\.pl:1: expected stage\(\+board, #stage\)"),
    (":- modeb(1, liberty_cnt(+board, +block, +nat)).", r"expected liberty_cnt\(.*#nat\) or liberty_cnt\(.*-nat\)"),
    (":- modeb(1, stage(+board, #[begin])).", r"m\.pl:1: `begin` is no stage; "),
    (":- modeb(1, stage(+board, #[open..end])).", r"m\.pl:1: a range is between two numbers"),
    (
        POS + ":- modeb(1, edge_ver(+coord_x, +coord_y, #[-1..3], +pos)).",
        r":2: expected a number from -19 to -1, not `3`",
    ),
    (POS + ":- modeb(1, edge_ver(+coord_x, +coord_y, #[-1..-3], +pos)).", r":2: -1\.\.-3 holds no number"),
    (POS + ":- modeb(1, last_on_pos(+board, +coord_x, +coord_y, #[], #disp, +pos)).", r":2: expected a number .*`\]`"),
    (STAGE + ":- modeb(1, edge_ver(+coord_x, +coord_y, #disp, +pos)).", r":2: edge_ver needs \+pos, .* has -pos"),
    (":- modeb(1, block_color(+board, +block, -color)).", r"m\.pl:1: block_color needs \+block, .* has -block"),
    (STAGE[:-2] + "\n", r"m\.pl:1: this declaration has no full stop"),
    (STAGE + ":- modeb(1, stage(+board, #stage)", r"m\.pl:2: "),
    (STAGE + "?- halt.", r"m\.pl:2: unexpected '\?'"),
    (STAGE + ".", r"m\.pl:2: a full stop without a declaration"),
    (STAGE + ":- constraint(opposite_onse, off).", r"m\.pl:2: `opposite_onse` is no constraint.*'opposite_once'"),
    (STAGE + ":- constraint(opposite_once, maybe).", r"m\.pl:2: expected `on` or `off`, not `maybe`"),
    (STAGE + ":- modeh(1, move(+board, -color, +coord_x, +coord_y)).", r"m\.pl:2: the head of rules is move\("),
    (STAGE + ":- modeb(1, " + "f(" * 3000, r"m\.pl:"),
    (STAGE + ":- modeb(" + "9" * 900 + ", stage(+board, #stage)).", r"m\.pl:2: recall is"),
    ("\0", r"m\.pl: "),
    ("\N{SNOWMAN}", r"m\.pl:1: unexpected"),
]


@pytest.mark.parametrize(("text", "what"), WRONG)
def test_what_is_refused(read: Callable[[str], Modes], text: str, what: str) -> None:
    with pytest.raises(FileFormatError, match=what) as error:
        read(text)
    assert "\n" not in str(error.value) and len(str(error.value)) < 700


def test_the_page_shows_modes_that_can_be_read_and_all_constraints(read: Callable[[str], Modes]) -> None:
    page = (ROOT / "docs/background.md").read_text()
    (block,) = re.findall(r"^```prolog\n(:- modeb.*?)^```$", page, re.MULTILINE | re.DOTALL)
    modes = read(block)
    assert modes.off == {"opposite_once"} and modes.of["edge_hor"][0].values == (frozenset((-2, -1)),)
    assert re.findall(r"^\| `(\w+)` \|", page.split("| constraint |")[1], re.MULTILINE) == list(CONSTRAINTS)


def test_values_may_be_given_in_several_modes(read: Callable[[str], Modes]) -> None:
    modes = read(
        ":- modeb(*, block_on_pos(+board, +coord_x, +coord_y, -block, #[1], #[0], +pos)).\n" + POS
        + ":- modeb(*, block_on_pos(+board, +coord_x, +coord_y, -block, #[2], #[1], +pos)).\n"
    )  # fmt: skip
    examples = random_examples(random.Random(2), 7, 20, 49)
    table = facts_of(points_of(examples), Intervals.start())
    seen: set[tuple[object, ...]] = set()
    for row in range(len(examples)):
        for literal in search.saturate(table, row, modes.predicates, 10, modes).literals:
            if literal.predicate == "block_on_pos":
                seen.add(literal.args[4:6])
    assert seen == {(1, 0), (2, 1)}
