"""Rules files: what is written is read back, Prolog loads it, and what is no rule of ours is named with its line."""

import io
import math
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.clauses import rules as random_rules
from support.needs import needs_swipl

from gotools.base.errors import FileFormatError
from gotools.games.go.vocabulary import PREDICATES
from gotools.rules.clauses.rules import MAX_BODY, Literal, Rule, RuleSet, Var, read_rules, write_rules

BACKGROUND = Path(__file__).parents[2] / "gotools/games/go/background.pl"
START = "%% gotools rules 1\n"
FACT = "rule(r1, 12, 3, 0.5).\n"
CLAUSE = "move(A,B,C,D) :- connects_direct(A,E,C,D,B), stone_cnt(A,E,1).\n"
GOOD = START + FACT + CLAUSE


def text_of(rules: RuleSet, comments: dict[str, str] | None = None) -> str:
    out = io.StringIO()
    write_rules(out, rules, comments)
    return out.getvalue()


def read(text: str, **extra: int) -> RuleSet:
    return read_rules(io.StringIO(text), "rules.pl", extra)


def refusal(text: str) -> FileFormatError:
    with pytest.raises(FileFormatError) as caught:
        read(text)
    assert caught.value.path == "rules.pl"
    return caught.value


# ---- what is written is read back ----


weights = st.floats(-1e6, 1e6, allow_nan=False).map(lambda weight: float(f"{weight:.6g}"))
numbered = st.lists(
    st.tuples(random_rules(most=8), st.integers(0, 10**6), st.integers(0, 10**6), weights), max_size=3
).map(lambda rows: tuple(Rule(f"r{k}", rule.body, p, n, w) for k, (rule, p, n, w) in enumerate(rows, 1)))
plain = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.just(" "), max_size=30).map(str.strip)
headers = st.dictionaries(st.from_regex(r"[a-z_]{1,12}", fullmatch=True), plain, max_size=4)


@given(numbered, headers)
def test_rules_come_back_as_they_were(rules: tuple[Rule, ...], header: dict[str, str]) -> None:
    written = text_of(RuleSet(rules, header))
    back = read(written)
    assert back.rules == rules
    assert {key: back.header[key] for key in header} == header
    assert text_of(RuleSet(back.rules, header)) == written


@given(numbered, st.integers(1, 5), plain)
def test_comments_are_no_part_of_the_rules(rules: tuple[Rule, ...], which: int, words: str) -> None:
    assert read(text_of(RuleSet(rules), {f"r{which}": words})).rules == rules


@given(weights)
def test_weights_keep_six_digits(weight: float) -> None:
    rule = Rule("r1", (Literal("stage", (Var("A"), "open")),), 1, 0, weight)
    assert read(text_of(RuleSet((rule,)))).rules[0].weight == weight


@pytest.mark.parametrize("weight", [0.0, -0.0, 1e-7, 123456.7, 999999.5, 1e6, -1e6, -3e-15, math.pi])
def test_any_weight_that_is_written_is_read(weight: float) -> None:
    rule = Rule("r1", (Literal("stage", (Var("A"), "open")),), 1, 0, weight)
    assert read(text_of(RuleSet((rule,)))).rules[0].weight == pytest.approx(weight, rel=1e-5)


def test_weights_that_score_alike_have_one_digest() -> None:
    """Scores count in parts of 1e-9: what a library says of its weights has the digest of the file it came from."""
    digests = {read(GOOD.replace("0.5)", f"{weight})")).digest for weight in ("1.23457e-07", "0.000000123", "1.23e-07")}
    assert len(digests) == 1
    assert read(GOOD.replace("0.5)", "1.24e-07)")).digest not in digests


def test_blanks_comments_and_line_ends_do_not_matter() -> None:
    spread = GOOD.replace("\n", "\r\n").replace(", ", " ,  ").replace(" :- ", ":-") + "\n  % the end\n\n"
    assert read(spread.replace("rule(r1 ,  12 ,  3 ,  0.5)", "rule(r1, 12,3, 0.5)")).rules == read(GOOD).rules


def test_a_files_own_predicates_are_known_when_they_are_named() -> None:
    mine = GOOD.replace("stone_cnt(A,E,1)", "near_last(A,C,D,near)")
    assert read(mine, near_last=4).rules[0].body[1] == Literal("near_last", (Var("A"), Var("C"), Var("D"), "near"))
    assert "near_last" in refusal(mine).what


def test_the_clause_of_a_rule_is_the_line_that_stands_in_the_file() -> None:
    assert read(GOOD).rules[0].clause + "\n" == CLAUSE


# ---- Prolog reads it too ----

