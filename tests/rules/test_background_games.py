"""A user's predicates in games other than Go: rules see what SWI-Prolog says; unfit files are refused with a line."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from rules.test_vocabularies import NAMES, choices_at, positions
from support.needs import ROOT, needs_swipl

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.cli import run
from gotools.game.game import find_game, meaning_of, vocabulary_of
from gotools.game.vocabulary import UNDEFINED, Vocabulary
from gotools.library.records import read_examples
from gotools.library.rules import load_rules, measure_rules
from gotools.rules.clauses import background, questions
from gotools.rules.clauses.background import Background, load_background
from gotools.rules.clauses.facts import Intervals
from gotools.rules.clauses.meaning import facts_of
from gotools.rules.clauses.rules import Rule, parse_body
from gotools.rules.explain.sentences import sentence
from gotools.rules.matching import find_matcher
from gotools.rules.weigh.accuracy import Choices

pytestmark = needs_swipl

EXAMPLE = ROOT / "examples/connect4/four_above.pl"
MODES = ROOT / "examples/connect4/modes.pl"
LEARN, TEST = ROOT / "examples/connect4/learn.tsv", ROOT / "examples/connect4/test.tsv"
COUNTS = {"tictactoe": 25, "connect4": 25, "abalone": 6, "shogi": 6}
"""Positions that Prolog is asked about."""


def twins(vocabulary: Vocabulary) -> str:
    """A predicate of one's own for each measure, for the stage, and for what stands around a move."""
    lines = []
    for measure in vocabulary.measures:
        more = (["S"] if measure.coloured else []) + (["V"] if measure.last else [])
        modes = (["+color"] if measure.coloured else []) + (["#value"] if measure.last else [])
        arguments = ", ".join(["B", "M", *more])
        lines.append(f"modeb(*, my_{measure.name}({', '.join(['+board', '+move', *modes])})).")
        lines.append(f"my_{measure.name}({arguments}) :- {measure.name}({arguments}).")
    lines += ["modeb(*, my_stage(+board, #stage)).", "my_stage(B, S) :- stage(B, S)."]
    lines += ["modeb(*, my_cell(+board, +move, #dx, #dy, #class, +pos))."]
    lines += [f"my_cell(B, M, {x}, {y}, C, F) :- cell(B, M, {x}, {y}, C, F)." for x, y in offsets(vocabulary)]
    return "\n".join(lines)


def offsets(vocabulary: Vocabulary) -> list[tuple[int, int]]:
    """Some of the offsets of the window: a predicate has 200 constants at most."""
    assert vocabulary.window is not None
    near = sorted(vocabulary.window.offsets, key=lambda at: (abs(at[0]) + abs(at[1]), at))
    return near[: 160 // len(vocabulary.window.classes)]


def truth_of(own: Background, given: np.ndarray, name: str, colour: int, value: tuple[int | str, ...]) -> np.ndarray:
    """Where a predicate holds, with these constants."""
    row = own.row_of(name, colour, value)
    return np.zeros(given.shape[1], np.uint8) if row is None else given[row]


@pytest.mark.parametrize("name", NAMES)
def test_predicates_written_like_measures_have_the_truth_of_the_kernels(name: str, tmp_path: Path) -> None:
    game, vocabulary = find_game(name), vocabulary_of(name)
    path = tmp_path / "own.pl"
    path.write_text(twins(vocabulary))
    own = load_background(path, name)
    moves = choices_at(game, positions(game, COUNTS[name], 7)).points
    table = facts_of(moves, Intervals.start(), own, predicates=("cell",))
    given, measured, seen = table.facts.given, table.facts.measure, 0
    for measure in vocabulary.measures:
        for side in (0, 1) if measure.coloured else (0,):
            column = measured[vocabulary.column_of[measure.name] + side]
            for value in np.unique(column).tolist():
                if value == (UNDEFINED if measure.is_number else 0):
                    continue
                said = (value,) if measure.is_number else measure.words[value - 1 : value]
                held = truth_of(own, given, f"my_{measure.name}", 1 + side, said)
                assert (held == 255 * (column == value)).all(), (measure.name, side, said)
                seen += 1
    assert seen > len(vocabulary.measures) // 2
    for number, stage in enumerate(vocabulary.stages):
        assert (truth_of(own, given, "my_stage", 0, (stage,)) == 255 * (table.facts.stage == number)).all()
    check_cells(own, vocabulary, given, table.users)


def test_questions_come_in_as_many_batches_as_their_text_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    own = load_background(EXAMPLE, "connect4")
    moves = choices_at(find_game("connect4"), positions(find_game("connect4"), 12, 4)).points
    whole = facts_of(moves, Intervals.start(), own).facts.given
    monkeypatch.setattr(questions, "MOST_TEXT", 500)
    assert (facts_of(moves, Intervals.start(), own).facts.given == whole).all() and whole.any()


def check_cells(own: Background, vocabulary: Vocabulary, given: np.ndarray, users: int) -> None:
    window = vocabulary.window
    assert window is not None
    for at in offsets(vocabulary):
        for number, held in enumerate(window.classes):
            row = users + window.offsets.index(at) * len(window.classes) + number
            assert (truth_of(own, given, "my_cell", 0, (*at, held)) == given[row]).all(), (at, held)


# ---- rules ----


def said_by_prolog(choices: Choices, rules: Path, own: Path) -> list[set[str]]:
    """Ask a SWI-Prolog that knows nothing of gotools which rules of a file hold of each move."""
    moves = choices.points
    tell = vocabulary_of(moves.game.name).facts
    assert tell is not None
    lines = [fact for k, state in enumerate(moves.state) for fact in tell(state.astype(np.int32), f"b{k}")]
    pairs = zip(moves.position.tolist(), moves.move.tolist(), strict=True)
    lines += [f"asked({n}, b{k}, {move})." for n, (k, move) in enumerate(pairs)]
    lines += [line for line in rules.read_text().splitlines() if line.startswith(("rule(", "move("))]
    lines.sort(key=lambda line: line.split("(")[0])  # a predicate's clauses together
    begin = [":- op(200, fy, #).", *(f":- consult('{path}')." for path in (meaning_of(moves.game.name), own))]
    program = rules.with_name("program.pl")
    program.write_text("\n".join([*begin, ":- style_check(-singleton).", ":- dynamic move/3.", *lines, ASKING]))
    command = ["swipl", "-q", "-f", "none", "-g", "main", "-t", "halt", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    held = [set[str]() for _ in range(len(moves))]
    for number, rule in (line.split() for line in done.stdout.splitlines()):
        held[int(number)].add(rule)
    return held


ASKING = """
main :-
    findall(Id, rule(Id, _, _, _), Ids),
    forall(( asked(N, B, M), to_play(B, S), findall(Body, clause(move(B, S, M), Body), Bodies),
             nth1(K, Bodies, Body), once(Body), nth1(K, Ids, Id) ),
           ( format("~d ~w~n", [N, Id]) )).
"""


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rules of Connect-4 over the predicate of examples/."""
    rules = tmp_path_factory.mktemp("learned") / "rules.pl"
    given = ["--game", "connect4", "--positives", "150", "--background", str(EXAMPLE), "--modes", str(MODES)]
    measured = ["--test", str(TEST), "--metrics", str(rules.with_name("metrics.json"))]
    assert run(["induce-patterns", "-q", str(LEARN), *given, *measured, "-o", str(rules)]) == 0
    assert json.loads(rules.with_name("metrics.json").read_text())["test"]["top1"] > 0.4
    return rules


@pytest.mark.system
def test_rules_over_own_predicates_hold_where_prolog_says(learned: Path) -> None:
    choices = choices_at(find_game("connect4"), positions(find_game("connect4"), 60, 9))
    matcher = find_matcher(str(learned), None, str(EXAMPLE))
    firing, names = matcher.match(choices), [rule.id for rule in matcher.rules.rules]
    found = [{names[k] for k in firing.rule[low:high]} for low, high in pairwise(firing.at.tolist())]
    assert found == said_by_prolog(choices, learned, EXAMPLE)
    own = {rule.id for rule in matcher.rules.rules if "four_above" in rule.clause}
    assert own & set.union(*found) and set(names) - own


def test_moves_are_ranked_by_rules_over_own_predicates(learned: Path, capfd: pytest.CaptureFixture[str]) -> None:
    metrics = learned.with_name("ranked.json")
    given = ["rank-moves", "-q", str(TEST), "--game", "connect4", "--rules", str(learned), "--explain", "--top", "1"]
    assert run([*given, "--background", str(EXAMPLE), "--metrics", str(metrics)]) == 0
    assert "four_above(A,C,B,1) holds" in " ".join(capfd.readouterr().out.split())
    found = measure_rules(load_rules(learned, background=EXAMPLE), read_examples(TEST, game="connect4"))
    assert json.loads(metrics.read_text())["test"] == pytest.approx(found["test"], rel=1e-12)  # summed in another order
    assert run(given) == 1
    assert "unknown predicate 'four_above'" in capfd.readouterr().err


def test_a_sentence_quotes_what_only_the_file_explains() -> None:
    clause = "move(A,B,C) :- wins(A,C,B), four_above(A,C,B,2)."
    rule = Rule("r1", parse_body(clause, "here", 1, "connect4", {"four_above": 4}), 0, 0, 1.0, "connect4")
    assert sentence(rule) == "Makes four in a line, and four_above(A,C,B,2) holds."


# ---- refusals ----

MODE = "modeb(*, p(+board, +move, #n)).\n"
REFUSED = {
    "a point of Go": (
        "modeb(*, p(+board, +coord_x)).\np(_, _).\n",
        "1: unknown type +coord_x; types are +board",
    ),
    "a block": ("modeb(*, p(+board, -block)).\np(_, _).\n", "1: unknown type -block"),
    "no board": ("modeb(*, p(+move, #n)).\np(M, M).\n", "1: p has no +board"),
    "a measure's name": ("modeb(*, wins(+board)).\nwins(_).\n", "1: wins is a name of the vocabulary"),
    "a measure anew": (MODE + "p(_, M, M).\nwins(_, _, _).\n", "3: wins/3 is of the vocabulary"),
    "a position anew": (MODE + "p(_, M, M).\nmove(_, 1, 1, 1).\n", "3: move/4 is of the vocabulary"),
    "a fact of Go": (MODE + "p(B, _, X) :- last_move(B, X, _).\n", "2: calls last_move/3, which is defined nowhere"),
    "an endless one": (MODE + "p(B, M, N) :- p(B, M, N).\n", "2: p: "),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_unfit_file_is_refused_in_one_line(case: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text, what = REFUSED[case]
    path = tmp_path / "own.pl"
    path.write_text(text)
    table = str(ROOT / "examples/tictactoe/learn.tsv")
    assert run(["induce-patterns", "-q", "--game", "tictactoe", table, "--background", str(path)]) == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"gotools induce-patterns: {path}:{what}")


def test_rules_of_one_game_are_not_read_with_predicates_of_another(tmp_path: Path) -> None:
    rules = tmp_path / "rules.pl"
    rules.write_text("%% gotools rules 1\n%% game=tictactoe\nrule(r1, 1, 1, 1.0).\nmove(A,B,C) :- wins(A,C,B).\n")
    with pytest.raises(FileFormatError, match=r"near_last\.pl:7: calls last_move/3, which is defined nowhere"):
        find_matcher(str(rules), None, str(ROOT / "examples/near_last.pl"))


def test_a_game_that_tells_no_facts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = replace(vocabulary_of("connect4"), facts=None)
    monkeypatch.setattr(background, "vocabulary_of", lambda name: silent)
    with pytest.raises(GotoolsError, match="connect4 cannot tell its positions in Prolog"):
        load_background(EXAMPLE, "connect4")


GOALS = """
:- use_module(library(aggregate)).
:- use_module(library(apply)).
:- set_prolog_flag(autoload, false).
meta(Goal, Argument) :-
    predicate_property(user:Goal, meta_predicate(Spec)),
    arg(K, Spec, Kind), ( integer(Kind) ; Kind == ^ ), arg(K, Goal, Argument).
unknown(Goal) :- var(Goal), !.
unknown(_^Goal) :- !, unknown(Goal).
unknown(Goal) :- callable(Goal), meta(Goal, Argument), unknown(Argument).
main :-
    current_prolog_flag(argv, [File]), open(File, read, Stream),
    repeat, read_term(Stream, Term, []),
    ( Term == end_of_file -> ! ; Term = (_ :- Body), unknown(Body), write(Term), nl, fail ).
"""


@pytest.mark.parametrize("name", ["go", *NAMES])
def test_no_predicate_of_a_vocabulary_runs_a_goal_that_it_is_given(name: str, tmp_path: Path) -> None:
    """Else a file could have it run what the file itself may not call."""
    program = tmp_path / "goals.pl"
    program.write_text(GOALS)
    command = ["swipl", "-q", "-f", "none", "-g", "main", "-t", "halt", str(program), "--", str(meaning_of(name))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