EVERY = "".join(
    f"rule(x{k}, {k}, 0, {k}.25).\nmove(A,B,C,D) :- {body}.\n"
    for k, body in enumerate(
        [
            "pos_gen(E), edge_ver(C,D,-2,E), edge_hor(C,D,-1,E)",
            "pos_gen(E), block_on_pos(A,C,D,F,-3,2,E), block_color(A,F,G), opposite(G,B)",
            "stage(A,middle), connects_direct(A,F,C,D,B), liberty_cnt(A,F,N), stone_cnt(A,F,N), range(N,1,2)",
            "atari(A,F,C,D,B), captures(A,G,C,D,B), connects_indirect(A,H,C,D,B), liberty(A,F,L), liberty(A,G,L)",
            "pos_gen(E), empty_on_pos(A,C,D,-3,0,E), outside_on_pos(A,C,D,0,3,E), line(A,C,D,2)",
            "pos_gen(E), last_on_pos(A,C,D,1,1,E), last2_on_pos(A,C,D,0,-1,E), self_atari(A,C,D,B)",
            "last_distance(A,C,D,N), range(N,2,4), last2_distance(A,C,D,3), opposite(B,G), rescues(A,C,D,G)",
            "liberties_after(A,C,D,B,2), adjacent_chains(A,C,D,B,1), escapes(A,C,D,B,fails)",
            "ladder(A,C,D,B,works), fills_eye(A,C,D,B,false), joins(A,C,D,B)",
            "shape(A,C,D,B,'./.x#/.o*.#/.../.')",
            "linked_sets(A,C,D,B,2), linked_liberties(A,C,D,B,F), near_groups(A,C,D,B,1), group_liberties(A,C,D,B,F)",
        ]
    )
)
CHECK = f"""
:- set_prolog_flag(on_error, status).
main :-
    consult('{BACKGROUND}'),
    consult('rules.pl'),
    forall(( clause(move(_, _, _, _), Body), goal_in(Body, Goal) ),
           ( functor(Goal, Name, Arity), format("~w/~w~n", [Name, Arity]),
             ( predicate_property(Goal, defined) -> true ; throw(unknown(Goal)) ) )),
    aggregate_all(count, rule(_, _, _, _), Rules),
    aggregate_all(count, clause(move(_, _, _, _), _), Clauses),
    Rules =:= Clauses.
goal_in((G, Gs), Goal) :- !, ( Goal = G ; goal_in(Gs, Goal) ).
goal_in(Goal, Goal).
"""


@needs_swipl
def test_prolog_loads_a_written_file_without_a_word(tmp_path: Path) -> None:
    rules = read(START + EVERY)
    sentence = {"x1": "a sentence's words: don't end here. (a :- b), \"quoted\", %"}
    (tmp_path / "rules.pl").write_text(text_of(RuleSet(rules.rules, {"noise": "10", "game": "go"}), sentence))
    (tmp_path / "check.pl").write_text(CHECK)
    command = ["swipl", "-q", "-f", "none", "-g", "main", "-t", "halt", "check.pl"]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert set(answer.stdout.split()) == {f"{p.name}/{p.arity}" for p in PREDICATES}


# ---- what is no rule of ours ----

BODY_ERRORS = {
    "an unknown predicate": ("shell(A)", "shell"),
    "another arity": ("stone_cnt(A,E)", "stone_cnt takes 3"),
    "too many arguments": ("stage(A,open,open)", "stage takes 2"),
    "no arguments": ("stage", "stage takes 2"),
    "empty parentheses": ("stage()", ""),
    "a number out of range": ("stone_cnt(A,E,10000)", "10000"),
    "a number far out of range": (f"stone_cnt(A,E,{'9' * 5000})", "out of range"),
    "a negative number out of range": ("stone_cnt(A,E,-10000)", "-10000"),
    "a quoted atom": ("stage(A,'open')", "'open'"),
    "a string": ('stage(A,"open")', '"open"'),
    "a compound argument": ("stage(A,f(x))", "stage takes 2"),
    "a list": ("stage(A,[open])", "[open]"),
    "a float": ("stone_cnt(A,E,1.5)", ""),
    "a sum": ("stone_cnt(A,E,1+1)", "+1"),
    "an alternative": ("stage(A,open);stage(A,end)", ";"),
    "a negation": ("\\+stage(A,open)", "\\"),
    "a cut": ("stage(A,open),!", "!"),
    "an anonymous variable": ("stone_cnt(A,_,1)", "_"),
    "a call to itself": ("move(A,B,C,D)", "move"),
    "a variable as a goal": ("stage(A,open),E", "E"),
    "two clauses on a line": ("stage(A,open). move(A,B,C,D) :- stage(A,end)", "'.'"),
    "an empty literal": ("stage(A,open),,stage(A,end)", ","),
    "a comma at the end": ("stage(A,open),", ""),
    "a comment in between": ("stage(A,open) /* */, stage(A,end)", "/*"),
    "a letter from elsewhere": ("stage(A,öffnen)", "ö"),
    "digits from elsewhere": ("stone_cnt(A,E,٣)", "٣"),
    "too many literals": (",".join(["stage(A,open)"] * (MAX_BODY + 1)), f"more than {MAX_BODY} literals"),
}


@pytest.mark.parametrize("kind", BODY_ERRORS)
def test_a_clause_that_is_no_rule_is_refused_with_its_line(kind: str) -> None:
    body, words = BODY_ERRORS[kind]
    error = refusal(f"{START}% a comment\n{FACT}move(A,B,C,D) :- {body}.\n")
    assert error.line == 4
    assert words in error.what
    assert len(error.what) < 120


def test_the_longest_body_is_read() -> None:
    body = ", ".join(["stage(A,open)"] * MAX_BODY)
    assert len(read(f"{START}{FACT}move(A,B,C,D) :- {body}.\n").rules[0].body) == MAX_BODY


LINES = {
    "another head": ("move(X,Y,Z,W) :- stage(X,open).", "expected one clause"),
    "a head with constants": ("move(A,b,C,D) :- stage(A,open).", "expected one clause"),
    "another predicate": ("pass(A,B,C,D) :- stage(A,open).", "expected a rule"),
    "a clause without body": ("move(A,B,C,D).", "expected one clause"),
    "an empty body": ("move(A,B,C,D) :- .", ""),
    "a clause without end": ("move(A,B,C,D) :- stage(A,open)", "expected one clause"),
    "only the beginning": ("move(", "expected one clause"),
    "something behind the end": ("move(A,B,C,D) :- stage(A,open). halt", "expected one clause"),
    "a directive": (":- shell('true').", "expected a rule"),
    "a directive in disguise": (":- initialization(halt).", "expected a rule"),
    "a query": ("?- halt.", "expected a rule"),
    "a block comment": ("/* move */", "expected a rule"),
    "a fact before its clause": ("rule(r2, 1, 0, 1).", "rule r1 has no clause"),
}


@pytest.mark.parametrize("kind", LINES)
def test_a_line_that_is_no_rule_is_refused_with_its_number(kind: str) -> None:
    line, words = LINES[kind]
    error = refusal(f"{START}\n{FACT}{line}\n")
    assert error.line == 4
    assert words in error.what


FACTS = {
    "a quoted id": "rule('r1', 1, 0, 1).",
    "an id with a capital": "rule(R1, 1, 0, 1).",
    "a long id": f"rule({'r' * 41}, 1, 0, 1).",
    "a negative count": "rule(r1, -1, 0, 1).",
    "a count that is no number": "rule(r1, many, 0, 1).",
    "a weight that is none": "rule(r1, 1, 0, nan).",
    "an endless weight": "rule(r1, 1, 0, inf).",
    "a weight beyond floats": "rule(r1, 1, 0, 1e999).",
    "a weight whose sums would not be exact": "rule(r1, 1, 0, 1000001).",
    "three arguments": "rule(r1, 1, 0).",
    "five arguments": "rule(r1, 1, 0, 1, 1).",
    "no end": "rule(r1, 1, 0, 1)",
    "a body": "rule(r1, 1, 0, 1) :- halt.",
    "digits from elsewhere": "rule(r1, ٣, 0, 1).",
}


@pytest.mark.parametrize("kind", FACTS)
def test_a_fact_that_is_none_is_refused_with_its_line(kind: str) -> None:
    error = refusal(f"{START}{FACTS[kind]}\n{CLAUSE}")
    heavy = error.what.startswith("the weight ") and error.what.endswith(" of r1 is out of range") and "weight" in kind
    assert error.line == 2
    assert heavy or error.what == "expected rule(Id, P, N, Weight) with plain numbers"


def test_a_clause_needs_its_fact() -> None:
    assert refusal(START + CLAUSE).line == 2
    assert refusal(GOOD + CLAUSE).line == 4


def test_a_fact_needs_its_clause() -> None:
    error = refusal(GOOD + "rule(last, 1, 0, 1).\n")
    assert (error.line, error.what) == (None, "rule last has no clause")


def test_two_rules_cannot_have_one_id() -> None:
    assert "same id" in refusal(GOOD + FACT + CLAUSE).what


FIRST_LINES = {
    "": "expected '%% gotools rules 1'",
    "%% gotools clusters 1": "a file of clusters; expected rules",
    "%% gotools rules 2": "version 2",
    "%% gotools rules x": "expected '%% gotools rules 1'",
    "%% gotools rules ²": "expected '%% gotools rules 1'",
    f"%% gotools rules {'9' * 5000}": "expected '%% gotools rules 1'",
    "%% gotools rules": "expected '%% gotools rules 1'",
    "% gotools rules 1": "expected '%% gotools rules 1'",
    "##gotools examples 1": "expected '%% gotools rules 1'",
    "move(A,B,C,D) :- stage(A,open).": "expected '%% gotools rules 1'",
}


@pytest.mark.parametrize("line", FIRST_LINES, ids=lambda line: line[:24])
def test_the_first_line_says_what_the_file_is(line: str) -> None:
    error = refusal(line + "\n" + FACT + CLAUSE)
    assert error.line == 1
    assert FIRST_LINES[line] in error.what


def test_no_lines_at_all_are_no_rules_file() -> None:
    assert refusal("").line == 1


def test_a_file_without_rules_is_a_rules_file() -> None:
    assert read(START) == RuleSet((), {})


FORGERIES = {
    "a rule": "words\nrule(x, 9, 0, 9).\nmove(A,B,C,D) :- stage(A,open).",
    "a rule behind a carriage return": "words\r\nrule(x, 9, 0, 9).\r\nmove(A,B,C,D) :- stage(A,open).",
    "a header": "words\n%% game=chess",
    "a directive": "words\n:- initialization(halt).",
    "other ends of lines": "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g",
    "a terminal's command": "\x1b[2J\x9b31m",
    "the end of a comment": "*/ halt. /*",
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_words_of_a_comment_or_header_are_never_read_as_anything_else(kind: str) -> None:
    words = FORGERIES[kind]
    rules = read(GOOD).rules
    written = text_of(RuleSet(rules, {"game": "go", "note": words, words: "x"}), {"r1": words})
    back = read(written)
    assert back.rules == rules
    assert back.header["game"] == "go"
    assert all(line.isprintable() for line in written.split("\n"))
    plain_words = text_of(RuleSet(rules, {"game": "go", "note": "x", "y": "x"}), {"r1": "x"})
    assert written.count("\n") == plain_words.count("\n")


LONG = {
    "a predicate": f"{'a' * 60_000}(A)",
    "a predicate of 41 letters": f"{'a' * 41}(A)",
    "a constant": f"stage(A,{'a' * 41})",
    "a variable": f"stone_cnt(A,{'E' * 41},1)",
    "a number as a predicate": f"{'9' * 60_000}(A)",
    "a number as a comma": f"stage(A,open) {'9' * 60_000}",
    "too many literals": "stage(A,open), " * 4_000 + "stage(A,end)",
    "blanks": "stage(A,open)" + " " * 60_000 + "!",
}


@pytest.mark.parametrize("kind", LONG)
def test_what_is_long_is_cut_where_it_is_quoted(kind: str) -> None:
    error = refusal(f"{START}{FACT}move(A,B,C,D) :- {LONG[kind]}.\n")
    assert error.line == 3
    assert len(error.what) < 100


def test_a_line_has_an_end() -> None:
    for long in ("% " + "a" * 70_000, f"move(A,B,C,D) :- {'stage(A,open), ' * 5_000}stage(A,end)."):
        error = refusal(f"{START}{FACT}{long}\n{CLAUSE}")
        assert (error.line, error.what) == (3, "a line of more than 65,536 characters")
    assert len(refusal(f"%% gotools {'x' * 60_000} 1\n").what) < 100


@given(st.data())
def test_rules_hold_nothing_that_could_leave_a_string_of_c(data: st.DataObject) -> None:
    """compile-patterns writes ids and clauses between double quotes."""
    sign = data.draw(st.characters())
    text = FACT + CLAUSE
    at = data.draw(st.integers(0, len(text)))
    try:
        rules = read(START + text[:at] + sign + text[at:]).rules
    except FileFormatError:
        return
    for rule in rules:
        assert re.fullmatch(r"[a-z][A-Za-z0-9_]{0,39}", rule.id)
        assert re.fullmatch(r"move\(A,B,C,D\) :- [A-Za-z0-9_,() -]+\.", rule.clause)


@given(st.text(max_size=200))
def test_garbage_is_refused_or_read_but_never_breaks(garbage: str) -> None:
    for text in (garbage, START + garbage, GOOD + garbage, f"{START}{FACT}move(A,B,C,D) :- {garbage}"):
        try:
            read(text)
        except FileFormatError as error:
            assert "\n" not in str(error)


@settings(max_examples=80)
@given(st.data())
def test_a_damaged_file_is_refused_or_read_but_never_breaks(data: st.DataObject) -> None:
    text = START + EVERY
    at = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 20))
    put = data.draw(st.text("ABEFmove():-,. \n%0129'rule_", max_size=8))
    try:
        read(text[:at] + put + text[at + length :])
    except FileFormatError as error:
        assert error.line is None or 1 <= error.line <= text.count("\n") + 9
